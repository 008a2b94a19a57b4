/// A fact that resulted from an action, as reported to subscribers.
public struct Event: Hashable, Sendable {
    /// The sequence number: one more than the previous event's, also across restarts of the service.
    public let number: Int64
    /// When the action was received.
    public let at: Timestamp
    /// The payload.
    public let payload: EventPayload

    /// Creates an event with a number.
    public init(number: Int64, at: Timestamp, _ payload: EventPayload) {
        (self.number, self.at, self.payload) = (number, at, payload)
    }
}

/// The payload of an event: the fact and its participants.
///
/// People have ids beside their numbers, so that an event can still name a person who has been deleted in the meantime.
public struct EventPayload: Hashable, Sendable {
    /// A person involved in the fact.
    public struct Participant: Hashable, Sendable {
        /// The number, the key in the live state.
        public let number: PersonNumber
        /// The id, known to callers.
        public let id: PersonID

        /// Creates a participant.
        public init(_ number: PersonNumber, _ id: PersonID) {
            (self.number, self.id) = (number, id)
        }
    }

    /// The type of the event.
    public let type: EventType
    /// The person who acted or was affected.
    public var person: Participant?
    /// The other person involved.
    public var other: Participant?
    /// The place, group, fence or link concerned.
    public var subject: AnyID?
    /// The product, for stock.
    public var product: ProductID?
    /// When it happened, by the fixes; nil for the time at which the action was received.
    public var happened: Timestamp?
    /// Whether the person passed through between two fixes.
    public var isThrough = false
    /// The person whose request caused it, if it names no person; nil for a service.
    public var cause: PersonNumber?
    /// Whether it resulted from the deletion of a person, of which others may learn no more than of a block.
    ///
    /// It is not stored: stored events that follow from a deletion name the person, and are deleted with them.
    public var isOfDeletion = false
    /// Whether only the owner of a group changed, who is not visible to other members.
    public var isForOwner = false
    /// The note of the fence.
    public var note: String?
    /// For a friend's fence, the precision with which the friend saw the person's location.
    public var precision: Precision?

    /// Creates a fact of a type.
    public init(
        _ type: EventType, _ person: Participant? = nil, _ other: Participant? = nil, about subject: AnyID? = nil,
        product: ProductID? = nil
    ) {
        (self.type, self.person, self.other, self.subject, self.product) = (type, person, other, subject, product)
    }
}

extension EventPayload {
    /// Whether it may have happened to a person in an interval, by their fixes.
    ///
    /// If a friend saw only a rounded time, the whole rounding interval counts.
    package func happened(to person: PersonNumber, in times: ClosedRange<Timestamp>) -> Bool {
        guard self.person?.number == person || type.isOfNearness && other?.number == person, let happened else {
            return false
        }
        let grain = precision == .approximate ? 900 : precision == .city ? 3600 : 0
        return happened <= times.upperBound && happened + .seconds(grain) >= times.lowerBound
    }
}

extension EventType {
    /// Whether it reveals how near two people are to each other.
    package var isOfNearness: Bool { self == .nearEnter || self == .nearExit }
}

/// The types of events, whose raw values are the public names.
public enum EventType: String, CaseIterable, Sendable {
    /// A position that is visible to others changed.
    case pingMoved = "ping.moved"
    case friendAsked = "friend.asked"
    case friendMade = "friend.made"
    case friendEnded = "friend.ended"
    /// Two people like each other.
    case matchMade = "match.made"
    case matchUndone = "match.undone"
    case groupChanged = "group.changed"
    case groupInvited = "group.invited"
    case groupJoined = "group.joined"
    case groupLeft = "group.left"
    case placeCreated = "place.created"
    case placeChanged = "place.changed"
    case placeDeleted = "place.deleted"
    case commentCreated = "comment.created"
    case commentChanged = "comment.changed"
    case commentDeleted = "comment.deleted"
    /// A person added a place or a product to their favorites, or removed it.
    case favouriteCount = "favourite.count"
    case stockChanged = "stock.changed"
    case fenceEnter = "fence.enter"
    case fenceExit = "fence.exit"
    /// A person has stayed inside for the dwell time of the fence.
    case fenceDwell = "fence.dwell"
    /// There was no contact with a person for the fence's silence time.
    case fenceSilent = "fence.silent"
    /// A person created a fence for a friend, who is asked for consent.
    case fenceAsked = "fence.asked"
    /// Two people came near each other.
    case nearEnter = "near.enter"
    case nearExit = "near.exit"
    /// A person created a link to their location.
    case shareOpened = "share.opened"
    case shareEnded = "share.ended"
    /// Further events of a person are not stored for up to an hour, because there were too many.
    case eventsLimited = "events.limited"

    /// Whether it is stored in the transaction of its change, so that no reader ever misses it.
    ///
    /// Events about positions and lists are in memory only, because their data can be read again. So is the end of a
    /// tie: a deletion must not leave a stored event, and another end must not look different.
    public var isKept: Bool {
        switch self {
        case .friendAsked, .friendMade, .matchMade, .groupInvited, .groupJoined, .groupLeft,
            .commentCreated, .commentChanged, .commentDeleted, .fenceEnter, .fenceExit, .fenceDwell, .fenceAsked,
            .fenceSilent, .nearEnter, .nearExit, .shareOpened, .shareEnded, .eventsLimited:
            true
        case .pingMoved, .friendEnded, .matchUndone, .placeCreated, .placeChanged, .placeDeleted, .favouriteCount,
            .stockChanged, .groupChanged:
            false
        }
    }

    /// Whether it is the end of a tie, by deletion or otherwise.
    public var isEnd: Bool { self == .friendEnded || self == .matchUndone }

    /// Whether it is about the catalog, which is public.
    public var isOfCatalogue: Bool {
        switch self {
        case .placeCreated, .placeChanged, .placeDeleted, .commentCreated, .commentChanged, .commentDeleted,
            .favouriteCount, .stockChanged:
            true
        default: false
        }
    }
}
