/// An instant of the simulated time, in milliseconds since 1970 UTC.
package struct SimulatedTime: Hashable, Comparable, Sendable {
    package var milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package static func < (a: SimulatedTime, b: SimulatedTime) -> Bool { a.milliseconds < b.milliseconds }

    package static func + (moment: SimulatedTime, seconds: Double) -> SimulatedTime {
        SimulatedTime(milliseconds: moment.milliseconds + Int64((seconds * 1000).rounded()))
    }

    /// Seconds.
    package static func - (a: SimulatedTime, b: SimulatedTime) -> Double {
        Double(a.milliseconds - b.milliseconds) / 1000
    }
}

extension SimulatedTime {
    /// The instant written as `2026-11-20T10:15:00Z`, with or without milliseconds; nil for anything else.
    ///
    /// Days are counted by H. Hinnant's `days_from_civil`, https://howardhinnant.github.io/date_algorithms.html.
    package init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int64? {
            guard range.upperBound <= bytes.count else { return nil }
            return range.reduce(Int64?(0)) { sum, index in
                guard let sum, (0x30...0x39).contains(bytes[index]) else { return nil }
                return sum * 10 + Int64(bytes[index] - 0x30)
            }
        }
        let marks = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")] as [(Int, Unicode.Scalar)]
        guard bytes.count == 20 || bytes.count == 24, bytes.last == UInt8(ascii: "Z"),
            marks.allSatisfy({ bytes[$0.0] == UInt8(ascii: $0.1) }),
            let year = number(0..<4), let month = number(5..<7), (1...12).contains(month), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            let rest = bytes.count == 24 ? number(20..<23) : 0
        else { return nil }
        let y = month <= 2 ? year - 1 : year
        let era = y / 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = (y - era * 400) * 365 + (y - era * 400) / 4 - (y - era * 400) / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        milliseconds = (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + rest
    }
}
