internal import Geo
public import Model
internal import Storage
internal import Structures

/// Replication: an action is written to the log first, and applied when it comes back, in the order of the log.
extension Engine {
    /// The fair-queue limits, for commits and for messages of a log.
    static func bounds<Item>(_ capacity: Capacity) -> GroupCommit<Item, Tenant>.Bounds {
        .init(
            maxWeight: maximumCommitWeight, turn: \.turn, isLatencySensitive: \.isLatencySensitive,
            admits: { $0.mayWait(behind: $1, of: $2, capacity) })
    }

    /// Opens the replication state if there is a log.
    static func replicated(_ log: (any ActionLog)?, _ store: Store) throws(StorageError) -> ReplicatedLog? {
        let known = try store.followedLog()
        guard let log else {
            guard known == nil else { throw .unreachable(path: "", reason: "it follows a log with other nodes") }
            return nil
        }
        guard known.map({ $0.position.log == log.identity }) ?? true else {
            throw .unreachable(path: "", reason: "it follows another log")
        }
        try store.syncLate()
        try store.removeCopies()
        guard let known else {
            return ReplicatedLog(log, from: LogPlace(position: .init(log: log.identity), time: IDCounters.beginning))
        }
        return ReplicatedLog(
            log, from: LogPlace(position: known.position, time: try IDCounters.time(known.standing, at: known.position))
        )
    }

    /// The pause before a failed write is retried.
    private static let errorDelay = Duration.seconds(1)

    /// The replication progress; nil on a single node.
    public var logProgress: LogProgress? { replicatedLog?.progress }

    /// Whether this node does the cluster-wide maintenance: it is a single node, or holds the lease.
    public var keepsAll: Bool { replicatedLog.map { $0.lease != nil } ?? true }

    /// Sets the lease for cluster-wide maintenance, by its revision and end; nil for none.
    public func hold(_ revision: UInt64?, until end: ContinuousClock.Instant?) {
        if let revision, let end { replicatedLog?.hold((revision, end)) } else { replicatedLog?.hold(nil) }
    }

    /// Writes an empty message to the log; when it comes back, all earlier entries are applied (``LogProgress/lag``).
    ///
    /// - Throws: when the log does not have it.
    public func heartbeat() async throws { try await replicatedLog?.heartbeat() }

    /// Stops replication with a reason; callers that wait, and later ones, learn that the outcome is unknown.
    public func endFollowing(_ fault: String) { replicatedLog?.end(fault) }

    /// Waits until an entry was applied.
    ///
    /// - Returns: whether it was applied in time.
    public func reach(_ number: UInt64, within limit: Duration) async -> Bool {
        guard let replicatedLog else { return true }
        let end = ContinuousClock.now + limit
        while replicatedLog.progress.number < number {
            guard ContinuousClock.now < end, !Task.isCancelled else { return false }
            try? await Task.sleep(for: .milliseconds(2))
        }
        return true
    }

    /// Applies log entries in order, and answers the callers that wait for them here.
    ///
    /// A write that the machine cannot store is retried until it succeeds, because the log continues with it;
    /// ``logProgress`` has the fault in the meantime.
    ///
    /// - Parameters:
    ///   - entries: the next entries, in order.
    ///   - now: the machine's clock, only to measure its error.
    /// - Returns: a snapshot for the comparison, if replicas compare after one of the entries.
    /// - Throws: ``LogEntries/Fault`` for an entry that a later program wrote, that is not the next one, or that
    ///   proves this node's state different; `CancellationError`. The entries before it were applied.
    @discardableResult
    public func follow(_ entries: [LogMessage], at now: Timestamp) async throws -> Checkpoint? {
        guard let replicatedLog else { return nil }
        let read = replicatedLog.read(entries, at: now)
        var rest = read.messages[...]
        var checkpoint: Checkpoint?
        while !rest.isEmpty {
            let part = rest.firstIndex(where: \.isCheckpoint).map { rest[...$0] } ?? rest
            await commit(part)
            let done = part.prefix { $0.result == nil }
            if let seen = done.compactMap(\.publishedAt).max() { replicatedLog.note(seenUntil: seen) }
            if let last = done.last { checkpoint = self.checkpoint(after: last) ?? checkpoint }
            rest = rest.dropFirst(done.count)
            guard let error = rest.first?.result else { continue }
            if !error.isPassing, rest.first?.passOver() == true { continue }
            replicatedLog.note(fault: "\(error)")
            // A snapshot would keep the space of a full disk occupied.
            checkpoint = nil
            try await Task.sleep(for: Self.errorDelay)
            replicatedLog.note(fault: nil)
        }
        if let fault = read.fault { throw fault }
        return checkpoint
    }

    // MARK: - On the writer's queue

    /// Writes the volatile state of people and the global one.
    func writeVolatileState(
        of touched: Set<PersonNumber>, _ place: LogPlace, in transaction: Transaction
    ) throws {
        let writer = CompactWriter()
        try state.draft { draft in
            try draft.writeVolatileState(of: touched, in: transaction)
            try writer.write(IDCounters(of: draft, at: place.time))
        }
        try transaction.follow(place.position, standing: writer.bytes)
    }

    /// Applies an entry to the draft, and writes the new log position with it.
    func follow(
        _ message: FollowedMessage, in transaction: Transaction, _ take: (WorkItem) throws -> [Change]
    ) throws {
        guard let replicatedLog, var place = replicatedLog.place(before: message.number) else {
            throw StorageError.other("message \(message.number) does not come next")
        }
        place.time = max(place.time, message.time)
        var touched: Set<PersonNumber> = []
        for (index, turn) in message.turns.enumerated() where message.isLeft(index) {
            if let lease = turn.lease {
                guard lease >= place.position.lease else {
                    message.refuse(index, .other("another node has the lease"))
                    continue
                }
                place.position.lease = lease
            }
            message.note(failing: index)
            touched.formUnion(try take(turn.agreeing(with: place.time)).compactMap(\.touched))
        }
        message.note(failing: nil)
        place.position.number = message.number
        try writeVolatileState(of: touched, place, in: transaction)
        replicatedLog.draft(place)
    }
}

extension StorageError {
    /// Whether a retry may succeed, because the machine failed rather than the statement.
    fileprivate var isPassing: Bool {
        switch self {
        case .constraint, .other: false
        default: true
        }
    }
}
