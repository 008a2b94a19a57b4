internal import Geo
public import Model
internal import Storage
internal import Structures

/// A deletion that may cascade to many records, in short writer turns that each delete some of them.
///
/// A small deletion completes in one step.
public protocol Deletion: Action where Outcome == DeletionState {
    /// The precondition, checked at the start.
    var condition: Condition { get set }
}

/// The progress of a deletion.
public enum DeletionState: Sendable {
    /// Some of it is done; repeating the action continues.
    case begun
    case done
}

extension Deletion {
    /// A writer turn.
    public var weight: Int { Engine.turnWeight }

    /// Continues until nothing is left, without the condition, which held at the start.
    public func finish(
        _ first: DeletionState, _ step: (Self) async throws -> DeletionState
    ) async throws -> DeletionState {
        var rest = self
        rest.condition = .always
        return try await goOn(first, with: rest, step)
    }
}

extension Action where Outcome == DeletionState {
    /// Repeats the remaining step until the deletion is complete.
    func goOn(
        _ first: DeletionState, with rest: Self, _ step: (Self) async throws -> DeletionState
    ) async throws -> DeletionState {
        var state = first
        while state == .begun {
            // Another caller completed the same deletion in the meantime.
            do { state = try await step(rest) } catch Refusal.unknown { return .done }
        }
        return state
    }
}

/// Deletes a person with all ties and positions.
///
/// The first step reduces the document to the id, and hides the person from all callers: lookups by the id fail. Then
/// the ties are deleted, then the history from its oldest positions, and finally the person. Only then is the id free,
/// because otherwise the records of its next owner would be deleted as well.
///
/// Repeating the action continues an interrupted deletion, without the condition, which held at the start.
public struct DeletePerson: Deletion {
    /// The number of rows known only to storage that are deleted in a turn.
    private static let tracesAtOnce = 1_000

    let id: PersonID
    /// The precondition, checked at the start.
    public var condition: Condition

    /// Whether the deletion has begun, so that a new owner of the id is safe; nil also in logs of earlier versions.
    private var isRest: Bool?

    /// The person with this id.
    public init(_ id: PersonID, if condition: Condition = .always) { (self.id, self.condition) = (id, condition) }

    fileprivate init(restOf id: PersonID) { (self.id, condition, isRest) = (id, .always, true) }

    /// Continues until nothing is left, without the condition, which held at the start.
    public func finish(
        _ first: DeletionState, _ step: (DeletePerson) async throws -> DeletionState
    ) async throws -> DeletionState {
        try await goOn(first, with: DeletePerson(restOf: id), step)
    }

    /// Runs one step.
    public func apply(to draft: inout Draft) throws -> DeletionState {
        guard draft.caller.mayAct(for: id) else { throw Refusal.notAllowed }
        draft.isDeletion = true
        defer { draft.isDeletion = false }
        let leaving = draft.state.people.leaving[id]
        guard leaving != nil || !(isRest ?? false), let number = leaving ?? draft.state.people.number(of: id),
            let leaver = draft.state.people[number]
        else { throw Refusal.unknown(.person, id.any) }
        if leaving == nil { _ = try draft.revision(after: leaver.record.revision, if: condition) }
        var portion = Portion()
        draft.untie(leaver, &portion)
        let isLast =
            try !portion.isFull
            && (draft.isShared || draft.transaction.traces(of: number, atMost: Self.tracesAtOnce) < Self.tracesAtOnce)
        if leaving == nil, draft.caller != .service {
            // Services may move people anywhere anyway, so deletions by them need no delay.
            try draft.write(.people(.recentlyDeleted(id, at: draft.received)))
        }
        if isLast {
            try draft.write(draft.finalChanges(of: leaver))
            return .done
        }
        if leaving == nil {
            // No event reports that the person hides; as with a block, only the end of the friendship is reported.
            let changes = try draft.put(Write(leaver.person.concealed)).changes
            for change in changes { try draft.apply(change) }
            try draft.apply(.people(.leaving(number)))
        }
        try draft.write(portion.changes)
        if !portion.isFull { try draft.write(.people(.tracesErased(person: number, atMost: Self.tracesAtOnce))) }
        return .begun
    }
}

/// Deletes a place; if it has many comments, products and fans, some of them per step, and the rest with the place.
public struct DeletePlace: Deletion {
    let id: PlaceID
    /// The precondition, checked at the start.
    public var condition: Condition

    /// The place with this id.
    public init(_ id: PlaceID, if condition: Condition = .always) { (self.id, self.condition) = (id, condition) }

    /// Runs one step.
    public func apply(to draft: inout Draft) throws -> DeletionState {
        let record = try draft.state.place(id)
        guard record.value.isWritable(by: draft.caller) else { throw Refusal.notAllowed }
        _ = try draft.revision(after: record.revision, if: condition)
        let number = record.number
        var portion = Portion()
        portion.take(draft.state.comments.numbers(at: number)) { [.comments(.deleted($0))] }
        portion.take(draft.state.catalogue.inventory.products(of: number)) {
            [.catalogue(.stockDeleted(store: number, product: $0))]
        }
        draft.removeFavourites(.places, number.any, &portion)
        try draft.write(portion.isFull ? portion.changes : [.catalogue(.placeDeleted(number))])
        return portion.isFull ? .begun : .done
    }
}

/// Deletes a product; if it is in many stores and favorites, some of them per step, and the rest with the product.
public struct DeleteProduct: Deletion {
    let id: ProductID
    /// The precondition, checked at the start.
    public var condition: Condition

    /// The product with this id.
    public init(_ id: ProductID, if condition: Condition = .always) { (self.id, self.condition) = (id, condition) }

    /// Runs one step.
    public func apply(to draft: inout Draft) throws -> DeletionState {
        try draft.requireService()
        let record = try draft.state.product(id)
        _ = try draft.revision(after: record.revision, if: condition)
        let number = record.number
        var portion = Portion()
        portion.take(draft.state.catalogue.inventory.stores(having: number).numbers) {
            [.catalogue(.stockDeleted(store: $0, product: number))]
        }
        draft.removeFavourites(.products, number.any, &portion)
        try draft.write(portion.isFull ? portion.changes : [.catalogue(.productDeleted(number))])
        return portion.isFull ? .begun : .done
    }
}

extension Draft {
    /// Removes ties of a person to others and to places, as far as they fit.
    fileprivate func untie(_ leaver: PersonState, _ portion: inout Portion) {
        let number = leaver.record.number
        portion.take(state.shares.numbers(of: number)) { [.shares(.ended($0))] }
        portion.take(leaver.ties.friends.numbers) { parting(leaver, from: $0) }
        undecide(leaver, &portion)
        portion.take(leaver.ties.asked.numbers) { [.ties(.ended(number, $0, at: received))] }
        portion.take(leaver.ties.askedBy.numbers) { [.ties(.ended(number, $0, at: received))] }
        // The following lists are read only if some of them may fit.
        if portion.isFull { return }
        portion.take(state.comments.numbers(by: number)) { [.comments(.deleted($0))] }
        portion.take(state.fences.ofOthers(about: number)) { state.endingWatch(number, $0, received) }
        for fence in state.fences.concerning(number) where state.ends(fence, with: number) {
            portion.take(state.fences.visitors(of: fence)) { [.fences(.left(fence, $0))] }
        }
        portion.take(state.fences.concerning(number)) { state.changesAfterDeletion($0, of: number, received) }
        portion.take(state.people.groups.joined(by: number)) { group in
            state.people.groups[group].map { state.departure(of: number, from: $0, received) } ?? []
        }
        portion.take(state.people.groups.inviting(number)) { [.groups(.left($0, number))] }
        portion.take(state.catalogue.placeIndex.places(ownedBy: leaver.person.id).numbers) { disowning($0) }
        for kind in FavouriteKind.allCases {
            portion.take(state.favourites.entries(kind, of: number)) {
                [.favourites(.removed(person: number, kind, other: $0.other))]
            }
        }
        removeFavourites(.people, number.any, &portion)
        portion.take(leaver.ties.blocks.numbers) { [.ties(.unblocked(by: number, $0))] }
        portion.take(leaver.ties.blockedBy.numbers) { [.ties(.unblocked(by: $0, number))] }
    }

    /// The changes between a leaving person and a friend, in the same order and turn as for a block.
    private func parting(_ leaver: PersonState, from friend: PersonNumber) -> [Change] {
        let number = leaver.record.number
        var changes = state.cascade(number, friend)
        changes.append(.ties(.ended(number, friend, at: received)))
        if leaver.ties.likes.contains(friend) { changes.append(.ties(.undecided(by: number, about: friend))) }
        return changes
    }

    /// Removes a person's decisions about others, highest numbers first, as far as they fit.
    ///
    /// Matches end before blocks do, so that no block shows. Later turns do not revisit removed decisions.
    private func undecide(_ leaver: PersonState, _ portion: inout Portion) {
        let (all, most) = (leaver.ties, Portion.decisionsAtOnce)
        var (likes, dislikes) = (all.likes.before(nil), all.dislikes.before(nil))
        while !portion.isFull {
            let last = (likes.suffix(most) + dislikes.suffix(most)).sorted().suffix(most)
            guard let first = last.first else { return }
            let change = Change.ties(.allUndecided(by: leaver.record.number, from: first))
            portion.take([change], costing: 400 + Portion.stepsOfDecision * last.count)
            (likes, dislikes) = (all.likes.before(first), all.dislikes.before(first))
        }
    }

    fileprivate func removeFavourites(_ kind: FavouriteKind, _ other: AnyNumber, _ portion: inout Portion) {
        portion.take(state.favourites.fans(kind, other)) { [.favourites(.removed(person: $0, kind, other: other))] }
    }

    /// Replaces the owner of a leaving person's place by a placeholder, so that others see the place unchanged.
    private func disowning(_ number: PlaceNumber) -> [Change] {
        guard let record = state.catalogue.placeIndex[number]?.record else { return [] }
        return [.catalogue(.place(record.changed(at: received) { $0.owner = .deleted }))]
    }

    /// The final changes of a deletion.
    fileprivate func finalChanges(of leaver: PersonState) -> [Change] {
        let (number, id) = (leaver.record.number, leaver.person.id)
        let places = state.catalogue.placeIndex.places(ownedBy: id).numbers.flatMap { disowning($0) }
        let watching = state.fences.ofOthers(about: number).flatMap { state.endingWatch(number, $0, received) }
        let fences = state.fences.concerning(number).flatMap { state.changesAfterDeletion($0, of: number, received) }
        let shares = state.shares.numbers(of: number).map { Change.shares(.ended($0)) }
        let webhooks = state.webhooks.numbers(about: id).map { Change.webhooks(.deleted($0)) }
        return places + shares + webhooks + state.changesBeforeDeletion(of: number, received) + watching + fences
            + [state.people.endedTokens.change(atDeletionOf: id), .people(.deleted(number))].compactMap { $0 }
    }
}

extension Engine {
    /// Continues a person's deletion that has begun, by one writer turn.
    ///
    /// It may have been interrupted by a shutdown or an error. A caller that still drives it finishes sooner.
    ///
    /// - Returns: whether a deletion was pending.
    /// - Throws: ``StorageError``.
    public func finishDeletion(at now: Timestamp) async throws -> Bool {
        guard let id = read({ $0.people.leaving.keys.first }) else { return false }
        do { _ = try await step(DeletePerson(restOf: id), by: .person(id), at: now) } catch Refusal.unknown {}
        return true
    }

    /// Runs the first or next step of an action that takes several.
    package func step(
        _ deletion: some Action<DeletionState>, by caller: Caller, at received: Timestamp
    ) async throws -> DeletionState {
        try await performOnce(deletion, by: caller, at: received, of: .maintenance, isContinuation: true)
    }
}

extension Person {
    /// The document of a person being deleted: only the id and the end of the tokens, hidden from searches.
    fileprivate var concealed: Person {
        var person = Person(id: id)
        person.sharing = Sharing(.hidden)
        person.isSearchable = false
        person.tokensNotBefore = tokensNotBefore
        return person
    }
}
