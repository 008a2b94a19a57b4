/// A fact that followed from an action, as it is told to whoever follows events.
public struct Event: Hashable, Sendable {
    /// One more than that of the event before, also across starts of the service.
    public let number: Int64
    /// When the action was received.
    public let at: Timestamp
    /// What happened.
    public let fact: Fact

    /// The event of a number.
    public init(number: Int64, at: Timestamp, _ fact: Fact) {
        (self.number, self.at, self.fact) = (number, at, fact)
    }
}

/// What happened, and to whom.
///
/// People have their ids beside their numbers: who is deleted meanwhile was still somebody's friend.
public struct Fact: Hashable, Sendable {
    /// A person whom it concerns.
    public struct Participant: Hashable, Sendable {
        /// The number, by which the picture knows the person.
        public let number: PersonNumber
        /// The id, by which others do.
        public let id: PersonID

        /// A person by number and id.
        public init(_ number: PersonNumber, _ id: PersonID) {
            (self.number, self.id) = (number, id)
        }
    }

    /// What kind of event tells of it.
    public let type: EventType
    /// Who did it, or where it happened to.
    public var person: Participant?
    /// To whom it was done, or with whom.
    public var other: Participant?
    /// The place, group, fence or link that it is about.
    public var subject: AnyID?
    /// Of stock, the product.
    public var product: ProductID?
    /// When it happened, by the fixes; nil for when the action was received.
    public var happened: Timestamp?
    /// Whether a person went through between two fixes.
    public var isThrough = false
    /// The person whose request brought it about, where it names no person; nil for a service.
    public var cause: PersonNumber?
    /// Whether it followed from the deletion of a person, of which people are told no more than of a block.
    ///
    /// It is not stored: kept events that follow from a deletion name the person, and go with them.
    public var isOfDeletion = false
    /// Whether only the owner of a group changed, whom no other member is shown.
    public var isForOwner = false
    /// What was noted of the fence.
    public var note: String?
    /// Of the fence of a friend, how exactly the friend was shown where the person was.
    public var precision: Precision?

    /// A fact of a type.
    public init(
        _ type: EventType, _ person: Participant? = nil, _ other: Participant? = nil, about subject: AnyID? = nil,
        product: ProductID? = nil
    ) {
        (self.type, self.person, self.other, self.subject, self.product) = (type, person, other, subject, product)
    }
}

extension Fact {
    /// Whether it may have happened to a person in an interval, by their fixes; where a friend was told no exact time, at the end of
    /// what was told at the latest.
    package func happened(to person: PersonNumber, in times: ClosedRange<Timestamp>) -> Bool {
        guard self.person?.number == person || type.isOfNearness && other?.number == person, let happened else {
            return false
        }
        let grain = precision == .approximate ? 900 : precision == .city ? 3600 : 0
        return happened <= times.upperBound && happened + .seconds(grain) >= times.lowerBound
    }
}

extension EventType {
    /// Whether it tells how near two people are to each other.
    package var isOfNearness: Bool { self == .nearEnter || self == .nearExit }
}

/// The kinds of events, by the names that callers see.
public enum EventType: String, CaseIterable, Sendable {
    /// A position that others may be told changed.
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
    /// Somebody took a place or a product among their favourites, or out of them.
    case favouriteCount = "favourite.count"
    case stockChanged = "stock.changed"
    case fenceEnter = "fence.enter"
    case fenceExit = "fence.exit"
    /// Somebody has stayed inside for as long as the fence says.
    case fenceDwell = "fence.dwell"
    /// Nothing was heard of somebody for as long as the fence says.
    case fenceSilent = "fence.silent"
    /// Somebody made a fence about a friend, who is asked.
    case fenceAsked = "fence.asked"
    /// Two people came near to each other.
    case nearEnter = "near.enter"
    case nearExit = "near.exit"
    /// A person made a link to where they are.
    case shareOpened = "share.opened"
    case shareEnded = "share.ended"
    /// Further events of a person are not kept for up to an hour, because there were too many.
    case eventsLimited = "events.limited"

    /// Whether it is written in the transaction of its change, so that no reader ever misses it.
    ///
    /// What is told of positions and lists can be read again, so those events are in memory only. The end of a tie is, too: that
    /// of somebody who was deleted must not be kept, and another end must not look different.
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

    /// Whether it is the end of a tie, which a deletion is too.
    public var isEnd: Bool { self == .friendEnded || self == .matchUndone }

    /// Whether it is about the catalogue, which everybody may read.
    public var isOfCatalogue: Bool {
        switch self {
        case .placeCreated, .placeChanged, .placeDeleted, .commentCreated, .commentChanged, .commentDeleted,
            .favouriteCount, .stockChanged:
            true
        default: false
        }
    }
}
