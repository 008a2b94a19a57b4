import API
import AsyncHTTPClient
import Discovery
import Foundation
import Laws
import Model
import NIOHTTP1
import TestSupport
import Testing

/// Lists that clients follow.
@Suite(.timeLimit(.minutes(60))) struct LiveListTests {
    /// The items that a follower has received, by id.
    private struct Follower {
        private var source: EventSource
        private(set) var items: [String: String] = [:]

        init(_ server: TestServer, _ address: String, headers: [String: String] = [:]) async throws {
            source = try await EventSource(server, address, headers: headers)
            let reset = try await source.next()
            #expect(reset.type == "reset")
        }

        /// Applies one message.
        mutating func take() async throws {
            let event = try await source.next()
            let id = try #require(event.data.firstMatch(of: #/^\{"id":"([^"]+)"/#)).1
            switch event.type {
            case "put": items[String(id)] = event.data
            case "remove": #expect(items.removeValue(forKey: String(id)) != nil, "\(id) was not there")
            default: Issue.record("\(event)")
            }
        }

        /// Applies messages until the items equal an answer's items.
        mutating func follow(_ server: TestServer, _ address: String) async throws {
            let reply = try await server.send("GET \(address)")
            let answer = try LiveListTests.items(reply.body)
            while items != answer { try await take() }
        }

        func close() { source.close() }
    }

    /// The items of an answer by id.
    private static func items(_ body: String) throws -> [String: String] {
        let list = try #require(body.firstMatch(of: #/^\{"items":\[(.*)\](?:,"cursor":"[^"]*")?\}$/#)).1
        guard !list.isEmpty else { return [:] }
        let items = list.replacing("},{\"id\"", with: "}\n{\"id\"").split(separator: "\n").map(String.init)
        return try Dictionary(
            uniqueKeysWithValues: items.map { item in
                (String(try #require(item.firstMatch(of: #/^\{"id":"([^"]+)"/#)).1), item)
            })
    }

    @Test(
        "After any changes a followed list equals an answer",
        arguments: [
            "/v1/places?limit=5&sort=name", "/v1/places/nearest?lat=39.47&lon=-0.376&limit=4",
            "/v1/stores/nearest?lat=39.47&lon=-0.376&limit=3",
        ])
    func anyChanges(address: String) async throws {
        try await withServer { server in
            var random = SeededGenerator(seed: 7)
            func change() async throws {
                let name = "p\(random.integer(0...9))"
                guard !random.chance(0.3) else {
                    _ = try await server.send("DELETE /v1/places/\(name)")
                    return
                }
                let lat = 39.47 + random.number(-0.1..<0.1)
                try await server.send(
                    "PUT /v1/places/\(name)",
                    #"{"kind":"store","name":"N\#(random.integer(0...99))","lat":\#(lat),"lon":-0.376}"#)
            }
            for _ in 0..<10 { try await change() }
            var follower = try await Follower(server, address)
            try await follower.follow(server, address)
            for _ in 0..<6 {
                for _ in 0..<random.integer(1...5) { try await change() }
                try await follower.follow(server, address)
            }
            follower.close()
        }
    }

    @Test("Followed friends appear and disappear with their visibility") func friends() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", try place(39.47, -0.376)), ("luis", try place(39.48, -0.376))])
            try await server.add([("eva", try place(39.49, -0.376))])
            let authorization = ["authorization": "Bearer \(keys.person("ana"))"]
            var follower = try await Follower(server, "/v1/people/ana/friends/nearest", headers: authorization)
            try await server.engine.perform(MakeFriends(try ID("ana"), try ID("luis")), by: .service, at: morning)
            try await follower.take()
            #expect(follower.items.keys.sorted() == ["luis"])
            try await server.send("PUT /v1/people/luis/blocks/ana", token: keys.service)
            try await follower.take()
            #expect(follower.items.isEmpty)
            follower.close()
            let others = try await EventSource.open(
                server, "/v1/people/luis/friends/nearest", headers: authorization)
            #expect(others.status == .forbidden)
        }
    }

    @Test(
        "A list that cannot be followed is refused at once",
        arguments: [
            ("/v1/places?fields=name", "must contain id"), ("/v1/places?cursor=x", "without 'cursor'"),
            ("/v1/places/nearest?lat=139&lon=0", "must be from -90 to 90"),
        ])
    func refusals(address: String, detail: String) async throws {
        try await withServer { server in
            try await server.send("PUT /v1/places/sol", #"{"kind":"store","name":"Sol","lat":39.47,"lon":-0.376}"#)
            let reply = try await server.send("GET \(address)", headers: ["accept": "text/event-stream"])
            #expect(reply.status == 400 && reply.body.contains(detail), "\(reply.body)")
        }
    }

    @Test("A person follows lists up to a size, and a service longer ones") func size() async throws {
        try await withKeys {
            $0.rates.person.perSecond = 0
            $0.limits.followedOfPerson = 500
        } _: { server, keys, _ in
            try await server.add([("ana", nil)])
            let (person, service) = (["authorization": "Bearer \(keys.person("ana"))"], keys.service)
            func put(_ number: Int) async throws {
                let name = String(repeating: "n", count: 150)
                try await server.send(
                    "PUT /v1/places/p\(number)", #"{"kind":"store","name":"\#(name)"}"#, token: service)
            }
            for number in 0..<2 { try await put(number) }
            var stream = try await EventSource(server, "/v1/places", headers: person)
            for type in ["reset", "put", "put"] { #expect(try await stream.next().type == type) }
            try await put(2)
            #expect(await stream.ends(), "the page has become too long")
            let accept = person.merging(["accept": "text/event-stream"]) { $1 }
            let refused = try await server.send("GET /v1/places", headers: accept)
            #expect(refused.status == 413 && refused.body.contains("at most 500"), "\(refused.body)")
            for (address, headers) in [
                ("/v1/places?limit=2", person), ("/v1/places?fields=id", person),
                ("/v1/places", ["authorization": "Bearer \(service)"]),
            ] {
                let stream = try await EventSource(server, address, headers: headers)
                stream.close()
            }
        }
    }

    @Test("Each poll counts as a request") func polls() async throws {
        try await withKeys {
            $0.rates.person = Rate(perSecond: 1, saved: .seconds(2))
        } _: { server, keys, _ in
            try await server.add([("ana", nil)])
            let authorization = ["authorization": "Bearer \(keys.person("ana"))"]
            // Uses one of two saved requests, with a clock that stands still.
            var follower = try await Follower(server, "/v1/places", headers: authorization)
            try await server.send("PUT /v1/places/sol", #"{"kind":"store","name":"Sol"}"#, token: keys.service)
            try await follower.take()
            #expect(follower.items.count == 1)
            let refused = try await server.send("GET /v1/places", headers: authorization)
            #expect(refused.status == 429, "the look was the second")
            follower.close()
        }
    }
}
