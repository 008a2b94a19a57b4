internal import Geo
public import Model
internal import Storage

/// Events that are no longer in memory.
extension Engine {
    /// Reads events that are no longer in memory, in order: retained ones, ends of ties and changes of groups.
    ///
    /// A caller pays for the retained events that are read. So a person's are read by an index, and no others.
    ///
    /// - Parameters:
    ///   - number: the event before them.
    ///   - selection: the retained events to read; nil for all.
    ///   - most: the maximum number of either.
    /// - Returns: the events, and the number up to which they are complete; later events may be in memory.
    /// - Throws: ``StorageError``.
    func pastEvents(
        after number: Int64, of selection: KeptEvents?, atMost most: Int
    ) async throws -> (events: [Event], through: Int64) {
        let end = feed.last
        // A number after the last event belongs to another service.
        guard number <= end else { return ([], end) }
        let (ends, gone) = feed.ends(after: number, atMost: most)
        // In a task of its own, because a reader's task would keep the deepest stack that it ever had.
        let reading = Task { [store] in
            if let selection { return try await store.events(of: selection, after: number, atMost: most) }
            return try await store.events(after: number, atMost: most)
        }
        let kept = try await reading.value
        WorkBudget.count(kept.count * EventReader.rowReadCost)
        let through = [kept, ends].reduce(gone) { through, part in
            part.count < most ? through : min(through, part.last?.number ?? through)
        }
        let events = (kept + ends).filter { $0.number <= through }
        return (events.sorted { $0.number < $1.number }, through)
    }

    /// The retained events that may concern a caller; nil for all.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    func keptEvents(for caller: Caller, _ filter: EventFilter) throws(Refusal) -> KeptEvents? {
        guard case .person(let id) = caller else { return nil }
        return try read { state throws(Refusal) in
            guard let number = state.people.number(of: id) else { throw .unknown(.person, id.any) }
            let groups = state.people.groups.joined(by: number)
            return KeptEvents(
                of: number, groups: groups.compactMap { state.people.groups[$0]?.group.id },
                withComments: filter.wantsCatalogue)
        }
    }

    /// Reads retained events of a person for their data export, after one of them; empty at the end.
    ///
    /// These are the events that the person may see, and the person's transitions in fences of others. Notes of the
    /// owners of these fences are left out.
    ///
    /// - Complexity: O(events returned).
    public func keptEvents(
        of person: PersonNumber, after number: Int64, at now: Timestamp
    ) async throws -> [EventView] {
        var number = number
        while true {
            let events = try await store.events(of: KeptEvents(of: person), after: number, atMost: Self.keptAtOnce)
            guard let last = events.last else { return [] }
            number = last.number
            var reader = EventReader(for: .service, EventFilter(), after: number, of: self)
            let reported = try WorkBudget.uncharged {
                WorkBudget.count(events.count * EventReader.rowReadCost)
                let own = read { state in events.filter { state.mayKeep($0.payload, of: person, at: now) } }
                let notes = Set(own.filter { $0.payload.person?.number == $0.payload.other?.number }.map(\.number))
                return try reader.visibleEvents(own, from: self, at: last.at).map { event in
                    var event = event
                    if !notes.contains(event.number) { event.note = nil }
                    return event
                }
            }
            WorkBudget.charge(reported.count * (EventReader.rowReadCost + EventReader.sendCost))
            if !reported.isEmpty { return reported }
        }
    }

    private static let keptAtOnce = 500
}

extension LiveState {
    /// Whether the data export of a person contains an event.
    fileprivate func mayKeep(_ payload: EventPayload, of person: PersonNumber, at now: Timestamp) -> Bool {
        if mayReport(payload, to: person, at: now) { return true }
        switch payload.type {
        case .fenceEnter, .fenceExit, .fenceDwell, .fenceSilent:
            return payload.person?.number == person
                && !(payload.other.map { people.isSeparated($0.number, person) } ?? false)
        default: return false
        }
    }
}
