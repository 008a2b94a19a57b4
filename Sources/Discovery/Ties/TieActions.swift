internal import Geo
public import Model
internal import Structures

/// Asks for friendship, or accepts it if the other asked before.
public struct Befriend: Action {
    let person, other: PersonID

    /// The first wants to be a friend of the second.
    public init(_ person: PersonID, _ other: PersonID) { (self.person, self.other) = (person, other) }

    /// - Returns: how the first stands to the second now.
    public func carryOut(on draft: inout Draft) throws -> FriendshipState {
        let (a, b) = try draft.visiblePair(person, other)
        let state = draft.picture.people.friendship(of: a, with: b)
        switch state {
        case .friends, .asked: return state
        case .pending, .none: break
        }
        try draft.refuse(
            .friend, after: draft.picture.people[a].map { $0.ties.friends.count + $0.ties.asked.count } ?? 0)
        guard state == .pending else {
            try draft.follow(.ties(.asked(by: a, of: b, at: draft.received)))
            return .asked
        }
        try draft.follow(.ties(.made(a, b, at: draft.received)))
        return .friends
    }
}

/// Makes friends of two people, as agreed elsewhere.
public struct MakeFriends: Action {
    let person, other: PersonID
    /// Logs of earlier programs do not have it.
    private let isSilent: Bool?

    /// The two, in any order.
    ///
    /// - Parameters:
    ///   - person: one of them.
    ///   - other: the other one.
    ///   - silently: whether no event is made of it, because they were friends before.
    public init(_ person: PersonID, _ other: PersonID, silently: Bool = false) {
        (self.person, self.other, isSilent) = (person, other, silently ? true : nil)
    }

    /// - Returns: whether they were no friends before.
    public func carryOut(on draft: inout Draft) throws -> Written {
        try draft.refusePeople()
        let (a, b) = try draft.pair(person, other)
        guard !draft.picture.people.isSeparated(a, b) else { throw Refusal.separated }
        let isNew = !draft.picture.people.isFriend(a, of: b)
        if isNew {
            let change = Change.ties(.made(a, b, at: draft.received))
            if isSilent ?? false { try draft.make(change) } else { try draft.follow(change) }
        }
        return Written(isNew: isNew, revision: draft.received.milliseconds)
    }
}

/// Refuses, withdraws or ends a friendship.
///
/// The first step ends it. Fences that name the other are written again in as many turns as that takes. Meanwhile they
/// tell nothing of the other, nor if it breaks off.
public struct Unfriend: Action {
    let person, other: PersonID
    /// Whether only fences are left; nil for the first step, as logs of earlier programs have it.
    private var isRest: Bool?

    /// The first wants to be no friend of the second.
    public init(_ person: PersonID, _ other: PersonID) { (self.person, self.other) = (person, other) }

    /// Writes the fences that are left after an end was broken off.
    fileprivate init(restOf person: PersonID, _ other: PersonID) {
        (self.person, self.other, isRest) = (person, other, true)
    }

    /// A turn: many fences may name the other.
    public var weight: Int { Live.turn }

    /// That of the fences that are written again.
    public func price(by picture: borrowing Picture) -> Int { picture.price(ofEnding: person, other) }

    /// - Returns: whether fences are left.
    public func carryOut(on draft: inout Draft) throws -> DeletionState {
        let isRest = isRest ?? false
        let (a, b) = try isRest ? draft.pair(person, other) : draft.visiblePair(person, other)
        return try draft.endFriendship(a, b, isRest: isRest)
    }

    /// Goes on with the fences that are left.
    public func finish(
        _ first: DeletionState, _ step: (Unfriend) async throws -> DeletionState
    ) async throws -> DeletionState {
        var rest = self
        rest.isRest = true
        return try await goOn(first, with: rest, step)
    }
}

/// Lets a person note something about a friend.
public struct NoteFriend: Action {
    let person, friend: PersonID
    let attribute: FriendAttribute
    let text: String?

    /// What the first notes about the second under a name; nil for nothing any more.
    public init(_ person: PersonID, _ friend: PersonID, _ attribute: FriendAttribute, _ text: String?) {
        (self.person, self.friend, self.attribute, self.text) = (person, friend, attribute, text)
    }

    /// Nobody but the first sees it.
    public func carryOut(on draft: inout Draft) throws {
        let number = try draft.number(of: person)
        guard let other = draft.picture.people.number(of: friend), draft.picture.people.isKnown(other, to: number)
        else { throw Refusal.unknown(.friend, friend.any) }
        guard draft.picture.people[number]?.ties.notes[attribute]?[other] != text else { return }
        try draft.follow(.ties(.noted(attribute, text, about: other, by: number)))
    }
}

/// Hides two people from each other because the first wants it, and ends a friendship or request as ``Unfriend`` does.
public struct Block: Action {
    let person, other: PersonID
    /// Whether only fences are left; nil for the first step, as logs of earlier programs have it.
    private var isRest: Bool?

    /// The first blocks the second.
    public init(_ person: PersonID, _ other: PersonID) { (self.person, self.other) = (person, other) }

    /// A turn: many fences may name the other.
    public var weight: Int { Live.turn }

    /// That of the fences that are written again.
    public func price(by picture: borrowing Picture) -> Int { picture.price(ofEnding: person, other) }

    /// Whoever is blocked by the second is told that there is no such person.
    ///
    /// - Returns: whether fences are left.
    public func carryOut(on draft: inout Draft) throws -> DeletionState {
        let (a, b) = try draft.pair(person, other)
        let isRest = isRest ?? false
        guard !isRest, !draft.picture.people.blocks(a, b) else {
            return try draft.endFriendship(a, b, isRest: true)
        }
        guard !draft.picture.people.blocks(b, a) else { throw Refusal.unknown(.person, other.any) }
        try draft.refuse(.block, after: draft.picture.people[a]?.ties.blocks.count ?? 0)
        let state = try draft.endFriendship(a, b, isRest: false)
        try draft.follow(.ties(.blocked(by: a, b, at: draft.received)))
        return state
    }

    /// Goes on with the fences that are left.
    public func finish(
        _ first: DeletionState, _ step: (Block) async throws -> DeletionState
    ) async throws -> DeletionState {
        var rest = self
        rest.isRest = true
        return try await goOn(first, with: rest, step)
    }
}

/// Takes the first person's block of the second back.
public struct Unblock: Action {
    let person, other: PersonID

    /// The first no longer blocks the second.
    public init(_ person: PersonID, _ other: PersonID) { (self.person, self.other) = (person, other) }

    /// Whoever is blocked by the second is told that there is no such person.
    public func carryOut(on draft: inout Draft) throws {
        let (a, b) = try draft.pair(person, other)
        if draft.picture.people.blocks(a, b) { return try draft.follow(.ties(.unblocked(by: a, b))) }
        guard !draft.picture.people.blocks(b, a) else { throw Refusal.unknown(.person, other.any) }
    }
}

extension Draft {
    /// The numbers of two different people, of whom the caller may act for the first.
    func pair(_ id: PersonID, _ other: PersonID) throws(Refusal) -> (PersonNumber, PersonNumber) {
        guard caller.mayAct(for: id) else { throw .notAllowed }
        guard id != other else { throw .oneself }
        let a = try number(of: id)
        guard let b = picture.people.number(of: other) else { throw .unknown(.person, other.any) }
        return (a, b)
    }

    /// The numbers of two different people of whom neither has blocked the other: who has, or was, is as if not there.
    func visiblePair(_ id: PersonID, _ other: PersonID) throws(Refusal) -> (PersonNumber, PersonNumber) {
        let (a, b) = try pair(id, other)
        guard !picture.people.isSeparated(a, b) else { throw .unknown(.person, other.any) }
        return (a, b)
    }

    /// Ends what ties two people, and takes each out of the other's fences, as many as fit into the turn.
    ///
    /// The rest of that leaves alone who are friends again.
    ///
    /// - Returns: whether fences are left.
    fileprivate mutating func endFriendship(
        _ a: PersonNumber, _ b: PersonNumber, isRest: Bool
    ) throws -> DeletionState {
        if isRest, picture.people.isFriend(a, of: b) { return .done }
        let between = picture.fences(between: a, b)
        Effort.count(5 * between.count)
        var portion = Portion()
        portion.take(between) { picture.unwatching($0.person, $0.fence, received) }
        var changes = portion.changes
        if !isRest, picture.people.friendship(of: a, with: b) != .none {
            // No consent outlives the friendship, though fences go on to name who is a friend no more.
            if portion.isFull { changes = picture.disallowing(a, b) }
            changes += picture.cascade(a, b) + [.ties(.ended(a, b, at: received))]
        }
        try follow(changes)
        return portion.isFull ? .begun : .done
    }
}

extension Live {
    /// Takes people out of fences of former friends that still name them, because a stop broke off the end of the
    /// friendship.
    ///
    /// - Throws: ``StorageError``.
    public func finishEnds(at now: Timestamp) async throws {
        for (owner, person) in read({ $0.unfinishedEnds() }) {
            let rest = Unfriend(restOf: owner, person)
            do { while try await step(rest, by: .service, at: now) == .begun {} } catch Refusal.unknown {}
        }
    }
}
