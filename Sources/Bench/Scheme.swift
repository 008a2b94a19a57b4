internal import Foundation
internal import Geo
internal import Structures
internal import Synchronization

struct Move: Sendable {
    var handle: Int32
    var place: Coordinate
}

/// An index with several concurrent readers and one writer at a time.
protocol SharedIndex: Sendable {
    func nearest(to origin: Coordinate, _ ids: Identifiers)
    func apply(_ moves: [Move])
}

/// Batches moves of several threads: a thread that finds no writer writes the batch, and the others continue.
///
/// The service's single writer batches commands in the same way.
final class MoveQueue: Sendable {
    private struct Waiting {
        var moves: [Move] = []
        var isWriting = false
    }

    private let index: any SharedIndex
    private let waiting = Mutex(Waiting())

    init(_ index: any SharedIndex) { self.index = index }

    func add(_ moves: [Move]) {
        var batch = take(adding: moves)
        while let moves = batch {
            index.apply(moves)
            batch = next()
        }
    }

    private func take(adding moves: [Move]) -> [Move]? {
        waiting.withLock { waiting in
            waiting.moves += moves
            guard !waiting.isWriting else { return nil }
            waiting.isWriting = true
            return Self.empty(&waiting)
        }
    }

    private func next() -> [Move]? {
        waiting.withLock { waiting in
            if !waiting.moves.isEmpty { return Self.empty(&waiting) }
            waiting.isWriting = false
            return nil
        }
    }

    private static func empty(_ waiting: inout Waiting) -> [Move] {
        defer { waiting.moves = [] }
        return waiting.moves
    }
}

/// A way to share an index between threads: the one chosen for Cerca, and the rejected ones.
struct Scheme: Sendable {
    let name: String
    let make: @Sendable (consuming Grid) -> any SharedIndex

    static let all = [
        Scheme(name: "left-right (Cerca's)") { grid in LeftRightIndex(grid) },
        Scheme(name: "readers-writer lock") { grid in ReadersWriterIndex(grid) },
        Scheme(name: "Mutex") { grid in MutexIndex(grid) },
    ]
}

extension Grid {
    fileprivate mutating func apply(_ moves: [Move]) {
        for move in moves { upsert(move.handle, at: move.place, signature: 1) }
    }

    fileprivate func ask(_ origin: Coordinate, _ ids: Identifiers) {
        blackHole(nearest(NearestQuery(limit: 10), to: origin, ids: ids))
    }
}

/// Keeps the optimizer from removing unused results.
@inline(never) private func blackHole(_ answer: NearestAnswer) {}

private final class LeftRightIndex: SharedIndex {
    private let index: LeftRight<Grid>

    init(_ grid: consuming Grid) {
        let twin = grid.copy()
        index = LeftRight(grid, twin: twin)
    }

    func nearest(to origin: Coordinate, _ ids: Identifiers) { index.read { $0.ask(origin, ids) } }

    func apply(_ moves: [Move]) {
        index.draft { $0.apply(moves) }
        index.publish { $0.apply(moves) }
    }
}

private final class ReadersWriterIndex: SharedIndex, @unchecked Sendable {  // the lock keeps readers and writers apart
    private var grid: Grid
    private let lock: UnsafeMutablePointer<pthread_rwlock_t>

    init(_ grid: consuming Grid) {
        self.grid = grid
        lock = .allocate(capacity: 1)
        pthread_rwlock_init(lock, nil)
    }

    deinit {
        pthread_rwlock_destroy(lock)
        lock.deallocate()
    }

    func nearest(to origin: Coordinate, _ ids: Identifiers) {
        pthread_rwlock_rdlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        grid.ask(origin, ids)
    }

    func apply(_ moves: [Move]) {
        pthread_rwlock_wrlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        grid.apply(moves)
    }
}

private final class MutexIndex: SharedIndex {
    private let grid: Mutex<Grid>

    init(_ grid: consuming sending Grid) { self.grid = Mutex(grid) }

    func nearest(to origin: Coordinate, _ ids: Identifiers) { grid.withLock { $0.ask(origin, ids) } }

    func apply(_ moves: [Move]) { grid.withLock { $0.apply(moves) } }
}
