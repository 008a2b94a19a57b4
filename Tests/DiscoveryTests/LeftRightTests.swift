import Discovery
import Foundation
import Laws
import Synchronization
import Testing

@Suite struct LeftRightTests {
    /// A value that is torn whenever its parts differ.
    private struct Pair: ~Copyable, Sendable {
        var parts: [Int] = Array(repeating: 0, count: 64)

        func copy() -> Pair {
            var copy = Pair()
            copy.parts = parts.map { $0 }
            return copy
        }

        mutating func count() { for index in parts.indices { parts[index] += 1 } }
    }

    private final class Flag: Sendable {
        let isDone = Atomic(false)
    }

    @Test func readersNeverSeeHalfAChange() async throws {
        let pair = LeftRight(Pair(), twin: Pair())
        let flag = Flag()
        let torn = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var torn = 0
                    var last = 0
                    while !flag.isDone.load(ordering: .relaxed) {
                        pair.read { value in
                            if Set(value.parts).count != 1 || value.parts[0] < last { torn += 1 }
                            last = value.parts[0]
                        }
                    }
                    return torn
                }
            }
            for _ in 0..<20_000 {
                pair.draft { $0.count() }
                pair.publish { $0.count() }
            }
            flag.isDone.store(true, ordering: .relaxed)
            return try await group.reduce(0, +)
        }
        #expect(torn == 0)
        #expect(pair.read { $0.parts[0] } == 20_000)
    }

    @Test func aDraftIsUnseenUntilItIsPublishedAndGoneWhenItIsDiscarded() {
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
