internal import Discovery
internal import Interchange
internal import Model

extension Schema {
    static let event = object(
        [
            "id": integer().described("Greater than that of every event before"), "type": word(EventType.self),
            "at": time, "person": id.described("Who did it, or who moved"),
            "other": id.described("To whom it was done, or with whom"), "place": id, "product": id, "group": id,
            "fence": id, "share": id, "through": flag.described("The person went through between two fixes"),
            "note": text(),
            "precision": word(Precision.self).described(
                "Of a friend who crossed a fence, how exactly their place was shown when that was judged"),
            "position": livePosition.orNull.described("Where the person is now; null for nowhere that may be known"),
        ], required: ["id", "type", "at"]
    ).named("Event")

    static let livePosition = object(
        [
            "lat": latitude, "lon": longitude, "at": fixTime, "since": stayStart, "seen_until": seenUntil,
            "accuracy_m": number(), "precision": word(Precision.self),
        ], required: ["lat", "lon", "at", "precision"])
}
