import API
import Discovery
import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// Explanations of searches with `explain`, and the callers who get them.
@Suite struct ExplainTests {
    private typealias Object = [String: Any]

    private func explanation(_ reply: TestServer.Reply) throws -> Object {
        #expect(reply.status == 200, "\(reply.text)")
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(reply.body.utf8)) as? Object)
        return try #require(answer["explain"] as? Object, "\(reply.text)")
    }

    /// Ana and her friend, and 500 stores, of which a tenth are bakeries and one sells a shoe.
    private func populate(_ server: TestServer, _ token: String) async throws {
        try await server.add([("ana", valencia), ("luis", valencia)])
        for (one, other) in [("ana", "luis"), ("luis", "ana")] {
            try await server.send("PUT /v1/people/\(one)/friends/\(other)", token: token)
        }
        let stores = (0..<500).map { number in
            #"{"id":"s\#(number)","kind":"store","name":"S","lat":\#(40 + Double(number) / 1000),"lon":-3.7,"category":"\#(number % 10 == 0 ? "bakery" : "bar")"}"#
        }
        for (kind, lines) in [
            ("places", stores), ("products", [#"{"id":"shoe","name":"Shoe"}"#]),
            ("stock", [#"{"store":"s499","product":"shoe","quantity":1}"#]),
        ] {
            let reply = try await server.send(
                "POST /v1/imports/\(kind)", lines.joined(separator: "\n"), token: token, type: "application/x-ndjson")
            #expect(reply.body.contains(#""created":\#(lines.count),"#), "\(reply.text)")
        }
    }

    private static let here = "lat=40&lon=-3.7"

    @Test("Services get explanations of searches") func searches() async throws {
        try await withKeys { server, keys, _ in
            try await populate(server, keys.service)
            for (address, ways, looked) in [
                ("/v1/places/nearest?\(Self.here)&limit=5", ["by_distance"], 5..<200),
                ("/v1/places/nearest?\(Self.here)&q=nothing", [], 0..<1),
                ("/v1/places/nearest?\(Self.here)&owner=ana", [], 0..<1),
                ("/v1/places?limit=3", ["in_order"], 3..<5), ("/v1/places?category=bakery", ["each"], 50..<51),
                ("/v1/places/facets?facet=kind", ["all"], 500..<501),
                ("/v1/stores/nearest?\(Self.here)&product=shoe", ["by_product"], 1..<2),
                ("/v1/stores/nearest?\(Self.here)&limit=2", ["by_distance"], 0..<600),
                ("/v1/products", ["all"], 1..<2), ("/v1/products/facets", ["all"], 1..<2),
                ("/v1/people/ana/friends/nearest?limit=1", ["each"], 1..<2),
            ] {
                let reported = try explanation(
                    await server.send(
                        "GET \(address)\(address.contains("?") ? "&" : "?")explain=true", token: keys.service))
                #expect(reported["ways"] as? [String] ?? [] == ways, "\(address): \(reported)")
                #expect(looked.contains(reported["looked_at"] as? Int ?? -1), "\(address): \(reported)")
                #expect(reported["parts"] as? Int == 1 && reported["cut_off"] == nil, "\(address): \(reported)")
                let (reading, whole) = (
                    reported["reading_ms"] as? Double ?? -1, reported["duration_ms"] as? Double ?? -1
                )
                #expect(reading >= 0 && whole >= reading, "\(address): \(reported)")
            }
            for address in ["/v1/people?q=ana", "/v1/people/ana/discovery", "/v1/cities?q=Mad"] {
                let reported = try explanation(
                    await server.send("GET \(address)&explain=true".replacing("y&", with: "y?"), token: keys.service))
                #expect(reported["ways"] == nil && reported["parts"] as? Int == 1, "\(address): \(reported)")
            }
        }
    }

    @Test("Reads of the file are explained by work and time") func workAndTime() async throws {
        try await withKeys { server, keys, _ in
            try await populate(server, keys.service)
            let luis = keys.person("luis")
            for address in [
                "/v1/nearby?\(Self.here)&within_m=1000&datetime=2020-01-01T00:00:00Z/..",
                "/v1/people/luis/history?limit=9",
                "/v1/people/luis/encounters?with=ana",
            ] {
                let reply = try await server.send("GET \(address)&explain=true", token: keys.service)
                let reported = try explanation(reply)
                #expect(Set(reported.keys) == ["steps", "duration_ms"], "\(address): \(reported)")
                let timing = try #require(reply.headers["server-timing"].first, "\(address)")
                #expect(timing.contains(#/^total;dur=[\d.]+$/#), "\(timing)")
                let plain = try await server.send("GET \(address)", token: keys.service)
                #expect(plain.headers["server-timing"].isEmpty && !plain.body.contains("explain"), "\(address)")
                guard !address.contains("nearby") else { continue }
                let refused = try await server.send("GET \(address)&explain=true", token: luis)
                #expect(refused.status == 403 && refused.body.contains("insufficient_scope"), "\(refused.text)")
                #expect(refused.headers["server-timing"].isEmpty)
            }
            let search = try await server.send("GET /v1/places?explain=true", token: keys.service)
            let timing = try #require(search.headers["server-timing"].first)
            #expect(timing.contains(#/^read;dur=[\d.]+, total;dur=[\d.]+$/#), "\(timing)")
        }
    }

    @Test("A search that is cut off names the setting") func cutOff() async throws {
        try await withKeys {
            $0.limits.scan = 100
        } _: { server, keys, _ in
            try await populate(server, keys.service)
            let reported = try explanation(
                await server.send("GET /v1/places?open_now=true&explain=true", token: keys.service))
            #expect(
                reported["cut_off"] as? String == "limits.scan" && reported["looked_at"] as? Int == 100, "\(reported)")
        }
    }

    /// The amount of scanned data would reveal what people are not shown.
    @Test("People get no explanations") func persons() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", valencia)])
            let line = "GET /v1/places/nearest?\(Self.here)&explain=true"
            let refusal = problem(
                403, "Forbidden", "insufficient_scope",
                "'explain' is for services: the amount of work reveals what you may not see.")
            #expect(try await server.send(line, token: keys.person("ana")).text == refusal)
            let acting = ["authorization": "Bearer \(keys.service)", "cerca-acting-as": "ana"]
            #expect(try await server.send(line, headers: acting).text == refusal)
            let query = #"{"queries":[{"nearest":"places","lat":40,"lon":-3.7,"explain":true}]}"#
            let batch = try await server.send("POST /v1/query", query, token: keys.person("ana"))
            #expect(batch.body.contains(#""code":"insufficient_scope""#) && !batch.body.contains("steps"), "\(batch)")
            #expect(
                try await server.send(line.replacing("true", with: "false"), token: keys.person("ana")).status == 200)
            #expect(try await server.send(line, token: keys.service).headers["cache-control"] == ["no-store"])
        }
    }

    @Test("An explanation changes nothing else in an answer") func unchangedAnswer() async throws {
        try await withKeys { server, keys, _ in
            try await populate(server, keys.service)
            let line = "GET /v1/places/nearest?\(Self.here)&limit=2"
            let plain = try await server.send(line, token: keys.service)
            let explained = try await server.send("\(line)&explain=true", token: keys.service)
            #expect(explained.text.hasPrefix(plain.text.dropLast() + #","explain":{"#), "\(explained.text)")
            // A cursor is valid with and without.
            let cursor = try #require(explained.body.firstMatch(of: #/"cursor":"([^"]+)"/#)?.1)
            #expect(try await server.send("\(line)&cursor=\(cursor)", token: keys.service).status == 200)
            let geojson = try await server.send(
                "\(line)&explain=true",
                headers: ["authorization": "Bearer \(keys.service)", "accept": "application/geo+json"])
            #expect(try explanation(geojson)["parts"] as? Int == 1)
            let empty = try await server.send("GET /v1/products?brand=none&explain=true", token: keys.service)
            #expect(empty.body.hasPrefix(#"{"items":[],"explain":{"ways":["each"],"looked_at":0,"#), "\(empty)")
            let batch = try await server.send(
                "POST /v1/query", #"{"queries":[{"list":"places","explain":true,"limit":1},{"place":"s1"}]}"#,
                token: keys.service)
            #expect(batch.body.contains(#""explain":{"ways":["in_order"],"looked_at":"#), "\(batch)")
        }
    }
}
