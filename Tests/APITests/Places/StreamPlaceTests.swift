import API
import Discovery
import Geo
import Model
import NIOHTTP1
import TestSupport
import Testing

/// The number of simultaneous long answers per person.
@Suite(.timeLimit(.minutes(60))) struct StreamPlaceTests {
    private static let pings = 20_000

    /// Ana and Luis, whose exports do not fit into the buffers between a server and a client that does not read.
    private func withLongHistories(_ body: (TestServer, TestKeys) async throws -> Void) async throws {
        try await withKeys { configuration in
            configuration.limits.streamsOfPerson = 2
            configuration.limits.streams = 4
            configuration.rates.person.perSecond = 0
        } _: { server, keys, _ in
            try await server.add([("ana", nil), ("luis", nil)])
            for name in ["ana", "luis"] {
                let person = try PersonID(name)
                let reports = try (1...Self.pings).map { index in
                    PingReport(
                        person: person, device: String(repeating: "d", count: 250),
                        time: morning - .seconds(200 * index), place: try place(index % 2 == 0 ? 1 : 1.3, 0))
                }
                let recorded = try await server.engine.perform(Record(reports), by: .service, at: morning)
                #expect(recorded.verdicts.allSatisfy { $0 == .stored })
            }
            try await body(server, keys)
        }
    }

    /// Begins to read, and then pauses.
    private func begin(_ path: String, _ token: String, _ server: TestServer) async throws -> (Socket, status: String) {
        let socket = try Socket(server, window: 4096)
        try socket.send(
            "GET \(path) HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer \(token)\r\naccept: text/csv\r\n\r\n"
        )
        return (socket, status: String(try await socket.receive(atMost: 12).suffix(3)))
    }

    @Test("A person's few streams are freed by reading or disconnecting") func streamsOfPerson() async throws {
        try await withLongHistories { server, keys in
            let (ana, luis) = (keys.person("ana"), keys.person("luis"))
            func whole(_ token: String, _ path: String) async throws -> TestServer.Reply {
                try await server.send(
                    "GET \(path)",
                    headers: [
                        "authorization": "Bearer \(token)", "accept": "text/csv",
                        "accept-encoding": "identity",
                    ])
            }
            var open: [Socket] = []
            for path in ["/v1/people/ana/export", "/v1/people/ana/history"] {
                let (socket, status) = try await begin(path, ana, server)
                #expect(status == "200")
                open.append(socket)
            }
            let third = try await whole(ana, "/v1/people/ana/export")
            #expect(
                third.text
                    == problem(
                        429, "Too Many Requests", "too_many_requests",
                        "2 long answers are being sent to you already: read them to the end, or close them."))
            #expect(third.headers.first(name: "retry-after") == "10")
            #expect(try await whole(ana, "/v1/people/ana/history?limit=1").status == 200, "a page is no stream")
            #expect(try await whole(luis, "/v1/people/luis/export").body.hasSuffix("]}\n"), "others are not concerned")
            #expect(try await whole(luis, "/v1/people/luis/export").status == 200, "what is read to its end is over")
            // One resets the connection and one closes it. Both are freed once.
            for leave in [{ (socket: Socket) in socket.reset() }, { _ in }] {
                leave(open.removeFirst())
                while true {
                    let (socket, status) = try await begin("/v1/people/ana/export", ana, server)
                    guard status == "200" else { continue }
                    open.append(socket)
                    break
                }
                #expect(try await whole(ana, "/v1/people/ana/export").status == 429)
            }
            for expected in ["200", "503"] {
                let (socket, status) = try await begin("/v1/people/luis/export", luis, server)
                #expect(status == expected, "people have three of the four together")
                if status == "200" { open.append(socket) }
            }
            open.append(try await begin("/v1/people/luis/export", keys.service, server).0)
            let all = try await whole(keys.service, "/v1/people/luis/export")
            #expect(all.status == 503, "four are sent to all together")
            #expect(all.headers.first(name: "retry-after") == "10")
            open.removeAll()
            while try await whole(keys.service, "/v1/people/luis/export").status != 200 {}
        }
    }
}
