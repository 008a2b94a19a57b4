internal import Geo
public import Model
internal import Storage
internal import Structures

/// Changes that are made in one turn of the writer: as many as fit.
private struct Portion {
    private(set) var changes: [Change] = []
    private(set) var isFull = false
    /// In steps of ``Effort``; half a turn, for a deletion has other things to do.
    private var room = Effort.turn / 2

    /// Takes changes that belong together, if there is room or nothing else was taken.
    mutating func take(_ some: [Change]) {
        let cost = some.reduce(0) { sum, change in
            if case .place = change { sum + 2_500 } else { sum + 400 }
        }
        isFull = isFull || cost > room && !changes.isEmpty
        guard !isFull else { return }
        changes += some
        room -= cost
    }

    /// Takes what is made of each item, the last first: what is last is taken out of a list without moving the rest.
    mutating func take<Item>(_ items: some BidirectionalCollection<Item>, _ change: (Item) -> [Change]) {
        for item in items.reversed() {
            if isFull { return }
            take(change(item))
        }
    }
}

/// Deleting what much may hang on: in turns of the writer that are short, each of which deletes some of that.
///
/// What little hangs on is deleted at once.
extension Picture {
    /// How many rows that only the storage knows are deleted in a turn.
    private static let tracesAtOnce = 1_000

    /// Deletes a person, or begins to.
    ///
    /// The first step leaves nothing of the document but the id, and hides the person from everybody: to whoever names the id
    /// there is no such person any more. Then go the ties to others, then the history, the oldest positions first, and at last
    /// the person. Only then somebody else may have the id, or all that is written of them would be deleted as well.
    ///
    /// A deletion that broke off goes on when it is asked for again, whatever the condition: it held when it began.
    mutating func deletePerson(
        _ id: EntityID, _ condition: Condition, _ command: Command, in transaction: Transaction
    ) throws -> (outcome: Outcome, changes: [Change]) {
        guard command.caller.mayAct(for: id) else { throw Refusal.notAllowed }
        let (received, leaving) = (command.received, crowd.leaving[id])
        guard let number = leaving ?? crowd.number(of: id), let state = crowd[number] else {
            throw Refusal.unknown(.person, id)
        }
        if leaving == nil { _ = try Self.revision(of: state.record.value.revision, condition, received) }
        var portion = Portion()
        untie(state, &portion, received)
        var changes = portion.changes
        if !portion.isFull {
            if try transaction.traces(of: number, atMost: Self.tracesAtOnce) < Self.tracesAtOnce {
                let places = catalogue.directory.places(ownedBy: id).numbers.flatMap { disowning($0, received) }
                changes = places + farewell(of: number, received) + [.personDeleted(number)]
                // A service may put people anywhere anyway.
                if command.caller != .service { changes.append(.departed(id, at: received)) }
                return (.done, follow(changes))
            }
            changes.append(.tracesErased(person: number, atMost: Self.tracesAtOnce))
        }
        if leaving == nil {
            changes = try put(Write(state.person.concealed), received).1 + [.personLeaving(number)] + changes
        }
        return (.begun, follow(changes))
    }

    /// What ties a person to others and to places, as far as that fits in.
    private func untie(_ state: PersonState, _ portion: inout Portion, _ received: Timestamp) {
        let number = state.record.value.number
        portion.take(comments.numbers(by: number)) { [.commentDeleted($0)] }
        portion.take(state.friends.numbers) { parting(number, $0) + [.friendshipEnded(number, $0, at: received)] }
        portion.take(state.asked.numbers + state.askedBy.numbers) { [.friendshipEnded(number, $0, at: received)] }
        portion.take(crowd.groups.joined(by: number)) { group in
            crowd.groups[group].map { departure(of: number, from: $0, received).map { .group($0) } } ?? []
        }
        portion.take(crowd.groups.inviting(number)) { [.group(.left($0, number))] }
        portion.take(catalogue.directory.places(ownedBy: state.person.id).numbers) { disowning($0, received) }
        for kind in FavouriteKind.allCases {
            portion.take(favourites.marks(kind, of: number)) {
                [.favouriteRemoved(person: number, kind, other: $0.other)]
            }
        }
        unmark(.people, number, &portion)
        portion.take(state.blocks.numbers) { [.unblocked(by: number, $0)] }
        portion.take(state.blockedBy.numbers) { [.unblocked(by: $0, number)] }
    }

    private func unmark(_ kind: FavouriteKind, _ other: Int32, _ portion: inout Portion) {
        portion.take(favourites.fans(kind, other)) { [.favouriteRemoved(person: $0, kind, other: other)] }
    }

    /// A place of a person who goes belongs to nobody from now on.
    private func disowning(_ number: Int32, _ received: Timestamp) -> [Change] {
        guard var record = catalogue.directory[number]?.record.value else { return [] }
        record.value.owner = nil
        record.revision = max(record.revision + 1, received.milliseconds)
        return [.place(record)]
    }

    /// Deletes a place, or some of the comments, products and fans that it has; then itself with the rest.
    func deletePlace(
        _ id: EntityID, _ condition: Condition, _ command: Command
    ) throws(Refusal) -> (outcome: Outcome, changes: [Change]) {
        guard let record = catalogue.directory.record(of: id) else { throw .unknown(.place, id) }
        guard Self.mayWrite(record.value, command.caller) else { throw .notAllowed }
        _ = try Self.revision(of: record.revision, condition, command.received)
        let number = record.number
        var portion = Portion()
        portion.take(comments.numbers(at: number)) { [.commentDeleted($0)] }
        portion.take(catalogue.shelves.products(of: number)) { [.stockDeleted(store: number, product: $0)] }
        unmark(.places, number, &portion)
        return portion.isFull ? (.begun, portion.changes) : (.done, [.placeDeleted(number)])
    }

    /// Deletes a product, or takes it off some shelves and favourites; then itself with the rest.
    func deleteProduct(
        _ id: EntityID, _ condition: Condition, _ command: Command
    ) throws(Refusal) -> (outcome: Outcome, changes: [Change]) {
        guard command.caller == .service else { throw .notAllowed }
        guard let record = catalogue.shelves.record(of: id) else { throw .unknown(.product, id) }
        _ = try Self.revision(of: record.revision, condition, command.received)
        let number = record.number
        var portion = Portion()
        portion.take(catalogue.shelves.stores(having: number).numbers) { [.stockDeleted(store: $0, product: number)] }
        unmark(.products, number, &portion)
        return portion.isFull ? (.begun, portion.changes) : (.done, [.productDeleted(number)])
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
        guard let id = read({ $0.crowd.leaving.keys.first }) else { return false }
        let command = Command(.deletePerson(id, .always), by: .person(id), received: now)
        do { _ = try await step(command) } catch Refusal.unknown {}
        return true
    }

    /// Takes one step, the first or the next one, of what is done in steps.
    package func step(_ command: Command) async throws -> Outcome {
        try await performOnce(command, of: .upkeep, goingOn: true)
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
