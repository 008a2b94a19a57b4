internal import CoreMetrics
internal import DequeModule
internal import HTTPTypes
package import Meters
internal import Synchronization

/// What requests ask for, by which they are admitted.
package enum Work: String, CaseIterable, Sendable {
    /// An answer from the picture or the file.
    case read
    /// A change, which waits for a commit.
    case write
    /// What reads or writes much: files, batches, counts over all.
    case long
    /// A piece of a file that a person sends, within a long request.
    case file
    /// A person's search for words, within another request.
    case words
    /// Health and metrics, which are told whatever else there is to do.
    case vital
}

/// How many requests of a kind are worked on at the same time, and how many wait for that, how long.
public struct Room: Hashable, Sendable {
    /// Requests that are worked on.
    public var atOnce: Int
    /// Requests that wait; one more takes the place of the oldest, which is refused.
    public var waiting: Int
    /// How long one waits until it is refused.
    public var patience: Duration

    /// So many at once, so many that wait, so long.
    public init(atOnce: Int, waiting: Int = 1000, patience: Duration = .milliseconds(100)) {
        (self.atOnce, self.waiting, self.patience) = (atOnce, waiting, patience)
    }
}

/// Lets requests of a kind in, as many as there is room for, in the order in which they came.
///
/// What is let in is answered in time. What comes beyond that waits where it costs nothing, and is refused while that is still of use to
/// whoever asks, rather than all being answered too late.
package final class Admission: Sendable {
    private typealias Entrance = CheckedContinuation<Bool, Never>

    private struct State {
        /// Requests that are worked on.
        var inside = 0
        /// The oldest first.
        var waiting: Deque<(since: ContinuousClock.Instant, entrance: Entrance)> = []
        /// Whether somebody looks after those who wait.
        var isWatched = false

        /// Those who have waited too long, or all who are more than so many.
        mutating func late(_ now: ContinuousClock.Instant, _ room: Room) -> [Entrance] {
            var late: [Entrance] = []
            while let first = waiting.first, waiting.count > room.waiting || now - first.since >= room.patience {
                late.append(waiting.removeFirst().entrance)
            }
            return late
        }

        /// Who goes instead of one who leaves, and those who waited too long for that.
        mutating func leave(_ now: ContinuousClock.Instant, _ room: Room) -> (late: [Entrance], next: Entrance?) {
            inside -= 1
            let late = late(now, room)
            guard inside < room.atOnce, let next = waiting.popFirst() else { return (late, nil) }
            inside += 1
            return (late, next.entrance)
        }
    }

    private let room: Room
    private let state = Mutex(State())
    private let running, queued: Meter
    private let shed: Counter

    /// A door to a room, which is empty.
    package init(_ room: Room, of work: Work, _ meters: Meters) {
        self.room = room
        running = meters.gauge(.running, work.rawValue)
        queued = meters.gauge(.queued, work.rawValue)
        shed = meters.counter(.shed, work.rawValue)
    }

    /// Does something when there is room for it, or refuses it.
    ///
    /// - Returns: What `body` returns.
    /// - Throws: ``Problem/Code/overloaded`` when there is none in time; what `body` throws.
    package func run<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await enter()
        running.increment()
        defer {
            running.decrement()
            leave()
        }
        return try await body()
    }

    /// Waits for somebody else, such as for a client that sends a body: meanwhile there is room for another request.
    ///
    /// Who comes back goes on at once, for what is begun is not refused.
    package func away<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        leave()
        defer { state.withLock { $0.inside += 1 } }
        return try await body()
    }

    private func enter() async throws {
        let isFree = state.withLock { state in
            guard state.inside < room.atOnce, state.waiting.isEmpty else { return false }
            state.inside += 1
            return true
        }
        guard !isFree else { return }
        queued.increment()
        let isLetIn = await withCheckedContinuation { wait($0) }
        queued.decrement()
        guard isLetIn else {
            shed.increment()
            throw Problem.crowded
        }
    }

    private func wait(_ entrance: Entrance) {
        let now = ContinuousClock.now
        let (late, isFree, isFirst) = state.withLock { state in
            // Somebody may have left since.
            if state.inside < room.atOnce, state.waiting.isEmpty {
                state.inside += 1
                return ([Entrance](), true, false)
            }
            state.waiting.append((now, entrance))
            defer { state.isWatched = true }
            return (state.late(now, room), false, !state.isWatched)
        }
        if isFree { entrance.resume(returning: true) }
        for one in late { one.resume(returning: false) }
        if isFirst { Task { await watch() } }
    }

    /// Refuses who has waited too long, as long as somebody waits: nobody may leave meanwhile.
    private func watch() async {
        while true {
            try? await Task.sleep(for: room.patience / 4)
            let (late, isOver) = state.withLock { state in
                let late = state.late(.now, room)
                state.isWatched = !state.waiting.isEmpty
                return (late, state.waiting.isEmpty)
            }
            for one in late { one.resume(returning: false) }
            if isOver { return }
        }
    }

    private func leave() {
        let (late, next) = state.withLock { $0.leave(.now, room) }
        for one in late { one.resume(returning: false) }
        next?.resume(returning: true)
    }

    /// How many are inside, and how many wait.
    package var counts: (inside: Int, waiting: Int) { state.withLock { ($0.inside, $0.waiting.count) } }
}
