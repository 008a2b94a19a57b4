internal import Foundation
internal import Geo
internal import Interchange
internal import Model

/// The names of parameters in addresses that users write themselves.
extension PhoneFields {
    /// The names of the time of a fix, the most precise first.
    private static let times = [
        "timestamp", "time", "ts", "tst", "t", "datetime", "isotime", "timeiso", "timeutc", "utctime", "utc",
        "timestampms", "tsms", "timems", "epochms", "timeoffset", "timewithoffset", "localtime", "gpstime", "fixtime",
        "devicetime", "unixtime", "unix", "epoch",
        "date",
    ]

    /// Names whose values may have as many digits as a time.
    private static let identifiers: Set = [
        "id", "ser", "serial", "aid", "androidid", "deviceid", "device", "uniqueid", "imei", "token", "key", "phone",
    ]

    /// The names of a date that a time of day completes, and of that time.
    private static let dates = ["date", "utcdate", "gpsdate", "fecha", "datum"]
    private static let clocks = ["time", "utctime", "timeutc", "gpstime", "hora", "zeit"]

    /// The maximum number of fields of a message.
    private static let most = 200

    /// Words in the names of times that are not of the fix.
    private static let spans = ["elapsed", "duration", "interval", "timespan", "moving"]

    /// The accuracy of the fix in meters, under the names that files of tracks have too.
    var accuracy: Double? {
        TrackField.accuracies.lazy.compactMap { members[$0]?.length }.first { $0 > 0 }
    }

    /// The name, as it was written, of a value that may be an accuracy and is not read; nil if there is an accuracy.
    var unreadAccuracy: String? {
        guard accuracy == nil else { return nil }
        let name = members.sorted { $0.key < $1.key }.first { name, value in
            TrackField(named: name) == .accuracy ? value.length?.isNaN ?? false : TrackField.mayBeAccuracy(name)
        }
        return name.map { written[$0.key] ?? $0.key }
    }

    /// The accuracy by the dilution of precision, as in files of tracks.
    var accuracyByDilution: Double? {
        number("hdop").flatMap { $0 > 0 ? $0 * TrackPoint.metresAtUnitDilution : nil }
    }

    /// The time of the fix under any of the usual names; nil if no parameter holds a time.
    ///
    /// - Throws: ``Unreadable`` for one that cannot be parsed, and for one under another name, because a queued position
    ///   would otherwise be stored as the current one.
    func timeOfFix() throws(Unreadable) -> Timestamp? {
        let (date, clock) = (first(of: Self.dates), first(of: Self.clocks))
        if let date, let clock, let text = TrackText.joined(date: date.text, clock: clock.text, isUTC: true) {
            var others = self
            others.members[date.name] = nil
            others.members[clock.name] = nil
            return try others.timeOfFix() ?? Timestamp(phoneText: text)
        }
        if let time = try time(Self.times) { return time }
        let other = members.sorted { $0.key < $1.key }.first { name, value in
            !Self.identifiers.contains(name) && !Self.times.contains(name) && value.isTime
                && !Self.spans.contains(where: name.contains)
        }
        if let other { throw Unreadable(unreadTime: written[other.key] ?? other.key) }
        return nil
    }

    private func first(of names: [String]) -> (name: String, text: String)? {
        names.lazy.compactMap { name in self.text(name).map { (name, $0) } }.first
    }

    /// The fields by names in lowercase without signs: `fix_time`, `Fix-Time` and `fixTime` are `fixtime`.
    ///
    /// Of several with the same result a name that is already so written counts, else the alphabetically first.
    ///
    /// - Throws: ``Unreadable`` for more fields than any app sends, each of which would be examined.
    var folded: PhoneFields {
        get throws(Unreadable) {
            guard members.count <= Self.most else { throw Unreadable() }
            return byPlainName
        }
    }

    private var byPlainName: PhoneFields {
        var folded: [String: JSON] = [:]
        var written: [String: String] = [:]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) where !value.isBlank {
            let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
            guard folded[plain] == nil || plain == name else { continue }
            folded[plain] = value
            written[plain] = name
        }
        var fields = PhoneFields(folded)
        fields.written = written
        return fields
    }
}

extension JSON {
    /// The seconds from 2001 to 2100, which hardly any other number is.
    private static let epochs = 1e9...4.1e9

    /// Whether this is a date, a time of day, both, or a number of seconds of this century or of fractions of them.
    fileprivate var isTime: Bool {
        switch self {
        case .number(let number): return [1, 1e3, 1e6, 1e9].contains { Self.epochs.contains(number / $0) }
        case .text(let text):
            if let number = text.decimalNumber { return JSON.number(number).isTime }
            let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
            return Patterns.times.contains { trimmed.prefixMatch(of: $0) != nil }
        case .null, .flag, .list, .object: return false
        }
    }

    fileprivate var isBlank: Bool {
        if case .text(let text) = self { text.allSatisfy(\.isWhitespace) } else { self == .null }
    }
}

/// Times at the beginning of a trimmed text; each pattern takes time linear in its length.
private enum Patterns {
    static let times = [
        Pattern(#/\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/#),
        Pattern(#/(?:\d{4}[-\/.]\d\d?[-\/.]\d\d?|\d\d?[-\/.]\d\d?[-\/.]\d{4})(?:[Tt, ]+\d\d?:\d\d.*)?$/#),
        Pattern(#/\d\d?:\d\d(?::\d\d(?:\.\d+)?)?\s*(?:[AaPp]\.?[Mm]\.?|Z|[-+]\d\d:?\d\d)?$/#),
        Pattern(#/\d{8}[Tt]\d{4,6}/#),
    ]
}
