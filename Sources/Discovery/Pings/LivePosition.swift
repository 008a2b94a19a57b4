internal import Geo
package import Model

/// Where people are: the newest position that is believed, whether the throttle stored it or not.
///
/// What is stored is for the history, and for strangers. A position between two stored ones is in memory, is written now and then,
/// and is forgotten when a later one is stored.
extension People {
    /// The newest position of a person that is believed, if it is later than the stored ones.
    func live(of number: PersonNumber) -> LiveFix? { reading(number) { $0.live } }

    /// Where a person is, as they and services know it.
    func position(of number: PersonNumber) -> Position? { reading(number) { $0.position } }

    /// Takes note of where a person is, if that is later than what is stored; it is to be written if it was received now.
    mutating func locate(_ person: PersonNumber, at fix: LiveFix?, received: Timestamp? = nil) {
        tie(person) { state in
            let isLater = state.last.map { last in fix.map { last.time < $0.time } ?? false } ?? false
            state.live = isLater ? fix : nil
        }
        if let received { unwrittenStays.setFix(of: person, isUnwritten: true, at: received) }
        forgetOvertakenFix(of: person)
    }

    /// What a stored position has overtaken is not to be written any more.
    mutating func forgetOvertakenFix(of person: PersonNumber) {
        if live(of: person) == nil { unwrittenStays.setFix(of: person, isUnwritten: false) }
    }
}

extension Picture {
    /// Where a person is if that is later than what is stored; nil if it is not.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    package func liveFix(of id: PersonID) throws(Refusal) -> LiveFix? {
        guard let number = people.number(of: id) else { throw .unknown(.person, id.any) }
        return people.live(of: number)
    }

    /// Where somebody was last heard of.
    func lastFix(of person: PersonNumber) -> LiveFix? {
        people.reading(person) { state in state.live ?? state.last.map { LiveFix($0.lastSeen, $0.place) } }
    }
}

extension Draft {
    /// Takes a fix of a person that the rules believe, before it is stored, for where the person is, unless a later one is known.
    ///
    /// The throttle does not ask of a fix that comes too soon how fast it would have been; this does.
    mutating func locate(_ person: PersonNumber, at fix: LiveFix, isStored: Bool, _ rules: PingRules) throws {
        let last = picture.lastFix(of: person)
        if let last {
            let here = Fix(time: fix.time, place: fix.place, accuracy: fix.accuracy ?? 0)
            let there = Fix(time: last.time, place: last.place, accuracy: 0)
            guard last.time < fix.time, !rules.isTooFast(from: there, to: here) else { return }
        }
        if !isStored { try follow(.pings(.located(person: person, fix, at: received))) }
        let isTold = try judgeFences(of: person, fix, after: last)
        // So a ping that is sent again after a crash rings nothing.
        if isTold, !isStored { try follow(.pings(.kept(person: person, fix))) }
    }

    /// Forgets where a person is if that is not stored: what agreed with a position that is not believed is not believed either.
    mutating func forgetLive(of person: PersonNumber) throws {
        try follow(.pings(.located(person: person, nil, at: received)))
        try follow(.pings(.kept(person: person, nil)))
    }
}
