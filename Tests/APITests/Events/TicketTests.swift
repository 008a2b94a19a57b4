import API
import AsyncHTTPClient
import Foundation
import Model
import NIOHTTP1
import TestSupport
import Testing

/// Tickets, with which browsers follow events without a header, and events as JSON lines.
@Suite(.timeLimit(.minutes(60))) struct TicketTests {
    private func ticket(_ server: TestServer, _ token: String) async throws -> String {
        let reply = try await server.send("POST /v1/events/tickets", token: token)
        #expect(reply.status == 200 && reply.headers["cache-control"] == ["no-store"], "\(reply.body)")
        #expect(reply.body.contains(#""expires":"2026-11-20T10:01:00Z"}"#), "\(reply.body)")
        return String(try #require(reply.body.firstMatch(of: #/"ticket":"([-_A-Za-z0-9]{43})"/#)?.1))
    }

    @Test("A ticket is valid once, and only for its own person") func singleUse() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", nil), ("luis", nil), ("eva", nil)])
            let ticket = try await ticket(server, keys.person("ana"))
            var stream = try await EventSource(server, "/v1/events?ticket=\(ticket)")
            try await server.send("PUT /v1/people/eva/friends/luis", token: keys.service)
            try await server.send("PUT /v1/people/ana/friends/luis", token: keys.service)
            let reported = try await stream.next()
            #expect(
                reported.data.contains(#""person":"ana","other":"luis""#), "not what concerns others: \(reported.data)")
            stream.close()
            for bad in [ticket, "none", ""] {
                let reply = try await server.send("GET /v1/events?ticket=\(bad)")
                #expect(reply.status == 401 && reply.body.contains("invalid_token"), "\(bad): \(reply.body)")
            }
        }
    }

    @Test("A ticket is valid for a minute") func lifetime() async throws {
        let clock = SteppedClock()
        try await withKeys(now: { clock.now }) { server, keys, _ in
            try await server.add([("ana", nil)])
            let (first, second) = (
                try await ticket(server, keys.person("ana")), try await ticket(server, keys.person("ana"))
            )
            clock.advance(59)
            #expect(try await server.send("GET /v1/events?ticket=\(first)").status == 200)
            clock.advance(1)
            #expect(try await server.send("GET /v1/events?ticket=\(second)").status == 401)
        }
    }

    @Test("A person gets at most twenty tickets a minute") func ticketRate() async throws {
        let clock = SteppedClock()
        try await withKeys(now: { clock.now }) { server, keys, _ in
            try await server.add([("ana", nil), ("luis", nil)])
            let ana = keys.own(#""sub":"ana","scope":"person""#, exp: TestKeys.now + 600)
            for _ in 0..<20 { _ = try await ticket(server, ana) }
            #expect(try await server.send("POST /v1/events/tickets", token: ana).status == 429)
            _ = try await ticket(server, keys.person("luis"))
            clock.advance(60)
            #expect(try await server.send("POST /v1/events/tickets", token: ana).status == 200)
        }
    }

    @Test("A stream ends with the token that its ticket stands for") func expiry() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", nil)])
            let brief = keys.own(#""scope":"person","sub":"ana""#, exp: TestKeys.now + 1)
            let ticket = try await ticket(server, brief)
            for (address, headers) in [
                ("/v1/events?ticket=\(ticket)", [:]), ("/v1/events", ["authorization": "Bearer \(brief)"]),
            ] {
                var stream = try await EventSource(server, address, headers: headers)
                #expect(await stream.ends())
            }
        }
    }

    @Test("A page of an allowed origin follows with a ticket") func allowedOrigin() async throws {
        let origins = try AllowedOrigins("https://app.example")
        try await withKeys {
            $0.origins = origins
        } _: { server, keys, _ in
            try await server.add([("ana", nil)])
            let origin = ["origin": "https://app.example", "authorization": "Bearer \(keys.person("ana"))"]
            let made = try await server.send("POST /v1/events/tickets", headers: origin)
            #expect(made.headers["access-control-allow-origin"] == ["https://app.example"])
            let ticket = try #require(made.body.firstMatch(of: #/"ticket":"([^"]+)"/#)?.1)
            let response = try await EventSource.open(
                server, "/v1/events?ticket=\(ticket)", headers: ["origin": "https://app.example"])
            #expect(response.status == .ok)
            #expect(response.headers["access-control-allow-origin"] == ["https://app.example"])
            let other = try await EventSource.open(
                server, "/v1/events?ticket=\(ticket)", headers: ["origin": "https://evil.example"])
            #expect(other.status == .forbidden)
        }
    }

    @Test("Pages of events are available as JSON lines") func jsonLines() async throws {
        try await withServer { server in
            try await server.add([("ana", nil), ("luis", nil)])
            let lines = ["accept": "application/x-ndjson"]
            try await server.send("PUT /v1/people/ana/friends/luis")
            try await server.send("PUT /v1/places/sol", #"{"kind":"store","name":"Sol"}"#)
            try await server.send("DELETE /v1/places/sol")
            let reply = try await server.send("GET /v1/events?cursor=0", headers: lines)
            #expect(reply.headers["content-type"] == ["application/x-ndjson"])
            #expect(reply.headers["vary"].contains { $0.contains("Accept") })
            let at = #""at":"2026-11-20T10:00:00Z""#
            #expect(
                reply.body == """
                    {"id":1,"type":"friend.asked",\(at),"person":"ana","other":"luis"}
                    {"id":2,"type":"place.created",\(at),"place":"sol"}
                    {"id":3,"type":"place.deleted",\(at),"place":"sol"}
                    {"cursor":"3"}

                    """)
            #expect(try await server.send("GET /v1/events?cursor=3", headers: lines).body == "{\"cursor\":\"3\"}\n")
            let unknown = try await server.send("GET /v1/events?cursor=1000", headers: lines).body
            #expect(unknown == "{\"reset\":true}\n{\"cursor\":\"3\"}\n", "\(unknown)")
        }
    }
}
