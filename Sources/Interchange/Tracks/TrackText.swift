internal import Geo
internal import Model

/// Parses numbers and times in files of tracks.
package enum TrackText {
    /// The number in a text with optional surrounding spaces; nil for anything else.
    package static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        var (start, end) = (0, bytes.count)
        while start < end, bytes[start] <= 0x20 { start += 1 }
        while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
        let text = UnsafeBufferPointer(rebasing: bytes[start..<end])
        return text.shortDecimal ?? String(decoding: text, as: UTF8.self).decimalNumber
    }

    package static func number(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { number($0) }
    }

    /// The time in a text: RFC 3339 (UTC by default), or seconds or milliseconds since 1970.
    ///
    /// `sawNoZone` becomes true for a time without a zone.
    package static func time(_ text: String, _ sawNoZone: inout Bool) -> TrackPoint.Time {
        let trimmed = text.utf8.first ?? 0x20 > 0x20 && text.utf8.last ?? 0x20 > 0x20 ? text : Self.trimmed(text)
        guard !trimmed.isEmpty else { return .missing }
        if let time = Timestamp(rfc3339: trimmed) { return .at(time) }
        if let number = number(trimmed) { return time(number) }
        if let time = Timestamp(rfc3339: trimmed + "Z") {
            sawNoZone = true
            return .at(time)
        }
        guard let standard = standardized(trimmed) else { return .unreadable(trimmed) }
        return time(standard, &sawNoZone)
    }

    /// A date and time in RFC 3339 if it was written with slashes in the order of RFC 3339, without seconds, as
    /// `20260102T083000Z`, or with a zone such as `-0700`, ` +02` or ` UTC`; nil for any other text.
    private static func standardized(_ text: String) -> String? {
        if let match = text.wholeMatch(of: Patterns.compact) {
            let (date, clock) = ("\(match.1)-\(match.2)-\(match.3)", "\(match.4):\(match.5):\(match.6)")
            return "\(date)T\(clock)\(match.7 ?? "")"
        }
        guard let match = text.wholeMatch(of: Patterns.time) else { return nil }
        let zone = match.7.map { "\($0):\(match.8 ?? "00")" } ?? (match.6 == nil ? "" : "Z")
        let standard = "\(match.1)-\(match.2)-\(match.3)T\(match.4)\(match.5 ?? ":00")\(zone)"
        return standard == text ? nil : standard
    }

    /// The time at a number of seconds or milliseconds since 1970.
    ///
    /// Times before 1978, when no GPS satellite was in orbit, are rejected, because the number is probably part of a
    /// date or of a longer number.
    package static func time(_ number: Double) -> TrackPoint.Time {
        guard let time = Timestamp(epoch: number), time >= first else { return .unreadable("\(number)") }
        return .at(time)
    }

    /// 1978-01-01.
    private static let first = Timestamp(milliseconds: 252_460_800_000)

    /// The text without leading and trailing whitespace, line ends included.
    static func trimmed(_ text: String) -> String {
        let start = text.drop { $0.isWhitespace }
        return String(start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)])
    }
}

private enum Patterns {
    static let compact = Pattern(#/(\d{4})(\d\d)(\d\d)[Tt](\d\d)(\d\d)(\d\d(?:\.\d+)?)(Z|[-+]\d\d:?\d\d)?/#)
    static let time = Pattern(
        #/(\d{4})[-\/](\d\d)[-\/](\d\d)[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)? ?(UTC|GMT|Z|([-+]\d\d):?(\d\d)?)?/#)
}
