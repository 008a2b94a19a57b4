internal import Discovery
internal import Interchange
internal import Model

extension Schema {
    /// A position from a phone.
    static let ping = form(
        [
            "person": id.described("By default the person of the token"),
            "device": prose(0...PingRanges.longestDevice), "t": instant, "lat": latitude,
            "lon": longitude, "accuracy_m": number(PingRanges.accuracy), "altitude_m": number(PingRanges.altitude),
            "speed_mps": number(PingRanges.speed), "heading": number(PingRanges.heading),
            "battery": number(PingRanges.battery),
        ], required: ["lat", "lon"]
    ).named("Ping")

    private static let hint = object(
        ["from": coordinate, "beyond_m": number(), "not_before": time, "until": time],
        required: ["from", "beyond_m", "not_before", "until"]
    ).named("Hint")

    /// The result of sending pings.
    static let pingReport = object(
        [
            "stored": count, "throttled": count, "duplicate": count.described("Absent if there are none"),
            "refused": count.described("All others; absent if there are none"),
            "verdicts": list(of: text()).described(
                "For each ping: \(Verdict.allCases.map(\.word).joined(separator: ", ")) or invalid:<field>"),
            "errors": list(of: fieldError), "hint": hint, "hints": map(of: hint).described("By person id"),
        ], required: ["stored", "throttled", "verdicts"]
    ).named("PingReport")

    static let storedPing = object([
        "t": time, "lat": latitude, "lon": longitude, "device": text(), "accuracy_m": number(), "altitude_m": number(),
        "speed_mps": number(), "heading": number(), "battery": number(), "seen_until": time, "suspect": flag,
    ]).named("StoredPing")

    private static let basis = words(["seen", "reach"])
    static let fixTime = time.described(
        "The fix time; in the past, of the last stored position; rounded down at a coarse precision")
    static let stayStart = time.described(
        "Since when the person has stayed near there, if that was before `at`; at exact precision only")
    static let seenUntil = time.described("When the person was last known to be near there, if that was after `at`")

    /// A person's current or past position; a past one with its basis.
    static let position = object(
        [
            "id": id, "lat": latitude, "lon": longitude, "at": fixTime, "since": stayStart, "seen_until": seenUntil,
            "accuracy_m": number(), "precision": word(Precision.self), "next_at": time, "age_s": number(),
            "basis": basis, "method": words(["last", "interpolated"]), "uncertainty_m": number(),
        ], required: ["id", "lat", "lon", "at", "precision"]
    ).named("Position")

    /// A person at a distance, now or in the past.
    static let personNearby = object(
        [
            "id": id, "name": text(), "photo": url, "lat": latitude, "lon": longitude, "distance_m": number(),
            "bearing": integer(0...360), "at": fixTime, "since": stayStart, "seen_until": seenUntil, "next_at": time,
            "age_s": number(), "basis": basis, "method": words(["last", "interpolated"]), "uncertainty_m": number(),
            "precision": word(Precision.self),
        ].merging(friendAttributes) { $1 }
    ).named("PersonNearby")

    /// A time span in which two people were near each other.
    static let encounter = object([
        "from": time, "to": time, "at": time, "lat": latitude, "lon": longitude, "distance_m": number(),
        "basis": basis, "uncertainty_m": number(),
    ]).named("Encounter")
}
