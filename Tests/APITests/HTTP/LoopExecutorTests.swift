import API
import Dispatch
import Foundation
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

/// Requests are answered on the threads of the event loops.
@Suite(.timeLimit(.minutes(60))) struct LoopExecutorTests {
    @Test("A request is answered on the thread that read it") func sameThread() async throws {
        let names = Mutex<Set<String>>([])
        let now = { @Sendable in
            names.withLock { _ = $0.insert(Self.threadName) }
            return morning
        }
        try await withServer(now: now) { server in
            // The start reads the clock, too.
            names.withLock { $0 = [] }
            try await server.send("GET /livez")
            try await server.send("GET /v1/places/nearest?lat=1&lon=2")
        }
        let seen = names.withLock { $0 }
        #expect(!seen.isEmpty && seen.allSatisfy { $0.hasPrefix("NIO") }, "\(seen)")
    }

    private static var threadName: String {
        (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
    }

    @Test("Vital jobs run before waiting ones, and too many waiting jobs are a crowd") func vitalJobs() async throws {
        // A separate loop, because it is blocked.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let jobs = LoopJobs(group.next(), maxJobs: 3, maxWait: .seconds(3600))
        let (usual, vital) = (LoopExecutor(jobs), LoopExecutor(jobs))
        usual.begin(isVital: false)
        let (order, gate, isHeld) = (Order(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        func add(_ name: String, _ executor: LoopExecutor) -> Task<Void, Never> {
            Task(executorPreference: executor) { order.add(name) }
        }
        // The loop does nothing else until all jobs are there.
        let holder = Task(executorPreference: usual) {
            isHeld.signal()
            gate.wait()
        }
        await Task.detached { Self.wait(isHeld) }.value
        let early = [add("a", usual), add("b", usual)]
        #expect(!jobs.isCrowded)
        let late = [add("c", usual), add("vital", vital)]
        #expect(jobs.isCrowded)
        gate.signal()
        for task in [holder] + early + late { await task.value }
        #expect(order.names == ["vital", "a", "b", "c"])
        #expect(!jobs.isCrowded)
        try await group.shutdownGracefully()
    }

    /// Repeated, because the order shows only while the loop has time left for further jobs.
    @Test("Work given to the loop before a job runs first", arguments: [true, false])
    func loopOrder(isVital: Bool) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let executor = LoopExecutor(LoopJobs(loop, maxJobs: 1000, maxWait: .seconds(3600)))
        executor.begin(isVital: isVital)
        for _ in 0..<50 {
            let (order, isGiven) = (Order(), DispatchSemaphore(value: 0))
            await withCheckedContinuation { continuation in
                Task(executorPreference: executor) {
                    DispatchQueue.global().async {
                        loop.execute { order.add("bytes") }
                        Task(executorPreference: executor) {
                            order.add("job")
                            continuation.resume()
                        }
                        isGiven.signal()
                    }
                    Self.wait(isGiven)
                }
            }
            try await loop.submit {}.get()
            #expect(order.names == ["bytes", "job"])
        }
        try await group.shutdownGracefully()
    }

    private final class Order: Sendable {
        private let kept = Mutex<[String]>([])
        var names: [String] { kept.withLock { $0 } }
        func add(_ name: String) { kept.withLock { $0.append(name) } }
    }

    private static func wait(_ semaphore: DispatchSemaphore) { semaphore.wait() }

    @Test("A single job that waits too long is a crowd") func longWait() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let jobs = LoopJobs(group.next(), maxJobs: 1000, maxWait: .zero)
        let executor = LoopExecutor(jobs)
        executor.begin(isVital: false)
        // It runs once another job has waited longer than zero.
        await Task(executorPreference: executor) {
            let other = Task(executorPreference: executor) {}
            while !jobs.isCrowded {}
            await other.value
        }.value
        #expect(!jobs.isCrowded)
        try await group.shutdownGracefully()
    }

    /// A task on each loop always has something to do.
    @Test("Sockets are read even if the loops are always busy") func busyLoops() async throws {
        let loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
        let busy = loops.map { loop in
            let executor = LoopExecutor(LoopJobs(loop, maxJobs: 1000, maxWait: .seconds(3600)))
            return Task(executorPreference: executor) { while !Task.isCancelled { await Task.yield() } }
        }
        try await withServer { server in
            let reply = try await server.send("GET /livez")
            #expect(reply.status == 200)
        }
        for task in busy { task.cancel() }
    }
}
