public import Model
internal import Structures

/// People who ended their tokens issued before a time; few have, and for all others no lookup is needed.
///
/// The bound outlives a deletion, so that an ended token does not create the person again. A deleted person's id is kept
/// as a hash under a secret key.
struct EndedTokens: Sendable {
    private let key: SipKey
    private(set) var bounds: [PersonID: Timestamp] = [:]
    /// By the hash of the deleted person's id.
    private(set) var boundsOfDeleted: [UInt64: Timestamp] = [:]

    init(key: SipKey) { self.key = key }

    /// Records the bound in a person's document.
    mutating func follow(_ person: Person) {
        guard person.tokensNotBefore != nil || !bounds.isEmpty else { return }
        bounds[person.id] = person.tokensNotBefore
    }

    mutating func forget(_ person: PersonID) {
        if !bounds.isEmpty { bounds[person] = nil }
    }

    /// Keeps the bound of a deleted person; nil removes it.
    mutating func keep(_ hash: UInt64, before bound: Timestamp?) { boundsOfDeleted[hash] = bound }

    /// The bound of a deleted person with this id, and the change that removes it; nil for none.
    func kept(for person: PersonID) -> (bound: Timestamp, removal: Change)? {
        guard !boundsOfDeleted.isEmpty else { return nil }
        let hash = hash(person)
        return boundsOfDeleted[hash].map { ($0, .people(.endedTokensKept(hash, before: nil))) }
    }

    /// The change that keeps a person's bound beyond the deletion; nil without a bound.
    ///
    /// Files of earlier versions may still have the bound of a former person with this id: the later one counts.
    func change(atDeletionOf person: PersonID) -> Change? {
        let hash = hash(person)
        return bounds[person].map { .people(.endedTokensKept(hash, before: max($0, boundsOfDeleted[hash] ?? $0))) }
    }

    /// Whether a person's token is ended; a token without an issue time is, if the person has a bound.
    @inline(__always) func include(_ person: PersonID, issued: Timestamp?) -> Bool {
        guard !bounds.isEmpty || !boundsOfDeleted.isEmpty else { return false }
        let ofDeleted = boundsOfDeleted.isEmpty ? nil : boundsOfDeleted[hash(person)]
        guard let bound = [bounds[person], ofDeleted].compactMap(\.self).max() else { return false }
        return issued.map { $0 < bound } ?? true
    }

    private func hash(_ person: PersonID) -> UInt64 { key.hash(Array(person.text.utf8)) }
}

extension LiveState {
    /// Whether a person's token is ended by the person's document; `issued` is nil for a token without an issue time.
    public func hasEnded(tokenOf person: PersonID, issued: Timestamp?) -> Bool {
        people.endedTokens.include(person, issued: issued)
    }
}

extension Draft {
    /// Refuses to lower a person's bound, which would revalidate ended tokens; a future bound becomes the present.
    ///
    /// The present is the latest time that may be true, by which tokens are judged, too.
    func endTokens(_ person: inout Person, before: Person?) throws(Refusal) {
        let second = Timestamp(milliseconds: moment.upperBound.milliseconds / 1000 * 1000)
        person.tokensNotBefore = person.tokensNotBefore.map { min($0, second) }
        guard caller != .service, let bound = before?.tokensNotBefore else { return }
        guard let new = person.tokensNotBefore, new >= bound else { throw .tokensStayEnded(before: bound) }
    }
}
