import API
import Discovery
import Foundation
import Geo
import Model
import NIOHTTP1
import TestSupport
import Testing

/// Batches of queries: `POST /v1/query`.
@Suite struct QueryTests {
    /// Adds two people who are friends, two places, and a store with a product.
    private func fill(_ server: TestServer) async throws {
        try await server.add([("ana", try place(39.47, -0.3763)), ("luis", try place(39.48, -0.3763)), ("eva", nil)])
        for (line, body) in [
            ("PUT /v1/people/ana/friends/luis", nil), ("PUT /v1/people/luis/friends/ana", nil),
            ("PUT /v1/places/sol", #"{"kind":"store","name":"Sol","lat":39.47,"lon":-0.3763}"#),
            ("PUT /v1/places/mar", #"{"kind":"topic","name":"Mar","lat":39.46,"lon":-0.33,"tags":["a","b"]}"#),
            ("PUT /v1/products/pump", #"{"name":"Pump","colors":["red"],"price":5990,"currency":"EUR"}"#),
            ("PUT /v1/stores/sol/stock/pump", "{}"),
        ] as [(String, String?)] { #expect(try await server.send(line, body).status < 300, "\(line)") }
    }

    @Test("A batch ends when its client has left", arguments: [Wire.close, Wire.reset])
    func clientLeft(leave: @Sendable (Wire) -> () -> Void) async throws {
        try await withServer({ $0.pace.abandonment = .zero }) { server in
            let rows = (0..<3000).map { "p\($0),topic,N,\(39 + Double($0) / 3000),0" }
            let places = (["id,kind,name,lat,lon"] + rows).joined(separator: "\n")
            #expect(try await server.send("POST /v1/imports/places", places, type: "text/csv").status == 200)
            let query = #"{"nearest":"places","lat":39,"lon":0,"attr.a":"none"}"#
            let body = "{\"queries\":[\(Array(repeating: query, count: 100).joined(separator: ","))]}"
            let head = "POST /v1/query HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            let ended = #"cerca_http_requests_total{method="POST",route="/v1/query",status="4xx"}"#
            // A client may leave before its request is read, or after it is answered.
            for _ in 0..<100 {
                let wire = try Wire(server)
                try wire.send(Array("\(head)content-length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
                try await Task.sleep(for: .milliseconds(5))
                leave(wire)()
                try await Task.sleep(for: .milliseconds(5))
                if try await server.send("GET /metrics").body.contains(ended) { return }
            }
            Issue.record("each batch was answered whole")
        }
    }

    private func answers(_ body: String) throws -> [String] {
        let object = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        let answers = try #require(object?["answers"] as? [Any])
        return try answers.map {
            String(decoding: try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys), as: UTF8.self)
        }
    }

    /// The text without cursors and instances, which differ between requests.
    private func comparable(_ text: String) -> String {
        text.replacing(#/"instance":"[^"]+"/#, with: "").replacing(#/"cursor":"[^"]+"/#, with: #""cursor""#)
    }

    @Test("Each answer equals the answer to its GET") func equalsGET() async throws {
        let pairs = [
            (#"{"nearest":"places","lat":39.47,"lon":-0.3763}"#, "/v1/places/nearest?lat=39.47&lon=-0.3763"),
            (
                #"{"nearest":"places","lat":39.47,"lon":-0.3763,"limit":1,"tag":["b","c"],"fields":["id","lat"]}"#,
                "/v1/places/nearest?lat=39.47&lon=-0.3763&limit=1&tag=b,c&fields=id,lat"
            ),
            (
                #"{"nearest":"places","lat":0,"lon":0,"in":{"type":"Polygon","coordinates":[[[-1,39],[0,39],[0,39.465],[-1,39]]]}}"#,
                "/v1/places/nearest?lat=0&lon=0&in=%7B%22type%22:%22Polygon%22,%22coordinates%22:%5B%5B%5B-1,39%5D,%5B0,39%5D,%5B0,39.465%5D,%5B-1,39%5D%5D%5D%7D"
            ),
            (
                #"{"nearest":"places","lat":0,"lon":0,"bbox":[-1,39,0,39.465]}"#,
                "/v1/places/nearest?lat=0&lon=0&bbox=-1,39,0,39.465"
            ),
            (
                #"{"nearest":"stores","lat":1e-7,"lon":0,"color":"red","price_max":6000,"currency":"EUR"}"#,
                "/v1/stores/nearest?lat=0.0000001&lon=0&color=red&price_max=6000&currency=EUR"
            ),
            (#"{"nearest":"friends","person":"ana","limit":1}"#, "/v1/people/ana/friends/nearest?limit=1"),
            (#"{"nearest":"friends","person":"eva"}"#, "/v1/people/eva/friends/nearest"),
            (#"{"nearest":"strangers","person":"eva","age_max":40}"#, "/v1/people/eva/discovery?age_max=40"),
            (#"{"nearest":"strangers","person":"luis"}"#, "/v1/people/luis/discovery"),
            (#"{"position":"ana"}"#, "/v1/people/ana/position"), (#"{"position":"eva"}"#, "/v1/people/eva/position"),
            (#"{"position":"ana","at":"2026-11-20T09:55:00Z"}"#, "/v1/people/ana/position?at=2026-11-20T09:55:00Z"),
            (#"{"person":"ana","fields":"id,name"}"#, "/v1/people/ana?fields=id,name"),
            (#"{"place":"sol"}"#, "/v1/places/sol"), (#"{"place":"a b"}"#, "/v1/places/a%20b"),
            (#"{"product":"pump"}"#, "/v1/products/pump"), (#"{"list":"products"}"#, "/v1/products"),
            (#"{"nearest":"places","lat":139,"lon":-0.4}"#, "/v1/places/nearest?lat=139&lon=-0.4"),
            (#"{"nearest":"places","lat":1}"#, "/v1/places/nearest?lat=1"),
            (#"{"nearest":"places","lat":1,"lon":1,"q&a":true}"#, "/v1/places/nearest?lat=1&lon=1&q%26a=true"),
            (#"{"nearest":"places","lat":1,"lon":1,"kind":null}"#, "/v1/places/nearest?lat=1&lon=1"),
        ]
        try await withServer { server in
            try await fill(server)
            let body = #"{"queries":[\#(pairs.map(\.0).joined(separator: ","))]}"#
            let reply = try await server.send("POST /v1/query", body)
            #expect(reply.status == 200 && reply.headers.first(name: "cache-control") == "no-store")
            let answers = try answers(reply.body)
            #expect(answers.count == pairs.count)
            for (answer, pair) in zip(answers, pairs) {
                let own = try await server.send("GET \(pair.1)").body
                let expected = try self.answers(#"{"answers":[\#(own)]}"#)[0]
                #expect(comparable(answer) == comparable(expected), "\(pair.0)")
            }
        }
    }

    /// The searches scan more than one part holds.
    @Test("Searches of several parts have equal answers in a batch and alone") func severalParts() async throws {
        try await withServer { server in
            let places = try (0..<12_000).map { number in
                var place = Place(id: try ID("p\(number)"), kind: "store", name: "P\(number)")
                place.coordinate = try Coordinate(latitude: 39 + Double(number) / 12_000, longitude: 0)
                place.attributes = ["rare": .flag(number % 4000 == 1)]
                return Write(place)
            }
            try await server.engine.perform(PutPlaces(places), by: .service, at: morning)
            let products = try (0..<12_000).map { number in
                var product = Product(id: try ID("q\(number)"), name: "Q")
                product.brand = number == 7000 ? "Horma" : nil
                return Write(product)
            }
            try await server.engine.perform(PutProducts(products), by: .service, at: morning)
            let asked = [
                (
                    #"{"list":"places","attr.rare":true,"fields":"id"}"#, "/v1/places?attr.rare=true&fields=id",
                    #"{"items":[{"id":"p8001"},{"id":"p4001"},{"id":"p1"}]}"#
                ),
                (
                    #"{"nearest":"places","lat":39,"lon":0,"attr.rare":true,"fields":"id"}"#,
                    "/v1/places/nearest?lat=39&lon=0&attr.rare=true&fields=id",
                    #"{"items":[{"id":"p1"},{"id":"p4001"},{"id":"p8001"}]}"#
                ),
                (
                    #"{"facets":"places","facet":"attr"}"#, "/v1/places/facets?facet=attr",
                    #"{"count":12000,"facets":{"attr.rare":[{"value":false,"count":11997},{"value":true,"count":3}]},"attributes":{"attr.rare":{"count":12000}}}"#
                ),
                (
                    #"{"facets":"products","facet":"brand"}"#, "/v1/products/facets?facet=brand",
                    #"{"count":12000,"facets":{"brand":[{"value":"Horma","count":1}]}}"#
                ),
                (
                    #"{"list":"products","sort":"newest","limit":1,"fields":"id"}"#,
                    "/v1/products?sort=newest&limit=1&fields=id", #"{"items":[{"id":"q0"}],"cursor""#
                ),
            ]
            for (_, path, answer) in asked {
                let body = try await server.send("GET \(path)").body
                #expect(body.hasPrefix(answer), "\(path)")
            }
            let body = #"{"queries":[\#(asked.map(\.0).joined(separator: ","))]}"#
            let batch = comparable(try await server.send("POST /v1/query", body).body)
            let whole = asked.map(\.2).joined(separator: ",")
            #expect(batch == #"{"answers":[\#(whole)}]}"#)
        }
    }

    @Test("A cursor is valid in a batch and alone") func sharedCursor() async throws {
        try await withServer { server in
            try await fill(server)
            let first = try await server.send(
                "POST /v1/query", #"{"queries":[{"nearest":"places","lat":39.47,"lon":-0.37,"limit":1,"fields":"id"}]}"#
            )
            let cursor = try #require(first.body.firstMatch(of: #/"cursor":"([^"]+)"/#)?.1)
            let alone = try await server.send("GET /v1/places/nearest?lat=39.47&lon=-0.37&fields=id&cursor=\(cursor)")
            #expect(alone.text == #"200 {"items":[{"id":"mar"}]}"#)
            let again = try await server.send(
                "POST /v1/query",
                #"{"queries":[{"nearest":"places","lat":39.47,"lon":-0.37,"fields":"id","cursor":"\#(cursor)"}]}"#)
            #expect(again.text == #"200 {"answers":[{"items":[{"id":"mar"}]}]}"#)
        }
    }

    /// The work for areas is bounded per request, not per query.
    @Test("The total number of vertices in the areas of a batch is limited") func verticesOfAreas() async throws {
        try await withServer({ $0.limits.vertices = 4 }) { server in
            let area = #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}"#
            let query = #"{"list":"places","in":\#(area)}"#
            let batch = #"{"queries":[\#(Array(repeating: query, count: 8).joined(separator: ",")),{"place":"none"}]}"#
            let answers = try await server.send("POST /v1/query", batch).body
            #expect(answers.matches(of: #/"items":\[\]/#).count == 6, "\(answers)")
            #expect(answers.matches(of: #/"code":"batch_too_large"/#).count == 2)
            #expect(answers.contains("The areas of the queries up to this one have 42 vertices together"))
            #expect(answers.contains(#""code":"not_found""#))
        }
    }

    private let choice =
        #"has no query; must have one of \"clusters\":\"places\", \"facets\":\"places\", \"facets\":\"products\", \"list\":\"cities\", \"list\":\"people\", \"list\":\"places\", \"list\":\"products\", \"nearest\":\"friends\", \"nearest\":\"people\", \"nearest\":\"places\", \"nearest\":\"stores\", \"nearest\":\"strangers\", \"person\":<id>, \"place\":<id>, \"position\":<id>, \"product\":<id>"#

    private func fault(_ pointer: String, _ code: String, _ detail: String) -> String {
        #"{"type":"about:blank","title":"Bad Request","status":400,"code":"invalid_body","detail":"\#(pointer.isEmpty ? "the body" : pointer + ":") \#(detail)","instance":"…","errors":[{"pointer":"\#(pointer)","code":"\#(code)","detail":"\#(detail)"}]}"#
    }

    @Test("One bad query does not affect the others") func badQuery() async throws {
        let many = (0...100).map { "\"m\($0)\":1" }.joined(separator: ",")
        let bad = [
            ("{\(many)}", fault("/queries/0", "too_many", "has 101 members; may have at most 100")),
            (#"7"#, fault("/queries/0", "type", "is a number; must be an object")),
            (#"{}"#, fault("/queries/0", "required", choice)),
            (#"{"nearest":"bars","person":"ana"}"#, fault("/queries/0", "required", choice)),
            (#"{"nearest":"friends"}"#, fault("/queries/0/person", "required", "is required, the id as a string")),
            (#"{"position":7}"#, fault("/queries/0/position", "required", "is required, the id as a string")),
            (
                #"{"nearest":"places","lat":1,"lon":1,"a/b":[[1]]}"#,
                fault("/queries/0/a~1b", "type", "has an array or an object in an array")
            ),
            (
                #"{"place":"sol","product":"pump"}"#,
                #"{"type":"about:blank","title":"Bad Request","status":400,"code":"unknown_parameter","detail":"'product' is not a parameter here; known: fields.","instance":"…"}"#
            ),
        ]
        try await withServer { server in
            try await fill(server)
            for (query, problem) in bad {
                let reply = try await server.send(
                    "POST /v1/query", #"{"queries":[\#(query),{"place":"sol","fields":"id"}]}"#)
                #expect(reply.text == #"200 {"answers":[\#(problem),{"id":"sol"}]}"#, "\(query)")
            }
        }
    }

    @Test("Invalid batches are refused") func invalidBatches() async throws {
        try await withServer { server in
            let problem = { (pointer: String, code: String, detail: String) in
                "400 " + fault(pointer, code, detail)
            }
            try await expect(
                [
                    Exchange("POST /v1/query", "[]", problem("", "type", "is an array; must be an object")),
                    Exchange("POST /v1/query", "{}", problem("/queries", "required", "is required")),
                    Exchange(
                        "POST /v1/query", #"{"queries":{}}"#,
                        problem("/queries", "type", "is an object; must be an array of queries")),
                    Exchange(
                        "POST /v1/query", #"{"queries":[],"limit":1}"#,
                        problem("/limit", "unknown", "is not a field here; known: queries")),
                    Exchange("POST /v1/query", #"{"queries":[]}"#, #"200 {"answers":[]}"#),
                ], of: server)
        }
    }

    @Test("A batch has limits of queries and of answers") func batchLimits() async throws {
        try await withServer { configuration in
            configuration.limits.queries = 3
            configuration.limits.answers = 20
        } _: { server in
            try await fill(server)
            let query = #"{"place":"sol","fields":"id,name"}"#
            let large = try await server.send("POST /v1/query", #"{"queries":[\#(query),\#(query),7,\#(query)]}"#)
            #expect(
                large.text
                    == #"413 {"type":"about:blank","title":"Content Too Large","status":413,"code":"batch_too_large","detail":"At most 3 queries are answered together.","instance":"…"}"#
            )
            let long = try await server.send("POST /v1/query", #"{"queries":[\#(query),\#(query)]}"#)
            #expect(
                long.text
                    == #"200 {"answers":[{"id":"sol","name":"Sol"},{"type":"about:blank","title":"Content Too Large","status":413,"code":"answer_too_large","detail":"The answers before this one have 25 bytes: send the rest in another request.","instance":"…"}]}"#
            )
        }
    }

    @Test("A long answer is compressed") func compression() async throws {
        try await withServer { server in
            try await fill(server)
            let queries = (0..<1000).map { #"{"nearest":"places","lat":\#($0 % 90),"lon":0,"limit":1}"# }.joined(
                separator: ",")
            let reply = try await server.send(
                "POST /v1/query", #"{"queries":[\#(queries)]}"#, headers: ["Accept-Encoding": "gzip"])
            #expect(reply.headers.first(name: "content-encoding") == "gzip")
            let plain = try await server.send("POST /v1/query", #"{"queries":[\#(queries)]}"#)
            #expect(try answers(plain.body).count == 1000)
        }
    }
}
