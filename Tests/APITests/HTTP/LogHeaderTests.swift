import API
import Discovery
import Model
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

/// A log that keeps its entries in memory.
private final class KeptLog: ActionLog {
    let identity = "kept"
    let longest = 1_000_000
    let entries = Mutex<[LogMessage]>([])

    func publish(_ message: [UInt8], named name: String) async throws {
        entries.withLock { $0.append(LogMessage(UInt64($0.count + 1), message, at: morning)) }
    }
}

/// Headers of nodes that follow a replicated log.
@Suite struct LogHeaderTests {
    @Test("A service gets the position as a number, a person sealed, and other callers get none")
    func positions() async throws {
        let log = KeptLog()
        let keys = try TestKeys()
        defer { keys.remove() }
        try await withServer({ $0.rates.address.perSecond = 0 }, keys: try await keys.ring(), log: log) { server in
            try await server.engine.heartbeat()
            try await server.engine.follow(log.entries.withLock(\.self), at: morning)
            func position(_ token: String?, _ line: String = "GET /livez") async throws -> [String] {
                let headers = token.map { ["authorization": "Bearer \($0)"] } ?? [:]
                return try await server.send(line, headers: headers).headers["cerca-position"]
            }
            #expect(try await position(keys.service) == ["1"])
            #expect(try await position(keys.service, "GET /v1/people/none") == ["1"], "also with a problem")
            for line in ["GET /livez", "GET /v1/people/ana", "GET /nowhere"] {
                #expect(try await position(nil, line) == [], "\(line)")
            }
            let sealed = try await position(keys.person("ana"))
            #expect(sealed.count == 1 && UInt64(sealed[0]) == nil && sealed[0].utf8.count == 48, "\(sealed)")
            #expect(try await position(keys.person("ana"), "GET /v1/people/none") != sealed, "each is sealed anew")
            let number = "'Cerca-After' must be the value of a 'Cerca-Position'."
            for (token, after, status, detail) in [
                (keys.service, "1", 200, ""), (keys.service, sealed[0], 200, ""), (keys.service, "x", 400, number),
                (keys.service, "2", 503, "has not followed the log to that position"),
                (keys.person("ana"), sealed[0], 200, ""), (keys.person("ana"), "1", 400, number),
                (keys.person("ana"), "2", 400, number), (nil, sealed[0], 200, ""), (nil, "1", 400, number),
                (nil, String(sealed[0].reversed()), 400, number),
            ] as [(String?, String, Int, String)] {
                var headers = ["cerca-after": after]
                if let token { headers["authorization"] = "Bearer \(token)" }
                let reply = try await server.send("GET /readyz", headers: headers)
                #expect(reply.status == status && reply.body.contains(detail), "\(after): \(reply.text)")
            }
        }
    }

    @Test("A reader gets no copy of the database, whose file has secrets") func copies() async throws {
        let keys = try TestKeys()
        defer { keys.remove() }
        try await withServer(keys: try await keys.ring(), log: KeptLog()) { server in
            let reply = try await server.send("GET /v1/copy", token: keys.reader)
            #expect(reply.text == CallerRows.notForReaders)
        }
    }

    /// With a limit of zero every node is behind.
    @Test("A node that is behind is not ready", arguments: [(Duration.seconds(3600), 200), (.zero, 503)])
    func readiness(longest: Duration, status: Int) async throws {
        let log = KeptLog()
        try await withServer({ $0.longestLag = longest }, log: log) { server in
            #expect(try await server.send("GET /readyz").status == 503, "the end was never seen")
            try await server.engine.heartbeat()
            try await server.engine.follow(log.entries.withLock(\.self), at: morning)
            let reply = try await server.send("GET /readyz")
            #expect(reply.status == status && reply.headers["cerca-position"] == ["1"], "\(reply)")
            #expect(reply.headers["retry-after"] == (status == 503 ? ["1"] : []))
        }
    }
}
