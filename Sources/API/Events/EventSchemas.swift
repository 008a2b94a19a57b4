internal import Discovery
internal import Interchange
internal import Model

extension Schema {
    /// Something that happened.
    static let event = object(
        [
            "id": integer().described("Greater than that of every event before"), "type": word(EventType.self),
            "at": time, "person": id.described("Who did it, or who moved"),
            "other": id.described("To whom it was done, or with whom"), "place": id, "product": id, "group": id,
            "position": livePosition.orNull.described("Where the person is now; null for nowhere that may be known"),
        ], required: ["id", "type", "at"]
    ).named("Event")

    private static let livePosition = object(
        [
            "lat": latitude, "lon": longitude, "at": time, "seen_until": time, "accuracy_m": number(),
            "precision": word(Precision.self),
        ], required: ["lat", "lon", "at", "precision"])
}

extension JSONWriter {
    /// The members of an event.
    mutating func event(_ event: ToldEvent) {
        member("id", event.number)
        member("type", event.type.rawValue)
        member("at", event.at)
        member("person", event.person?.text)
        member("other", event.other?.text)
        member(event.type.subject, event.subject?.text)
        member("product", event.product?.text)
        guard event.type == .pingMoved else { return }
        member("position") { json in
            guard let position = event.position else { return json.value(JSON.null) }
            json.object { $0.members(of: position) }
        }
    }
}

extension EventType {
    /// What the subject of such an event is.
    fileprivate var subject: String {
        switch self {
        case .groupChanged, .groupInvited, .groupJoined, .groupLeft: "group"
        default: "place"
        }
    }
}
