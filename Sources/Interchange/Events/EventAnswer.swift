package import Discovery
internal import Model

extension JSONWriter {
    /// The members of an event, with the reader's own event numbers, or the log's numbers for nil (services).
    package mutating func event(_ event: EventView, _ numbers: EventNumbers? = nil) {
        member("id", numbers?.shown(event.number) ?? event.number)
        member("type", event.type.rawValue)
        member("at", event.at)
        member("person", event.person?.text)
        member("other", event.other?.text)
        member(event.type.subject, event.subject?.text)
        member("product", event.product?.text)
        if event.isThrough { member("through", true) }
        member("note", event.note)
        member("precision", event.precision?.rawValue)
        guard event.type == .pingMoved else { return }
        member("position") { json in
            guard let position = event.position else { return json.value(JSON.null) }
            json.object { $0.members(of: position) }
        }
    }

    /// A person's position with its times, accuracy and precision.
    package mutating func members(of position: Position) {
        coordinate(position.place)
        member("at", position.time)
        member("since", position.since)
        member("seen_until", position.seenUntil)
        member("accuracy_m", position.accuracy)
        member("precision", position.precision.rawValue)
    }
}

extension EventType {
    /// The JSON member that holds the subject of an event of this type.
    fileprivate var subject: String {
        switch self {
        case .groupChanged, .groupInvited, .groupJoined, .groupLeft: "group"
        case .fenceEnter, .fenceExit, .fenceDwell, .fenceSilent, .fenceAsked, .nearEnter, .nearExit: "fence"
        case .shareOpened, .shareEnded: "share"
        default: "place"
        }
    }
}
