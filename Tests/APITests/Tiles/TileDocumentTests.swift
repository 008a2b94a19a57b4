import API
import Foundation
import NIOHTTP1
import Testing

/// TileJSON and the style, as map libraries read them.
@Suite struct TileDocumentTests {
    private func object(_ server: TestServer, _ path: String, _ headers: [String: String] = [:]) async throws
        -> [String: Any]
    {
        let reply = try await server.send("GET \(path)", headers: headers)
        #expect(reply.status == 200 && reply.headers["content-type"] == ["application/json"])
        return try #require(try JSONSerialization.jsonObject(with: Data(reply.body.utf8)) as? [String: Any])
    }

    @Test("TileJSON has the absolute address of the tiles, by the host of the request") func tileJSON() async throws {
        try await withServer({ $0.hosts = ["maps.example"] }) { server in
            let json = try await object(server, "/v1/tiles/store.json")
            #expect(json["tilejson"] as? String == "3.0.0")
            #expect(json["tiles"] as? [String] == ["\(server.base)/v1/tiles/store/{z}/{x}/{y}.mvt"])
            #expect(json["minzoom"] as? Int == 0 && json["maxzoom"] as? Int == 18)
            let layers = try #require(json["vector_layers"] as? [[String: Any]])
            #expect(layers.map { $0["id"] as? String } == ["places"])
            let fields = try #require(layers[0]["fields"] as? [String: String])
            #expect(
                fields == ["id": "String", "name": "String", "kind": "String", "category": "String", "count": "Number"])
            let named = try await object(server, "/v1/tiles/r%C3%ADo%2Fa%20b.json", ["host": "maps.example:8443"])
            #expect(named["name"] as? String == "río/a b")
            #expect(
                named["tiles"] as? [String]
                    == ["http://maps.example:8443/v1/tiles/r%C3%ADo%2Fa%20b/{z}/{x}/{y}.mvt"])
            let foreign = try await server.send("GET /v1/tiles/store.json", headers: ["host": "evil.example"])
            #expect(foreign.status == 421)
        }
    }

    @Test("The style refers to its TileJSON, and each of its layers to a source") func style() async throws {
        try await withServer { server in
            let style = try await object(server, "/v1/tiles/store/style.json")
            #expect(style["version"] as? Int == 8)
            let sources = try #require(style["sources"] as? [String: [String: Any]])
            #expect(sources.keys.sorted() == ["places"])
            #expect(sources["places"]?["type"] as? String == "vector")
            #expect(sources["places"]?["url"] as? String == "\(server.base)/v1/tiles/store.json")
            let layers = try #require(style["layers"] as? [[String: Any]])
            #expect(layers.map { $0["id"] as? String } == ["ground", "clusters", "places"])
            for layer in layers.dropFirst() {
                #expect(layer["source"] as? String == "places" && layer["source-layer"] as? String == "places")
            }
        }
    }

    @Test("The style has the tiles of the map below the places") func base() async throws {
        let tiles = try MapTiles(
            "https://{s}.tiles.example/{z}/{x}/{y}{r}.png", attribution: "A & B", subdomains: "a,b", isOnLinks: false)
        try await withServer({ $0.tiles = tiles }) { server in
            let style = try await object(server, "/v1/tiles/store/style.json")
            let base = try #require((style["sources"] as? [String: [String: Any]])?["base"])
            #expect(
                base["tiles"] as? [String] == [
                    "https://a.tiles.example/{z}/{x}/{y}.png", "https://b.tiles.example/{z}/{x}/{y}.png",
                ])
            #expect(base["attribution"] as? String == "A &amp; B")
            let layers = try #require(style["layers"] as? [[String: Any]])
            #expect(layers.map { $0["id"] as? String } == ["ground", "base", "clusters", "places"])
        }
    }
}
