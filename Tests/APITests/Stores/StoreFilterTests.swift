import API
import Testing

/// Filters of stores by their own properties, besides their products.
@Suite struct StoreFilterTests {
    private static let stores = [
        ("sol", #""category":"shoes","tags":["vegan","repair"],"attributes":{"floors":1,"brand":"Sol"}"#),
        ("luna", #""category":"Outlet","tags":["kids"],"attributes":{"floors":3}"#),
        ("mar", #""category":"shoes","tags":["kids"],"attributes":{"floors":"2"}"#),
    ]

    /// Each store is farther away and cheaper than the one before.
    private func build(_ server: TestServer) async throws {
        try await server.send("PUT /v1/products/pump", #"{"name":"Pump","category":"pump"}"#)
        for (index, (id, members)) in Self.stores.enumerated() {
            let place = #"{"kind":"store","name":"\#(id)","lat":39.47,"lon":-0.37\#(index),\#(members)}"#
            #expect(try await server.send("PUT /v1/places/\(id)", place).status == 201)
            let stock = #"{"price":\#(5000 - 100 * index),"currency":"EUR","quantity":1}"#
            #expect(try await server.send("PUT /v1/stores/\(id)/stock/pump", stock).status == 201)
        }
    }

    private static let here = "lat=39.47&lon=-0.37"
    private static let rows = [
        ("", ["sol", "luna", "mar"]), ("&store.category=SHOES", ["sol", "mar"]),
        ("&store.category=shoes,outlet", ["sol", "luna", "mar"]), ("&store.category=food", []),
        ("&tag=kids", ["luna", "mar"]), ("&tag=vegan&tag=kids", ["sol", "luna", "mar"]),
        ("&store.attr.floors.gte=2", ["luna", "mar"]), ("&store.attr.floors[lt]=2", ["sol"]),
        ("&store.attr.brand=sol", ["sol"]),
        ("&store.category=shoes&tag=kids&store.attr.floors=2&category=pump", ["mar"]), ("&tag=kids&category=boot", []),
    ]

    private func ids(_ body: String) -> [String] {
        body.matches(of: #/\{"id":"([a-z]+)","distance_m"/#).map { String($0.1) }
    }

    @Test("Filters select the right stores in every order") func filters() async throws {
        try await withServer { server in
            try await build(server)
            for (query, expected) in Self.rows {
                let address = "/v1/stores/nearest?\(Self.here)&fields=id,distance_m\(query)"
                let nearest = try await server.send("GET \(address)")
                #expect(nearest.status == 200 && ids(nearest.body) == expected, "\(query): \(nearest.body)")
                let cheapest = try await server.send("GET \(address)&within_m=9000&currency=EUR&sort=price")
                #expect(ids(cheapest.body) == expected.reversed(), "\(query): \(cheapest.body)")
                let bargains = try await server.send("GET \(address)&currency=EUR&sort=pareto")
                #expect(ids(bargains.body) == expected, "\(query): \(bargains.body)")
            }
        }
    }

    @Test("A batch has the filters too") func batch() async throws {
        try await withServer { server in
            try await build(server)
            let query =
                #"{"nearest":"stores","lat":39.47,"lon":-0.37,"fields":["id","distance_m"],"store.category":["shoes"],"tag":"kids","store.attr.floors.gte":2}"#
            let reply = try await server.send("POST /v1/query", #"{"queries":[\#(query)]}"#)
            #expect(ids(reply.body) == ["mar"], "\(reply.body)")
        }
    }

    @Test("A followed list removes a store that no longer matches") func followedList() async throws {
        try await withServer { server in
            try await build(server)
            var source = try await EventSource(server, "/v1/stores/nearest?\(Self.here)&fields=id&tag=vegan")
            #expect(try await source.next().type == "reset")
            #expect(try await source.next().data == #"{"id":"sol"}"#)
            try await server.send("PATCH /v1/places/sol", #"{"tags":["repair"]}"#)
            let gone = try await source.next()
            #expect(gone.type == "remove" && gone.data == #"{"id":"sol"}"#)
            source.close()
        }
    }

    @Test("Invalid filters of stores are refused") func invalidFilters() async throws {
        try await withServer { server in
            for name in ["store.kind", "store.tag", "kind", "owner"] {
                let reply = try await server.send("GET /v1/stores/nearest?\(Self.here)&\(name)=a")
                #expect(reply.status == 400 && reply.body.contains(#""code":"unknown_parameter""#), "\(reply.body)")
            }
            let bound = try await server.send("GET /v1/stores/nearest?\(Self.here)&store.attr.floors.gte=many")
            #expect(bound.status == 400 && bound.body.contains("must be one number"), "\(bound.body)")
        }
    }
}
