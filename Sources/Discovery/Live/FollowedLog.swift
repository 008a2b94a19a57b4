public import Model
internal import Storage
internal import Synchronization

/// A log of messages in one order, which somebody keeps, and which several machines follow.
public protocol ActionLog: Sendable {
    /// Which one it is: a log that was made anew has another name.
    var identity: String { get }
    /// How many bytes a message has at most.
    var longest: Int { get }
    /// Writes a message at the end; by its name the log has it once, however often it is written.
    ///
    /// - Throws: when nobody answers for good; then it may be there, or not.
    func publish(_ message: [UInt8], named name: String) async throws
}

/// A message of a log as it is handed out.
public struct LogEntry: Sendable {
    /// Its number: one more than that of the message before.
    public var number: UInt64
    /// What was published.
    public var bytes: [UInt8]
    /// When the log took it, which is the same for all who follow it.
    public var time: Timestamp

    /// A message of a number, taken at an instant.
    public init(_ number: UInt64, _ bytes: [UInt8], at time: Timestamp) {
        (self.number, self.bytes, self.time) = (number, bytes, time)
    }
}

/// How far a machine follows its log.
public struct LogProgress: Sendable {
    /// The number of the last message that was followed, and is seen by readers.
    public var number: UInt64
    /// For how long what is seen may be old: since when all was seen that was in the log by then; nil if that never was shown.
    public var lag: Duration?
    /// Why nothing more is followed; nil if that goes on.
    public var fault: String?
    /// By how much the clock of the machine is ahead of the log's, negative if it is behind; nil if that is not known, or little.
    public var lead: Duration?
    /// What another machine came to differently when all last compared; nil for nothing.
    public var difference: String?
}

/// How far a log was followed.
struct LogPlace {
    var position: LogPosition
    /// The newest time of a message so far: a later one that says less, because others keep the log now, has this one.
    var time: Timestamp
}

/// What a machine knows of the log that it follows.
final class FollowedLog: Sendable {
    private struct State {
        /// What was published here and has not come back, by its number, and since when it was on its way.
        var published: [UInt64: (turns: [Turn], since: ContinuousClock.Instant)] = [:]
        var next: UInt64 = 0
        /// The lease that this machine holds.
        var lease: (revision: UInt64, end: ContinuousClock.Instant)?
        /// How far the file is, and how far the commit that is under way.
        var kept, drafted: LogPlace
        var caughtUp: ContinuousClock.Instant?
        var fault: String?
        /// Whether nothing more is followed.
        var isOver = false
        var lead: Duration?
        var comparisons = Comparisons()
        var isComparing = false
    }

    let log: any ActionLog
    /// Tells what was published here from what others published, and what this start did from what an earlier one did.
    private let origin = UInt64.random(in: 0...UInt64.max)
    private let state: Mutex<State>

    init(_ log: any ActionLog, from place: LogPlace) {
        self.log = log
        state = Mutex(State(kept: place, drafted: place))
    }

    /// The revision of the lease that this machine holds; nil for none.
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

    /// Takes note that all was followed that was in the log at an instant.
    func note(seenUntil instant: ContinuousClock.Instant) {
        state.withLock { $0.caughtUp = max($0.caughtUp ?? instant, instant) }
    }
    func note(fault: String?) { state.withLock { $0.fault = fault } }

    /// Takes note of why nothing more is followed: nobody will know here what becomes of what was published.
    func end(_ fault: String) {
        let waiting = state.withLock { state in
            defer { state.published = [:] }
            (state.fault, state.isOver) = (fault, true)
            return state.published.values.flatMap(\.turns)
        }
        for turn in waiting { turn.settle(.unanswered) }
    }

    private var isOver: Bool { state.withLock { $0.isOver } }

    /// Takes note of what a message, at a time of the log, tells of the clock of this machine, which showed an instant when it came.
    ///
    /// That the clock is not ahead is told only by what was published here.
    private func note(_ message: FollowedMessage, _ time: Timestamp, at now: Timestamp) {
        let received = message.turns.lazy.filter { $0.logged != nil }.map(\.received).max()
        let lead = LogTime.lead(received: received, taken: time, now: now)
        state.withLock { state in
            if lead != nil || received != nil || state.lead.map({ $0 < .zero }) ?? false { state.lead = lead }
        }
    }

    /// A message with the first of some turns, taken note of until it comes back.
    private func message(
        of turns: ArraySlice<Turn>, with comparison: Comparison? = nil
    ) throws -> (bytes: [UInt8], name: String, number: UInt64, count: Int) {
        let number = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        var heading = LoggedActions.Heading(origin: origin, number: number)
        heading.comparison = comparison
        let (bytes, count) = try LoggedActions.message(
            heading, with: turns.lazy.compactMap(\.logged), longest: log.longest)
        state.withLock { $0.published[number] = (Array(turns.prefix(count)), .now) }
        return (bytes, "\(origin)-\(number)", number, count)
    }

    /// The turns of a message that was published here and has not come back yet, and since when it was on its way.
    private func take(_ number: UInt64) -> (turns: [Turn], since: ContinuousClock.Instant)? {
        state.withLock { $0.published.removeValue(forKey: number) }
    }

    /// What messages want to be done that come next, and what is wrong with the one after them; `now` is what the clock shows.
    func read(_ entries: [LogEntry], at now: Timestamp) -> (messages: [FollowedMessage], fault: LoggedActions.Fault?) {
        var (last, messages) = (state.withLock { $0.kept }, [FollowedMessage]())
        for entry in entries {
            do throws(LoggedActions.Fault) {
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

    /// What a message wants to be done: with who waits for it if it was published here.
    private func followed(
        _ entry: LogEntry, after time: Timestamp
    ) throws(LoggedActions.Fault) -> FollowedMessage {
        let message = try LoggedActions(entry.bytes)
        let isWaypoint = message.heading.number == 0 || LogTime.isNewHour(entry.time, after: time)
        try state.withLock { state throws(LoggedActions.Fault) in
            try state.comparisons.hear(message.heading, at: max(time, entry.time), own: origin)
        }
        if message.heading.origin == origin, let own = take(message.heading.number) {
            return FollowedMessage(entry, own.turns, isWaypoint, publishedAt: own.since)
        }
        return FollowedMessage(entry, try message.actions().map(Turn.init), isWaypoint)
    }

    /// Publishes a message without actions and waits until the log has it.
    ///
    /// When it comes back all was followed that was in the log before it. Nothing else shows that: servers that are cut off from
    /// the others still say what they have.
    func pulse(with comparison: Comparison? = nil) async throws {
        let (bytes, name, number, _) = try message(of: [], with: comparison)
        try await publish(bytes, name, number)
    }

    /// Publishes a message; if it will never be known here what became of it those who wait are told.
    private func publish(_ bytes: [UInt8], _ name: String, _ number: UInt64) async throws {
        defer { if isOver { leave(number) } }
        do { try await log.publish(bytes, named: name) } catch {
            leave(number)
            throw error
        }
    }

    private func leave(_ number: UInt64) {
        for turn in take(number)?.turns ?? [] { turn.settle(.unanswered) }
    }

    /// How many messages are published before the first of them has come back.
    private static let mostPublished = 4

    /// Publishes turns, some in each message, and comes back when the log has them.
    func relay(_ turns: [Turn]) async {
        var rest = turns[...]
        while !rest.isEmpty {
            while published >= Self.mostPublished { try? await Task.sleep(for: .milliseconds(1)) }
            guard !isOver else { break }
            do {
                let (bytes, name, number, count) = try message(of: rest)
                rest = rest.dropFirst(count)
                try? await publish(bytes, name, number)
            } catch {
                rest.popFirst()?.settle(.other("\(error)"))
            }
        }
        for turn in rest { turn.settle(.unanswered) }
    }

    /// Whether a comparison begins: none is under way.
    func beginComparing() -> Bool {
        state.withLock { state in
            defer { state.isComparing = true }
            return !state.isComparing
        }
    }

    func endComparing() { state.withLock { $0.isComparing = false } }

    // MARK: - On the writer's queue

    /// Where the commit under way is, if that is just before a message.
    func place(before number: UInt64) -> LogPlace? {
        state.withLock { $0.drafted.position.number + 1 == number ? $0.drafted : nil }
    }

    func draft(_ place: LogPlace) { state.withLock { $0.drafted = place } }
    func undo() { state.withLock { $0.drafted = $0.kept } }
    func settle() { state.withLock { $0.kept = $0.drafted } }
}

/// A message on its way through the writer.
final class FollowedMessage: Sendable {
    private struct State {
        /// What became of turns that could not be done, whoever tries.
        var faults: [Int: StorageError] = [:]
        var failing: Int?
        var result: StorageError?
    }

    let number: UInt64
    let turns: [Turn]
    /// When the log took it, as it says.
    let time: Timestamp
    /// Whether all who follow the log compare what they came to after it.
    let isWaypoint: Bool
    /// When it was handed to the log; nil for one that was not published here.
    let publishedAt: ContinuousClock.Instant?
    private let state = Mutex(State())

    init(_ entry: LogEntry, _ turns: [Turn], _ isWaypoint: Bool, publishedAt: ContinuousClock.Instant? = nil) {
        (number, time, self.turns, self.isWaypoint) = (entry.number, entry.time, turns, isWaypoint)
        self.publishedAt = publishedAt
    }

    var weight: Int { max(1, turns.reduce(0) { $0 + $1.weight }) }
    /// Nil when it was followed.
    var result: StorageError? { state.withLock { $0.result } }

    func isLeft(_ index: Int) -> Bool { state.withLock { $0.faults[index] == nil } }
    func note(failing index: Int?) { state.withLock { $0.failing = index } }
    func refuse(_ index: Int, _ error: StorageError) { state.withLock { $0.faults[index] = error } }

    /// Passes over the turn for which nothing of the message was stored; whether there is one.
    func passOver() -> Bool {
        state.withLock { state in
            guard let failing = state.failing, let result = state.result else { return false }
            (state.faults[failing], state.failing) = (result, nil)
            return true
        }
    }

    /// Takes note of the end of a try; when it was followed those who wait are told.
    func settle(_ error: StorageError?) {
        let faults = state.withLock { state in
            state.result = error
            return state.faults
        }
        guard error == nil else { return }
        for (index, turn) in turns.enumerated() { turn.settle(faults[index]) }
    }
}
