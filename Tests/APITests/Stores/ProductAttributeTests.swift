import API
import Foundation
import Testing

/// Attributes of products: filters, facets, and stock.
@Suite struct ProductAttributeTests {
    private static let bicycles = [
        ("alta", #""category":"bicycle","attributes":{"frame":"M","weight":9.4,"gears":["11","12"]}"#),
        ("baja", #""category":"bicycle","attributes":{"frame":"l","weight":"8.9","disc":true}"#),
        ("corta", #""category":"bicycle","attributes":{"frame":"S","weight":12}"#), ("casco", #""category":"helmet""#),
    ]
    private static let here = "lat=39.47&lon=-0.37"

    /// Each bicycle is in a store of its own, the next one a little farther away.
    private func withBicycles(_ body: (TestServer) async throws -> Void) async throws {
        try await withServer { server in
            for (index, (id, members)) in Self.bicycles.enumerated() {
                let product = #"{"name":"\#(id)",\#(members)}"#
                #expect(try await server.send("PUT /v1/products/\(id)", product).status == 201)
                let place =
                    #"{"kind":"store","name":"\#(id)","lat":39.47,"lon":-0.37\#(index),"attributes":{"frame":"wood"}}"#
                #expect(try await server.send("PUT /v1/places/s-\(id)", place).status == 201)
                let stock = #"{"price":\#(90_000 - 100 * index),"currency":"EUR","quantity":1}"#
                #expect(try await server.send("PUT /v1/stores/s-\(id)/stock/\(id)", stock).status == 201)
            }
            try await body(server)
        }
    }

    private static let rows = [
        ("attr.frame=M", ["alta"]), ("attr.frame=m,L", ["alta", "baja"]), ("attr.frame=XL", []),
        ("attr.weight.lte=9", ["baja"]), ("attr.weight.gt=8.9&attr.weight.lt=12", ["alta"]),
        ("attr.gears=12", ["alta"]), ("attr.disc=true", ["baja"]), ("attr.frame=wood", []),
        ("attr.weight.gte=1&category=helmet", []), ("attr.weight.lte=9&q=baja", ["baja"]),
    ]

    @Test("Filters by attributes select the same products in lists and in stock", arguments: rows)
    func filters(query: String, expected: [String]) async throws {
        try await withBicycles { server in
            func ids(_ line: String) async throws -> [String] {
                let reply = try await server.send(line)
                #expect(reply.status == 200, "\(reply.text)")
                return reply.body.matches(of: #/\{"id":"(?:s-)?([a-z]+)"\}/#).map { String($0.1) }
            }
            let listed = try await ids("GET /v1/products?fields=id&\(query)")
            #expect(listed == expected)
            let stores = "/v1/stores/nearest?\(Self.here)&fields=id&\(query)"
            let nearest = try await ids("GET \(stores)")
            #expect(nearest == expected)
            let cheapest = try await ids("GET \(stores)&currency=EUR&sort=price&within_m=9000")
            #expect(cheapest == expected.reversed())
            let (wooden, none) = (
                try await ids("GET \(stores)&store.attr.frame=wood"), try await ids("GET \(stores)&store.attr.frame=M")
            )
            #expect(wooden == expected && none == [])
        }
    }

    @Test("A batch filters by attributes like a single request") func batch() async throws {
        try await withBicycles { server in
            let queries = [
                #"{"list":"products","attr.frame":["M","S"],"attr.weight.lte":10,"fields":"id"}"#,
                #"{"nearest":"stores","lat":39.47,"lon":-0.37,"attr.disc":true,"store.attr.frame":"wood","fields":"id"}"#,
            ]
            let reply = try await server.send("POST /v1/query", #"{"queries":[\#(queries.joined(separator: ","))]}"#)
            #expect(reply.text == #"200 {"answers":[{"items":[{"id":"alta"}]},{"items":[{"id":"s-baja"}]}]}"#)
        }
    }

    @Test("A document keeps the types of its attributes") func document() async throws {
        try await withBicycles { server in
            try await expect(
                [
                    Exchange(
                        "GET /v1/products/alta", nil,
                        #"200 {"id":"alta","name":"alta","category":"bicycle","attributes":{"frame":"M","gears":["11","12"],"weight":9.4}}"#
                    ),
                    Exchange("GET /v1/products/casco?fields=attributes", nil, "200 {}"),
                    Exchange(
                        "PUT /v1/products/alta", #"{"name":"alta","category":"bicycle"}"#,
                        #"200 {"id":"alta","name":"alta","category":"bicycle"}"#),
                ], of: server)
            let nested = try await server.send("PUT /v1/products/x", #"{"name":"x","attributes":{"a":{"b":1}}}"#)
            #expect(nested.status == 400 && nested.body.contains(#""pointer":"/attributes/a""#), "\(nested.text)")
            let other = try await server.send("PUT /v1/products/x", #"{"name":"x","frame":"M"}"#)
            #expect(other.status == 400 && other.body.contains(#""pointer":"/frame""#), "\(other.text)")
        }
    }

    @Test("Facets count attributes and the alternatives to a filter") func facets() async throws {
        try await withBicycles { server in
            let m = #"{"value":"M","count":1}"#
            let (s, l) = (#"{"value":"S","count":1}"#, #"{"value":"l","count":1}"#)
            try await expect(
                [
                    Exchange(
                        "GET /v1/products/facets?attr.frame=M&facet=category,attr.frame,attr.weight", nil,
                        #"200 {"count":1,"facets":{"category":[{"value":"bicycle","count":1}],"attr.frame":[\#(m),\#(s),\#(l)],"attr.weight":[{"value":9.4,"count":1}]},"attributes":{"attr.frame":{"count":3},"attr.weight":{"count":1,"min":9.4,"max":9.4}}}"#
                    ),
                    Exchange(
                        "GET /v1/products/facets?attr.frame=M&attr.disc=true&facet=attr", nil,
                        #"200 {"count":0,"facets":{"attr.frame":[\#(l)]},"attributes":{"attr.frame":{"count":1}}}"#),
                    Exchange(
                        "GET /v1/products/facets?category=helmet&facet=attr.frame", nil,
                        #"200 {"count":1,"facets":{"attr.frame":[]},"attributes":{"attr.frame":{"count":0}}}"#),
                    Exchange(
                        "GET /v1/products/facets?category=helmet&facet=attr", nil, #"200 {"count":1,"facets":{}}"#),
                ], of: server)
            let all = try await server.send("GET /v1/products/facets")
            #expect(
                all.body.contains(#""currency":[],"attr.disc":[{"value":true,"count":1}],"attr.frame":["#),
                "\(all.text)")
        }
    }

    @Test("Invalid filters of attributes are refused") func invalidFilters() async throws {
        try await withServer { server in
            for name in ["attr.weight.gte", "store.attr.weight.gte"] {
                let bound = try await server.send("GET /v1/stores/nearest?\(Self.here)&\(name)=many")
                #expect(bound.status == 400 && bound.body.contains("'\(name)' is 'many'; must be one number"))
            }
            let unknown = try await server.send("GET /v1/products?store.attr.frame=M")
            #expect(unknown.body.contains(#""code":"unknown_parameter""#), "\(unknown.text)")
            let facet = try await server.send("GET /v1/products/facets?facet=attr.")
            #expect(facet.status == 400 && facet.body.contains("or attr.<name> (one)"), "\(facet.text)")
        }
    }
}
