/// The fields of a position in a table or an object.
package enum TrackField: String {
    case time = "t"
    case latitude = "lat"
    case longitude = "lon"
    case person, device
    case accuracy = "accuracy_m"
    case altitude = "altitude_m"
    case speed = "speed_mps"
    case heading, battery
    case dilution = "hdop"

    /// Names in the files of other programs, in lowercase without signs, besides the synonyms of imports.
    private static let synonyms: [String: TrackField] = [
        "alt": .altitude, "ele": .altitude, "elevation": .altitude, "altm": .altitude, "elem": .altitude,
        "altitudemeters": .altitude, "bearing": .heading, "course": .heading, "heading": .heading,
        "bearingdeg": .heading, "speed": .speed, "speedmps": .speed, "speedmeterspersecond": .speed,
        "acc": .accuracy, "accuracy": .accuracy, "accuracym": .accuracy, "accuracymeters": .accuracy,
        "hacc": .accuracy, "haccm": .accuracy, "haccuracy": .accuracy, "horizontalaccuracy": .accuracy,
        "horizontalaccuracym": .accuracy, "horizontalaccuracymeters": .accuracy, "gpsaccuracy": .accuracy,
        "fixtime": .time, "gpstime": .time, "hdop": .dilution, "horizontaldilution": .dilution, "battery": .battery,
    ]

    /// The field with a name of other programs: `hAcc`, `h_acc` and `H-Acc` are the same.
    package init?(named name: String) {
        guard let field = Self.synonyms[name.lowercased().filter { $0.isLetter || $0.isNumber }] else { return nil }
        self = field
    }
}

/// Resolves the names of fields, and remembers the names that occurred.
package struct TrackFieldNames: Sendable {
    private static let most = 1000

    private let synonyms = Synonyms.tracks
    private var known: [String: TrackField?] = [:]

    package mutating func field(_ name: String) -> TrackField? {
        if let field = known[name] { return field }
        let standard = synonyms.standard(name)
        let field = TrackField(rawValue: standard) ?? TrackField(named: standard)
        if known.count < Self.most { known[name] = .some(field) }
        return field
    }

    /// The names that match no field.
    package var unknown: [String] { known.filter { $0.value == nil }.map(\.key).sorted() }
}

extension TrackPoint {
    /// Sets fields from members; of two members for one field the standard name wins, or else the alphabetically first.
    package mutating func take(_ members: [String: JSON], _ names: inout TrackFieldNames, _ sawNoZone: inout Bool) {
        var taken: [TrackField: String] = [:]
        for (name, value) in members where value != .null && value != .text("") {
            guard let field = names.field(name) else { continue }
            if let other = taken[field], other == field.rawValue || name != field.rawValue && other < name { continue }
            taken[field] = name
            set(field, value, &sawNoZone)
        }
    }

    package mutating func set(_ field: TrackField, _ value: JSON, _ sawNoZone: inout Bool) {
        switch field {
        case .time: setTime(value, &sawNoZone)
        case .latitude: latitude = coordinate(field, value)
        case .longitude: longitude = coordinate(field, value)
        case .person: person = value.word
        case .device: device = value.word
        case .accuracy: accuracy = value.amount
        case .altitude: altitude = value.amount
        case .speed: speed = value.amount
        case .heading: heading = value.amount
        case .battery: battery = value.amount
        case .dilution: if let dilution = value.amount { take(dilution: dilution) }
        }
    }

    package mutating func setTime(_ value: JSON?, _ sawNoZone: inout Bool) {
        switch value {
        case .number(let number)?: time = TrackText.time(number)
        case .text(let text)?: time = TrackText.time(text, &sawNoZone)
        case .null?, nil: time = .missing
        case .flag?, .list?, .object?: time = .unreadable(value?.kind ?? "")
        }
    }

    private mutating func coordinate(_ field: TrackField, _ value: JSON) -> Double? {
        if let number = value.numeric { return number }
        let given = if case .text(let text) = value { "'\(text.prefix(40))'" } else { value.kind }
        fault = FieldError(pointer: "/\(field.rawValue)", code: .type, detail: "is \(given); must be a number")
        return nil
    }
}

extension JSON {
    /// The number, which may be given as a text.
    package var numeric: Double? {
        switch self {
        case .number(let number): number
        case .text(let text): TrackText.number(text)
        case .null, .flag, .list, .object: nil
        }
    }

    /// The number, NaN for anything else, and nil for a missing value.
    package var amount: Double? {
        switch self {
        case .null, .text(""): nil
        default: numeric ?? .nan
        }
    }

    /// The text, or the number as a text.
    fileprivate var word: String? {
        switch self {
        case .text(let text): text
        case .number(let number): Int64(exactly: number).map(String.init) ?? "\(number)"
        case .null, .flag, .list, .object: nil
        }
    }
}
