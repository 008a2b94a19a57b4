internal import Cities
internal import Geo
public import Model
internal import Structures

/// Creates or replaces a person.
public struct PutPerson: Action {
    package let write: Write<Person>

    /// The new document.
    public init(_ write: Write<Person>) { self.write = write }

    /// The document's weight.
    public var weight: Int { write.value.weight }

    /// - Returns: the document as stored.
    public func apply(to draft: inout Draft) throws -> Written {
        guard draft.caller.mayAct(for: write.value.id) else { throw Refusal.notAllowed }
        if draft.caller != .service { try draft.refuseLowThrottle(write.value) }
        let (written, changes) = try draft.put(write)
        try draft.write(changes)
        return written
    }
}

extension Draft {
    func put(_ write: Write<Person>) throws(Refusal) -> (written: Written, changes: [Change]) {
        guard state.people.leaving[write.value.id] == nil else { throw .beingDeleted(write.value.id) }
        let old = state.people.number(of: write.value.id).flatMap { state.people.record(of: $0) }
        var person = old.map { write.value.keeping(write.kept, of: $0.value) } ?? write.value
        let revision = try self.revision(after: old?.revision, if: write.condition)
        try endTokens(&person, before: old?.value)
        let ended = old == nil ? state.people.endedTokens.kept(for: person.id) : nil
        if let ended { person.tokensNotBefore = max(person.tokensNotBefore ?? ended.bound, ended.bound) }
        if let old, old.value == person { return (Written(isNew: false, revision: old.revision, person: person), []) }
        let number = old?.number ?? state.people.nextNumber
        let record = Versioned(number: number, revision: revision, value: person)
        var changes = [.people(.put(record)), ended?.removal].compactMap(\.self)
        if person.sharing.dated != (old?.value.sharing ?? Sharing()).dated {
            // It ends an existing person's former settings, so it must precede the new document.
            changes.insert(.people(.shared(person: number, person.sharing.dated, at: received)), at: old == nil ? 1 : 0)
        }
        if person.city != old?.value.city {
            let city = person.city.flatMap { state.gazetteer.city(named: $0) }
            let cell = city.map { CubeCell(containing: $0.coordinate, level: CubeCell.publicLevel) }
            changes.append(.people(.homeCell(person: number, cell)))
        }
        var updated = state.people[number] ?? PersonState(record, state.people.zones)
        if old == nil, let waiting = state.people.recentlyDeleted.searchOrigin(of: person.id, at: received) {
            changes.append(.strangers(.searchOrigin(person: number, waiting)))
            updated.searchOrigin = waiting
        }
        let before = updated.whereabouts
        updated.take(record, state.people.zones)
        for case .people(.homeCell(_, let cell)) in changes { updated.traces.homeCell = cell }
        changes += updated.consequences(from: before, at: received)
        if person.sharing.zones != (old?.value.sharing.zones ?? []) { changes += updated.consequencesOfZones() }
        return (Written(isNew: old == nil, revision: revision, person: person), changes)
    }

    /// Refuses thresholds below the service's, unless they are unchanged.
    fileprivate func refuseLowThrottle(_ person: Person) throws(Refusal) {
        let old = state.people.state(of: person.id)?.person.throttle
        let (distance, interval) = (person.throttle.distance, person.throttle.interval)
        guard distance.map({ $0 >= rules.distance || $0 == old?.distance }) ?? true,
            interval.map({ $0 >= rules.interval || $0 == old?.interval }) ?? true
        else { throw .throttleTooLow(distance: rules.distance, interval: rules.interval) }
    }
}
