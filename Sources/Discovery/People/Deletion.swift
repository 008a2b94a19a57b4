internal import Geo
public import Model
internal import Storage
internal import Structures

/// Deletes what much may hang on: in turns of the writer that are short, each of which deletes some of that.
///
/// What little hangs on is deleted at once.
public protocol Deletion: Action where Outcome == DeletionState {
    /// What must hold when it begins.
    var condition: Condition { get set }
}

/// How far a deletion is.
public enum DeletionState: Sendable {
    /// It was more than a turn of the writer, and some of it is done; the same again goes on.
    case begun
    /// Nothing is left.
    case done
}

extension Deletion {
    /// A turn.
    public var weight: Int { Live.turn }

    /// Goes on until nothing is left, whatever the condition: it held when that began.
    public func finish(
        _ first: DeletionState, _ step: (Self) async throws -> DeletionState
    ) async throws -> DeletionState {
        var rest = self
        rest.condition = .always
        return try await goOn(first, with: rest, step)
    }
}

extension Action where Outcome == DeletionState {
    /// Goes on after the first step with others that do the rest.
    func goOn(
        _ first: DeletionState, with rest: Self, _ step: (Self) async throws -> DeletionState
    ) async throws -> DeletionState {
        var state = first
        while state == .begun {
            // Gone: somebody else did the same meanwhile, and was quicker.
            do { state = try await step(rest) } catch Refusal.unknown { return .done }
        }
        return state
    }
}

/// Deletes a person with all ties and positions.
///
/// The first step leaves nothing of the document but the id, and hides the person from everybody: to whoever names the id
/// there is no such person any more. Then go the ties to others, then the history, the oldest positions first, and at last
/// the person. Only then somebody else may have the id, or all that is written of them would be deleted as well.
///
/// A deletion that broke off goes on when it is asked for again, whatever the condition: it held when it began.
public struct DeletePerson: Deletion {
    /// How many rows that only the storage knows are deleted in a turn.
    private static let tracesAtOnce = 1_000

    let id: PersonID
    /// What must hold when it begins.
    public var condition: Condition

    /// Whether it has begun, so that it deletes nobody who has the id meanwhile; nil also in logs of earlier programs.
    private var isRest: Bool?

    /// The person of this id.
    public init(_ id: PersonID, if condition: Condition = .always) { (self.id, self.condition) = (id, condition) }

    /// Goes on with a deletion that has begun.
    fileprivate init(restOf id: PersonID) { (self.id, condition, isRest) = (id, .always, true) }

    /// Goes on until nothing is left, whatever the condition: it held when that began.
    public func finish(
        _ first: DeletionState, _ step: (DeletePerson) async throws -> DeletionState
    ) async throws -> DeletionState {
        try await goOn(first, with: DeletePerson(restOf: id), step)
    }

    /// Does a step of it.
    public func carryOut(on draft: inout Draft) throws -> DeletionState {
        guard draft.caller.mayAct(for: id) else { throw Refusal.notAllowed }
        draft.isDeletion = true
        defer { draft.isDeletion = false }
        let leaving = draft.picture.people.leaving[id]
        guard leaving != nil || !(isRest ?? false), let number = leaving ?? draft.picture.people.number(of: id),
            let state = draft.picture.people[number]
        else { throw Refusal.unknown(.person, id.any) }
        if leaving == nil { _ = try draft.revision(after: state.record.revision, if: condition) }
        var portion = Portion()
        draft.untie(state, &portion)
        let isLast =
            try !portion.isFull
            && (draft.isShared || draft.transaction.traces(of: number, atMost: Self.tracesAtOnce) < Self.tracesAtOnce)
        if leaving == nil, draft.caller != .service {
            // A service may put people anywhere anyway.
            try draft.follow(.people(.recentlyDeleted(id, at: draft.received)))
        }
        if isLast {
            try draft.follow(draft.farewell(of: state))
            return .done
        }
        if leaving == nil {
            // It is not told that the person hides: a block is not told so, but by the end of the friendship.
            let changes = try draft.put(Write(state.person.concealed)).changes
            for change in changes { try draft.make(change) }
            try draft.make(.people(.leaving(number)))
        }
        try draft.follow(portion.changes)
        if !portion.isFull { try draft.follow(.people(.tracesErased(person: number, atMost: Self.tracesAtOnce))) }
        return .begun
    }
}

/// Deletes a place, or some of the comments, products and fans that it has; then itself with the rest.
public struct DeletePlace: Deletion {
    let id: PlaceID
    /// What must hold when it begins.
    public var condition: Condition

    /// The place of this id.
    public init(_ id: PlaceID, if condition: Condition = .always) { (self.id, self.condition) = (id, condition) }

    /// Does a step of it.
    public func carryOut(on draft: inout Draft) throws -> DeletionState {
        let record = try draft.picture.place(id)
        guard record.value.isWritable(by: draft.caller) else { throw Refusal.notAllowed }
        _ = try draft.revision(after: record.revision, if: condition)
        let number = record.number
        var portion = Portion()
        portion.take(draft.picture.comments.numbers(at: number)) { [.comments(.deleted($0))] }
        portion.take(draft.picture.catalogue.inventory.products(of: number)) {
            [.catalogue(.stockDeleted(store: number, product: $0))]
        }
        draft.removeFavourites(.places, number.any, &portion)
        try draft.follow(portion.isFull ? portion.changes : [.catalogue(.placeDeleted(number))])
        return portion.isFull ? .begun : .done
    }
}

/// Deletes a product, or takes it off some shelves and favourites; then itself with the rest.
public struct DeleteProduct: Deletion {
    let id: ProductID
    /// What must hold when it begins.
    public var condition: Condition

    /// The product of this id.
    public init(_ id: ProductID, if condition: Condition = .always) { (self.id, self.condition) = (id, condition) }

    /// Does a step of it.
    public func carryOut(on draft: inout Draft) throws -> DeletionState {
        try draft.refusePeople()
        let record = try draft.picture.product(id)
        _ = try draft.revision(after: record.revision, if: condition)
        let number = record.number
        var portion = Portion()
        portion.take(draft.picture.catalogue.inventory.stores(having: number).numbers) {
            [.catalogue(.stockDeleted(store: $0, product: number))]
        }
        draft.removeFavourites(.products, number.any, &portion)
        try draft.follow(portion.isFull ? portion.changes : [.catalogue(.productDeleted(number))])
        return portion.isFull ? .begun : .done
    }
}

extension Draft {
    /// What ties a person to others and to places, as far as that fits in.
    fileprivate func untie(_ state: PersonState, _ portion: inout Portion) {
        let number = state.record.number
        portion.take(picture.shares.numbers(of: number)) { [.shares(.ended($0))] }
        portion.take(state.ties.friends.numbers) { parting(state, from: $0) }
        undecide(state, &portion)
        portion.take(state.ties.asked.numbers) { [.ties(.ended(number, $0, at: received))] }
        portion.take(state.ties.askedBy.numbers) { [.ties(.ended(number, $0, at: received))] }
        // What follows is looked for only when something of it may fit in.
        if portion.isFull { return }
        portion.take(picture.comments.numbers(by: number)) { [.comments(.deleted($0))] }
        portion.take(picture.fences.ofOthers(about: number)) { picture.unwatching(number, $0, received) }
        portion.take(picture.fences.concerning(number)) { picture.bereaving($0, of: number, received) }
        portion.take(picture.people.groups.joined(by: number)) { group in
            picture.people.groups[group].map { picture.departure(of: number, from: $0, received) } ?? []
        }
        portion.take(picture.people.groups.inviting(number)) { [.groups(.left($0, number))] }
        portion.take(picture.catalogue.placeIndex.places(ownedBy: state.person.id).numbers) { disowning($0) }
        for kind in FavouriteKind.allCases {
            portion.take(picture.favourites.entries(kind, of: number)) {
                [.favourites(.removed(person: number, kind, other: $0.other))]
            }
        }
        removeFavourites(.people, number.any, &portion)
        portion.take(state.ties.blocks.numbers) { [.ties(.unblocked(by: number, $0))] }
        portion.take(state.ties.blockedBy.numbers) { [.ties(.unblocked(by: $0, number))] }
    }

    /// What ends between a person who goes and a friend, in the order and in the one turn in which a block ends it.
    private func parting(_ state: PersonState, from friend: PersonNumber) -> [Change] {
        let number = state.record.number
        var changes = picture.cascade(number, friend)
        changes.append(.ties(.ended(number, friend, at: received)))
        if state.ties.likes.contains(friend) { changes.append(.ties(.undecided(by: number, about: friend))) }
        return changes
    }

    /// What a person decided about others, those of the greatest numbers first, as far as that fits in.
    ///
    /// So matches end before blocks do, and no block shows. What was taken back is looked at by no further turn.
    private func undecide(_ state: PersonState, _ portion: inout Portion) {
        let (all, most) = (state.ties, Portion.decisionsAtOnce)
        var (likes, dislikes) = (all.likes.before(nil), all.dislikes.before(nil))
        while !portion.isFull {
            let last = (likes.suffix(most) + dislikes.suffix(most)).sorted().suffix(most)
            guard let first = last.first else { return }
            let change = Change.ties(.allUndecided(by: state.record.number, from: first))
            portion.take([change], costing: 400 + Portion.stepsOfDecision * last.count)
            (likes, dislikes) = (all.likes.before(first), all.dislikes.before(first))
        }
    }

    fileprivate func removeFavourites(_ kind: FavouriteKind, _ other: AnyNumber, _ portion: inout Portion) {
        portion.take(picture.favourites.fans(kind, other)) { [.favourites(.removed(person: $0, kind, other: other))] }
    }

    /// A place of a person who goes stays as others are shown it.
    private func disowning(_ number: PlaceNumber) -> [Change] {
        guard let record = picture.catalogue.placeIndex[number]?.record else { return [] }
        return [.catalogue(.place(record.changed(at: received) { $0.owner = .deleted }))]
    }

    /// The last changes of a deletion, when little is left.
    fileprivate func farewell(of state: PersonState) -> [Change] {
        let (number, id) = (state.record.number, state.person.id)
        let places = picture.catalogue.placeIndex.places(ownedBy: id).numbers.flatMap { disowning($0) }
        let watching = picture.fences.ofOthers(about: number).flatMap { picture.unwatching(number, $0, received) }
        let fences = picture.fences.concerning(number).flatMap { picture.bereaving($0, of: number, received) }
        let shares = picture.shares.numbers(of: number).map { Change.shares(.ended($0)) }
        let webhooks = picture.webhooks.numbers(about: id).map { Change.webhooks(.deleted($0)) }
        return places + shares + webhooks + picture.farewell(of: number, received) + watching + fences
            + [.people(.deleted(number))]
    }
}

extension Live {
    /// Goes on with the deletion of somebody that has begun, by one turn of the writer.
    ///
    /// A stop or an error may have broken it off. Whoever still goes on with it is done the sooner.
    ///
    /// - Returns: whether there was anybody.
    /// - Throws: ``StorageError``.
    public func finishDeletion(at now: Timestamp) async throws -> Bool {
        guard let id = read({ $0.people.leaving.keys.first }) else { return false }
        do { _ = try await step(DeletePerson(restOf: id), by: .person(id), at: now) } catch Refusal.unknown {}
        return true
    }

    /// Takes one step, the first or the next one, of what is done in steps.
    package func step(
        _ deletion: some Action<DeletionState>, by caller: Caller, at received: Timestamp
    ) async throws -> DeletionState {
        try await performOnce(deletion, by: caller, at: received, of: .maintenance, goingOn: true)
    }
}

extension Person {
    /// Nothing of the person but the id, which nobody finds.
    fileprivate var concealed: Person {
        var person = Person(id: id)
        person.sharing = Sharing(.hidden)
        person.isSearchable = false
        return person
    }
}
