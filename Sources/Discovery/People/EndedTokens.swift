public import Model

/// People who ended their tokens issued before a time; few have, and for all others no lookup is needed.
struct EndedTokens: Sendable {
    private var bounds: [PersonID: Timestamp] = [:]

    /// Records the bound in a person's document.
    mutating func follow(_ person: Person) {
        guard person.tokensNotBefore != nil || !bounds.isEmpty else { return }
        bounds[person.id] = person.tokensNotBefore
    }

    mutating func forget(_ person: PersonID) {
        if !bounds.isEmpty { bounds[person] = nil }
    }

    /// Whether a person's token is ended; a token without an issue time is, if the person has a bound.
    @inline(__always) func include(_ person: PersonID, issued: Timestamp?) -> Bool {
        guard !bounds.isEmpty, let bound = bounds[person] else { return false }
        return issued.map { $0 < bound } ?? true
    }
}

extension LiveState {
    /// Whether a person's token is ended by the person's document; `issued` is nil for a token without an issue time.
    public func hasEnded(tokenOf person: PersonID, issued: Timestamp?) -> Bool {
        people.endedTokens.include(person, issued: issued)
    }
}

extension Draft {
    /// Refuses to lower a person's bound, which would revalidate ended tokens; a future bound becomes the present.
    func endTokens(_ person: inout Person, before: Person?) throws(Refusal) {
        let second = Timestamp(milliseconds: received.milliseconds / 1000 * 1000)
        person.tokensNotBefore = person.tokensNotBefore.map { min($0, second) }
        guard caller != .service, let bound = before?.tokensNotBefore else { return }
        guard let new = person.tokensNotBefore, new >= bound else { throw .tokensStayEnded(before: bound) }
    }
}
