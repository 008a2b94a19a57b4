import API
import Foundation
import Logging
import NIOHTTP1
import Storage
import Testing

/// What the log tells of requests, and what it keeps to itself.
@Suite struct RequestLogTests {
    /// The id of a request as its problem names it.
    private func id(_ reply: TestServer.Reply) throws -> String {
        String(try #require(reply.body.firstMatch(of: #/"urn:cerca:request:([0-9a-f]+)"/#)).1)
    }

    @Test func everyRequestIsToldByItsRouteAndNobodyByName() async throws {
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
            let told = log.lines(at: .debug).filter { $0.contains("milliseconds=") }
            let expected = [
                "GET /v1/people/{id} 404 code=not_found", "GET /v1/places/nearest 200",
                "GET /v1/places/nearest 429 code=too_many_requests",
                "GET /v1/people/{id}/history 401 code=invalid_token",
                "GET /v1/people/{id}/history 403 code=not_allowed", "GET NotFound 404 code=not_found",
                "PUT NotFound 405 code=method_not_allowed",
            ]
            #expect(told.count == expected.count)
            for ((line, beginning), reply) in zip(zip(told, expected), replies) {
                #expect(line.hasPrefix("\(beginning) milliseconds="))
                guard reply.status != 200 else { continue }
                let id = try id(reply)
                #expect(line.hasSuffix(" request=\(id)"))
            }
            let all = [.trace, .debug, .info, .notice, .warning, .error].flatMap { log.lines(at: $0) }
            for secret in ["luis", "ana", "eva", "secret", "39.47", keys.service, ana] {
                #expect(!all.contains { $0.contains(secret) }, "\(secret)")
            }
        }
        #expect(log.errors.isEmpty)
    }

    @Test func whatIsSlowIsToldToEverybody() async throws {
        let log = RecordedLog()
        try await withServer({ $0.patience = .zero }, logger: log.logger) { server in
            try await server.send("GET /livez")
            #expect(log.lines(at: .info).contains { $0.hasPrefix("GET /livez 200 milliseconds=") })
        }
    }

    @Test func aFaultOfOursIsToldWithTheIdThatItsProblemHas() async throws {
        let log = RecordedLog()
        try await withServer(logger: log.logger) { server in
            try server.store.close()
            let reply = try await server.send("PUT /v1/people/ana", "{}")
            let id = try id(reply)
            #expect(reply.status >= 500)
            #expect(log.lines(at: .error).contains { $0.contains("error=") && $0.hasSuffix(" request=\(id)") })
            let told = log.lines(at: .info).filter { $0.hasPrefix("PUT /v1/people/{id} 5") }
            #expect(told.count == 1 && told[0].hasSuffix(" request=\(id)"))
        }
    }

    @Test func whatAPhoneSaysThatNobodyCanReadIsToldWithItsSizeAndSum() async throws {
        let log = RecordedLog()
        try await withServer(logger: log.logger) { server in
            try await server.add(["ana"])
            let made = try await server.send("POST /v1/people/ana/devices", #"{"id":"phone"}"#)
            let token = try #require(made.body.firstMatch(of: #/"token":"([^"]+)"/#)).1
            #expect(try await server.send("POST /ingest/osmand?token=\(token)", "lat=a&lon=b").body == "unreadable\n")
            let told = try #require(log.lines(at: .notice).first)
            #expect(told.hasPrefix("a phone sent what cannot be read bytes=11 parts=1 protocol=osmand request="))
            #expect(told.contains(#/sha256=[0-9a-f]{16}$/#) && !told.contains(token))
        }
    }
}
