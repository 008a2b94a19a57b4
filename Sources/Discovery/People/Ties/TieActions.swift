internal import Geo
public import Model
internal import Structures

/// Requests a friendship, or accepts the other person's request.
public struct Befriend: Action {
    let person, other: PersonID

    /// The requester, and the other person.
    public init(_ person: PersonID, _ other: PersonID) { (self.person, self.other) = (person, other) }

    /// - Returns: the new friendship state of the requester.
    public func apply(to draft: inout Draft) throws -> FriendshipState {
        let (a, b) = try draft.visiblePair(person, other)
        let state = draft.state.people.friendship(of: a, with: b)
        switch state {
        case .friends, .asked: return state
        case .pending, .none: break
        }
        try draft.refuse(
            .friend, after: draft.state.people[a].map { $0.ties.friends.count + $0.ties.asked.count } ?? 0)
        guard state == .pending else {
            try draft.write(.ties(.asked(by: a, of: b, at: draft.received)))
            return .asked
        }
        try draft.write(.ties(.made(a, b, at: draft.received)))
        return .friends
    }
}

/// Makes two people friends, as agreed elsewhere.
public struct MakeFriends: Action {
    let person, other: PersonID
    /// nil in logs of earlier versions.
    private let isSilent: Bool?

    /// Two people, in any order.
    ///
    /// - Parameters:
    ///   - person: the first person.
    ///   - other: the second person.
    ///   - silently: whether no event is made, because they were friends before.
    public init(_ person: PersonID, _ other: PersonID, silently: Bool = false) {
        (self.person, self.other, isSilent) = (person, other, silently ? true : nil)
    }

    /// - Returns: whether the friendship is new.
    public func apply(to draft: inout Draft) throws -> Written {
        try draft.requireService()
        let (a, b) = try draft.pair(person, other)
        guard !draft.state.people.isSeparated(a, b) else { throw Refusal.separated }
        let isNew = !draft.state.people.isFriend(a, of: b)
        if isNew {
            let change = Change.ties(.made(a, b, at: draft.received))
            if isSilent ?? false { try draft.apply(change) } else { try draft.write(change) }
        }
        return Written(isNew: isNew, revision: draft.received.milliseconds)
    }
}

/// Ends, declines or withdraws a friendship.
///
/// The first step ends the friendship. Fences that name the other person are rewritten in as many turns as needed. In
/// the meantime, even after an interruption, they report nothing about the other person.
public struct Unfriend: Action {
    let person, other: PersonID
    /// Whether only fences are left; nil for the first step, also in logs of earlier versions.
    private var isRest: Bool?

    /// The person who ends the friendship, and the other person.
    public init(_ person: PersonID, _ other: PersonID) { (self.person, self.other) = (person, other) }

    /// Rewrites the remaining fences of an interrupted end.
    fileprivate init(restOf person: PersonID, _ other: PersonID) {
        (self.person, self.other, isRest) = (person, other, true)
    }

    /// A writer turn, because many fences may name the other person.
    public var weight: Int { Engine.turnWeight }

    /// The price of the fences that are rewritten.
    public func price(by state: borrowing LiveState) -> Int { state.price(ofEnding: person, other) }

    /// - Returns: whether fences are left.
    public func apply(to draft: inout Draft) throws -> DeletionState {
        let isRest = isRest ?? false
        let (a, b) = try isRest ? draft.pair(person, other) : draft.visiblePair(person, other)
        return try draft.endFriendship(a, b, isRest: isRest)
    }

    /// Rewrites the remaining fences.
    public func finish(
        _ first: DeletionState, _ step: (Unfriend) async throws -> DeletionState
    ) async throws -> DeletionState {
        var rest = self
        rest.isRest = true
        return try await goOn(first, with: rest, step)
    }
}

/// Sets a person's private note about a friend.
public struct NoteFriend: Action {
    let person, friend: PersonID
    let attribute: FriendAttribute
    let text: String?

    /// The person, the friend and the note; nil removes it.
    public init(_ person: PersonID, _ friend: PersonID, _ attribute: FriendAttribute, _ text: String?) {
        (self.person, self.friend, self.attribute, self.text) = (person, friend, attribute, text)
    }

    /// Stores the note, which is visible only to its author.
    public func apply(to draft: inout Draft) throws {
        let number = try draft.number(of: person)
        guard let other = draft.state.people.number(of: friend), draft.state.people.isKnown(other, to: number)
        else { throw Refusal.unknown(.friend, friend.any) }
        guard draft.state.people[number]?.ties.notes[attribute]?[other] != text else { return }
        try draft.write(.ties(.noted(attribute, text, about: other, by: number)))
    }
}

/// Blocks a person, which hides both from each other, and ends a friendship or request as ``Unfriend`` does.
public struct Block: Action {
    let person, other: PersonID
    /// Whether only fences are left; nil for the first step, also in logs of earlier versions.
    private var isRest: Bool?

    /// The person who blocks, and the other person.
    public init(_ person: PersonID, _ other: PersonID) { (self.person, self.other) = (person, other) }

    /// A writer turn, because many fences may name the other person.
    public var weight: Int { Engine.turnWeight }

    /// The price of the fences that are rewritten.
    public func price(by state: borrowing LiveState) -> Int { state.price(ofEnding: person, other) }

    /// Blocks the other person; throws ``Refusal/unknown(_:_:)`` if the other person blocks this one.
    ///
    /// - Returns: whether fences are left.
    public func apply(to draft: inout Draft) throws -> DeletionState {
        let (a, b) = try draft.pair(person, other)
        let isRest = isRest ?? false
        guard !isRest, !draft.state.people.blocks(a, b) else {
            return try draft.endFriendship(a, b, isRest: true)
        }
        guard !draft.state.people.blocks(b, a) else { throw Refusal.unknown(.person, other.any) }
        try draft.refuse(.block, after: draft.state.people[a]?.ties.blocks.count ?? 0)
        let state = try draft.endFriendship(a, b, isRest: false)
        try draft.write(.ties(.blocked(by: a, b, at: draft.received)))
        return state
    }

    /// Rewrites the remaining fences.
    public func finish(
        _ first: DeletionState, _ step: (Block) async throws -> DeletionState
    ) async throws -> DeletionState {
        var rest = self
        rest.isRest = true
        return try await goOn(first, with: rest, step)
    }
}

/// Removes a person's block of another person.
public struct Unblock: Action {
    let person, other: PersonID

    /// The person who blocked, and the other person.
    public init(_ person: PersonID, _ other: PersonID) { (self.person, self.other) = (person, other) }

    /// Removes the block; without one, throws ``Refusal/unknown(_:_:)`` if the other person blocks this one.
    public func apply(to draft: inout Draft) throws {
        let (a, b) = try draft.pair(person, other)
        if draft.state.people.blocks(a, b) { return try draft.write(.ties(.unblocked(by: a, b))) }
        guard !draft.state.people.blocks(b, a) else { throw Refusal.unknown(.person, other.any) }
    }
}

extension Draft {
    /// Returns the numbers of two different people; the caller must be allowed to act for the first.
    func pair(_ id: PersonID, _ other: PersonID) throws(Refusal) -> (PersonNumber, PersonNumber) {
        guard caller.mayAct(for: id) else { throw .notAllowed }
        guard id != other else { throw .oneself }
        let a = try number(of: id)
        guard let b = state.people.number(of: other) else { throw .unknown(.person, other.any) }
        return (a, b)
    }

    /// Returns the numbers of two different people; a block between them is reported as an unknown person.
    func visiblePair(_ id: PersonID, _ other: PersonID) throws(Refusal) -> (PersonNumber, PersonNumber) {
        let (a, b) = try pair(id, other)
        guard !state.people.isSeparated(a, b) else { throw .unknown(.person, other.any) }
        return (a, b)
    }

    /// Ends the friendship or request, and removes each person from the other's fences, as many as fit into the turn.
    ///
    /// The remaining steps stop if the two are friends again.
    ///
    /// - Returns: whether fences are left.
    fileprivate mutating func endFriendship(
        _ a: PersonNumber, _ b: PersonNumber, isRest: Bool
    ) throws -> DeletionState {
        if isRest, state.people.isFriend(a, of: b) { return .done }
        let between = state.fences(between: a, b)
        WorkBudget.count(5 * between.count)
        var portion = Portion()
        portion.take(between) { state.endingWatch($0.person, $0.fence, received) }
        var changes = portion.changes
        if !isRest, state.people.friendship(of: a, with: b) != .none {
            // No consent outlives the friendship, although fences continue to name the former friend.
            if portion.isFull { changes = state.disallowing(a, b) }
            changes += state.cascade(a, b) + [.ties(.ended(a, b, at: received))]
        }
        try write(changes)
        return portion.isFull ? .begun : .done
    }
}

extension Engine {
    /// Finishes ends of friendships that a shutdown interrupted, by removing former friends from fences.
    ///
    /// - Throws: ``StorageError``.
    public func finishEnds(at now: Timestamp) async throws {
        for (owner, person) in read({ $0.unfinishedEnds() }) {
            let rest = Unfriend(restOf: owner, person)
            do { while try await step(rest, by: .service, at: now) == .begun {} } catch Refusal.unknown {}
        }
    }
}
