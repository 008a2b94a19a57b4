public import Model

/// Who ended the tokens that were issued to them before a time: few did, and for all others nothing is looked up.
struct EndedTokens: Sendable {
    private var bounds: [PersonID: Timestamp] = [:]

    /// Takes note of what a person's document says.
    mutating func follow(_ person: Person) {
        guard person.tokensNotBefore != nil || !bounds.isEmpty else { return }
        bounds[person.id] = person.tokensNotBefore
    }

    mutating func forget(_ person: PersonID) {
        if !bounds.isEmpty { bounds[person] = nil }
    }

    /// Whether a token of a person that was issued then is ended; one that does not say when is, if any are.
    @inline(__always) func include(_ person: PersonID, issued: Timestamp?) -> Bool {
        guard !bounds.isEmpty, let bound = bounds[person] else { return false }
        return issued.map { $0 < bound } ?? true
    }
}

extension Picture {
    /// Whether a person's token that was issued at an instant, or does not say when, is ended by the person's document.
    public func hasEnded(tokenOf person: PersonID, issued: Timestamp?) -> Bool {
        people.endedTokens.include(person, issued: issued)
    }
}

extension Draft {
    /// Refuses a person who makes ended tokens good again; what has not come yet ends none.
    func endTokens(_ person: inout Person, before: Person?) throws(Refusal) {
        let second = Timestamp(milliseconds: received.milliseconds / 1000 * 1000)
        person.tokensNotBefore = person.tokensNotBefore.map { min($0, second) }
        guard caller != .service, let bound = before?.tokensNotBefore else { return }
        guard let new = person.tokensNotBefore, new >= bound else { throw .tokensStayEnded(before: bound) }
    }
}
