public import Geo
public import Model

/// Something that is to change the world: who wants it, what, and when it was received.
///
/// Applied to the same picture a command has the same effect wherever and whenever it is applied: clocks and randomness
/// enter only here. That makes a sequence of commands a log that another machine can follow.
public struct Command: Sendable {
    /// On whose behalf it is done, which decides what is allowed.
    public var caller: Caller
    /// The change that is wanted.
    public var action: Action
    /// When it was received, the only clock that its effect depends on.
    public var received: Timestamp
    /// What time it was then by what is believed of the clock, as ``ClockTrust`` tells; nil if nothing is.
    var certain: Timestamp?

    /// An action that a caller wants, received at an instant.
    public init(_ action: Action, by caller: Caller, received: Timestamp) {
        self.caller = caller
        self.action = action
        self.received = received
    }

    /// The instants between which it was received, however wrong the clock.
    var moment: ClosedRange<Timestamp> {
        let certain = certain ?? received
        return min(received, certain)...max(received, certain)
    }
}

/// On whose behalf something is asked.
public enum Caller: Hashable, Sendable {
    /// A trusted service: may act for everybody.
    case service
    /// A person: may act for themselves.
    case person(EntityID)

    /// Whether it is the person, or a service.
    public func mayAct(for person: EntityID) -> Bool {
        switch self {
        case .service: true
        case .person(let own): own == person
        }
    }
}

/// What is to be done.
public enum Action: Sendable {
    /// Stores the positions that the rules let through.
    case record([PingReport])
    /// Deletes stored positions of a person for good, those that are there, or begins to.
    case erase(EntityID, [PingKey])
    /// Forgets that a person stayed during an interval at a position stored before it, if that lies in an area.
    case forgetStay(EntityID, Range<Timestamp>, Region?)
    /// Creates or replaces people, each for itself.
    case put([Write<Person>])
    /// Deletes a person with all ties and positions, or begins to.
    case deletePerson(EntityID, Condition)
    /// Asks for friendship, or accepts it if the other asked before.
    case befriend(EntityID, EntityID)
    /// Makes friends of each pair, as agreed elsewhere.
    case makeFriends([(EntityID, EntityID)])
    /// Refuses, withdraws or ends.
    case unfriend(EntityID, EntityID)
    /// Hides the two from each other because the first wants it, and ends a friendship or request.
    case block(EntityID, EntityID)
    /// Takes the first person's block of the second back.
    case unblock(EntityID, EntityID)
    /// Keeps whether the first person likes the second, whom discovery then no longer shows.
    case decide(EntityID, EntityID, likes: Bool)
    /// Takes the first person's decision about the second back.
    case undecide(EntityID, EntityID)
    /// Creates or replaces places, each for itself.
    case putPlaces([Write<Place>])
    /// Deletes a place with its stock, comments and who likes it, or begins to.
    case deletePlace(EntityID, Condition)
    /// Creates or replaces products, each for itself.
    case putProducts([Write<Product>])
    /// Deletes a product and takes it off all shelves, or begins to.
    case deleteProduct(EntityID, Condition)
    /// Says what stores have of products, each for itself, in place of what was said before.
    case putStock([StockItem])
    /// Takes a product off the shelves of a store.
    case deleteStock(store: EntityID, product: EntityID)
    /// Registers a device of a person, who has none of this id.
    case addDevice(EntityID, Device)
    /// Gives a device of a person another token; the old one is worth nothing from then on.
    case rotateDevice(EntityID, Device)
    /// Takes a device of a person away.
    case removeDevice(EntityID, EntityID)
    /// Makes, changes, joins or leaves a group.
    case group(GroupAction)
    /// Lets the first person call the second, a friend, something; nil for nothing any more.
    case label(EntityID, of: EntityID, String?)
    /// Writes until when people were seen near folded positions.
    case keepSightings([Sighted])
    /// Does a step towards how fine public cells shall be in each place.
    case levelCells(LevelStep)
    /// Makes a comment on a place, unless there is one of that id.
    case comment(CommentDraft)
    /// Gives a comment at a place other words.
    case editComment(EntityID, at: EntityID, text: String, Condition)
    /// Deletes a comment at a place.
    case deleteComment(EntityID, at: EntityID, Condition)
    /// Takes somebody or something among the favourites of the first.
    case mark(EntityID, FavouriteKind, EntityID)
    /// Takes somebody or something out of the favourites of the first.
    case unmark(EntityID, FavouriteKind, EntityID)
}

/// A document to be created or replaced.
public struct Write<Value: Sendable>: Sendable {
    /// The document as it is to be stored.
    public var value: Value
    /// What must hold of the stored document, or else the write is refused.
    public var condition: Condition
    /// Of a person, what stays as it is stored, whatever ``value`` says; a new person has nothing yet.
    public var kept: PersonParts = []

    /// A document to be written if a condition holds.
    public init(_ value: Value, if condition: Condition = .always) {
        self.value = value
        self.condition = condition
    }
}

/// What must hold of the stored document for a write to happen.
public enum Condition: Hashable, Sendable {
    case always
    /// The stored document has one of these revisions.
    case isRevision(Set<Int64>)
    case exists
    case isAbsent
}

/// A position that a device reports.
public struct PingReport: Hashable, Sendable {
    /// The id of the person who was there.
    public var person: EntityID
    /// At most 255 bytes.
    public var device: String
    /// When the position was fixed; nil for the time of receipt.
    public var time: Timestamp?
    /// Where the person was.
    public var place: Coordinate
    /// What the device said beyond where and when.
    public var details = PingDetails()

    /// A position without details.
    ///
    /// - Precondition: `device` has at most 255 bytes.
    public init(person: EntityID, device: String = "", time: Timestamp?, place: Coordinate) {
        precondition(device.utf8.count <= 255, "a device's name has at most 255 bytes")
        self.person = person
        self.device = device
        self.time = time
        self.place = place
    }
}

/// What a command did.
public enum Outcome: Sendable {
    /// A verdict for each ping, in the order they were given, and a hint for each person who has a stored position.
    case recorded([Verdict], hints: [Hint])
    /// How many positions were there to be deleted, and which were too many for this turn of the writer.
    case erased(Int, left: [PingKey] = [])
    /// For each document, or pair of a list.
    case written([Result<Written, Refusal>])
    /// How the first person stands to the second now.
    case friendship(FriendshipState)
    /// Whether the two like each other.
    case decided(isMatch: Bool)
    /// The number that a device's token names.
    case device(number: Int32)
    /// How somebody stands to a group now.
    case membership(MembershipState)
    /// The comment as it is now, and whether it was made by this command.
    case commented(CommentShown, isNew: Bool)
    /// It was more than a turn of the writer, and some of it is done; the same again goes on.
    case begun
    /// Done, or there was nothing to do.
    case done
}

/// A document that was stored.
public struct Written: Hashable, Sendable {
    /// Whether there was nothing to replace.
    public var isNew: Bool
    /// The revision that is stored now, which is the old one if nothing changed.
    ///
    /// Of stock and friendships, which keep none, it is the milliseconds of the receipt since 1970.
    public var revision: Int64
    /// Of a person the whole document, for what a write does not mention may have been kept; nil of everything else.
    public var person: Person?
}

/// How one person stands to another.
public enum FriendshipState: String, Hashable, Sendable {
    case none
    /// The person asked and waits.
    case asked
    /// The other asked and waits.
    case pending
    case friends
}

/// From where, how far and until when nothing of a person's positions can be stored: a fix before ``notBefore``, or before
/// ``until`` and nearer than ``beyond``.
public struct Hint: Hashable, Sendable {
    /// The id of the person.
    public var person: EntityID
    /// The person's newest stored position.
    public var from: Coordinate
    /// In metres.
    public var beyond: Double
    /// The earliest fix time at which a position after that one can be stored.
    public var notBefore: Timestamp
    /// From when on it no longer holds, because a position is stored then wherever it is, or because the person is hidden then
    /// and is shown again only when heard of; nil for nothing that is known.
    public var until: Timestamp?
}

/// Why a command, or one item of it, was not carried out.
public enum Refusal: Error, Hashable {
    /// What it is that is not known.
    public enum Kind: String, Sendable {
        case person, position, friend, block, device, group, member, invitation, place, store, product, stock, comment,
            favourite
    }

    /// Also for what the caller may not know of.
    case unknown(Kind, EntityID)
    /// A person cannot befriend, block or decide about themselves.
    case oneself
    /// One of the two has blocked the other.
    case separated
    /// The caller may not act for this person, or change this place.
    case notAllowed
    /// A person makes places only as their owner.
    case makerNotOwner
    /// Only a trusted service makes places of this kind; people may make those.
    case kindNotAllowed(String, PlaceKinds)
    /// Only a trusted service sets thresholds below these, in metres and of time.
    case throttleTooLow(distance: Double, interval: Duration)
    /// There was a person of this id, of whom not all is deleted yet; then there may be another.
    case beingDeleted(EntityID)
    /// The document is not, or is no longer, as the condition says.
    case conditionFailed
    /// The person's place is not known, so that nothing can be near.
    case noPosition(EntityID)
    /// Nothing is known of the person's place up to the instant that is asked for.
    case noPositionThen(EntityID)
    /// The person has a device of this id already.
    case deviceExists(EntityID)
    /// The person has as many devices as a person may have.
    case tooManyDevices(Int)
    /// There is a group of this id already.
    case groupExists(EntityID)
    /// Only the owner of a group changes it or sends members away.
    case notOwner
    /// The group has as many members, invited ones included, as a group may have.
    case tooManyMembers(Int)
    /// The person has as many of something as a person may.
    case tooMany(Allowance.Possession, Int)
    /// The person belongs to as many groups as a person may.
    case tooManyGroups(Int)
    /// Only people who are known to be 18 or older find strangers.
    case notAdult(EntityID)
}
