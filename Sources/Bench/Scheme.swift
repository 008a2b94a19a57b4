internal import Discovery
internal import Foundation
internal import Geo
internal import Synchronization

/// An entity's new place.
struct Move: Sendable {
    var handle: Int32
    var place: Coordinate
}

/// An index that several threads read and write.
protocol SharedIndex: Sendable {
    func nearest(to origin: Coordinate, _ ids: Identifiers)
    func move(_ moves: [Move])
}

/// A way of sharing an index between threads: the one that Cerca has chosen, and those that lost.
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

/// Keeps the optimizer from leaving out what nobody looks at.
@inline(never) private func blackHole(_ answer: NearestAnswer) {}

private final class LeftRightIndex: SharedIndex {
    private let index: LeftRight<Grid>
    private let turn = Mutex(())

    init(_ grid: consuming Grid) {
        let twin = grid.copy()
        index = LeftRight(grid, twin: twin)
    }

    func nearest(to origin: Coordinate, _ ids: Identifiers) { index.read { $0.ask(origin, ids) } }

    func move(_ moves: [Move]) {
        turn.withLock { _ in
            index.draft { $0.apply(moves) }
            index.publish { $0.apply(moves) }
        }
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

    func move(_ moves: [Move]) {
        pthread_rwlock_wrlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        grid.apply(moves)
    }
}

private final class MutexIndex: SharedIndex {
    private let grid: Mutex<Grid>

    init(_ grid: consuming sending Grid) { self.grid = Mutex(grid) }

    func nearest(to origin: Coordinate, _ ids: Identifiers) { grid.withLock { $0.ask(origin, ids) } }

    func move(_ moves: [Move]) { grid.withLock { $0.apply(moves) } }
}
