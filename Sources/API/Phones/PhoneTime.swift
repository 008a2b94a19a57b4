internal import Foundation
internal import Geo
internal import Model

/// The times that phones write.
extension Timestamp {
    /// Seconds since 1970, or milliseconds from 2^31 - 1 on, as Traccar tells them apart; nil beyond the year 9999.
    init?(phoneNumber number: Double) {
        let milliseconds = (number < Double(Int32.max) ? number * 1000 : number).rounded()
        guard (0...Double(Self.latest.milliseconds)).contains(milliseconds) else { return nil }
        self.init(milliseconds: Int64(milliseconds))
    }

    /// A number as above, RFC 3339, or a date and time of less: without an offset, which is UTC then, or with one such as
    /// `+0200` or, of a query that nobody encoded, ` 02:00`.
    init?(phoneText text: String) {
        if let number = text.decimalNumber {
            self.init(phoneNumber: number)
        } else if let time = Timestamp(rfc3339: text) {
            self = time
        } else {
            let form = #/(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d(?:\.\d+)?)([-+ ]\d\d(?::?\d\d)?)?/#
            guard let match = text.wholeMatch(of: form) else { return nil }
            let offset = match.3.map { offset in
                let digits = offset.dropFirst().filter { $0 != ":" } + "00"
                return "\(offset.first == "-" ? "-" : "+")\(digits.prefix(2)):\(digits.dropFirst(2).prefix(2))"
            }
            self.init(rfc3339: "\(match.1)T\(match.2)\(offset ?? "Z")")
        }
    }
}
