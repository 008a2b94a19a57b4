internal import Foundation
internal import Geo
internal import Interchange
internal import Model

/// The time formats of phones.
extension Timestamp {
    /// Parses seconds since 1970, or milliseconds from 2^31 - 1 on, as Traccar does; returns nil beyond the year 9999.
    init?(phoneNumber number: Double) {
        let milliseconds = (number < Double(Int32.max) ? number * 1000 : number).rounded()
        guard (0...Double(Self.latest.milliseconds)).contains(milliseconds) else { return nil }
        self.init(milliseconds: Int64(milliseconds))
    }

    /// Parses a number as above, RFC 3339, or a date and time without an offset, which means UTC, or with one such as
    /// `+0200` or, in an unencoded query, ` 02:00`; or any other form that files of tracks may have.
    init?(phoneText text: String) {
        if let number = text.decimalNumber {
            self.init(phoneNumber: number)
        } else if let time = Timestamp(rfc3339: text) {
            self = time
        } else {
            guard let match = text.wholeMatch(of: Patterns.time) else {
                var lacksZone = false
                guard case .at(let time) = TrackText.time(text, &lacksZone) else { return nil }
                self = time
                return
            }
            let offset = match.3.map { offset in
                let digits = offset.dropFirst().filter { $0 != ":" } + "00"
                return "\(offset.first == "-" ? "-" : "+")\(digits.prefix(2)):\(digits.dropFirst(2).prefix(2))"
            }
            self.init(rfc3339: "\(match.1)T\(match.2)\(offset ?? "Z")")
        }
    }
}

private enum Patterns {
    static let time = Pattern(#/(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d(?:\.\d+)?)([-+ ]\d\d(?::?\d\d)?)?/#)
}
