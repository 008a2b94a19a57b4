internal import Foundation
internal import Geo
internal import Hours
internal import Model
internal import Normaliser

/// A column or member that completes another: `date` a time of day, `timezone` a time without a zone, `N/S` a latitude.
enum TrackPart: Sendable {
    case date, clock, zone, hemisphere

    private static let names: [String: TrackPart] = [
        "date": .date, "utcdate": .date, "dateutc": .date, "gpsdate": .date, "fecha": .date, "datum": .date,
        "utctime": .clock, "timeutc": .clock, "hora": .clock, "heure": .clock, "ora": .clock, "zeit": .clock,
        "uhrzeit": .clock, "time": .clock, "t": .clock, "gpstime": .clock,
        "timezone": .zone, "tz": .zone, "timezoneid": .zone, "zonahoraria": .zone, "zeitzone": .zone,
        "fuseauhoraire": .zone, "fusoorario": .zone, "utcoffset": .zone, "timezoneoffset": .zone, "tzoffset": .zone,
    ]

    init?(named name: String) {
        guard let part = Self.names[TrackField.folded(name)] ?? (Hemisphere.mayBe(column: name) ? .hemisphere : nil)
        else { return nil }
        self = part
    }
}

extension TrackPoint {
    /// Completes the time and the position by parts of them in other members; `text` is the time's own text.
    mutating func complete(
        by parts: [(part: TrackPart, name: String, text: String)], time text: String?, _ names: inout TrackFieldNames,
        _ sawNoZone: inout Bool
    ) {
        var lacksZone = sawNoZone
        sawNoZone = false
        var text = text
        if case .at = time {
        } else if let (joined, used) = Self.joined(parts, text) {
            time = TrackText.time(joined, &lacksZone)
            text = joined
            names.use(used)
        }
        if lacksZone, let zone = parts.first(where: { $0.part == .zone }) {
            names.use([zone.name])
            if case .at(let local) = time {
                let moved = TrackText.moved(local, to: zone.text)
                time = moved.map { .at($0) } ?? .unreadable("\(text ?? "") in \(zone.text)")
            }
            lacksZone = false
        }
        sawNoZone = lacksZone
        for (part, name, text) in parts where part == .hemisphere {
            guard let hemisphere = Hemisphere(column: name, text: text) else { continue }
            names.use([name])
            take(hemisphere, name, text)
        }
    }

    /// A date with the time of day beside it, or alone if it has one, and the names of both.
    private static func joined(
        _ parts: [(part: TrackPart, name: String, text: String)], _ time: String?
    ) -> (text: String, names: [String])? {
        guard let date = parts.first(where: { $0.part == .date }) else { return nil }
        let clock = parts.first { $0.part == .clock }
        guard let clock = time.map({ (name: "", text: $0) }) ?? clock.map({ (name: $0.name, text: $0.text) }) else {
            return (date.text, [date.name])
        }
        let names = [date.name, clock.name]
        let isUTC = names.contains { $0.lowercased().contains("utc") || $0.lowercased().contains("gps") }
        let joined = TrackText.joined(date: date.text, clock: clock.text, isUTC: isUTC)
        return (joined ?? "\(date.text) \(clock.text)", names)
    }

    private mutating func take(_ hemisphere: Hemisphere, _ name: String, _ text: String) {
        let field = hemisphere.isLatitude ? TrackField.latitude : .longitude
        guard let degrees = hemisphere.isLatitude ? latitude : longitude else { return }
        guard let signed = hemisphere.signed(degrees) else {
            let detail = "is \(degrees), which is not certain with '\(text.prefix(40))' in '\(name.prefix(40))'"
            fault = fault ?? FieldError(pointer: "/\(field.rawValue)", code: .mismatch, detail: detail)
            return
        }
        if hemisphere.isLatitude { latitude = signed } else { longitude = signed }
    }
}

extension TrackText {
    /// A date and a time of day as one text; nil if either has another form.
    package static func joined(date: String, clock: String, isUTC: Bool) -> String? {
        guard let day = trimmed(date).wholeMatch(of: Patterns.date),
            let time = trimmed(clock).wholeMatch(of: Patterns.clock)
        else { return nil }
        let hour = time.1.utf8.count == 1 ? "0\(time.1)" : "\(time.1)"
        let zone = time.4.map(String.init) ?? (isUTC ? "Z" : "")
        return "\(day.1)-\(day.2)-\(day.3)T\(hour):\(time.2)\(time.3.map { ":\($0)" } ?? "")\(zone)"
    }

    /// The moment of a time of day in a zone, given as if it were in UTC.
    ///
    /// It is nil for an unknown zone, and for a time that the change of the clocks skips or repeats.
    static func moved(_ local: Timestamp, to zone: String) -> Timestamp? {
        let name = zone.trimmingCharacters(in: .whitespaces)
        if ["UTC", "GMT", "Z"].contains(name.uppercased()) { return local }
        if let match = name.wholeMatch(of: Patterns.offset), let hours = Int64(match.2), hours <= 14 {
            let minutes = match.3.flatMap { Int64($0) } ?? 0
            let offset = (hours * 60 + minutes) * (match.1 == "-" ? -60_000 : 60_000)
            return Timestamp(milliseconds: local.milliseconds - offset)
        }
        guard WallClock.isZone(name), let rules = TimeZone(identifier: name) else { return nil }
        func offset(_ milliseconds: Int64) -> Int64 {
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            return Int64(rules.secondsFromGMT(for: date)) * 1000
        }
        // The offsets before and after a change of the clocks near that time.
        let offsets = Set([-86_400_000, 86_400_000].map { offset(local.milliseconds + $0) })
        let moments = offsets.map { local.milliseconds - $0 }.filter { $0 + offset($0) == local.milliseconds }
        return moments.count == 1 ? Timestamp(milliseconds: moments[0]) : nil
    }
}

private enum Patterns {
    static let date = Pattern(#/(\d{4})[-\/]?(\d\d)[-\/]?(\d\d)/#)
    static let clock = Pattern(#/(\d\d?):?(\d\d)(?::?(\d\d(?:\.\d+)?))?\s*(Z|UTC|GMT|[-+]\d\d:?\d\d)?/#)
    static let offset = Pattern(#/(?:UTC|GMT)?\s*([-+])(\d\d?)(?::?(\d\d))?/#)
}
