import Foundation
import Synchronization
import TestSupport
import Testing

/// Requests are answered on the threads of the event loops.
@Suite struct LoopExecutorTests {
    @Test func aRequestIsAnsweredOnTheThreadThatReadIt() async throws {
        let names = Mutex<Set<String>>([])
        let now = { @Sendable in
            names.withLock { _ = $0.insert(Self.threadName) }
            return morning
        }
        try await withServer(now: now) { server in
            try await server.send("GET /livez")
            try await server.send("GET /v1/places/nearest?lat=1&lon=2")
        }
        let seen = names.withLock { $0 }
        #expect(!seen.isEmpty && seen.allSatisfy { $0.hasPrefix("NIO") }, "\(seen)")
    }

    private static var threadName: String {
        (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
    }
}
