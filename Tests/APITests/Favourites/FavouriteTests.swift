import API
import Model
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

/// People's favorites.
@Suite struct FavouriteTests {
    private func populate(_ server: TestServer, _ keys: TestKeys) async throws {
        try await server.add(["ana", "eva", "luis"].map { ($0, nil) })
        for (line, body) in [
            ("PUT /v1/places/sol", #"{"kind":"recipe","name":"Sol"}"#),
            ("PUT /v1/places/luna", #"{"kind":"recipe","name":"Luna","lat":39.47,"lon":-0.376}"#),
            ("PUT /v1/products/pump", #"{"name":"Pump"}"#),
        ] { #expect(try await server.send(line, body, token: keys.service).status == 201) }
    }

    private func expect(_ rows: [(String, String)], by token: String, of server: TestServer) async throws {
        for (request, answer) in rows {
            #expect(try await server.send(request, token: token).text == answer, "\(request)")
        }
    }

    private func absent(_ what: String, _ id: String) -> String { CallerRows.absent(what, id) }

    @Test("The newest favorites come first, and pages continue") func order() async throws {
        let clock = Mutex(morning)
        try await withKeys(now: { clock.withLock { $0 } }) { server, keys, _ in
            try await populate(server, keys)
            let mine = "/v1/people/ana/favourites"
            for other in ["places/luna", "places/sol", "people/eva", "people/luis", "products/pump", "places/luna"] {
                #expect(try await server.send("PUT \(mine)/\(other)", token: keys.person("ana")).text == "204 ")
                clock.withLock { $0 = $0 + .seconds(1) }
            }
            let luna =
                #"{"id":"luna","kind":"recipe","name":"Luna","lat":39.47,"lon":-0.376,"created":"2026-11-20T10:00:00Z","favourites":1,"since":"2026-11-20T10:00:00Z"}"#
            let sol =
                #"{"id":"sol","kind":"recipe","name":"Sol","created":"2026-11-20T10:00:00Z","favourites":1,"since":"2026-11-20T10:00:01Z"}"#
            try await expect(
                [
                    ("GET \(mine)/places", #"200 {"items":[\#(sol),\#(luna)]}"#),
                    ("GET \(mine)/places?limit=1", #"200 {"items":[\#(sol)],"cursor":"…"}"#),
                    ("GET \(mine)/places/luna", "200 \(luna)"),
                    ("GET \(mine)/places/luna?fields=since", #"200 {"since":"2026-11-20T10:00:00Z"}"#),
                    (
                        "GET \(mine)/people",
                        #"200 {"items":[{"id":"luis","name":"Luis","since":"2026-11-20T10:00:03Z"},{"id":"eva","name":"Eva","since":"2026-11-20T10:00:02Z"}]}"#
                    ),
                    (
                        "GET \(mine)/products",
                        #"200 {"items":[{"id":"pump","name":"Pump","favourites":1,"since":"2026-11-20T10:00:04Z"}]}"#
                    ),
                    ("GET \(mine)/places/pump", absent("favourite", "pump")),
                    ("PUT \(mine)/places/pump", absent("place", "pump")),
                    ("PUT \(mine)/products/sol", absent("product", "sol")),
                    (
                        "PUT \(mine)/people/ana",
                        problem(422, "Unprocessable Content", "oneself", "The two must be different people.")
                    ),
                    (
                        "GET \(mine)/songs",
                        problem(
                            404, "Not Found", "not_found",
                            "There are no favorites of kind 'songs'; the kinds are people, places, products.")
                    ),
                    ("DELETE \(mine)/places/sol", "204 "), ("DELETE \(mine)/places/sol", "204 "),
                    ("GET \(mine)/places?fields=id", #"200 {"items":[{"id":"luna"}]}"#),
                ], by: keys.person("ana"), of: server)
            let first = try await server.send("GET \(mine)/people?limit=1&fields=id", token: keys.person("ana"))
            let cursor = try #require(first.body.firstMatch(of: #/"cursor":"([^"]+)"/#)?.1)
            try await expect(
                [
                    ("GET \(mine)/people?limit=1&fields=id&cursor=\(cursor)", #"200 {"items":[{"id":"eva"}]}"#),
                    (
                        "GET \(mine)/places?cursor=\(cursor)",
                        problem(
                            400, "Bad Request", "invalid_cursor",
                            "The cursor does not belong to this list, or is too old: start again without it.")
                    ),
                ], by: keys.person("ana"), of: server)
        }
    }

    /// A block hides in both directions, and deleted people are not reported either.
    @Test("A favorite across a block appears not to exist") func blocks() async throws {
        try await withKeys { server, keys, _ in
            try await populate(server, keys)
            let eva = "/v1/people/ana/favourites/people/eva"
            #expect(try await server.send("PUT \(eva)", token: keys.person("ana")).status == 204)
            for (blocker, other) in [("eva", "ana"), ("ana", "eva")] {
                let block = "/v1/people/\(blocker)/blocks/\(other)"
                #expect(try await server.send("PUT \(block)", token: keys.service).status == 204)
                try await expect(
                    [
                        ("GET /v1/people/ana/favourites/people", #"200 {"items":[]}"#),
                        ("GET \(eva)", absent("favourite", "eva")), ("PUT \(eva)", absent("person", "eva")),
                        ("DELETE \(eva)", absent("person", "eva")),
                    ], by: keys.person("ana"), of: server)
                #expect(try await server.send("DELETE \(block)", token: keys.service).status == 204)
                #expect(try await server.send("GET \(eva)", token: keys.person("ana")).status == 200)
            }
            #expect(try await server.send("DELETE /v1/people/eva", token: keys.service).status == 204)
            try await expect(
                [
                    ("GET /v1/people/ana/favourites/people", #"200 {"items":[]}"#),
                    ("GET \(eva)", absent("favourite", "eva")), ("PUT \(eva)", absent("person", "eva")),
                ], by: keys.person("ana"), of: server)
        }
    }

    @Test("Lists have counts of favorites, which do not change a document's tag") func counts() async throws {
        try await withKeys { server, keys, _ in
            try await populate(server, keys)
            let before = try await server.send("GET /v1/places/luna", token: keys.service)
            let tag = try #require(before.headers.first(name: "etag"))
            for who in ["ana", "luis"] {
                for what in ["places/luna", "products/pump", "people/eva"] {
                    let line = "PUT /v1/people/\(who)/favourites/\(what)"
                    #expect(try await server.send(line, token: keys.person(who)).status == 204)
                }
            }
            let after = try await server.send("GET /v1/places/luna", token: keys.service)
            #expect(after.headers.first(name: "etag") == tag && after.body == before.body)
            let two = #"200 {"items":[{"id":"luna","favourites":2}]}"#
            try await expect(
                [
                    ("GET /v1/places/luna?fields=id,favourites", #"200 {"id":"luna","favourites":2}"#),
                    ("GET /v1/places/sol?fields=id,favourites", #"200 {"id":"sol"}"#),
                    ("GET /v1/products/pump?fields=favourites", #"200 {"favourites":2}"#),
                    ("GET /v1/places?q=luna&fields=id,favourites", two),
                    ("GET /v1/places/nearest?lat=39.47&lon=-0.376&fields=id,favourites", two),
                    ("GET /v1/products?fields=id,favourites", #"200 {"items":[{"id":"pump","favourites":2}]}"#),
                    (
                        "GET /v1/people/eva",
                        #"200 {"id":"eva","name":"Eva","born":"1996-05-01","discoverable":true,"sharing":{"precision":"exact"}}"#
                    ),
                ], by: keys.service, of: server)
            let renamed = try await server.send(
                "PATCH /v1/places/luna", #"{"name":"Lluna"}"#,
                headers: ["authorization": "Bearer \(keys.service)", "if-match": tag])
            #expect(renamed.status == 200, "who is liked meanwhile can be edited still")
            #expect(try await server.send("DELETE /v1/people/luis", token: keys.service).status == 204)
            try await expect(
                [
                    ("GET /v1/places/luna?fields=favourites", #"200 {"favourites":1}"#),
                    ("DELETE /v1/places/luna", "204 "),
                    ("GET /v1/people/ana/favourites/places", #"200 {"items":[]}"#),
                    ("DELETE /v1/products/pump", "204 "),
                    ("GET /v1/people/ana/favourites/products", #"200 {"items":[]}"#),
                ], by: keys.service, of: server)
        }
    }
}
