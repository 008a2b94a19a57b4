public import Model

/// Opens a link that shows where a person is.
public struct OpenShare: Action {
    let share: Share
    let person: PersonID

    /// A person's link; the token itself is not part of the action.
    public init(_ share: Share, of person: PersonID) { (self.share, self.person) = (share, person) }

    /// Opens the link, up to the person's limit of open links.
    public func apply(to draft: inout Draft) throws {
        let owner = try draft.number(of: person)
        try draft.refuse(.share, after: draft.state.shares.count(of: owner, openAt: draft.moment.lowerBound))
        try draft.write(.shares(.opened(draft.state.shares.nextNumber, of: owner, share)))
    }
}

/// Ends a person's link.
public struct EndShare: Action {
    let share: ShareID
    let person: PersonID

    /// The link with this id.
    public init(_ share: ShareID, of person: PersonID) { (self.share, self.person) = (share, person) }

    /// Ends the link, which shows nothing from then on.
    public func apply(to draft: inout Draft) throws {
        let owner = try draft.number(of: person)
        guard let number = draft.state.shares.number(of: share, of: owner) else {
            throw Refusal.unknown(.share, share.any)
        }
        try draft.write(.shares(.ended(number)))
    }
}

/// Ends expired links.
public struct EndExpiredShares: Action {
    /// The expiry bound; nil for the time of receipt, as earlier versions logged it.
    let by: Timestamp?

    init(by time: Timestamp) { by = time }

    /// A writer turn.
    public var weight: Int { Engine.turnWeight }

    /// - Returns: whether more have expired.
    public func apply(to draft: inout Draft) throws -> Bool {
        let due = draft.state.shares.due(at: by ?? draft.received, atMost: Engine.turnWeight)
        try draft.write(due.map { .shares(.ended($0)) })
        return due.count == Engine.turnWeight
    }
}

/// Adds to a link's view count.
public struct CountViews: Action {
    let share: ShareNumber
    let times: Int64

    init(of share: ShareNumber, times: Int64) { (self.share, self.times) = (share, times) }

    /// Skips a link that has ended in the meantime.
    public func apply(to draft: inout Draft) throws {
        guard draft.state.shares[share] != nil else { return }
        try draft.write(.shares(.viewed(share, times: times)))
    }
}
