import API
import Discovery
import Meters
import NIOHTTP1
import Synchronization
import Testing

/// Admission of requests under overload.
@Suite(.timeLimit(.minutes(60))) struct AdmissionTests {
    private static let hour = Duration.seconds(3600)

    private func admission(_ room: ConcurrencyLimit) -> Admission { Admission(room, of: .read, Meters()) }

    /// Waits until `inside` tasks run and `waiting` tasks wait.
    private func until(_ inside: Int, _ waiting: Int, _ admission: Admission) async {
        while admission.counts != (inside, waiting) { await Task.yield() }
    }

    /// A value that several tasks change.
    private final class Notes<Value: Sendable>: Sendable {
        private let kept: Mutex<Value>
        init(_ value: Value) { kept = Mutex(value) }
        var value: Value { kept.withLock { $0 } }
        func change(_ body: @Sendable (inout Value) -> Void) { kept.withLock { body(&$0) } }
    }

    /// A task that stays inside until it is released.
    private final class Visit: Sendable {
        private let (left, exit) = AsyncStream.makeStream(of: Void.self)
        func stay() async { for await _ in left {} }
        func leave() { exit.finish() }
    }

    @Test("Concurrency is limited, and all tasks get their turn") func concurrency() async throws {
        let admission = admission(ConcurrencyLimit(atOnce: 3, maxWait: Self.hour))
        let tally = Notes((inside: 0, most: 0, done: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<500 {
                group.addTask {
                    try await admission.run {
                        tally.change { tally in
                            tally.inside += 1
                            tally.most = max(tally.most, tally.inside)
                        }
                        for _ in 0..<10 { await Task.yield() }
                        tally.change { tally in
                            tally.inside -= 1
                            tally.done += 1
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(tally.value == (0, 3, 500))
        #expect(admission.counts == (0, 0))
    }

    @Test("A full queue drops its oldest task and keeps the order of the others") func fullQueue() async throws {
        let admission = admission(ConcurrencyLimit(atOnce: 1, waiting: 2, maxWait: Self.hour))
        let visit = Visit()
        let first = Task { try await admission.run { await visit.stay() } }
        await until(1, 0, admission)
        let order = Notes([Int]())
        func enter(_ number: Int) -> Task<Void, any Error> {
            Task { try await admission.run { order.change { $0.append(number) } } }
        }
        let oldest = enter(1)
        await until(1, 1, admission)
        let second = enter(2)
        await until(1, 2, admission)
        let newest = enter(3)
        await #expect(throws: (any Error).self) { try await oldest.value }
        #expect(admission.counts == (1, 2))
        visit.leave()
        for task in [first, second, newest] { try await task.value }
        #expect(order.value == [2, 3])
    }

    @Test("A task that waits too long is refused, even if no other task leaves") func timeout() async throws {
        let admission = admission(ConcurrencyLimit(atOnce: 1, maxWait: .milliseconds(20)))
        let visit = Visit()
        let first = Task { try await admission.run { await visit.stay() } }
        await until(1, 0, admission)
        await #expect(throws: (any Error).self) { try await admission.run {} }
        #expect(admission.counts == (1, 0))
        visit.leave()
        try await first.value
        try await admission.run {}
    }

    @Test("A task that is away frees its place, and resumes at once") func awayTasks() async throws {
        let admission = admission(ConcurrencyLimit(atOnce: 1, maxWait: Self.hour))
        let (away, other) = (Visit(), Visit())
        let isAway = Notes(false)
        let first = Task {
            try await admission.run {
                await admission.away {
                    isAway.change { $0 = true }
                    await away.stay()
                }
            }
        }
        while !isAway.value { await Task.yield() }
        let second = Task { try await admission.run { await other.stay() } }
        await until(1, 0, admission)
        away.leave()
        try await first.value
        #expect(admission.counts == (1, 0))
        other.leave()
        try await second.value
        #expect(admission.counts == (0, 0))
    }

    @Test("A failed task frees its place") func failedTask() async throws {
        struct Failure: Error {}
        let admission = admission(ConcurrencyLimit(atOnce: 1, maxWait: Self.hour))
        for _ in 0..<3 {
            await #expect(throws: Failure.self) { try await admission.run { throw Failure() } }
        }
        #expect(admission.counts == (0, 0))
    }

    @Test("Overload refuses requests, except for health and metrics") func overload() async throws {
        let log = RecordedLog()
        try await withServer(
            {
                $0.limits.reads = ConcurrencyLimit(atOnce: 0, waiting: 0, maxWait: Self.hour)
                $0.limits.long = ConcurrencyLimit(atOnce: 0, waiting: 0)
            },
            logger: log.logger
        ) { server in
            for (line, work) in [("GET /v1/places?limit=1", "read"), ("GET /v1/places/facets", "long")] {
                let reply = try await server.send(line)
                #expect(reply.status == 503 && reply.body.contains(#""code":"overloaded""#), "\(reply.text)")
                #expect(reply.headers["retry-after"] == ["1"])
                let metrics = try await server.send("GET /metrics").body
                #expect(metrics.contains("cerca_http_shed_total{work=\"\(work)\"} 1\n"))
            }
            for line in ["GET /livez", "GET /readyz", "GET /metrics"] {
                #expect(try await server.send(line).status == 200)
            }
            #expect(try await server.send("PUT /v1/people/ana", "{}").status == 201)
        }
        #expect(log.errors.isEmpty)
    }

    @Test("A request that waits for its body blocks no other") func pendingBodies() async throws {
        try await withServer({ $0.limits.writes = ConcurrencyLimit(atOnce: 1, maxWait: Self.hour) }) { server in
            let sockets = try (0..<3).map { _ in try Socket(server) }
            for socket in sockets {
                try socket.send(
                    "PUT /v1/people/ana HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n"
                )
                // From then on the service waits for its body.
                #expect(try await socket.receive(until: "\r\n\r\n").contains(" 100 "))
            }
            #expect(try await server.send("PUT /v1/people/luis", "{}").status == 201)
            for socket in sockets {
                try socket.send("{}")
                #expect(try await socket.receive(until: "}").contains(" 20"))
            }
        }
    }

    @Test("People's word searches have a concurrency limit of their own") func wordSearches() async throws {
        try await withKeys { configuration in
            configuration.rates.address.perSecond = 0
            configuration.limits.words = ConcurrencyLimit(atOnce: 0, waiting: 0)
        } _: { server, keys, _ in
            for line in ["GET /v1/people?q=ana", "GET /v1/products?q=pump", "GET /v1/places/nearest?lat=1&lon=1&q=a"] {
                let refused = try await server.send(line, token: keys.person("ana"))
                #expect(refused.status == 503, "\(line)")
                let answered = try await server.send(line, token: keys.service)
                #expect(answered.status == 200, "\(line)")
            }
            let list = try await server.send("GET /v1/products", token: keys.person("ana"))
            #expect(list.status == 200)
        }
    }

    @Test("A word search that waits takes no slot of reads") func waitingWordSearch() async throws {
        try await withKeys { configuration in
            configuration.rates.address.perSecond = 0
            configuration.limits.reads = ConcurrencyLimit(atOnce: 1, waiting: 0)
            configuration.limits.words = ConcurrencyLimit(atOnce: 0, maxWait: .seconds(1))
        } _: { server, keys, _ in
            async let search = server.send("GET /v1/products?q=pump", token: keys.person("ana"))
            // On a slow machine it may have waited already.
            let signs = ["waiting_requests{work=\"words\"} 1\n", "shed_total{work=\"words\"} 1\n"]
            while !signs.contains(where: { server.engine.meters.text.contains($0) }) { await Task.yield() }
            let list = try await server.send("GET /v1/products", token: keys.person("luis"))
            #expect(list.status == 200)
            let refused = try await search
            #expect(refused.status == 503)
        }
    }

    @Test("A request beyond the limit of an event loop is refused before it has effects")
    func waitingAtLoop() async throws {
        try await withServer { configuration in
            configuration.limits.waitingAtLoop = 0
        } _: { server in
            let ends = "host: localhost\r\nconnection: close\r\n\r\n"
            let sockets = try [
                "GET /v1/places?limit=1 HTTP/1.1\r\nhost: localhost\r\n\r\n",
                "HEAD /v1/places?limit=1 HTTP/1.1\r\nhost: localhost\r\n\r\n",
                "PUT /v1/people/ana HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}",
            ].map { request in
                let socket = try Socket(server)
                try socket.send(request + "GET /livez?x=/v1 HTTP/1.1\r\n\(ends)")
                return socket
            }
            for (number, socket) in sockets.enumerated() {
                let text = try await socket.receive()
                let statuses = text.matches(of: #/HTTP\/1\.1 (\d+)/#).map { String($0.1) }
                #expect(statuses == ["503", "400"], "what follows is answered: \(text)")
                #expect(text.lowercased().contains("retry-after: 1\r\n"))
                #expect(text.lowercased().matches(of: RequestIdTests.header).count == 2, "\(text)")
                #expect(text.contains(#""code":"overloaded""#) == (number != 1))
            }
            let metrics = try await server.send("GET /metrics").body
            #expect(metrics.contains("cerca_http_shed_total{work=\"read\"} 2\n"))
            #expect(metrics.contains("cerca_http_shed_total{work=\"write\"} 1\n"))
            #expect(server.engine.read { $0.counts.people } == 0)
        }
    }
}
