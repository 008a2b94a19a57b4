import API
import Discovery
import Foundation
import Geo
import Model
import NIOHTTP1
import TestSupport
import Testing

/// Vector tiles of places: contents, access, caches and errors.
@Suite struct TileTests {
    private func put(
        _ server: TestServer, _ id: String, _ latitude: Double, _ longitude: Double, kind: String = "store",
        owner: String? = nil, category: String? = nil
    ) async throws {
        var place = Place(id: try ID(id), kind: kind, name: "Name of \(id)")
        place.coordinate = try Coordinate(latitude: latitude, longitude: longitude)
        place.owner = try owner.map { try ID($0) }
        place.category = category
        try await server.engine.perform(PutPlace(Write(place)), by: .service, at: morning)
    }

    /// The tile of Valencia.
    private static let valencia = "store/14/8174/6234"

    @Test("A tile has each place of its kind with its attributes") func contents() async throws {
        try await withServer { server in
            try await put(server, "sol", 39.4699, -0.3763, category: "shoes")
            try await put(server, "mar", 39.469, -0.377)
            try await put(server, "bar", 39.47, -0.3763, kind: "bar")
            try await put(server, "far", 40.4, -3.7)
            let reply = try await server.tile(Self.valencia)
            #expect(reply.status == 200)
            #expect(reply.headers["content-type"] == ["application/vnd.mapbox-vector-tile"])
            let tile = try DecodedTile(reply.body)
            #expect(tile.version == 2 && tile.extent == 4096 && tile.layer == "places")
            let points = tile.points.sorted { $0.attributes["id"] ?? "" < $1.attributes["id"] ?? "" }
            #expect(
                points.map(\.attributes) == [
                    ["id": "mar", "name": "Name of mar", "kind": "store"],
                    ["id": "sol", "name": "Name of sol", "kind": "store", "category": "shoes"],
                ])
            let map = try #require(MapTile(zoom: 14, x: 8174, y: 6234))
            let sol = try #require(map.position(of: try Coordinate(latitude: 39.4699, longitude: -0.3763)))
            #expect(points.last?.x == sol.x && points.last?.y == sol.y)
            #expect(try await server.points("ST%C3%94RE/0/0/0").count == 3, "case and accents are ignored")
            #expect(try await server.tile("none/0/0/0").body.isEmpty)
            #expect(try await server.tile("store/14/0/0").body.isEmpty)
        }
    }

    @Test("A full tile has clusters, whose counts add up to its places") func clusters() async throws {
        try await withServer { server in
            let places = try (0..<700).map { number in
                var place = Place(id: try ID("p\(number)"), kind: "store", name: "N")
                // Six hundred at one spot, the others apart.
                let step = Double(max(0, number - 600))
                place.coordinate = try Coordinate(
                    latitude: 30 + step / 5, longitude: 10 + step * (step == 99 ? 1.5 : 0.5))
                return Write(place)
            }
            try await server.engine.perform(PutPlaces(places), by: .service, at: morning)
            let points = try await server.points("store/0/0/0")
            #expect(points.count < 257)
            #expect(points.contains { $0.attributes["count"].flatMap { Int($0) } ?? 0 >= 600 })
            #expect(points.contains { $0.attributes["id"] != nil })
            #expect(points.allSatisfy { ($0.attributes["count"] == nil) == ($0.attributes["id"] != nil) })
            #expect(points.reduce(0) { $0 + (Int($1.attributes["count"] ?? "1") ?? 0) } == 700)
            let crowded = try #require(
                MapTile(containing: try Coordinate(latitude: 30, longitude: 10), zoom: 18))
            let deepest = try await server.points("store/18/\(crowded.x)/\(crowded.y)")
            #expect(deepest.map(\.attributes) == [["count": "601"]], "also at the deepest zoom")
        }
    }

    @Test("Owned places are in tiles of their owner and services only") func ownedPlaces() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", nil), ("eva", nil)])
            try await put(server, "open", 39.47, -0.376)
            try await put(server, "anas-home", 39.4701, -0.376, owner: "ana")
            func ids(_ token: String) async throws -> [String] {
                try await server.points(Self.valencia, token: token).compactMap { $0.attributes["id"] }.sorted()
            }
            for _ in 0..<2 {
                #expect(try await ids(keys.person("ana")) == ["anas-home", "open"])
                #expect(try await ids(keys.service) == ["anas-home", "open"])
                #expect(try await ids(keys.person("eva")) == ["open"])
            }
            let own = try await server.tile(Self.valencia, token: keys.person("ana"))
            #expect(own.headers["cache-control"] == ["no-store"] && own.headers["etag"].isEmpty)
            let others = try await server.tile(Self.valencia, token: keys.person("eva"))
            #expect(others.headers["cache-control"] == ["private, no-cache"])
            #expect(others.headers["vary"].contains { $0.contains("Authorization") })
            let acting = try await server.tile(
                Self.valencia, token: keys.service, headers: ["cerca-acting-as": "eva"])
            #expect(acting.body == others.body)
            // A kind that only owned places have is as unknown to others as any.
            try await put(server, "secret", 39.47, -0.376, kind: "hideout", owner: "ana")
            let (known, unknown) = (
                try await server.tile("hideout/0/0/0", token: keys.person("eva")),
                try await server.tile("nothing/0/0/0", token: keys.person("eva"))
            )
            #expect(known.body.isEmpty && known.headers["etag"] == unknown.headers["etag"])
            #expect(try await server.tile("store/0/0/0").status == 401)
        }
    }

    @Test("A tile is new after a change of a place in it, and otherwise not sent again") func changes() async throws {
        try await withServer { server in
            try await put(server, "sol", 39.47, -0.376)
            let first = try await server.tile(Self.valencia)
            let tag = try #require(first.headers["etag"].first)
            let again = try await server.tile(Self.valencia, headers: ["if-none-match": tag])
            #expect(again.status == 304 && again.body.isEmpty && again.headers["etag"] == [tag])
            try await put(server, "far", -33.87, 151.2)
            #expect(try await server.tile(Self.valencia, headers: ["if-none-match": tag]).status == 304)
            try await put(server, "sol", 39.4701, -0.376)
            let moved = try await server.tile(Self.valencia, headers: ["if-none-match": tag])
            #expect(moved.status == 200 && moved.body != first.body)
            let other = try #require(moved.headers["etag"].first)
            for change in [
                ("PATCH /v1/places/sol", #"{"name":"Luna"}"#), ("PATCH /v1/places/sol", #"{"kind":"bar"}"#),
            ] {
                #expect(try await server.send(change.0, change.1).status == 200)
                #expect(try await server.tile(Self.valencia, headers: ["if-none-match": other]).status == 200)
            }
            #expect(try await server.points(Self.valencia).isEmpty)
            #expect(try await server.points("bar/14/8174/6234").count == 1)
            #expect(try await server.send("DELETE /v1/places/sol").status == 204)
            #expect(try await server.points("bar/14/8174/6234").isEmpty)
        }
    }

    @Test(
        "A tile that cannot exist is refused with the range",
        arguments: [
            ("19/0/0", "'{z}' in the path is '19'; must be a whole number from 0 to 18."),
            ("-1/0/0", "'{z}' in the path is '-1'; must be a whole number from 0 to 18."),
            ("2/4/0", "'{x}' in the path is '4'; must be a whole number from 0 to 3 at zoom 2."),
            ("2/0/4", "'{y}' in the path is '4'; must be a whole number from 0 to 3 at zoom 2."),
            ("2/+1/0", "'{x}' in the path is '+1'; must be a whole number from 0 to 3 at zoom 2."),
            ("2/0/1.5", "'{y}' in the path is '1.5'; must be a whole number from 0 to 3 at zoom 2."),
        ])
    func refusals(_ path: String, _ detail: String) async throws {
        try await withServer { server in
            let reply = try await server.send("GET /v1/tiles/store/\(path).mvt")
            #expect(reply.text == problem(400, "Bad Request", "invalid_parameter", detail))
        }
    }

    @Test("A person is charged the same for a tile that is in the cache") func charges() async throws {
        let monitor = WorkMonitor()
        let keys = try TestKeys()
        defer { keys.remove() }
        try await withServer({ $0.rates.address.perSecond = 0 }, keys: try await keys.ring(), monitor: monitor) {
            server in
            try await server.add([("eva", nil)])
            for number in 0..<400 { try await put(server, "p\(number)", 39.47, -0.376) }
            var charges: [Int] = []
            for _ in 0..<2 {
                monitor.reset()
                _ = try await server.tile(Self.valencia, token: keys.person("eva"))
                charges.append(monitor.longest(.charge))
            }
            #expect(charges[0] == charges[1] && charges[0] > 4000)
            #expect(monitor.longest(.reading) < 100, "the second is not read again")
        }
    }
}
