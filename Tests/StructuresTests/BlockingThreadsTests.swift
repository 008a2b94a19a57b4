import Dispatch
import Structures
import Synchronization
import Testing

/// Threads for calls that block.
@Suite(.timeLimit(.minutes(60))) struct BlockingThreadsTests {
    @Test("Blocked calls delay no other call up to the maximum number of threads") func blocked() async throws {
        let threads = BlockingThreads(most: 3)
        let gate = DispatchSemaphore(value: 0)
        for _ in 0..<2 { #expect(threads.run { gate.wait() }) }
        let calls = Calls()
        for _ in 0..<100 {
            // The third thread may not be idle yet.
            while !threads.run({ calls.count.withLock { $0 += 1 } }) { await Task.yield() }
        }
        while !threads.run({ gate.wait() }) { await Task.yield() }
        #expect(calls.count.withLock { $0 } == 100 && threads.count == 3)
        #expect(!threads.run {}, "all three threads are blocked")
        for _ in 0..<3 { gate.signal() }
    }

    @Test("Calls that arrive while threads become idle all run") func all() async throws {
        let threads = BlockingThreads(most: 1000)
        let calls = Calls()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<500 {
                        await withCheckedContinuation { continuation in
                            let isStarted = threads.run {
                                calls.count.withLock { $0 += 1 }
                                continuation.resume()
                            }
                            if !isStarted { continuation.resume() }
                        }
                    }
                }
            }
        }
        #expect(calls.count.withLock { $0 } == 4000)
        #expect(threads.count < 1000, "threads are used again: \(threads.count)")
    }
}

private final class Calls: Sendable {
    let count = Mutex(0)
}
