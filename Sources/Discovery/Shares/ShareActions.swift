public import Model

/// Makes a link to where a person is.
public struct OpenShare: Action {
    let share: Share
    let person: PersonID

    /// A link of a person, of whose token nobody is told here.
    public init(_ share: Share, of person: PersonID) { (self.share, self.person) = (share, person) }

    /// For its person, who has only so many that are open.
    public func carryOut(on draft: inout Draft) throws {
        let owner = try draft.number(of: person)
        try draft.refuse(.share, after: draft.picture.shares.count(of: owner, openAt: draft.moment.lowerBound))
        try draft.follow(.shares(.opened(draft.picture.shares.nextNumber, of: owner, share)))
    }
}

/// Ends a link of a person.
public struct EndShare: Action {
    let share: ShareID
    let person: PersonID

    /// The link of this id.
    public init(_ share: ShareID, of person: PersonID) { (self.share, self.person) = (share, person) }

    /// Nothing is shown by it from then on.
    public func carryOut(on draft: inout Draft) throws {
        let owner = try draft.number(of: person)
        guard let number = draft.picture.shares.number(of: share, of: owner) else {
            throw Refusal.unknown(.share, share.any)
        }
        try draft.follow(.shares(.ended(number)))
    }
}

/// Ends the links whose time is up.
public struct EndExpiredShares: Action {
    /// By when; nil for the time of receipt, as earlier versions logged it.
    let by: Timestamp?

    init(by time: Timestamp) { by = time }

    /// A turn.
    public var weight: Int { Live.turn }

    /// - Returns: whether there are more of them.
    public func carryOut(on draft: inout Draft) throws -> Bool {
        let due = draft.picture.shares.due(at: by ?? draft.received, atMost: Live.turn)
        try draft.follow(due.map { .shares(.ended($0)) })
        return due.count == Live.turn
    }
}

/// Counts how often a link was opened.
public struct CountViews: Action {
    let share: ShareNumber
    let times: Int64

    init(of share: ShareNumber, times: Int64) { (self.share, self.times) = (share, times) }

    /// One that has ended meanwhile is passed over.
    public func carryOut(on draft: inout Draft) throws {
        guard draft.picture.shares[share] != nil else { return }
        try draft.follow(.shares(.viewed(share, times: times)))
    }
}
