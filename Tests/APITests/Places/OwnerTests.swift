import NIOHTTP1
import Testing

/// Owners of places, who are visible only to themselves and to services.
@Suite struct OwnerTests {
    /// Ana, who has blocked Eva, owns a store with stock, which both of them and Luis like.
    private func withStore(_ body: (TestServer, TestKeys) async throws -> Void) async throws {
        try await withKeys { server, keys, _ in
            try await server.add(["ana", "eva", "luis"].map { ($0, nil) })
            for (line, json) in [
                ("PUT /v1/places/sol", CallerRows.sol), ("PUT /v1/products/pump", CallerRows.pump),
                ("PUT /v1/stores/sol/stock/pump", #"{"quantity":2}"#),
            ] { #expect(try await server.send(line, json, token: keys.service).status == 201) }
            for person in ["ana", "eva", "luis"] {
                let line = "PUT /v1/people/\(person)/favourites/places/sol"
                #expect(try await server.send(line, token: keys.service).status == 204)
            }
            #expect(try await server.send("PUT /v1/people/ana/blocks/eva", token: keys.service).status == 204)
            try await body(server, keys)
        }
    }

    private static let here = "lat=39.47&lon=-0.376"
    private static let batch =
        #"{"queries":[{"place":"sol"},{"nearest":"places","lat":39.47,"lon":-0.376},{"nearest":"stores","lat":39.47,"lon":-0.376},{"list":"places"}]}"#

    /// Returns all requests whose answers contain a place.
    private static func answers(_ caller: String) -> [(line: String, body: String?)] {
        [
            "/v1/places/sol", "/v1/places/sol?fields=owner", "/v1/places", "/v1/places?sort=popularity&fields=id,owner",
            "/v1/places/nearest?\(here)", "/v1/stores/nearest?\(here)", "/v1/stores/nearest?\(here)&product=pump",
            "/v1/people/\(caller)/favourites/places", "/v1/people/\(caller)/favourites/places/sol",
        ].map { ("GET \($0)", nil) } + [("POST /v1/query", batch)]
    }

    @Test("A place's owner is visible to the owner and to services only") func visibility() async throws {
        try await withStore { server, keys in
            for accept in ["application/json", "application/geo+json"] {
                for caller in ["eva", "luis", "ana", "service"] {
                    let token = caller == "service" ? keys.service : keys.person(caller)
                    for (line, body) in Self.answers(caller == "service" ? "ana" : caller) {
                        let reply = try await server.send(
                            line, body, headers: ["authorization": "Bearer \(token)", "accept": accept])
                        #expect(reply.status == 200, "\(caller): \(line) \(reply.body)")
                        let reported = reply.body.contains(#""owner":"ana""#)
                        #expect(reported == ["ana", "service"].contains(caller), "\(caller): \(line) \(reply.body)")
                        #expect(reported || !reply.body.contains("ana"), "\(caller): \(line) \(reply.body)")
                    }
                }
            }
            for (caller, control) in [(keys.person("eva"), nil), (keys.person("ana"), "no-store")]
                as [(String, String?)]
            {
                let reply = try await server.send("GET /v1/places/sol", token: caller)
                #expect(reply.headers.first(name: "cache-control") == control, "for its owner only")
            }
            let alone = try await server.send("GET /v1/places/sol?fields=owner", token: keys.person("eva"))
            #expect(alone.text == "200 {}")
        }
    }

    @Test("The tag for others does not depend on the owner") func tagsOfOthers() async throws {
        try await withStore { server, keys in
            func tag(_ token: String) async throws -> String? {
                try await server.send("GET /v1/places/sol", token: token).headers.first(name: "etag")
            }
            let (others, services) = (try await tag(keys.person("luis")), try await tag(keys.service))
            #expect(try await tag(keys.person("ana")) == services && others != nil && others != services)
            #expect(try await server.send("DELETE /v1/people/ana", token: keys.service).status == 204)
            #expect(try await tag(keys.person("luis")) == others, "whose place it was nobody learns")
            #expect(try await tag(keys.service) != services)
            #expect(
                try await server.send("PATCH /v1/places/sol", #"{"name":"Luna"}"#, token: keys.service).status == 200)
            #expect(try await tag(keys.person("luis")) != others)
        }
    }

    @Test("A filter by another owner finds nothing") func filtersByOwner() async throws {
        try await withStore { server, keys in
            let nothing = #"200 {"items":[]}"#
            let sol = #"200 {"items":[{"id":"sol"}]}"#
            for (line, owned, others) in [
                ("/v1/places?fields=id", sol, nothing), ("/v1/places?fields=id&sort=popularity", sol, nothing),
                ("/v1/places?fields=id&q=sol", sol, nothing), ("/v1/places?fields=id&kind=store", sol, nothing),
                ("/v1/places/nearest?\(Self.here)&fields=id", sol, nothing),
                ("/v1/places/nearest?\(Self.here)&fields=id&q=sol&kind=store", sol, nothing),
                (
                    "/v1/places/facets?facet=kind", #"200 {"count":1,"facets":{"kind":[{"value":"store","count":1}]}}"#,
                    #"200 {"count":0,"facets":{"kind":[]}}"#
                ),
            ] {
                for (caller, owner, answer) in [
                    ("ana", "ana", owned), ("service", "ana", owned), ("eva", "ana", others), ("luis", "ana", others),
                    ("eva", "ghost", others), ("eva", "eva", others), ("service", "ghost", others),
                ] {
                    let token = caller == "service" ? keys.service : keys.person(caller)
                    let reply = try await server.send("GET \(line)&owner=\(owner)", token: token)
                    #expect(reply.text == answer, "\(caller): \(line)&owner=\(owner)")
                }
            }
            let batch =
                #"{"queries":[{"list":"places","owner":"ana","fields":"id"},{"nearest":"places","lat":39.47,"lon":-0.376,"owner":"ana","fields":"id"}]}"#
            let asked = try await server.send("POST /v1/query", batch, token: keys.person("eva"))
            #expect(asked.text == #"200 {"answers":[{"items":[]},{"items":[]}]}"#)
            let wrong = try await server.send("GET /v1/places?owner=a%20b", token: keys.person("eva"))
            #expect(wrong.status == 400, "what is no id is refused, whoever asks")
        }
    }

    /// A caller who sends back a document keeps the owner, and does not become the owner.
    @Test("An edit by the owner keeps the owner") func ownersEdit() async throws {
        try await withStore { server, keys in
            let read = try await server.send("GET /v1/places/sol", token: keys.person("ana"))
            #expect(try await server.send("PUT /v1/places/sol", read.body, token: keys.person("ana")).text == read.text)
            let patched = try await server.send("PATCH /v1/places/sol", #"{"name":"Sol 2"}"#, token: keys.person("ana"))
            #expect(patched.body.contains(#""owner":"ana""#))
            let others = try await server.send("GET /v1/places/sol", token: keys.person("luis"))
            #expect(!others.body.contains("owner"))
            for line in ["PUT", "PATCH"] {
                let reply = try await server.send("\(line) /v1/places/sol", others.body, token: keys.person("luis"))
                #expect(reply.text == CallerRows.notAllowed)
            }
        }
    }

    @Test("A person who makes a place must name themselves as owner") func newPlaces() async throws {
        try await withStore { server, keys in
            let ownerless = #"{"kind":"topic","name":"T"}"#
            let anothers = #"{"kind":"topic","name":"T","owner":"ana"}"#
            for document in [ownerless, anothers] {
                let reply = try await server.send("PUT /v1/places/new", document, token: keys.person("luis"))
                #expect(
                    reply.text
                        == problem(
                            403, "Forbidden", "not_allowed",
                            "A person who creates a place must be its 'owner'; services may create any place."))
                let old = try await server.send("PUT /v1/places/sol", document, token: keys.person("luis"))
                #expect(old.text == CallerRows.notAllowed, "what is another's is refused as ever")
            }
            let own = #"{"kind":"topic","name":"T","owner":"luis"}"#
            #expect(try await server.send("PUT /v1/places/new", own, token: keys.person("luis")).status == 201)
        }
    }
}
