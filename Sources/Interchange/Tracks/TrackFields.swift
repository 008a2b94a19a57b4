internal import Model

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
        "fixtime": .time, "gpstime": .time, "tst": .time, "fechahora": .time, "fechayhora": .time,
        "zeitstempel": .time, "horodatage": .time, "cog": .heading, "latitud": .latitude, "latitudine": .latitude,
        "breitengrad": .latitude, "breite": .latitude, "longitud": .longitude, "longitudine": .longitude,
        "langengrad": .longitude, "lange": .longitude, "hdop": .dilution, "horizontaldilution": .dilution,
        "battery": .battery,
    ]

    /// The names of an accuracy in meters, in files and from phones, the usual ones first.
    package static let accuracies = [
        "acc", "accuracy", "accuracym", "hacc", "haccm", "haccuracy", "horizontalaccuracy", "horizontalaccuracym",
        "horizontalaccuracymeters", "accuracymeters", "accuracymetres", "accm", "gpsaccuracy", "gpsacc",
        "locationaccuracy", "positionaccuracy", "posaccuracy", "accuracyradius", "horizontalerror", "errorradius",
        "horizontaluncertainty", "uncertainty", "precision", "precisionm", "epe", "eph", "radius", "genauigkeit",
        "prazision", "exactitud", "exactitude", "precisao", "precisione",
    ]
    private static let ofAccuracy = Set(accuracies)

    /// The field with a name of other programs: `hAcc`, `h_acc` and `H-Acc` are the same.
    package init?(named name: String) {
        let folded = Self.folded(name)
        guard let field = Self.synonyms[folded] ?? (Self.ofAccuracy.contains(folded) ? .accuracy : nil) else {
            return nil
        }
        self = field
    }

    /// The name in lowercase without accents and signs.
    static func folded(_ name: String) -> String { PlainText.of(name).filter { $0.isLetter || $0.isNumber } }

    /// Whether a name that is not read may be of a horizontal accuracy.
    package static func mayBeAccuracy(_ name: String) -> Bool {
        let folded = folded(name)
        let others = ["vert", "vacc", "speed", "bearing", "heading", "course", "altitude", "time"]
        guard !others.contains(where: folded.contains) else { return false }
        let words = ["accura", "precis", "prazis", "genau", "exactit", "uncertain", "nauwkeur"]
        let isShort =
            folded.hasPrefix("acc") && folded.utf8.count <= 5 || folded.hasSuffix("acc") && folded.utf8.count > 4
        return isShort || words.contains(where: folded.contains)
    }
}

/// Resolves the names of fields, and remembers the names that occurred.
package struct TrackFieldNames: Sendable {
    private static let most = 1000

    private let synonyms = Synonyms.tracks
    private var known: [String: TrackField?] = [:]
    private var parts: [String: TrackPart?] = [:]
    private var used: Set<String> = []

    package mutating func field(_ name: String) -> TrackField? {
        if let field = known[name] { return field }
        let standard = synonyms.standard(name)
        let field = TrackField(rawValue: standard) ?? TrackField(named: standard)
        if known.count < Self.most { known[name] = .some(field) }
        return field
    }

    /// The part of a field with a name; nil for another name.
    mutating func part(_ name: String) -> TrackPart? {
        if let part = parts[name] { return part }
        let part = TrackPart(named: name)
        if parts.count < Self.most { parts[name] = .some(part) }
        return part
    }

    /// Notes names that were read as parts of fields.
    mutating func use(_ names: [String]) { used.formUnion(names) }

    /// The names that match no field.
    package var unknown: [String] {
        known.filter { $0.value == nil && !used.contains($0.key) }.map(\.key).sorted()
    }
}

extension TrackPoint {
    /// Sets fields from members; of two members for one field the standard name wins, or else the alphabetically first.
    package mutating func take(_ members: [String: JSON], _ names: inout TrackFieldNames, _ sawNoZone: inout Bool) {
        var taken: [TrackField: String] = [:]
        var parts: [(part: TrackPart, name: String, text: String)] = []
        var lacksZone = false
        for (name, value) in members where value != .null && value != .text("") {
            let named = names.field(name)
            if named != .latitude, named != .longitude, case .text(let text) = value, let part = names.part(name) {
                parts.append((part, name, text))
            }
            guard let field = named else { continue }
            if let other = taken[field], other == field.rawValue || name != field.rawValue && other < name { continue }
            taken[field] = name
            if field == .time { lacksZone = false }
            set(field, value, &lacksZone)
        }
        if !parts.isEmpty {
            let time = taken[.time].flatMap { if case .text(let text)? = members[$0] { text } else { nil } }
            parts.sort { $0.name < $1.name }
            complete(by: parts, time: time, &names, &lacksZone)
        }
        sawNoZone = sawNoZone || lacksZone
    }

    package mutating func set(_ field: TrackField, _ value: JSON, _ sawNoZone: inout Bool) {
        switch field {
        case .time: setTime(value, &sawNoZone)
        case .latitude: latitude = coordinate(field, value)
        case .longitude: longitude = coordinate(field, value)
        case .person: person = value.word
        case .device: device = value.word
        case .accuracy: accuracy = value.length
        case .altitude: altitude = value.length
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
        if let number = value.numeric ?? value.withPoint?.numeric { return number }
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
        default: numeric ?? (isThousands ? nil : withPoint?.numeric) ?? .nan
        }
    }

    /// The number of meters, with or without its unit, as above.
    package var length: Double? {
        guard case .text(let text) = self, let match = text.wholeMatch(of: Patterns.meters) else { return amount }
        return JSON.text(String(match.1)).amount
    }

    /// The text with a point instead of its only comma; nil for anything else.
    fileprivate var withPoint: JSON? {
        guard case .text(let text) = self, text.contains(","), !text.contains(".") else { return nil }
        return .text(text.replacing(",", with: "."))
    }

    /// Whether the comma of a number may be one of thousands: `1,650`.
    private var isThousands: Bool {
        if case .text(let text) = self { text.wholeMatch(of: Patterns.thousands) != nil } else { false }
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

private enum Patterns {
    static let meters = Pattern(#/(?i)\s*([-+]?\d+(?:[.,]\d+)?)\s*(?:m|mt|mts|meters?|metres?|metros?|meter)\.?\s*/#)
    static let thousands = Pattern(#/\s*[-+]?\d{1,3},\d{3}\s*/#)
}
