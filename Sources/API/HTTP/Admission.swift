internal import CoreMetrics
internal import DequeModule
internal import Discovery
internal import HTTPTypes
package import Meters
internal import Synchronization

/// The class of a request, by which it is admitted.
package enum RequestClass: String, CaseIterable, Sendable {
    /// A read of the in-memory state or of the database file.
    case read
    /// A change, which waits for a commit.
    case write
    /// Bulk work: files, batches, and counts over all entities.
    case long
    /// A piece of a file that a person sends, within a long request.
    case file
    /// A person's search for words, within another request.
    case words
    /// Health and metrics, which are answered under any load.
    case vital
}

/// The concurrency limit of a request class, with the length of its queue and the longest wait in it.
public struct ConcurrencyLimit: Hashable, Sendable {
    /// The most requests that are worked on at the same time.
    public var atOnce: Int
    /// The most requests that wait; a further one displaces the oldest, which is refused.
    public var waiting: Int
    /// The longest wait of a request until it is refused.
    public var maxWait: Duration

    /// Creates a limit.
    public init(atOnce: Int, waiting: Int = 1000, maxWait: Duration = .milliseconds(100)) {
        (self.atOnce, self.waiting, self.maxWait) = (atOnce, waiting, maxWait)
    }
}

/// Admission control for a class of requests: a concurrency limit with a bounded FIFO queue.
///
/// An admitted request is answered in time. Excess requests wait where that is cheap, and are refused while the refusal
/// is still useful to the client, rather than all being answered too late.
package final class Admission: Sendable {
    private typealias Entrance = CheckedContinuation<Bool, Never>

    private struct State {
        /// Requests that are worked on.
        var running = 0
        /// The oldest first.
        var waiting: Deque<(since: ContinuousClock.Instant, entrance: Entrance)> = []
        /// Whether a task watches the queue.
        var isWatched = false

        /// Removes the requests that have waited too long or exceed the queue's length.
        mutating func removeExpired(_ now: ContinuousClock.Instant, _ limit: ConcurrencyLimit) -> [Entrance] {
            var expired: [Entrance] = []
            while let first = waiting.first, waiting.count > limit.waiting || now - first.since >= limit.maxWait {
                expired.append(waiting.removeFirst().entrance)
            }
            return expired
        }

        /// Frees a slot; returns the requests that have waited too long and the next one to admit.
        mutating func leave(_ now: ContinuousClock.Instant, _ limit: ConcurrencyLimit) -> (
            expired: [Entrance], next: Entrance?
        ) {
            running -= 1
            let expired = removeExpired(now, limit)
            guard running < limit.atOnce, let next = waiting.popFirst() else { return (expired, nil) }
            running += 1
            return (expired, next.entrance)
        }
    }

    private let limit: ConcurrencyLimit
    /// The most requests of one person in progress; nil for no limit.
    private let mostOfPerson: Int?
    private let ofPeople = Mutex<[Caller: Int]>([:])
    private let state = Mutex(State())
    private let running, queued: Meter
    private let shed: Counter

    package init(_ limit: ConcurrencyLimit, of work: RequestClass, _ meters: Meters) {
        self.limit = limit
        mostOfPerson = [.write, .long].contains(work) ? max(4, limit.atOnce / 8) : nil
        running = meters.gauge(.running, work.rawValue)
        queued = meters.gauge(.queued, work.rawValue)
        shed = meters.counter(.shed, work.rawValue)
    }

    /// Runs `body` when a slot is free, or refuses it.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: ``Problem/Code/overloaded`` when no slot is free in time; rethrows errors of `body`.
    package func run<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await enter()
        running.increment()
        defer {
            running.decrement()
            leave()
        }
        return try await body()
    }

    /// Gives the slot to another request while `body` waits, for example for a client that sends a request body.
    ///
    /// Afterwards the request continues at once, even beyond the limit: a request that has begun is not refused.
    package func away<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        leave()
        defer { state.withLock { $0.running += 1 } }
        return try await body()
    }

    /// Counts a request of a person until ``end(of:)``, also while it is away; others need not be counted.
    ///
    /// - Throws: ``Problem`` if too many requests of the person are in progress.
    func begin(of caller: Caller?) throws(Problem) {
        guard let mostOfPerson, let caller, caller != .service else { return }
        let isFree = ofPeople.withLock { people in
            guard people[caller, default: 0] < mostOfPerson else { return false }
            people[caller, default: 0] += 1
            return true
        }
        guard isFree else {
            throw Problem(
                .tooManyRequests,
                detail: "\(mostOfPerson) such requests of yours are in progress: wait for their answers.",
                headers: [.retryAfter: "1"])
        }
    }

    /// Ends a request that ``begin(of:)`` admitted.
    func end(of caller: Caller?) {
        guard mostOfPerson != nil, let caller, caller != .service else { return }
        ofPeople.withLock { people in
            guard let count = people[caller] else { return }
            people[caller] = count > 1 ? count - 1 : nil
        }
    }

    private func enter() async throws {
        let isFree = state.withLock { state in
            guard state.running < limit.atOnce, state.waiting.isEmpty else { return false }
            state.running += 1
            return true
        }
        guard !isFree else { return }
        queued.increment()
        let isAdmitted = await withCheckedContinuation { wait($0) }
        queued.decrement()
        guard isAdmitted else {
            shed.increment()
            throw Problem.overloaded
        }
    }

    private func wait(_ entrance: Entrance) {
        let now = ContinuousClock.now
        let (expired, isFree, isFirst) = state.withLock { state in
            // A slot may have become free since.
            if state.running < limit.atOnce, state.waiting.isEmpty {
                state.running += 1
                return ([Entrance](), true, false)
            }
            state.waiting.append((now, entrance))
            defer { state.isWatched = true }
            return (state.removeExpired(now, limit), false, !state.isWatched)
        }
        if isFree { entrance.resume(returning: true) }
        for one in expired { one.resume(returning: false) }
        if isFirst { Task { await watch() } }
    }

    /// Refuses overdue requests until the queue is empty; otherwise that would happen only when a slot becomes free.
    private func watch() async {
        while true {
            try? await Task.sleep(for: limit.maxWait / 4)
            let (expired, isOver) = state.withLock { state in
                let expired = state.removeExpired(.now, limit)
                state.isWatched = !state.waiting.isEmpty
                return (expired, state.waiting.isEmpty)
            }
            for one in expired { one.resume(returning: false) }
            if isOver { return }
        }
    }

    private func leave() {
        let (expired, next) = state.withLock { $0.leave(.now, limit) }
        for one in expired { one.resume(returning: false) }
        next?.resume(returning: true)
    }

    /// The requests that are worked on, and those that wait.
    package var counts: (running: Int, waiting: Int) { state.withLock { ($0.running, $0.waiting.count) } }
}
