import API
import Discovery
import Foundation
import Model
import Synchronization
import TestSupport
import Testing

/// Ordered lists of products, and their facets.
@Suite struct ProductListTests {
    private static let catalogue = """
        id,brand,name,category,gender,colors,materials,sizes,price,currency
        a,Nike,Zoom,sneaker,male,red;black,mesh,EU:40;EU:41,9000,EUR
        b,nike,Áncora,sneaker,female,red,leather,EU:37,5000,EUR
        c,New Balance,Bota,boot,female,blue,,EU:37;EU:38,5000,EUR
        d,Brinquesa,zapato,pump,,red,leather,,7000,USD
        e,,Eco,,,,,,,

        """

    private func withCatalogue(_ body: (TestServer) async throws -> Void) async throws {
        try await withServer { server in
            let reply = try await server.send("POST /v1/imports/products", Self.catalogue, type: "text/csv")
            #expect(reply.text == #"200 {"rows":5,"created":5,"updated":0,"refused":[],"refused_count":0}"#)
            try await body(server)
        }
    }

    private func problem(_ detail: String, _ errors: String = "") -> String {
        #"400 {"type":"about:blank","title":"Bad Request","status":400,"code":"invalid_parameter","detail":"\#(detail)","instance":"…"\#(errors)}"#
    }

    private func bad(_ name: String, _ value: String, _ expected: String) -> String {
        problem(
            "'\(name)' is '\(value)'; must be \(expected).",
            #","errors":[{"pointer":"?\#(name)","code":"format","detail":"must be \#(expected)"}]"#)
    }

    @Test("Products are ordered by id, name, or price in one currency") func orders() async throws {
        try await withCatalogue { server in
            func list(_ query: String, _ ids: String, more: Bool = false) -> Exchange {
                let items = ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
                return Exchange(
                    "GET /v1/products?fields=id\(query)", nil,
                    #"200 {"items":[\#(items)]\#(more ? #","cursor":"…""# : "")}"#)
            }
            try await expect(
                [
                    list("", "abcde"), list("&sort=id&limit=2", "ab", more: true), list("&sort=name", "bceda"),
                    list("&sort=price&currency=EUR", "bca"), list("&sort=price_desc&currency=EUR", "abc"),
                    list("&sort=price&currency=USD", "d"),
                    list("&sort=price&currency=EUR&price_max=6000&color=red", "b"),
                    list("&sort=price&currency=JPY", ""),
                    Exchange(
                        "GET /v1/products?sort=price", nil, problem("sort=price compares prices: it needs 'currency'.")),
                    Exchange(
                        "GET /v1/products?sort=price_desc", nil,
                        problem("sort=price_desc compares prices: it needs 'currency'.")),
                    Exchange(
                        "GET /v1/products?sort=cheap", nil,
                        bad("sort", "cheap", "one of id, price, price_desc, name, newest, relevance")),
                    Exchange(
                        "POST /v1/query",
                        #"{"queries":[{"list":"products","sort":"price","currency":"EUR","fields":"id"}]}"#,
                        #"200 {"answers":[{"items":[{"id":"b"},{"id":"c"},{"id":"a"}]}]}"#),
                ], of: server)
        }
    }

    @Test("Pages continue where they ended, whatever is written in between") func pages() async throws {
        try await withCatalogue { server in
            for sort in [
                "sort=price&currency=EUR", "sort=price_desc&currency=EUR", "sort=name", "sort=newest", "sort=id",
                "q=e&sort=relevance", "q=zapato",
            ] {
                let whole = try await ids(server, "GET /v1/products?fields=id&\(sort)")
                var seen: [String] = []
                var cursor: String? = ""
                while let page = cursor {
                    let reply = try await server.send("GET /v1/products?fields=id&limit=1&\(sort)\(page)")
                    seen += Self.ids(in: reply.body)
                    cursor = reply.body.firstMatch(of: /"cursor":"([^"]+)"/).map { "&cursor=\($0.1)" }
                    // Changes before the cursor do not move what comes after it.
                    try await server.send("PUT /v1/products/0", #"{"name":"AA","price":1,"currency":"EUR"}"#)
                    try await server.send("DELETE /v1/products/0")
                }
                #expect(seen == whole, "\(sort)")
            }
            let cursor = try await server.send("GET /v1/products?sort=name&limit=1").body
            let sealed = try #require(cursor.firstMatch(of: /"cursor":"([^"]+)"/)).1
            #expect(try await server.send("GET /v1/products?sort=newest&limit=1&cursor=\(sealed)").status == 400)
        }
    }

    private static func ids(in body: String) -> [String] { body.matches(of: /"id":"([^"]+)"/).map { String($0.1) } }

    private func ids(_ server: TestServer, _ line: String) async throws -> [String] {
        Self.ids(in: try await server.send(line).body)
    }

    @Test("The newest product is the one made last, not written last, also after a restart")
    func newest() async throws {
        let seconds = Atomic(0)
        let now: @Sendable () -> Timestamp = { morning + .seconds(seconds.load(ordering: .relaxed)) }
        try await withServer(now: now) { server in
            for id in ["a", "b", "c"] {
                try await server.send("PUT /v1/products/\(id)", #"{"name":"A"}"#)
                seconds.add(60, ordering: .relaxed)
            }
            try await server.send("PUT /v1/products/a", #"{"name":"B"}"#)
            try await server.send("DELETE /v1/products/b")
            try await server.send("PUT /v1/products/b", #"{"name":"A"}"#)
            let expected =
                #"200 {"items":[{"id":"b","created":"2026-11-20T10:03:00Z"},{"id":"c","created":"2026-11-20T10:02:00Z"},{"id":"a","created":"2026-11-20T10:00:00Z"}]}"#
            #expect(try await server.send("GET /v1/products?sort=newest&fields=id,created").text == expected)
            let again = try Engine(store: server.store, gazetteer: gazetteer, rules: PingRules())
            var list = ProductListing(ProductFilter(), by: .newest, limit: 9)
            #expect(again.read { list.look(at: $0) })
            #expect(list.products.map(\.record.value.id.text) == ["b", "c", "a"])
        }
    }

    @Test("Facets count the results for each value, most frequent first") func facetCounts() async throws {
        try await withCatalogue { server in
            let all =
                #"{"count":5,"facets":{"brand":[{"value":"Nike","count":2},{"value":"Brinquesa","count":1},{"value":"New Balance","count":1}],"category":[{"value":"sneaker","count":2},{"value":"boot","count":1},{"value":"pump","count":1}],"gender":[{"value":"female","count":2},{"value":"male","count":1}],"color":[{"value":"red","count":3},{"value":"black","count":1},{"value":"blue","count":1}],"material":[{"value":"leather","count":2},{"value":"mesh","count":1}],"size":[{"value":"EU:37","count":2},{"value":"EU:38","count":1},{"value":"EU:40","count":1},{"value":"EU:41","count":1}],"currency":[{"value":"EUR","count":3,"price_min":5000,"price_max":9000},{"value":"USD","count":1,"price_min":7000,"price_max":7000}]}}"#
            func facets(_ query: String, _ answer: String) -> Exchange {
                Exchange("GET /v1/products/facets?\(query)", nil, "200 \(answer)")
            }
            try await expect(
                [
                    facets("", all),
                    // Colors are counted for sneakers of any color, other facets for red sneakers.
                    facets(
                        "category=sneaker&color=red&facet=color,category,gender",
                        #"{"count":2,"facets":{"category":[{"value":"sneaker","count":2},{"value":"pump","count":1}],"gender":[{"value":"female","count":1},{"value":"male","count":1}],"color":[{"value":"red","count":2},{"value":"black","count":1}]}}"#
                    ),
                    facets(
                        "currency=EUR&price_max=6000&facet=currency&facet=brand",
                        #"{"count":2,"facets":{"brand":[{"value":"New Balance","count":1},{"value":"nike","count":1}],"currency":[{"value":"EUR","count":3,"price_min":5000,"price_max":9000},{"value":"USD","count":1,"price_min":7000,"price_max":7000}]}}"#
                    ),
                    facets(
                        "facet=brand&brand_q=BAL%20ne",
                        #"{"count":5,"facets":{"brand":[{"value":"New Balance","count":1}]}}"#),
                    facets(
                        "facet=brand&brand_q=n&limit=1",
                        #"{"count":5,"facets":{"brand":[{"value":"Nike","count":2}]},"more":["brand"]}"#),
                    facets(
                        "q=bota&facet=brand", #"{"count":1,"facets":{"brand":[{"value":"New Balance","count":1}]}}"#),
                    facets("product=a,d&facet=category&brand=nobody", #"{"count":0,"facets":{"category":[]}}"#),
                    Exchange(
                        "GET /v1/products/facets?facet=shape", nil,
                        bad(
                            "facet", "shape",
                            "brand, category, gender, color, material, size, currency, attr (all attributes) or attr.<name> (one)"
                        )),
                    Exchange(
                        "GET /v1/products/facets?facet=size&brand_q=x", nil,
                        problem("'brand_q' is for the facet 'brand'.")),
                    Exchange(
                        "GET /v1/products/facets?brand_q=-", nil,
                        bad("brand_q", "-", "text with at least one letter or digit")),
                    Exchange(
                        "POST /v1/query",
                        #"{"queries":[{"facets":"products","facet":["material"],"gender":"female"}]}"#,
                        #"200 {"answers":[{"count":2,"facets":{"material":[{"value":"leather","count":1}]}}]}"#),
                ], of: server)
        }
    }
}
