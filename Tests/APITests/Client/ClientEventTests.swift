import API
import CercaClient
import Foundation
import Model
import Testing

/// Event streams of the client.
@Suite(.timeLimit(.minutes(60))) struct ClientEventTests {
    /// Returns the first `count` events.
    private func first(_ count: Int, of events: CercaClient.Events) async throws -> [CercaClient.Events.Update] {
        var reported: [CercaClient.Events.Update] = []
        for try await one in events {
            reported.append(one)
            if reported.count == count { break }
        }
        return reported
    }

    private func numbers(_ reported: [CercaClient.Events.Update]) -> [Int?] {
        reported.map { if case .event(let event) = $0 { event.id } else { nil } }
    }

    private static let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n"

    private static func event(_ id: Int) -> String {
        "id: \(id)\nevent: friend.made\ndata: {\"id\":\(id),\"type\":\"friend.made\",\"at\":\"2026-11-20T10:00:00Z\"}\n\n"
    }

    /// A chunked stream without its last chunk.
    private static func cut(_ text: String) -> String {
        head + "transfer-encoding: chunked\r\n\r\n\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n"
    }

    @Test("A broken stream resumes after the last complete event") func brokenStream() async throws {
        let streams = [
            Self.cut("retry: 20\n\n:\n\n" + Self.event(1) + Self.event(2) + "id: 3\nevent: friend.ma"),
            "HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
            Self.head + "\r\nevent: reset\ndata: {}\n\n" + Self.event(3).replacing("\n", with: "\r\n"),
            Self.cut(Self.event(4)),
        ]
        try await ScriptedServer.run(streams) { server in
            let events = try CercaClient(url: server.url).events()
            let reported = try await first(5, of: events)
            #expect(numbers(reported) == [1, 2, nil, 3, 4])
            #expect(reported[2] == .reset)
            let last = server.heads.map { head in
                head.lowercased().firstMatch(of: #/last-event-id: (\d+)/#).map { String($0.1) }
            }
            #expect(last == [nil, "2", "2", "3"])
            #expect(server.heads.allSatisfy { $0.lowercased().contains("accept: text/event-stream") })
        }
    }

    /// The stream ends with its token, which opens another stream because the service's clock stands still.
    @Test("A stream that the service ends is resumed") func endedStream() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", nil), ("luis", nil), ("eva", nil)])
            let token = keys.own(#""sub":"backend","scope":"service""#, exp: TestKeys.now + 1)
            let events = try client(of: server, token: token).events(after: 0)
            try await server.send("PUT /v1/people/ana/friends/luis", token: keys.service)
            var iterator = events.makeAsyncIterator()
            let asked = try await iterator.next()
            // The client opens the next stream when the next event is requested.
            try await until(0, streamsOf: server, token: keys.service)
            try await server.send("PUT /v1/people/ana/friends/eva", token: keys.service)
            let next = try await iterator.next()
            #expect(numbers([asked, next].compactMap(\.self)) == [1, 2])
        }
    }

    @Test("Events are filtered and typed") func typedEvents() async throws {
        try await withServer { server in
            try await server.add([("ana", nil), ("luis", nil)])
            var filter = CercaClient.EventFilter()
            filter.type = ["ping.moved", "friend.made"]
            let events = try client(of: server).events(filter, after: 0)
            for request in ["ana/friends/luis", "luis/friends/ana"] {
                try await server.send("PUT /v1/people/\(request)")
            }
            var iterator = events.makeAsyncIterator()
            guard case .event(let made)? = try await iterator.next() else { throw Missing() }
            #expect(made.type == "friend.made" && made.person == "luis" && made.other == "ana")
            let ping = CercaClient.Ping(person: "ana", lat: 39.47, lon: -0.376, t: at("2026-11-20T09:59:00Z"))
            _ = try await client(of: server).send([ping])
            guard case .event(let moved)? = try await iterator.next() else { throw Missing() }
            #expect(moved.position?.lat == 39.47 && moved.position?.at == ping.t)
        }
    }

    private struct Missing: Error {}

    @Test("A caller without access gets an error") func unauthorized() async throws {
        try await withKeys { server, _, _ in
            let error = await #expect(throws: CercaError.self) {
                for try await _ in try client(of: server, token: "none").events() {}
            }
            #expect(error?.status == 401)
        }
    }

    @Test("Cancellation ends the wait") func cancellation() async throws {
        try await withServer { server in
            let following = Task { for try await _ in try client(of: server).events() {} }
            try await until(1, streamsOf: server)
            following.cancel()
            await #expect(throws: CancellationError.self) { try await following.value }
        }
    }

    /// Waits until the service sends `count` streams.
    private func until(_ count: Int, streamsOf server: TestServer, token: String? = nil) async throws {
        let headers = token.map { ["authorization": "Bearer \($0)"] } ?? [:]
        while try await !server.send("GET /metrics", headers: headers).body.contains("\ncerca_event_readers \(count)\n")
        { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// Without the retry time the pauses take at least 6 seconds in total, in every attempt.
    @Test("A retry time of one stream applies to later streams") func retryTime() async throws {
        let streams = [Self.cut("retry: 20\n\n" + Self.event(1))] + (2...6).map { Self.cut(Self.event($0)) }
        var shortest = Duration.seconds(600)
        for _ in 0..<20 where shortest >= .seconds(5) {
            try await ScriptedServer.run(streams) { server in
                let reported = try await first(6, of: try CercaClient(url: server.url).events())
                #expect(numbers(reported) == Array(1...6))
                shortest = min(shortest, server.times[0].duration(to: server.times[5]))
            }
        }
        #expect(shortest < .seconds(5))
    }
}

/// The time of an ISO 8601 text.
func at(_ text: String) -> Date { (try? Date(text, strategy: .iso8601)) ?? .distantPast }
