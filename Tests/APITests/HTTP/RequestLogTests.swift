import API
import Foundation
import Logging
import NIOHTTP1
import Storage
import Testing

/// Log entries of requests, and the data that they must not contain.
@Suite struct RequestLogTests {
    /// The id of a request in its problem.
    private func id(_ reply: TestServer.Reply) throws -> String {
        String(try #require(reply.body.firstMatch(of: #/"urn:cerca:request:([0-9a-f]+)"/#)).1)
    }

    @Test("Every request is logged by its route, without names") func routes() async throws {
        let log = RecordedLog()
        let keys = try TestKeys()
        defer { keys.remove() }
        let ring = try await keys.ring()
        try await withServer({ $0.rates.person = Rate(perSecond: 1, saved: .zero) }, keys: ring, logger: log.logger) {
            server in
            let ana = keys.person("ana")
            let replies = [
                try await server.send("GET /v1/people/luis", token: keys.service),
                try await server.send("GET /v1/places/nearest?lat=39.47&lon=-0.376", token: ana),
                try await server.send("GET /v1/places/nearest?lat=39.47&lon=-0.376", token: ana),
                try await server.send("GET /v1/people/luis/history", token: "secret"),
                try await server.send("GET /v1/people/luis/history", token: keys.person("eva")),
                try await server.send("GET /v1/nothing/luis", token: keys.service),
                try await server.send("PUT /v1/people/luis/friends/nearest", token: keys.service),
            ]
            let metadata = log.lines(at: .debug).filter { $0.hasPrefix("answered ") }
            let expected: [(code: String?, method: String, route: String, status: Int)] = [
                ("not_found", "GET", "/v1/people/{id}", 404), (nil, "GET", "/v1/places/nearest", 200),
                ("too_many_requests", "GET", "/v1/places/nearest", 429),
                ("invalid_token", "GET", "/v1/people/{id}/history", 401),
                ("not_allowed", "GET", "/v1/people/{id}/history", 403), ("not_found", "GET", "none", 404),
                ("method_not_allowed", "PUT", "none", 405),
            ]
            #expect(metadata.count == expected.count)
            for ((line, row), reply) in zip(zip(metadata, expected), replies) {
                let id = try #require(reply.headers["x-request-id"].first)
                let words = line.replacing(#/ milliseconds=\d+/#, with: "")
                let code = row.code.map { " code=\($0)" } ?? ""
                #expect(
                    words
                        == "answered\(code) method=\(row.method) request=\(id) route=\(row.route) status=\(row.status)")
                if reply.status != 200 { #expect(try self.id(reply) == id) }
            }
            let all = [.trace, .debug, .info, .notice, .warning, .error].flatMap { log.lines(at: $0) }
            for secret in ["luis", "ana", "eva", "secret", "39.47", keys.service, ana] {
                #expect(!all.contains { $0.contains(secret) }, "\(secret)")
            }
        }
        #expect(log.errors.isEmpty)
    }

    @Test("A slow answer is logged as a warning") func slowAnswers() async throws {
        let log = RecordedLog()
        try await withServer({ $0.slowThreshold = .zero }, logger: log.logger) { server in
            try await server.send("GET /livez")
            #expect(
                log.lines(at: .warning).contains {
                    $0.hasPrefix("answered slowly method=GET") && $0.hasSuffix(" route=/livez status=200")
                })
        }
    }

    @Test("An internal error is logged with the request id of its problem") func internalErrors() async throws {
        let log = RecordedLog()
        try await withServer({ $0.slowThreshold = .seconds(600) }, logger: log.logger) { server in
            try server.store.close()
            let reply = try await server.send("PUT /v1/people/ana", "{}")
            let id = try id(reply)
            #expect(reply.status >= 500)
            #expect(log.lines(at: .error).contains { $0.contains("error=") && $0.hasSuffix(" request=\(id)") })
            let metadata = log.lines(at: .info).filter { $0.contains(" route=/v1/people/{id} status=5") }
            #expect(metadata.count == 1 && metadata[0].contains(" request=\(id)"))
        }
    }

    @Test(
        "A valid trace id is logged",
        arguments: [
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "4bf92f3577b34da6a3ce929d0e0e4736"),
            ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-comes", "4bf92f3577b34da6a3ce929d0e0e4736"),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", nil),
            ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", nil),
            ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", nil),
            ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", nil),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", nil),
            ("00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01", nil), ("", nil), ("----", nil),
        ])
    func traces(header: String, trace: String?) async throws {
        let log = RecordedLog()
        try await withServer(logger: log.logger) { server in
            try await server.send("GET /livez", headers: ["traceparent": header])
            let metadata = try #require(log.lines(at: .debug).first { $0.hasPrefix("answered ") })
            #expect(metadata.firstMatch(of: #/ trace=(\S+)/#).map { String($0.1) } == trace)
        }
    }

    @Test("An unreadable body of a phone is logged with its size and hash") func unreadablePhones() async throws {
        let log = RecordedLog()
        try await withServer(logger: log.logger) { server in
            try await server.add(["ana"])
            let made = try await server.send("POST /v1/people/ana/devices", #"{"id":"phone"}"#)
            let token = try #require(made.body.firstMatch(of: #/"token":"([^"]+)"/#)).1
            #expect(try await server.send("POST /ingest/osmand?token=\(token)", "lat=a&lon=b").body == "unreadable\n")
            let metadata = try #require(log.lines(at: .notice).first)
            let start =
                "a phone sent an unreadable message bytes=11 device=phone parts=1 person=ana protocol=osmand request="
            #expect(metadata.hasPrefix(start))
            #expect(metadata.contains(#/sha256=[0-9a-f]{16}$/#) && !metadata.contains(token))
        }
    }
}
