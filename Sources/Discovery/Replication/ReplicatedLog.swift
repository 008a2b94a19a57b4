public import Model
internal import Storage
internal import Synchronization

/// A replicated log: a totally ordered sequence of messages that an external service keeps and several nodes apply.
public protocol ActionLog: Sendable {
    /// The log's name; a log that was created again has another one.
    var identity: String { get }
    /// The maximum size of a message in bytes.
    var longest: Int { get }
    /// Appends a message; the name deduplicates it, so that retries append it once.
    ///
    /// - Throws: when no answer comes for good; the log may or may not have the message then.
    func publish(_ message: [UInt8], named name: String) async throws
}

/// An entry of a log.
public struct LogMessage: Sendable {
    /// The sequence number, one more than the previous entry's.
    public var number: UInt64
    /// The published message.
    public var bytes: [UInt8]
    /// When the log stored it, which is the same for every node.
    public var time: Timestamp

    /// An entry with a sequence number and the time at which the log stored it.
    public init(_ number: UInt64, _ bytes: [UInt8], at time: Timestamp) {
        (self.number, self.bytes, self.time) = (number, bytes, time)
    }
}

/// The replication progress of a node.
public struct LogProgress: Sendable {
    /// The number of the last entry that was applied and that readers see.
    public var number: UInt64
    /// Upper bound of the staleness of reads: the time since all entries of that moment were applied; nil if not known.
    public var lag: Duration?
    /// Why replication stopped; nil while it runs.
    public var fault: String?
    /// The lead of the node's clock over the log's, negative if it is behind; nil if it is unknown or small.
    public var lead: Duration?
    /// How another node's state differed at the last comparison; nil for no difference.
    public var difference: String?
}

/// A position in the log that was applied.
struct LogPlace {
    var position: LogPosition
    /// The newest entry time so far; it replaces an older time of a later entry, after a change of the log's leader.
    var time: Timestamp
}

/// The replication state of a node.
final class ReplicatedLog: Sendable {
    private struct State {
        /// Turns of messages in flight and the time of publication, by message number.
        var published: [UInt64: (turns: [WorkItem], since: ContinuousClock.Instant)] = [:]
        var next: UInt64 = 0
        /// The lease that this node holds.
        var lease: (revision: UInt64, end: ContinuousClock.Instant)?
        /// The position of the file, and of the running commit.
        var kept, drafted: LogPlace
        var caughtUp: ContinuousClock.Instant?
        var fault: String?
        /// Whether replication has ended.
        var isOver = false
        var lead: Duration?
        var comparisons = Comparisons()
        var isComparing = false
    }

    let log: any ActionLog
    /// Distinguishes the messages of this start of the node from other nodes' and earlier starts'.
    private let origin = UInt64.random(in: 0...UInt64.max)
    private let state: Mutex<State>

    init(_ log: any ActionLog, from place: LogPlace) {
        self.log = log
        state = Mutex(State(kept: place, drafted: place))
    }

    /// The revision of the lease that this node holds; nil for none.
    var lease: UInt64? { state.withLock { state in state.lease.flatMap { .now < $0.end ? $0.revision : nil } } }

    func hold(_ lease: (revision: UInt64, end: ContinuousClock.Instant)?) { state.withLock { $0.lease = lease } }

    var progress: LogProgress {
        state.withLock { state in
            LogProgress(
                number: state.kept.position.number, lag: state.caughtUp.map { .now - $0 }, fault: state.fault,
                lead: state.lead, difference: state.comparisons.difference)
        }
    }

    private var published: Int { state.withLock { $0.published.count } }

    /// Records that all entries that the log had at `instant` are applied.
    func note(seenUntil instant: ContinuousClock.Instant) {
        state.withLock { $0.caughtUp = max($0.caughtUp ?? instant, instant) }
    }
    func note(fault: String?) { state.withLock { $0.fault = fault } }

    /// Records why replication ended; the outcome of messages in flight will never be known here.
    func end(_ fault: String) {
        let waiting = state.withLock { state in
            defer { state.published = [:] }
            (state.fault, state.isOver) = (fault, true)
            return state.published.values.flatMap(\.turns)
        }
        for turn in waiting { turn.complete(.unanswered) }
    }

    private var isOver: Bool { state.withLock { $0.isOver } }

    /// Derives the error of this node's clock, which showed `now` when the message came, from the log's time of the
    /// message.
    ///
    /// Only a message that was published here can prove that the clock is not ahead.
    private func note(_ message: FollowedMessage, _ time: Timestamp, at now: Timestamp) {
        let received = message.turns.lazy.filter { $0.logged != nil }.map(\.received).max()
        let lead = LogClock.lead(received: received, taken: time, now: now)
        state.withLock { state in
            if lead != nil || received != nil || state.lead.map({ $0 < .zero }) ?? false { state.lead = lead }
        }
    }

    /// Encodes a message with as many of the turns as fit, and registers it until it comes back.
    private func message(
        of turns: ArraySlice<WorkItem>, with comparison: ReplicaConsistencyCheck? = nil
    ) throws -> (bytes: [UInt8], name: String, number: UInt64, count: Int) {
        let number = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        var heading = LogEntries.Heading(origin: origin, number: number)
        heading.comparison = comparison
        let (bytes, count) = try LogEntries.message(
            heading, with: turns.lazy.compactMap(\.logged), longest: log.longest)
        state.withLock { $0.published[number] = (Array(turns.prefix(count)), .now) }
        return (bytes, "\(origin)-\(number)", number, count)
    }

    /// Removes and returns the turns of a message in flight, and the time of publication.
    private func take(_ number: UInt64) -> (turns: [WorkItem], since: ContinuousClock.Instant)? {
        state.withLock { $0.published.removeValue(forKey: number) }
    }

    /// Decodes the next entries, up to the first faulty one, and returns its fault; `now` is the clock's time.
    func read(_ entries: [LogMessage], at now: Timestamp) -> (messages: [FollowedMessage], fault: LogEntries.Fault?) {
        var (last, messages) = (state.withLock { $0.kept }, [FollowedMessage]())
        for entry in entries {
            do throws(LogEntries.Fault) {
                last.position.number += 1
                guard entry.number == last.position.number else { throw .gap(last.position.number) }
                let message = try followed(entry, after: last.time)
                messages.append(message)
                last.time = max(last.time, message.time)
                note(message, last.time, at: now)
            } catch { return (messages, error) }
        }
        return (messages, nil)
    }

    /// Decodes an entry; if it was published here its turns are those whose callers wait.
    private func followed(
        _ entry: LogMessage, after time: Timestamp
    ) throws(LogEntries.Fault) -> FollowedMessage {
        let message = try LogEntries(entry.bytes)
        let isCheckpoint = message.heading.number == 0 || LogClock.isNewHour(entry.time, after: time)
        try state.withLock { state throws(LogEntries.Fault) in
            try state.comparisons.checkEntry(message.heading, at: max(time, entry.time), own: origin)
        }
        if message.heading.origin == origin, let own = take(message.heading.number) {
            return FollowedMessage(entry, own.turns, isCheckpoint, publishedAt: own.since)
        }
        return FollowedMessage(entry, try message.actions().map(WorkItem.init), isCheckpoint)
    }

    /// Publishes a message without actions and waits until the log has it.
    ///
    /// When it comes back, all earlier entries are applied. Nothing else proves that: log servers in a network
    /// partition still serve the entries they have.
    func heartbeat(with comparison: ReplicaConsistencyCheck? = nil) async throws {
        let (bytes, name, number, _) = try message(of: [], with: comparison)
        try await publish(bytes, name, number)
    }

    /// Publishes a message; if its outcome will never be known here, its turns are settled as unanswered.
    private func publish(_ bytes: [UInt8], _ name: String, _ number: UInt64) async throws {
        defer { if isOver { leave(number) } }
        do { try await log.publish(bytes, named: name) } catch {
            leave(number)
            throw error
        }
    }

    private func leave(_ number: UInt64) {
        for turn in take(number)?.turns ?? [] { turn.complete(.unanswered) }
    }

    /// The maximum number of messages in flight.
    private static let mostPublished = 4

    /// Publishes turns in messages of several, and returns when the log has them.
    func relay(_ turns: [WorkItem]) async {
        var rest = turns[...]
        while !rest.isEmpty {
            while published >= Self.mostPublished { try? await Task.sleep(for: .milliseconds(1)) }
            guard !isOver else { break }
            do {
                let (bytes, name, number, count) = try message(of: rest)
                rest = rest.dropFirst(count)
                try? await publish(bytes, name, number)
            } catch {
                rest.popFirst()?.complete(.other("\(error)"))
            }
        }
        for turn in rest { turn.complete(.unanswered) }
    }

    /// Begins a comparison; returns false if one is running.
    func beginComparing() -> Bool {
        state.withLock { state in
            defer { state.isComparing = true }
            return !state.isComparing
        }
    }

    func endComparing() { state.withLock { $0.isComparing = false } }

    // MARK: - On the writer's queue

    /// The running commit's position if `number` is the next entry; otherwise nil.
    func place(before number: UInt64) -> LogPlace? {
        state.withLock { $0.drafted.position.number + 1 == number ? $0.drafted : nil }
    }

    func draft(_ place: LogPlace) { state.withLock { $0.drafted = place } }
    func rollback() { state.withLock { $0.drafted = $0.kept } }
    func complete() { state.withLock { $0.kept = $0.drafted } }
}

/// An entry on its way through the writer.
final class FollowedMessage: Sendable {
    private struct State {
        /// Errors of turns that fail on every node, by index.
        var faults: [Int: StorageError] = [:]
        var failing: Int?
        var result: StorageError?
    }

    let number: UInt64
    let turns: [WorkItem]
    /// When the log stored it, by the log's clock.
    let time: Timestamp
    /// Whether replicas compare after this entry.
    let isCheckpoint: Bool
    /// When it was published; nil if another node, or an earlier start of this one, published it.
    let publishedAt: ContinuousClock.Instant?
    private let state = Mutex(State())

    init(_ entry: LogMessage, _ turns: [WorkItem], _ isCheckpoint: Bool, publishedAt: ContinuousClock.Instant? = nil) {
        (number, time, self.turns, self.isCheckpoint) = (entry.number, entry.time, turns, isCheckpoint)
        self.publishedAt = publishedAt
    }

    var weight: Int { max(1, turns.reduce(0) { $0 + $1.weight }) }
    /// Nil when it was applied.
    var result: StorageError? { state.withLock { $0.result } }

    func isLeft(_ index: Int) -> Bool { state.withLock { $0.faults[index] == nil } }
    func note(failing index: Int?) { state.withLock { $0.failing = index } }
    func refuse(_ index: Int, _ error: StorageError) { state.withLock { $0.faults[index] = error } }

    /// Marks the turn that made the entry's transaction fail as faulty; returns whether there is one.
    func passOver() -> Bool {
        state.withLock { state in
            guard let failing = state.failing, let result = state.result else { return false }
            (state.faults[failing], state.failing) = (result, nil)
            return true
        }
    }

    /// Records the result of an attempt; after a success the callers that wait get their outcomes.
    func complete(_ error: StorageError?) {
        let faults = state.withLock { state in
            state.result = error
            return state.faults
        }
        guard error == nil else { return }
        for (index, turn) in turns.enumerated() { turn.complete(faults[index]) }
    }
}
