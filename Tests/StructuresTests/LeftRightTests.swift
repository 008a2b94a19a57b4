import Foundation
import Geo
import Structures
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(60))) struct LeftRightTests {
    /// A value whose parts differ if a reader sees it half changed.
    private struct Pair: ~Copyable, Sendable {
        var parts: [Int] = Array(repeating: 0, count: 64)

        func copy() -> Pair {
            var copy = Pair()
            copy.parts = parts.map { $0 }
            return copy
        }

        mutating func count() { for index in parts.indices { parts[index] += 1 } }
    }

    /// Returns the number of wrong reads by four threads that read while four others write in turns.
    private func race(_ writes: Int, write: @escaping @Sendable () -> Void, isWrong: @escaping @Sendable () -> Bool)
        -> Int
    {
        let (writing, reading) = (DispatchGroup(), DispatchGroup())
        let race = Race()
        for _ in 0..<4 {
            writing.start { for _ in 0..<writes { race.turn.withLock { _ in write() } } }
            reading.start {
                while !race.isDone.load(ordering: .relaxed) {
                    if isWrong() { race.faults.add(1, ordering: .relaxed) }
                    // Yields the core between reads, not within a read.
                    sched_yield()
                }
            }
        }
        writing.wait()
        race.isDone.store(true, ordering: .relaxed)
        reading.wait()
        return race.faults.load(ordering: .relaxed)
    }

    private final class Race: Sendable {
        let isDone = Atomic(false)
        let faults = Atomic(0)
        let turn = Mutex(())
    }

    @Test("Readers never see half a change") func tornReads() {
        let pair = LeftRight(Pair(), twin: Pair())
        let faults = race(20_000) {
            pair.draft { $0.count() }
            pair.publish { $0.count() }
        } isWrong: {
            pair.read { Set($0.parts).count != 1 }
        }
        #expect(faults == 0)
        #expect(pair.read { $0.parts[0] } == 80_000)
    }

    /// Two entities always swap places, so the number near the origin is constant.
    @Test("Searches see a move completely or not at all") func atomicMoves() throws {
        let near = try Coordinate(latitude: 39.47, longitude: -0.376)
        let far = try Coordinate(latitude: 39.47, longitude: 0.2)
        var grid = Grid()
        var known = Identifiers()
        for handle in 0..<200 as Range<Int32> {
            _ = known.insert("e\(handle)")
            grid.upsert(handle, at: handle.isMultiple(of: 2) ? near : far, signature: 1)
        }
        let ids = known
        let twin = grid.copy()
        let index = LeftRight(grid, twin: twin)
        let turns = Mutex(Int32(0))
        var query = NearestQuery(limit: 1000)
        query.within = 1000
        let faults = race(250) {
            let first = turns.withLock { turn in
                turn = (turn + 1) % 100
                return turn * 2
            }
            let exchange = { (grid: inout Grid) in
                guard let one = grid.place(of: first), let other = grid.place(of: first + 1) else { return }
                grid.upsert(first, at: other, signature: 1)
                grid.upsert(first + 1, at: one, signature: 1)
            }
            index.draft { exchange(&$0) }
            index.publish { exchange(&$0) }
        } isWrong: { [query] in
            index.read { $0.nearest(query, to: near, ids: ids).neighbours.count } != 100
        }
        #expect(faults == 0)
    }

    /// The reader leaves when the writer begins to wait, or at the end of the test if the writer does not wait.
    @Test("A copy is not changed before its last reader leaves") func waitsForReaders() {
        let pair = LeftRight(Pair(), twin: Pair())
        let (entered, mayLeave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isInside = Atomic(false)
        let reading = DispatchGroup()
        reading.start {
            let seen = pair.read { copy in
                isInside.store(true, ordering: .sequentiallyConsistent)
                entered.signal()
                mayLeave.wait()
                defer { isInside.store(false, ordering: .sequentiallyConsistent) }
                return Set(copy.parts)
            }
            #expect(seen == [0])
        }
        entered.wait()
        pair.draft { $0.count() }
        var (waits, wasInside) = (0, true)
        pair.publish {
            waits += 1
            #expect(pair.read { $0.parts[0] } == 1, "others see the new copy meanwhile")
            mayLeave.signal()
        } catchUp: {
            wasInside = isInside.load(ordering: .sequentiallyConsistent)
            $0.count()
        }
        #expect(waits == 1 && !wasInside)
        mayLeave.signal()
        reading.wait()
    }

    @Test("A draft is invisible until it is published, and a discarded draft leaves nothing") func drafts() {
        let pair = LeftRight(Pair(), twin: Pair())
        pair.draft { $0.count() }
        #expect(pair.read { $0.parts[0] } == 0)
        pair.discardDraft { $0.copy() }
        pair.draft { $0.count() }
        pair.publish { $0.count() }
        #expect(pair.read { $0.parts[0] } == 1)
        #expect(pair.draft { $0.parts[0] } == 1, "both copies have it")
    }
}

extension DispatchGroup {
    /// Runs work on its own thread, because tasks would share as many threads as there are cores.
    fileprivate func start(_ work: @escaping @Sendable () -> Void) {
        enter()
        Thread {
            work()
            self.leave()
        }.start()
    }
}
