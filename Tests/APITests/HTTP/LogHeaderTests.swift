import API
import Discovery
import Model
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

/// A log that keeps what it is given.
private final class KeptLog: ActionLog {
    let identity = "kept"
    let longest = 1_000_000
    let entries = Mutex<[LogEntry]>([])

    func publish(_ message: [UInt8], named name: String) async throws {
        entries.withLock { $0.append(LogEntry(UInt64($0.count + 1), message, at: morning)) }
    }
}

/// What machines say that follow a log with others.
@Suite struct LogHeaderTests {
    /// Zero is what every answer is older than.
    @Test(arguments: [(Duration.seconds(3600), 200), (.zero, 503)])
    func whoIsBehindIsNotReady(longest: Duration, status: Int) async throws {
        let log = KeptLog()
        try await withServer({ $0.longestLag = longest }, log: log) { server in
            #expect(try await server.send("GET /readyz").status == 503, "the end was never seen")
            try await server.live.pulse()
            try await server.live.follow(log.entries.withLock(\.self), at: morning)
            let reply = try await server.send("GET /readyz")
            #expect(reply.status == status && reply.headers["cerca-position"] == ["1"], "\(reply)")
            #expect(reply.headers["retry-after"] == (status == 503 ? ["1"] : []))
        }
    }
}
