public import Cities
package import Geo
internal import Meters
public import Model
public import Storage
internal import Structures
internal import Synchronization

/// The engine: the in-memory state that answers are read from, the storage behind it, and the only way to change both.
///
/// An action is applied to a draft of the state and made durable in one commit with others that arrived in the
/// meantime. It is then published to readers, and only then answered. If the commit fails the draft is discarded and
/// nothing has changed.
public final class Engine: Sendable {
    /// Size of a writer turn in ``Action/weight``: this many pings of any content take about 2 ms on a slow machine.
    static let turnWeight = 32
    /// Maximum weight of a commit.
    static let maximumCommitWeight = 10_000
    /// The storage, for bulk reads.
    package let store: Store
    /// The gazetteer that the state uses.
    public let gazetteer: Gazetteer
    let rules: PingRules
    /// Records the longest readings and writer turns, and the largest charge.
    package var monitor: WorkMonitor { store.monitor }
    /// Privacy rules that are turned off; none except in tests.
    package var defences: Defences { rules.defences }
    private let capacity: Capacity
    let state: LeftRight<LiveState>
    private let draftLog = Mutex(DraftLog())
    /// The last person whose pings were checked for expiry; -1 for none yet.
    let expiredThrough = Mutex<PersonNumber>(-1)
    /// The clock estimate, and the clock's error as the state uses it.
    let clock: Mutex<Watched>
    let clockDoubt: ClockDoubt
    private let groupCommit = Mutex<GroupCommit<Request, Tenant>?>(nil)
    /// Collects turns that go into a log first.
    private let logBatcher = Mutex<LogBatcher<WorkItem, Tenant>?>(nil)
    /// The replicated log; nil for a single node.
    let replicatedLog: ReplicatedLog?
    /// The newest events, for subscribers.
    let feed: EventFeed
    /// Subscriptions to the positions of others.
    let subscriptions = Subscriptions()
    /// Views of share links that are not written yet.
    let views = Mutex<[ShareNumber: Int64]>([:])
    /// The last contact of devices, as far as it is not written yet.
    let lastHeard = Mutex(LastHeard())
    let order: SipKey
    let liveMeters: LiveMeters

    /// Changes of the draft since it was last published.
    private struct DraftLog {
        /// With the log row that holds their pings.
        var changes: [(logNumber: Int64, made: [Change])] = []
        var compacted: [(people: ArraySlice<PersonNumber>, through: Int64)] = []
    }

    private enum Request: Sendable {
        /// Applies a part of an action.
        case turn(WorkItem)
        /// Drops the in-memory pings of people that are in the tables now, of log rows up to `through`.
        case dropCompacted(of: ArraySlice<PersonNumber>, through: Int64, CheckedContinuation<Void, Never>?)
        /// Applies an entry of the log.
        case message(FollowedMessage, CheckedContinuation<Void, Never>?)

        var weight: Int {
            switch self {
            case .turn(let turn): turn.weight
            case .dropCompacted: Engine.turnWeight
            case .message(let message, _): message.weight
            }
        }
    }

    /// Builds the state from a store, and joins a log if there is one.
    ///
    /// - Throws: ``StorageError`` when the store cannot be read, belongs to another log, or belongs to a log while none
    ///   is given.
    public init(
        store: Store, gazetteer: Gazetteer, rules: PingRules, capacity: Capacity = Capacity(),
        log: (any ActionLog)? = nil, loading report: @escaping LoadProgress = { _, _, _ in }
    ) throws(StorageError) {
        (self.store, self.gazetteer, self.capacity, self.rules) = (store, gazetteer, capacity, rules)
        replicatedLog = try Self.replicated(log, store)
        order = SipKey(try store.secret(.order))
        feed = EventFeed(last: try store.lastEvent(), capacity: capacity.events)
        liveMeters = LiveMeters(store.meters)
        clock = Mutex(Watched(trust: ClockTrust(known: try store.knownTime())))
        let copies = try LiveState.load(from: store, gazetteer, rules, report)
        clockDoubt = copies.first.people.doubt
        state = LeftRight(copies.first, twin: copies.second)
        if let replicatedLog {
            logBatcher.withLock { logBatcher in
                logBatcher = LogBatcher(bounds: Self.bounds(capacity), weight: \.weight) {
                    await replicatedLog.relay($0)
                }
            }
        }
        groupCommit.withLock { groupCommit in
            groupCommit = GroupCommit(
                store: store, bounds: Self.bounds(capacity), weight: \.weight,
                perform: { [unowned self] request, transaction in try perform(request, transaction) },
                rollback: { [unowned self] in rollback() },
                complete: { [unowned self] requests, error in complete(requests, error) })
        }
    }

    /// Reads the current state, which does not change during the call.
    ///
    /// - Returns: the result of `body`.
    public func read<Result, Failure: Error>(
        _ body: (borrowing LiveState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try state.read { state throws(Failure) in
            try store.monitor.measure(.reading) { () throws(Failure) in try body(state) }
        }
    }

    /// Applies an action on behalf of a caller, durably.
    ///
    /// An action larger than a writer turn, such as a batch of a thousand pings, runs in parts, in order. Other tenants
    /// run between the parts.
    ///
    /// - Returns: the outcome, after all of it is on disk and visible to readers.
    /// - Throws: ``Refusal``, or ``StorageError``. Nothing was applied then, or only some parts of an action in parts.
    @discardableResult
    public func perform<A: Action>(
        _ action: A, by caller: Caller, at received: Timestamp
    ) async throws -> A.Outcome {
        try await perform(action, by: caller, at: received, of: .caller(caller))
    }

    /// Applies an action durably in the turns of a tenant.
    @discardableResult
    func perform<A: Action>(
        _ action: A, by caller: Caller, at received: Timestamp, of tenant: Tenant
    ) async throws -> A.Outcome {
        let first = try await performOnce(action, by: caller, at: received, of: tenant)
        return try await action.finish(first) { rest in
            try await performOnce(rest, by: caller, at: received, of: tenant, isContinuation: true)
        }
    }

    /// Applies an action, or only the first or next step of one that takes several.
    func performOnce<A: Action>(
        _ action: A, by caller: Caller, at received: Timestamp, of tenant: Tenant, isContinuation: Bool = false
    ) async throws -> A.Outcome {
        if action.fillsLog, store.uncompactedCount > capacity.log { throw StorageError.overloaded }
        let weighed = replicatedLog == nil ? action : read { action.weighed(by: $0) }
        let cut = weighed.cut(receivedAt: received)
        let trust = self.trust
        // By the unweighed action: weights also depend on the fences of others.
        if caller != .service, !isContinuation { WorkBudget.charge(read { action.price(by: $0) }) }
        let outcomes = try await withCheckedThrowingContinuation { continuation in
            let turns = WorkItem.parts(
                of: cut, by: caller, at: received, trust: trust, of: tenant, replicatedLog: replicatedLog, continuation)
            let isTaken =
                logBatcher.withLock { $0 }?.submit(turns, of: tenant, isContinuation: isContinuation)
                ?? submit(turns.map { .turn($0) }, of: tenant, isContinuation: isContinuation)
            if !isTaken { continuation.resume(throwing: StorageError.overloaded) }
        }
        let outcome = cut.outcome(outcomes)
        if let recorded = outcome as? Recorded { liveMeters.note(recorded) }
        return outcome
    }

    /// Weight of everything that waits for the writer, in ``Action/weight``.
    var backlog: Int { (logBatcher.withLock { $0 }?.backlog ?? 0) + (groupCommit.withLock { $0 }?.backlog ?? 0) }

    /// Number of commits, and of the commands in them.
    public var tally: (commits: Int, commands: Int) {
        let tally = groupCommit.withLock { $0 }?.tally
        return (tally?.commits ?? 0, tally?.items ?? 0)
    }

    /// The draft's ``LiveState/canonicalDump`` and ``LiveState/volatileDump``, equal to the readers' between commits, for tests.
    package var draftDump: [String] { state.draft { $0.canonicalDump + $0.volatileDump } }

    /// Drops the in-memory pings of people that are in the tables now, of log rows up to `last`.
    func dropCompacted(of parts: [ArraySlice<PersonNumber>], through last: Int64) async {
        await withCheckedContinuation { continuation in
            submit(parts.map { .dropCompacted(of: $0, through: last, nil) }, of: .maintenance)
            submit([.dropCompacted(of: [], through: last, continuation)], of: .maintenance)
        }
    }

    @discardableResult
    private func submit(_ requests: [Request], of tenant: Tenant, isContinuation: Bool = false) -> Bool {
        groupCommit.withLock { $0 }?.submit(requests, of: tenant, isContinuation: isContinuation) ?? false
    }

    /// Applies entries of the log in order; each records its own result.
    func commit(_ messages: ArraySlice<FollowedMessage>) async {
        await withCheckedContinuation { continuation in
            let requests = messages.map { message in
                Request.message(message, message === messages.last ? continuation : nil)
            }
            submit(requests, of: .log)
        }
    }

    // MARK: - On the writer's queue

    private func perform(_ request: Request, _ transaction: Transaction) throws {
        switch request {
        case .turn(let turn): _ = try take(turn, transaction)
        case .message(let message, _): try follow(message, in: transaction) { try take($0, transaction) }
        case .dropCompacted(let people, let last, _):
            measured(nil) { state.draft { $0.people.dropCompacted(of: people, through: last) } }
            draftLog.withLock { $0.compacted.append((people, last)) }
        }
    }

    private func take(_ turn: WorkItem, _ transaction: Transaction) throws -> [Change] {
        transaction.beginLogRow()
        let made = try measured(turn.counter) {
            try state.draft { try $0.take(turn, rules, in: transaction) }
        }
        if !made.isEmpty { draftLog.withLock { $0.changes.append((transaction.logNumber, made)) } }
        return made
    }

    /// Counts a writer turn into the counter of its caller, and measures it.
    private func measured<Result>(_ counter: WorkCounter?, _ turn: () throws -> Result) rethrows -> Result {
        try WorkCounter.$current.withValue(counter) {
            try store.monitor.measure(.turn, turn)
        }
    }

    private func rollback() {
        replicatedLog?.rollback()
        state.draft { $0.fences.nearbyFences.forgetAll() }
        state.discardDraft { $0.copy() }
        draftLog.withLock { $0 = DraftLog() }
    }

    private func complete(_ requests: [Request], _ error: StorageError?) {
        if error == nil {
            publish()
            replicatedLog?.complete()
        }
        for request in requests {
            switch request {
            case .turn(let turn): turn.complete(error)
            case .dropCompacted(_, _, let continuation): continuation?.resume()
            case .message(let message, let continuation):
                message.complete(error)
                continuation?.resume()
            }
        }
    }

    /// Publishes the last durable commit to readers.
    private func publish() {
        let log = draftLog.withLock { log in
            defer { log = DraftLog() }
            return log
        }
        guard !log.compacted.isEmpty || !log.changes.isEmpty else { return }
        let waited = state.publish { state in
            for (logNumber, changes) in log.changes {
                state.logNumber = logNumber
                for change in changes { state.apply(change) }
            }
            for (people, last) in log.compacted { state.people.dropCompacted(of: people, through: last) }
        }
        liveMeters.publishWait.record(waited)
        feed.follow(log.changes.lazy.flatMap(\.made))
    }
}

extension Engine {
    /// Limits beyond which actions are refused as overload.
    public struct Capacity: Sendable {
        /// Weight that may wait of services, and in total before a person with queued work is refused more.
        public var queue = 500_000
        /// Weight that may wait for one person.
        public var person = 50_000
        /// Number of pings in the log that wait for compaction.
        public var log = 2_000_000
        /// Number of newest events in memory, from which subscribers resume after a pause.
        package var events = 100_000

        /// A few seconds of work on a fast machine.
        public init() {}
    }
}
