internal import Geo
internal import Model
internal import Storage

/// A write context: the state as the running commit sees it, the caller and time of the write, and the way to write.
///
/// Readers see its changes after the commit is durable, or never.
public struct Draft: ~Copyable {
    private(set) var state: LiveState
    /// The principal of the write, which decides what is allowed.
    let caller: Caller
    /// The time of receipt, the only clock that the effect depends on.
    let received: Timestamp
    /// The earliest and the latest possible time of receipt, given the error of the clock.
    let moment: ClosedRange<Timestamp>
    /// The timestamp of events.
    private let eventTime: Timestamp
    /// Whether other nodes apply the write too, so that it must not depend on this file's compaction or row lengths.
    let isShared: Bool
    let rules: PingRules
    /// Whether a person is being deleted; the resulting events are marked (``EventPayload/isOfDeletion``).
    var isDeletion = false
    /// Reads beyond the in-memory state.
    let transaction: Transaction
    /// The changes made so far, in order.
    private(set) var changes: [Change] = []

    init(of state: consuming LiveState, for turn: WorkItem, _ rules: PingRules, in transaction: Transaction) {
        self.state = state
        (caller, received, moment, eventTime) = (turn.caller, turn.received, turn.moment, turn.eventTime)
        isShared = turn.isShared
        self.rules = rules
        self.transaction = transaction
        self.state.logNumber = transaction.logNumber
    }

    /// Makes a change in the file and in the draft, and later in the other copy of the state.
    mutating func write(_ change: Change) throws { _ = try writeAndReport(change) }

    /// Makes a change and publishes its events.
    ///
    /// - Returns: whether all of its events were published.
    mutating func writeAndReport(_ change: Change) throws -> Bool {
        let payloads = state.payloads(of: change)
        try apply(change)
        var isPublished = true
        for var payload in payloads {
            if payload.person == nil, case .person(let id) = caller { payload.cause = state.people.number(of: id) }
            payload.isOfDeletion = isDeletion
            isPublished = try report(payload) && isPublished
        }
        return isPublished
    }

    /// Publishes an event without regard to limits on the number of events.
    mutating func publish(_ payload: EventPayload) throws {
        try apply(.reported(Event(number: state.lastEvent + 1, at: eventTime, payload)))
    }

    mutating func apply(_ change: Change) throws {
        try transaction.write(change)
        state.apply(change)
        changes.append(change)
    }

    mutating func write(_ changes: [Change]) throws {
        for change in changes { try write(change) }
    }

    consuming func end() -> LiveState { state }

    /// Returns the number of a person for whom the caller may act.
    func number(of person: PersonID) throws(Refusal) -> PersonNumber {
        guard caller.mayAct(for: person) else { throw .notAllowed }
        guard let number = state.people.number(of: person) else { throw .unknown(.person, person.any) }
        return number
    }

    /// Refuses all callers except trusted services.
    func requireService() throws(Refusal) {
        guard caller == .service else { throw .notAllowed }
    }

    /// Refuses a caller who already owns `count` items and may own no more.
    func refuse(_ possession: Allowance.Possession, after count: Int) throws(Refusal) {
        try rules.allowance.refuse(possession, after: count, of: caller)
    }

    /// The next revision: after the old one and at least the receipt's milliseconds, so that re-creation never reuses
    /// one.
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

extension LiveState {
    /// Runs a writer turn on this state in a transaction.
    ///
    /// - Returns: the changes that were made.
    /// - Throws: errors of the storage when it could not be read or written.
    mutating func take(_ turn: WorkItem, _ rules: PingRules, in transaction: Transaction) throws -> [Change] {
        var draft = Draft(of: self, for: turn, rules, in: transaction)
        var failure: (any Error)?
        do { try turn.execute(&draft) } catch { failure = error }
        let changes = draft.changes
        self = draft.end()
        if let failure { throw failure }
        return changes
    }
}
