internal import Geo
package import Model

/// Live positions: the newest believed position of each person, stored by the throttle or not.
///
/// Stored positions serve the history and strangers. A position between two stored ones is in memory, is written at
/// intervals, and is dropped when a later one is stored.
extension People {
    /// The newest believed position of a person, if it is later than the stored ones.
    func live(of number: PersonNumber) -> LiveFix? { reading(number) { $0.live } }

    /// A person's position, as they and services see it.
    func position(of number: PersonNumber) -> Position? { reading(number) { $0.position } }

    /// Sets a person's live position if it is later than the stored ones; one with a time of receipt must be written.
    mutating func locate(_ person: PersonNumber, at fix: LiveFix?, received: Timestamp? = nil) {
        updateUnindexed(person) { state in
            let isLater = state.last.map { last in fix.map { last.time < $0.time } ?? false } ?? false
            state.live = isLater ? fix : nil
        }
        if let received { pendingStays.setFix(of: person, isUnwritten: true, at: received) }
        forgetOvertakenFix(of: person)
    }

    /// Drops a live position that a stored one has overtaken, which needs no write any longer.
    mutating func forgetOvertakenFix(of person: PersonNumber) {
        if live(of: person) == nil { pendingStays.setFix(of: person, isUnwritten: false) }
    }
}

extension LiveState {
    /// Returns a person's position if it is later than the stored ones; otherwise nil.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    package func liveFix(of id: PersonID) throws(Refusal) -> LiveFix? {
        guard let number = people.number(of: id) else { throw .unknown(.person, id.any) }
        return people.live(of: number)
    }

    /// The last known position of a person.
    func lastFix(of person: PersonNumber) -> LiveFix? {
        people.reading(person) { state in state.live ?? state.last.map { LiveFix($0.lastSeen, $0.place) } }
    }
}

extension Draft {
    /// Makes a believed fix, before it is stored, the live position, unless a later one is known.
    ///
    /// The throttle skips the speed check for fixes that come too soon; this does not.
    mutating func locate(_ person: PersonNumber, at fix: LiveFix, isStored: Bool, _ rules: PingRules) throws {
        let last = state.lastFix(of: person)
        if let last {
            let here = Fix(time: fix.time, place: fix.place, accuracy: fix.accuracy ?? 0)
            let there = Fix(time: last.time, place: last.place, accuracy: 0)
            guard last.time < fix.time, !rules.isTooFast(from: there, to: here) else { return }
        }
        if !isStored { try write(.pings(.livePositionChanged(person: person, fix, at: received))) }
        let hasChanges = try judgeFences(of: person, fix, after: last)
        // So a ping that is sent again after a crash fires no fence twice.
        if hasChanges, !isStored { try write(.pings(.livePositionWritten(person: person, fix))) }
    }

    /// Drops a live position that is not stored: if a stored position is suspect, so are fixes that agreed with it.
    mutating func forgetLive(of person: PersonNumber) throws {
        try write(.pings(.livePositionChanged(person: person, nil, at: received)))
        try write(.pings(.livePositionWritten(person: person, nil)))
    }
}
