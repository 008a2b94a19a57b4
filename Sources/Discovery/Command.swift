public import Geo
public import Storage

/// Something that is to change the world: who wants it, what, and when it was received.
///
/// Applied to the same picture a command has the same effect wherever and whenever it is applied: clocks and randomness
/// enter only here. That makes a sequence of commands a log that another machine can follow.
public struct Command: Sendable {
    public var caller: Caller
    public var action: Action
    public var received: Timestamp

    public init(_ action: Action, by caller: Caller, received: Timestamp) {
        self.caller = caller
        self.action = action
        self.received = received
    }
}

/// On whose behalf something is asked.
public enum Caller: Hashable, Sendable {
    /// A trusted service: may act for everybody.
    case service
    /// A person: may act for themselves.
    case person(EntityID)

    func mayAct(for person: EntityID) -> Bool {
        switch self {
        case .service: true
        case .person(let own): own == person
        }
    }
}

/// What is to be done.
public enum Action: Sendable {
    case record([PingReport])
    case put([Write<Person>])
    case deletePerson(EntityID, Condition)
    /// Asks for friendship, or accepts it if the other asked before.
    case befriend(EntityID, EntityID)
    /// Makes friends of each pair, as agreed elsewhere.
    case makeFriends([(EntityID, EntityID)])
    /// Refuses, withdraws or ends.
    case unfriend(EntityID, EntityID)
    case block(EntityID, EntityID)
    case unblock(EntityID, EntityID)
    case decide(EntityID, EntityID, likes: Bool)
    case undecide(EntityID, EntityID)
    case putPlaces([Write<Place>])
    case deletePlace(EntityID, Condition)
    case putProducts([Write<Product>])
    case deleteProduct(EntityID, Condition)
    case putStock([StockItem])
    case deleteStock(store: EntityID, product: EntityID)
}

/// A document to be created or replaced.
public struct Write<Value: Sendable>: Sendable {
    public var value: Value
    public var condition: Condition

    public init(_ value: Value, if condition: Condition = .always) {
        self.value = value
        self.condition = condition
    }
}

/// What must hold of the stored document for a write to happen.
public enum Condition: Hashable, Sendable {
    case always
    case isRevision(Int64)
    case exists
    case isAbsent
}

/// A position that a device reports.
public struct PingReport: Hashable, Sendable {
    public var person: EntityID
    /// At most 255 bytes.
    public var device: String
    /// When the position was fixed; nil for the time of receipt.
    public var time: Timestamp?
    public var place: Coordinate
    public var details = PingDetails()

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
    /// For each document, or pair of a list.
    case written([Result<Written, Refusal>])
    case friendship(FriendshipState)
    case decided(isMatch: Bool)
    /// Done, or there was nothing to do.
    case done
}

/// A document that was stored.
public struct Written: Hashable, Sendable {
    public var isNew: Bool
    public var revision: Int64
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

/// From where, how far and until when nothing of a person's positions can be stored.
public struct Hint: Hashable, Sendable {
    public var person: EntityID
    public var from: Coordinate
    /// In metres.
    public var beyond: Double
    public var notBefore: Timestamp
}

/// Why a command, or one item of it, was not carried out.
public enum Refusal: Error, Hashable {
    public enum Kind: String, Sendable { case person, place, store, product, stock }

    /// Also for what the caller may not know of.
    case unknown(Kind, EntityID)
    /// A person cannot befriend, block or decide about themselves.
    case oneself
    /// The caller may not act for this person.
    case notAllowed
    /// The document is not, or is no longer, as the condition says.
    case conditionFailed
    /// The person's place is not known, so that nothing can be near.
    case noPosition(EntityID)
    /// Only people who are known to be 18 or older find strangers.
    case notAdult(EntityID)
}
