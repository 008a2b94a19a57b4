import API
import Foundation
import NIOHTTP1
import Testing

/// The callers of OGC API - Features, and the features that each of them sees.
@Suite struct OGCAccessTests {
    private func basic(_ token: String) -> [String: String] {
        ["authorization": "Basic \(Data("ana:\(token)".utf8).base64EncodedString())"]
    }

    @Test("Only reads below /ogc and /v1/tiles accept a token as a password, and only they ask for one")
    func passwords() async throws {
        try await OGCWorld.run { world in
            for (line, status) in [
                ("GET /ogc", 200), ("HEAD /ogc", 200), ("GET /ogc/collections/people/items", 200),
                ("GET /ogc/api", 200), ("GET /v1/tiles/shop.json", 200), ("GET /v1/tiles/shop/0/0/0.mvt", 200),
                ("POST /ogc", 405), ("PUT /ogc/collections/people/items/ana", 405), ("GET /v1/people/ana", 401),
                ("PUT /v1/people/ana", 401), ("DELETE /v1/people/ana", 401), ("GET /v1/places", 401),
                ("POST /v1/pings", 401),
            ] {
                for token in [world.keys.service, world.keys.reader] {
                    let body = line.hasPrefix("P") ? "{}" : nil
                    let reply = try await world.server.send(line, body, headers: basic(token))
                    #expect(reply.status == status, "\(line): \(reply.text)")
                    #expect(!reply.headers["www-authenticate"].contains(CallerRows.password), "\(line)")
                }
            }
            for (line, asks) in [("GET /ogc", true), ("GET /ogc/collections/x/items", true), ("GET /v1/places", false)]
            {
                for token in [nil, basic("wrong"), ["authorization": "Basic !"]] {
                    let reply = try await world.server.send(line, headers: token ?? [:])
                    #expect(reply.status == 401)
                    #expect(reply.headers["www-authenticate"].contains(CallerRows.password) == asks, "\(line)")
                }
            }
            #expect(try await world.server.send("GET /ogc", headers: basic("x:\(world.keys.service)")).status == 401)
        }
    }

    @Test("A person gets places without an owner and their own, and neither people nor history") func people()
        async throws
    {
        try await OGCWorld.run { world in
            let (ana, luis) = (world.keys.person("ana"), world.keys.person("luis"))
            for (token, kinds, shops) in [
                (ana, ["places_shop", "places_studio"], ["home", "edge", "zoo", "bar"]),
                (luis, ["places_shop"], ["edge", "zoo", "bar"]),
            ] {
                let page = try await world.object("/ogc/collections", token: token)
                let collections = try #require(page["collections"] as? [OGCWorld.Object])
                #expect(collections.map { $0["id"] as? String } == kinds)
                #expect(try await world.ids("places_shop/items?limit=2", token: token) == shops)
                let all = try await world.object("/ogc/collections/places_shop/items", token: token)
                #expect(all["numberMatched"] as? Int == shops.count)
                for path in ["people", "people/items", "people/items/ana", "history/items", "people/items/ghost"] {
                    let reply = try await world.get("/ogc/collections/\(path)", token: token)
                    #expect(reply.status == 404 && reply.body.contains("There is no collection"), "\(path)")
                }
            }
            for path in ["places_studio", "places_studio/items", "places_none/items"] {
                let reply = try await world.get("/ogc/collections/\(path)", token: luis)
                let id = path.prefix { $0 != "/" }
                #expect(reply.text == problem(404, "Not Found", "not_found", "There is no collection '\(id)'."))
            }
            for feature in ["home", "none", "mail"] {
                let reply = try await world.get("/ogc/collections/places_shop/items/\(feature)", token: luis)
                #expect(reply.text == CallerRows.absent("place", feature))
            }
        }
    }

    @Test("A collection of places ends with its last place that is public, or has a position") func ends() async throws
    {
        try await OGCWorld.run { world async throws in
            let (luis, service) = (world.keys.person("luis"), world.keys.service)
            func kinds(_ token: String) async throws -> [String] {
                let page = try await world.object("/ogc/collections", token: token)
                return try #require(page["collections"] as? [OGCWorld.Object]).compactMap { $0["id"] as? String }
            }
            for (line, form, visible) in [
                ("PUT /v1/places/new", #"{"kind":"stop","name":"Stop","lat":1,"lon":2}"#, true),
                ("PATCH /v1/places/new", #"{"owner":"ana"}"#, false),
                ("PATCH /v1/places/new", #"{"owner":null}"#, true),
                ("PATCH /v1/places/new", #"{"lat":null,"lon":null}"#, false),
                ("PATCH /v1/places/new", #"{"lat":1,"lon":2}"#, true),
                ("PATCH /v1/places/new", #"{"kind":"halt"}"#, false),
            ] {
                #expect([200, 201].contains(try await world.server.send(line, form, token: service).status))
                #expect(try await kinds(luis).contains("places_stop") == visible, "\(form)")
            }
            #expect(try await kinds(luis).contains("places_halt"))
            #expect(try await world.server.send("DELETE /v1/places/new", token: service).status == 204)
            #expect(try await !kinds(service).contains("places_halt"))
        }
    }

    @Test("Answers about people and their places are never cached, and others only privately") func caches()
        async throws
    {
        try await OGCWorld.run { world in
            for (path, control) in [
                ("/ogc", "private, no-cache"), ("/ogc/api", "private, no-cache"),
                ("/ogc/collections", "private, no-cache"),
                ("/ogc/collections/places_shop/items?category=food", "private, no-cache"),
                ("/ogc/collections/places_shop/items", "no-store"), ("/ogc/collections/people/items", "no-store"),
                ("/ogc/collections/history/items", "no-store"), ("/ogc/collections/people/items/ana", "no-store"),
            ] {
                let reply = try await world.get(path)
                #expect(reply.headers["cache-control"] == [control], "\(path)")
                #expect(reply.headers["vary"].joined(separator: ", ").contains("Authorization"), "\(path)")
            }
        }
    }

    @Test("Links begin with the public URL, or with the name by which the server was reached") func absoluteLinks()
        async throws
    {
        try await OGCWorld.run({ $0.publicURL = PublicURL("https://Cerca.example/maps/") }) { world in
            let page = try await world.object("/ogc/collections/places_shop/items?limit=1")
            for link in try OGCWorld.links(page) {
                #expect(link["href"]?.hasPrefix("https://cerca.example/maps/ogc/collections/places_shop") ?? false)
            }
            let api = try await world.object("/ogc/api")
            #expect((api["servers"] as? [[String: String]]) == [["url": "https://cerca.example/maps/ogc"]])
            let share = try await world.server.send(
                "POST /v1/people/ana/shares", #"{"for_s":60}"#, token: world.keys.service)
            #expect(share.body.contains(#""url":"https://cerca.example/maps/s/"#))
        }
        try await OGCWorld.run { world in
            let reply = try await world.get("/ogc/collections/places_shop/items?limit=1&f=json")
            let header = try #require(reply.headers["link"].first)
            let next = try #require(try OGCWorld.link("next", of: try OGCWorld.object(reply.body)))
            #expect(next.hasPrefix("\(world.server.base)/ogc/collections/places_shop/items?limit=1&f=json&cursor="))
            #expect(header.contains("<\(next)>; rel=\"next\"; type=\"application/geo+json\""))
        }
        for text in [
            "", "cerca.example", "ftp://cerca.example", "https://", "https://a@b", "https://a/?x", "https://a b",
        ] {
            #expect(PublicURL(text) == nil, "\(text)")
        }
    }
}
