internal import Geo
internal import Model
internal import Storage

/// The world as the commit sees it that is under way, who wants to change it and when, and the one way to do that.
///
/// What is done here is seen by readers when the commit is durable, or by nobody.
public struct Draft: ~Copyable {
    private(set) var picture: Picture
    /// On whose behalf something is done, which decides what is allowed.
    let caller: Caller
    /// When that was received, the only clock that its effect depends on.
    let received: Timestamp
    /// The instants between which it was received, however wrong the clock.
    let moment: ClosedRange<Timestamp>
    /// The time of events.
    private let told: Timestamp
    /// Whether other machines do the same, so that nothing may follow from what of this one's file is folded, or how long rows are.
    let isShared: Bool
    let rules: PingRules
    /// Whether somebody is deleted: what follows from that is marked so (``Fact/isOfDeletion``).
    var isDeletion = false
    /// What can be read beside the picture.
    let transaction: Transaction
    /// What was done, in this order.
    private(set) var changes: [Change] = []

    init(of picture: consuming Picture, for turn: Turn, _ rules: PingRules, in transaction: Transaction) {
        self.picture = picture
        (caller, received, moment, told) = (turn.caller, turn.received, turn.moment, turn.told)
        isShared = turn.isShared
        self.rules = rules
        self.transaction = transaction
        self.picture.logNumber = transaction.logNumber
    }

    /// Makes a change: in the file, in the picture, and later in the picture's twin.
    mutating func follow(_ change: Change) throws { _ = try followAndTell(change) }

    /// The same.
    ///
    /// - Returns: whether all that it brings about is told.
    mutating func followAndTell(_ change: Change) throws -> Bool {
        let facts = picture.facts(of: change)
        try make(change)
        var isTold = true
        for var fact in facts {
            if fact.person == nil, case .person(let id) = caller { fact.cause = picture.people.number(of: id) }
            fact.isOfDeletion = isDeletion
            isTold = try tell(fact) && isTold
        }
        return isTold
    }

    /// Tells of a fact, however many were told before.
    mutating func announce(_ fact: Fact) throws {
        try make(.told(Event(number: picture.lastEvent + 1, at: told, fact)))
    }

    mutating func make(_ change: Change) throws {
        try transaction.write(change)
        picture.apply(change)
        changes.append(change)
    }

    /// Makes changes, one after the other.
    mutating func follow(_ changes: [Change]) throws {
        for change in changes { try follow(change) }
    }

    consuming func end() -> Picture { picture }

    /// The number of a person for whom the caller may act.
    func number(of person: PersonID) throws(Refusal) -> PersonNumber {
        guard caller.mayAct(for: person) else { throw .notAllowed }
        guard let number = picture.people.number(of: person) else { throw .unknown(.person, person.any) }
        return number
    }

    /// Refuses everybody but trusted services.
    func refusePeople() throws(Refusal) {
        guard caller == .service else { throw .notAllowed }
    }

    /// Refuses one more of something to a caller who has so many.
    func refuse(_ possession: Allowance.Possession, after count: Int) throws(Refusal) {
        try rules.allowance.refuse(possession, after: count, of: caller)
    }

    /// The revision that a document gets: later than its old one, and at least the milliseconds of the receipt, so that
    /// one that was deleted and made again never has an old revision.
    func revision(after old: Int64?, if condition: Condition) throws(Refusal) -> Int64 {
        let holds =
            switch condition {
            case .always: true
            case .isRevision(let revisions): old.map(revisions.contains) ?? false
            case .exists: old != nil
            case .isAbsent: old == nil
            }
        guard holds else { throw .conditionFailed }
        return max((old ?? 0) + 1, received.milliseconds)
    }
}

extension Picture {
    /// Takes a turn of the writer on this picture and in a transaction.
    ///
    /// - Returns: the changes that were made.
    /// - Throws: whatever the storage throws when it could not be read or written.
    mutating func take(_ turn: Turn, _ rules: PingRules, in transaction: Transaction) throws -> [Change] {
        var draft = Draft(of: self, for: turn, rules, in: transaction)
        var failure: (any Error)?
        do { try turn.carryOut(&draft) } catch { failure = error }
        let changes = draft.changes
        self = draft.end()
        if let failure { throw failure }
        return changes
    }
}
