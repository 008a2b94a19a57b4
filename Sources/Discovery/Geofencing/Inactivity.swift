internal import Geo
internal import Model

/// Inactivity alerts, reported once until the person's next contact.
extension LiveState {
    /// The last contact that a fence's owner may know, and its precision; nil for none, or a hidden person.
    private func lastContact(of person: PersonNumber, _ entry: Fences.Entry, at now: Timestamp) -> (
        Timestamp, Precision?
    )? {
        guard let owner = entry.owner, owner != person else { return lastFix(of: person).map { ($0.time, nil) } }
        guard allows(entry, toReport: person), let shown = shownPlace(of: person, to: owner, at: now) else {
            return nil
        }
        return (shown.seenUntil ?? shown.time, shown.precision)
    }

    /// The changes after a person's contact: inactivity ends, and the wait starts again.
    fileprivate func contactChanges(of person: PersonNumber, at now: Timestamp) -> [FenceChange] {
        (fences.inactivityAlerts.naming[person]?.numbers ?? []).flatMap { number -> [FenceChange] in
            WorkBudget.count(20)
            guard let entry = fences[number], let silence = entry.fence.silence,
                let (lastContact, _) = lastContact(of: person, entry, at: now)
            else { return [] }
            let visit = fences.visits[person]?[number]
            if let visit, lastContact <= visit.since { return [] }
            return (visit == nil ? [] : [.left(number, person)])
                + [.alertDue(number, person, until: max(lastContact, entry.made) + silence)]
        }
    }

    /// The changes when a fence's wait is over: the person is inactive, or the wait continues.
    fileprivate func silence(
        of person: PersonNumber, _ number: FenceNumber, at now: Timestamp, by time: DueTime
    ) -> [FenceChange] {
        guard let entry = fences[number], let silence = entry.fence.silence else { return [] }
        let ended = FenceChange.alertDue(number, person, until: nil)
        let known = lastContact(of: person, entry, at: now)
        // Own and services' fences also wait for a first contact; a hidden friend is not reported.
        guard known != nil || entry.owner ?? person == person else { return [ended] }
        let since = max(known?.0 ?? entry.made, entry.made)
        guard time.reaches(since + silence, after: silence) else {
            return [.alertDue(number, person, until: since + silence)]
        }
        var visit = FenceVisit(since: since)
        visit.isDwelling = true
        var passing = FenceTransition(number, person, .silent, at: since + silence)
        passing.precision = known?.1
        return [ended, .visited(number, person, visit), .passed(passing)]
    }
}

extension Draft {
    /// Records a contact of a person.
    mutating func recordPersonContact(of person: PersonNumber) throws {
        for change in state.contactChanges(of: person, at: received) { try write(fence: change) }
    }

    /// Fires the inactivity alerts that are due.
    ///
    /// - Returns: whether more are due.
    mutating func fireInactivityAlerts(by time: DueTime) throws -> Bool {
        let due = state.fences.silent(by: time, atMost: Engine.turnWeight)
        for (number, person) in due {
            for change in state.silence(of: person, number, at: received, by: time) { try write(fence: change) }
        }
        return due.count == Engine.turnWeight
    }

    /// Starts the waits for the people whom a fence with an inactivity alert names.
    mutating func startInactivityTimer(of number: FenceNumber) throws {
        guard let entry = state.fences[number], let silence = entry.fence.silence else { return }
        for person in entry.people?.sorted() ?? [] {
            try write(.fences(.alertDue(number, person, until: received + silence)))
        }
    }
}

extension LiveState {
    /// Starts all waits for people who are not reported as inactive, at the start of the service.
    ///
    /// The visibility of friends is checked when the wait ends, which is no later than for any of them.
    mutating func startAllTimers() {
        for (number, person) in fences.awaitable {
            guard let entry = fences[number], let silence = entry.fence.silence else { continue }
            let lastContact = lastFix(of: person)?.time ?? entry.made
            let isOwn = entry.owner ?? person == person
            let since = max(isOwn ? lastContact : Precision.city.rounded(lastContact), entry.made)
            apply(FenceChange.alertDue(number, person, until: since + silence))
        }
    }
}

extension Fences.Entry {
    /// The time of its creation or last change.
    fileprivate var made: Timestamp { Timestamp(milliseconds: record.revision) }
}
