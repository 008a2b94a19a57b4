import Discovery
import Geo
import Hours
import Laws
import Model
import TestSupport
import Testing

/// Places of a map, clustered by cells.
@Suite struct PlaceClusterTests {
    private func put(_ server: TestServer, _ places: [(id: String, kind: String, lat: Double, lon: Double)])
        async throws
    {
        for place in places {
            let body = #"{"kind":"\#(place.kind)","name":"N","lat":\#(place.lat),"lon":\#(place.lon)}"#
            #expect(try await server.send("PUT /v1/places/\(place.id)", body).status == 201)
        }
    }

    @Test("Answers of clusters are exact") func answers() async throws {
        try await withServer { server in
            try await put(
                server,
                [
                    ("a", "store", 39.47, -0.376), ("b", "store", 39.4702, -0.376), ("c", "bar", 40.4, -3.7),
                    ("far", "bar", -17, 179.9),
                ])
            #expect(try await server.send("PUT /v1/places/nowhere", #"{"kind":"bar","name":"N"}"#).status == 201)
            let lone = #"{"count":1,"lat":40.4,"lon":-3.7,"id":"c","kind":"bar","name":"N"}"#
            try await expect(
                [
                    Exchange(
                        "GET /v1/places/clusters?bbox=-10,30,10,50&zoom=8", nil,
                        #"200 {"items":[{"count":2,"lat":39.4701,"lon":-0.376},\#(lone)]}"#),
                    Exchange("GET /v1/places/clusters?bbox=-10,30,10,50&kind=bar", nil, #"200 {"items":[\#(lone)]}"#),
                    Exchange("GET /v1/places/clusters?bbox=-10,30,10,50&kind=topic", nil, #"200 {"items":[]}"#),
                    Exchange("GET /v1/places/clusters?bbox=0,30,10,50", nil, #"200 {"items":[]}"#),
                    Exchange(
                        "GET /v1/places/clusters?bbox=170,-20,-170,-10&zoom=3", nil,
                        #"200 {"items":[{"count":1,"lat":-17,"lon":179.9,"id":"far","kind":"bar","name":"N"}]}"#),
                ], of: server)
            let each = try await server.send("GET /v1/places/clusters?bbox=-0.377,39.469,-0.375,39.471&zoom=24")
            #expect(each.body.matches(of: #/"count":1/#).count == 2)
            let without = try await server.send("GET /v1/places/clusters")
            #expect(without.status == 400 && without.body.contains("'bbox' is required."))
            let map = try await server.send(
                "GET /v1/places/clusters?bbox=-10,30,10,50&zoom=8", headers: ["accept": "application/geo+json"])
            #expect(map.body.contains(#""properties":{"count":2}"#))
        }
    }

    /// Every place of the area is in one cluster for all filters, in parts of few steps, and the clusters are few.
    @Test("Clusters add up to the list", arguments: [0, 5, 10, 24]) func sums(zoom: Int) async throws {
        try await withServer { server in
            let middle = try Coordinate(latitude: 39.47, longitude: -0.376)
            var random = SeededGenerator(seed: 3)
            let places = try (0..<3000).map { number in
                var place = try Place(id: ID("p\(number)"), kind: number.isMultiple(of: 3) ? "bar" : "store", name: "N")
                place.coordinate = random.jittered(middle, metres: random.chance(0.5) ? 2000 : 300_000)
                place.tags = number.isMultiple(of: 100) ? ["rare"] : []
                return Write(place)
            }
            try await server.engine.perform(PutPlaces(places), by: .service, at: morning)
            let region = Region.box(try Box(west: -2, south: 38, east: 1, north: 40))
            var (bars, rare) = (PlaceFilter(), PlaceFilter())
            bars.kind = "bar"
            rare.tags = ["rare"]
            for filter in [PlaceFilter(), bars, rare] {
                let query = PlaceListQuery(filter, OpeningQuery(at: morning), in: nil, maxScan: .max)
                let expected = PlaceListQuery(filter, OpeningQuery(at: morning), in: region, maxScan: .max)
                let listing = PlaceListing(expected, by: .newest, after: nil, limit: 5000)
                let there = try await server.engine.readInParts(listing).page.items.count
                let clusters = server.engine.read { state in
                    var clusters = PlaceClusters(of: query, in: region, zoom: zoom)
                    while !clusters.look(at: state, steps: 50) {}
                    return clusters.items
                }
                #expect(clusters.reduce(0) { $0 + $1.count } == there && there > 20)
                #expect(clusters.count <= 6000)
                #expect(clusters.allSatisfy { ($0.count == 1) == ($0.place != nil) })
            }
        }
    }
}
