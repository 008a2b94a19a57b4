import Discovery
import Model
import NIOHTTP1
import TestSupport
import Testing

/// Pages and formats of lists.
@Suite struct ListTests {
    @Test("GeoJSON has longitude before latitude") func geoJSON() async throws {
        try await withServer { server in
            try await server.send("PUT /v1/places/sol", #"{"kind":"store","name":"Sol","lat":39.47,"lon":-0.3763}"#)
            let reply = try await server.send(
                "GET /v1/places/nearest?lat=39.4699&lon=-0.3763", headers: ["Accept": "application/geo+json"])
            #expect(reply.headers.first(name: "content-type") == "application/geo+json")
            #expect(
                reply.text
                    == #"200 {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[-0.3763,39.47]},"properties":{"id":"sol","kind":"store","name":"Sol","distance_m":11.1,"bearing":0}}]}"#
            )
        }
    }

    @Test("Cursors lead through the whole list and nowhere else") func cursors() async throws {
        try await withServer { server in
            for number in 0..<25 {
                try await server.send(
                    "PUT /v1/places/p\(number)",
                    "{\"kind\":\"topic\",\"name\":\"x\",\"lat\":\(Double(number / 3) / 100),\"lon\":0}")
            }
            var path = "/v1/places/nearest?lat=0&lon=0&limit=4&fields=id"
            var found: [String] = []
            while true {
                let reply = try await server.send("GET \(path)")
                found += reply.body.matches(of: #/"id":"(p\d+)"/#).map { String($0.1) }
                guard let link = reply.headers.first(name: "link") else { break }
                #expect(link.hasSuffix(#">; rel="next""#))
                path = String(link.dropFirst().prefix { $0 != ">" })
            }
            #expect(found.count == 25 && Set(found).count == 25)
            let cursor = try #require(path.split(separator: "cursor=").last)
            let other = try await server.send("GET /v1/stores/nearest?lat=0&lon=0&cursor=\(cursor)")
            #expect(
                other.text
                    == #"400 {"type":"about:blank","title":"Bad Request","status":400,"code":"invalid_cursor","detail":"The cursor does not belong to this list, or is too old: start again without it.","instance":"…"}"#
            )
            let spoilt = (cursor.hasPrefix("A") ? "B" : "A") + cursor.dropFirst()
            let broken = try await server.send("GET /v1/places/nearest?lat=0&lon=0&cursor=\(spoilt)")
            #expect(broken.status == 400)
        }
    }

    @Test("A feature has only the requested properties") func featureProperties() async throws {
        try await withServer { server in
            try await server.send("PUT /v1/places/sol", #"{"kind":"store","name":"Sol","lat":39.47,"lon":-0.3763}"#)
            let reply = try await server.send(
                "GET /v1/places/nearest?lat=39.4699&lon=-0.3763&fields=id,lat,distance_m",
                headers: ["Accept": "application/geo+json"])
            #expect(
                reply.text
                    == #"200 {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[-0.3763,39.47]},"properties":{"id":"sol","distance_m":11.1}}]}"#
            )
        }
    }

    @Test("Items without a place are not features") func withoutPlace() async throws {
        try await withServer { server in
            try await server.add([("ana", nil)])
            try await server.send("PUT /v1/products/pump", #"{"name":"Pump"}"#)
            for path in ["/v1/people/ana/friends", "/v1/people/ana/blocks", "/v1/people/ana/matches", "/v1/products"] {
                let reply = try await server.send("GET \(path)", headers: ["Accept": "application/geo+json"])
                #expect(reply.headers.first(name: "content-type") == "application/json", "\(path)")
                #expect(reply.body.hasPrefix(#"{"items":["#), "\(path)")
            }
        }
    }

    @Test("Pages of friends keep the origin of the first page") func listOrigin() async throws {
        try await withServer { server in
            let names = (1...7).map { "f\($0)" }
            let ana = try PersonID("ana")
            try await server.add(
                [("ana", try place(10, 0))] + names.map { ($0, try place(10, Double($0.utf8.last ?? 0) / 100)) })
            for name in names {
                try await server.send("PUT /v1/people/ana/friends/\(name)")
                try await server.send("PUT /v1/people/\(name)/friends/ana")
            }
            var path = "/v1/people/ana/friends/nearest?limit=3&fields=id,distance_m"
            let whole = try await server.send("GET \(path.replacing("limit=3", with: "limit=50"))").body
            var items: [String] = []
            while true {
                let reply = try await server.send("GET \(path)")
                items += reply.body.matches(of: #/{"id":"f\d","distance_m":[\d.]+}/#).map { String($0.0) }
                guard let link = reply.headers.first(name: "link") else { break }
                path = String(link.dropFirst().prefix { $0 != ">" })
                let step = PingReport(
                    person: ana, time: morning - .seconds(600 - 60 * items.count),
                    place: try place(10, 0.5 + Double(items.count) / 100))
                try await server.engine.perform(Record([step]), by: .service, at: morning)
            }
            #expect(#"{"items":[\#(items.joined(separator: ","))]}"# == whole)
        }
    }

    @Test("A cursor is valid only for its own query") func foreignCursors() async throws {
        try await withServer { server in
            try await server.add([("ana", try place(10, 0)), ("eva", try place(10, 0)), ("luis", try place(10, 0))])
            for id in ["a", "b", "c"] {
                try await server.send("PUT /v1/places/\(id)", #"{"kind":"store","name":"x","lat":10,"lon":0}"#)
                try await server.send("PUT /v1/products/\(id)", #"{"name":"x","colors":["red","blue"]}"#)
                try await server.send("PUT /v1/stores/\(id)/stock/a", "{}")
            }
            for (seconds, longitude) in [(300, 0.01), (0, 0.02)] {
                let step = PingReport(
                    person: try ID("ana"), time: morning - .seconds(seconds), place: try place(10, longitude))
                try await server.engine.perform(Record([step]), by: .service, at: morning)
            }
            for (path, other) in [
                ("/v1/places/nearest?lat=0&lon=0", "/v1/places/nearest?lat=0&lon=1"),
                ("/v1/places/nearest?lat=0&lon=0&kind=store", "/v1/places/nearest?lat=0&lon=0"),
                ("/v1/stores/nearest?lat=0&lon=0", "/v1/stores/nearest?lat=0&lon=0&within_m=5"),
                ("/v1/products?color=red", "/v1/products?color=blue"),
                ("/v1/people/ana/history", "/v1/people/ana/history?datetime=../2026-11-21T00:00:00Z"),
                ("/v1/people/ana/discovery?within_m=100000", "/v1/people/ana/discovery?within_m=99999"),
                ("/v1/people/ana/discovery?within_m=100000", "/v1/people/eva/discovery?within_m=100000"),
            ] {
                func ask(_ path: String, _ rest: String) async throws -> TestServer.Reply {
                    try await server.send("GET \(path)\(path.contains("?") ? "&" : "?")\(rest)")
                }
                let first = try await ask(path, "limit=1&fields=\(path.contains("history") ? "t" : "id")")
                let cursor = try #require(
                    first.body.firstMatch(of: #/"cursor":"([^"]+)"/#)?.1, "\(path): \(first.body)")
                #expect(
                    first.headers.first(name: "link")?.contains("cursor=\(cursor)>; rel=\"next\"") == true, "\(path)")
                #expect(try await ask(path, "limit=50&cursor=\(cursor)").status == 200, "\(path)")
                let refused = try await ask(other, "cursor=\(cursor)")
                #expect(refused.status == 400 && refused.body.contains(#""code":"invalid_cursor""#), "\(other)")
            }
            let first = try await server.send("GET /v1/places/nearest?lat=0&lon=0&kind=store&limit=1")
            let cursor = try #require(first.body.firstMatch(of: #/"cursor":"([^"]+)"/#)?.1)
            let turned = try await server.send("GET /v1/places/nearest?kind=%73tore&cursor=\(cursor)&lon=0&lat=0")
            #expect(turned.status == 200, "the order and the coding of parameters say nothing")
        }
    }

    @Test("The last page has no cursor") func lastPage() async throws {
        try await withServer { server in
            try await server.add([("ana", try place(10, 0)), ("eva", nil), ("luis", nil)])
            try await server.send("PUT /v1/products/a", #"{"name":"x"}"#)
            try await server.send("PUT /v1/products/b", #"{"name":"x"}"#)
            for name in ["eva", "luis"] { try await server.send("PUT /v1/people/ana/blocks/\(name)") }
            try await expect(
                [
                    Exchange(
                        "GET /v1/people/ana/blocks?limit=2&fields=id", nil,
                        #"200 {"items":[{"id":"eva"},{"id":"luis"}]}"#),
                    Exchange(
                        "GET /v1/people/ana/blocks?limit=1&fields=id", nil,
                        #"200 {"items":[{"id":"eva"}],"cursor":"…"}"#),
                    Exchange(
                        "GET /v1/people/ana/history?limit=1&fields=lat", nil, #"200 {"items":[{"lat":10}]}"#),
                    Exchange("GET /v1/products?limit=2&fields=id", nil, #"200 {"items":[{"id":"a"},{"id":"b"}]}"#),
                    Exchange(
                        "GET /v1/products?limit=1&fields=id", nil, #"200 {"items":[{"id":"a"}],"cursor":"…"}"#),
                ], of: server)
        }
    }

    @Test("Long lists are compressed on request") func compression() async throws {
        try await withServer { server in
            for number in 0..<20 {
                try await server.send(
                    "PUT /v1/places/p\(number)", #"{"kind":"topic","name":"a name that is long","lat":0,"lon":0}"#)
            }
            let nearest = "GET /v1/places/nearest?lat=0&lon=0&limit=50"
            let plain = try await server.send(nearest, headers: ["Accept-Encoding": "identity"])
            let length = plain.body.utf8.count
            for (wanted, encoding) in [
                ("gzip", "gzip"), ("br, GZIP;q=0.5", "gzip"), ("*", "gzip"), ("x-gzip", "gzip"), ("gzip;q=0, *", nil),
                ("gzip; q=0.000", nil), ("br, deflate", nil), ("*;q=0", nil), ("identity", nil),
            ] as [(String, String?)] {
                let reply = try await server.send(nearest, headers: ["Accept-Encoding": wanted])
                #expect(reply.headers.first(name: "content-encoding") == encoding, "\(wanted)")
                #expect(reply.headers.first(name: "vary") == "Accept, Accept-Encoding", "\(wanted)")
                let sent = try #require(reply.headers.first(name: "content-length").flatMap { Int($0) })
                #expect(encoding == nil ? sent == length : sent < length / 4, "\(wanted)")
                #expect(reply.body == plain.body, "the client inflates it")
            }
            let word = String(repeating: "a", count: 100)
            let words = (0..<15).map { #""word\#($0)":"\#(word)""# }.joined(separator: ",")
            let long = try await server.send(
                "PUT /v1/places/long", #"{"kind":"topic","name":"Long","lat":0,"lon":0,"attributes":{\#(words)}}"#)
            #expect(long.status == 201, "\(long.text)")
            // The last has a strong tag of the uncompressed bytes.
            for other in [nearest + "&fields=id", "GET /v1/places/p1", "GET /v1/places/long"] {
                let reply = try await server.send(other, headers: ["Accept-Encoding": "gzip"])
                #expect(reply.headers.first(name: "content-encoding") == nil, "\(other)")
            }
        }
    }
}
