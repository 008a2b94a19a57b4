internal import Discovery
internal import Interchange
internal import Model

extension Schema {
    static let event = object(
        [
            "id": integer().described("Greater than the id of every earlier event"), "type": word(EventType.self),
            "at": time, "person": id.described("The person who acted or moved"),
            "other": id.described("The other person involved"), "place": id, "product": id, "group": id,
            "fence": id, "share": id, "through": flag.described("The person crossed the whole area between two fixes"),
            "note": text(),
            "precision": word(Precision.self).described(
                "The precision with which a friend's position was visible when their crossing was evaluated"),
            "position": livePosition.orNull.described("The person's current position; null if it is not visible"),
        ], required: ["id", "type", "at"]
    ).named("Event")

    static let livePosition = object(
        [
            "lat": latitude, "lon": longitude, "at": fixTime, "since": stayStart, "seen_until": seenUntil,
            "accuracy_m": number(), "precision": word(Precision.self),
        ], required: ["lat", "lon", "at", "precision"])
}
