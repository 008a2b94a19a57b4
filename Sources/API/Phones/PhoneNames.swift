internal import Foundation
internal import Geo
internal import Interchange
internal import Model

/// The names of parameters in addresses that users write themselves.
extension PhoneFields {
    /// The names of the time of a fix, the most precise first.
    private static let times = [
        "timestamp", "time", "ts", "tst", "t", "datetime", "isotime", "timeiso", "timeutc", "utctime", "utc",
        "timeoffset", "timewithoffset", "localtime", "gpstime", "fixtime", "devicetime", "unixtime", "unix", "epoch",
        "date",
    ]

    /// Names whose values may have as many digits as a time.
    private static let identifiers: Set = [
        "id", "ser", "serial", "aid", "androidid", "deviceid", "device", "uniqueid", "imei", "token", "key", "phone",
    ]

    /// The accuracy of the fix in meters.
    var accuracy: Double? {
        number("acc", "accuracy", "accuracym", "hacc", "horizontalaccuracy", "haccuracy", "precision")
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
        if let time = try time(Self.times) { return time }
        let other = members.sorted { $0.key < $1.key }.first { name, value in
            !Self.identifiers.contains(name) && !Self.times.contains(name) && value.isTime
        }
        if let other { throw Unreadable(unreadTime: other.key) }
        return nil
    }

    /// The fields by names in lowercase without signs: `fix_time`, `Fix-Time` and `fixTime` are `fixtime`.
    ///
    /// Of several with the same result a name that is already so written counts, else the alphabetically first.
    var folded: PhoneFields {
        var folded: [String: JSON] = [:]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) where !value.isBlank {
            let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
            if folded[plain] == nil || plain == name { folded[plain] = value }
        }
        return PhoneFields(folded)
    }
}

extension JSON {
    /// The seconds from 2001 to 2100, which hardly any other number is.
    private static let epochs = 1e9...4.1e9

    /// Whether this is a date and time, or a number of seconds or milliseconds of this century.
    fileprivate var isTime: Bool {
        switch self {
        case .number(let number): Self.epochs.contains(number) || Self.epochs.contains(number / 1000)
        case .text(let text):
            text.decimalNumber.map { JSON.number($0).isTime } ?? text.contains(Patterns.time)
        case .null, .flag, .list, .object: false
        }
    }

    fileprivate var isBlank: Bool {
        if case .text(let text) = self { text.allSatisfy(\.isWhitespace) } else { self == .null }
    }
}

private enum Patterns {
    static let time = Pattern(#/^\s*\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/#)
}
