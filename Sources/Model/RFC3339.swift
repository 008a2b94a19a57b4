/// Conversion of instants to and from RFC 3339, to the millisecond.
extension Timestamp {
    /// The last instant that can be represented, 9999-12-31T23:59:59.999Z.
    package static let latest = Timestamp(milliseconds: 253_402_300_799_999)

    /// Parses an RFC 3339 date and time from 1970 to 9999; nil for anything else.
    ///
    /// Fractions of a millisecond are rounded; a leap second becomes the next second.
    package init?(rfc3339 text: String) {
        var scanner = Scanner(bytes: Array(text.utf8))
        guard let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2), scanner.skip("-"),
            let day = scanner.digits(2), let date = CalendarDate(year: year, month: month, day: day),
            scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
            let hour = scanner.digits(2), hour < 24, scanner.skip(":"),
            let minute = scanner.digits(2), minute < 60, scanner.skip(":"),
            let second = scanner.digits(2), second <= 60
        else { return nil }
        var milliseconds: Int64 = 0
        if scanner.skip(".") {
            guard let fraction = scanner.fraction() else { return nil }
            milliseconds = Int64((fraction * 1000).rounded())
        }
        guard let offset = scanner.offset(), scanner.isAtEnd else { return nil }
        let minutes = Int64(date.daysSinceEpoch) * 1440 + Int64(hour * 60 + minute - offset)
        milliseconds += minutes * 60_000 + Int64(second) * 1000
        guard (0...Self.latest.milliseconds).contains(milliseconds) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    /// The instant of a number of seconds, or of milliseconds if as seconds it would be after the year 5138.
    ///
    /// It is nil before 1970 or after 9999.
    package init?(epoch number: Double) {
        let milliseconds = number < 1e11 ? number * 1000 : number
        guard (0...Double(Self.latest.milliseconds)).contains(milliseconds) else { return nil }
        self.init(milliseconds: Int64(milliseconds.rounded()))
    }

    /// The instant in UTC; milliseconds are omitted if they are 0.
    package var rfc3339: String {
        guard let date = CalendarDate(self) else { return String(milliseconds) }
        let rest = Int(milliseconds - milliseconds.flooredDivision(by: 86_400_000) * 86_400_000)
        let thousandths = rest % 1000
        return String(unsafeUninitializedCapacity: 24) { text in
            var end = 0
            func append(_ number: Int, digits: Int, before next: Unicode.Scalar) {
                var left = number
                for place in (end..<end + digits).reversed() {
                    text[place] = UInt8(ascii: "0") + UInt8(left % 10)
                    left /= 10
                }
                text[end + digits] = UInt8(ascii: next)
                end += digits + 1
            }
            append(date.year, digits: 4, before: "-")
            append(date.month, digits: 2, before: "-")
            append(date.day, digits: 2, before: "T")
            append(rest / 3_600_000, digits: 2, before: ":")
            append(rest / 60_000 % 60, digits: 2, before: ":")
            append(rest / 1000 % 60, digits: 2, before: thousandths == 0 ? "Z" : ".")
            if thousandths > 0 { append(thousandths, digits: 3, before: "Z") }
            return end
        }
    }
}

private struct Scanner {
    let bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func digits(_ count: Int) -> Int? {
        guard position + count <= bytes.count else { return nil }
        var number = 0
        for byte in bytes[position..<position + count] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        position += count
        return number
    }

    /// The value of the digits after a decimal point; nil if there are none.
    mutating func fraction() -> Double? {
        var value = 0.0
        var scale = 1.0
        while let digit = digits(1) {
            scale /= 10
            value += Double(digit) * scale
        }
        return scale < 1 ? value : nil
    }

    /// Minutes east of UTC.
    mutating func offset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let sign = skip("+") ? 1 : -1
        guard sign == 1 || skip("-"), let hours = digits(2), hours < 24, skip(":"), let minutes = digits(2),
            minutes < 60
        else { return nil }
        return sign * (hours * 60 + minutes)
    }
}
