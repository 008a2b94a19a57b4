import API
import Geo
import NIOHTTP1
import Testing

/// Stock of stores.
@Suite struct StockTests {
    @Test("Only stores have stock") func storesOnly() async throws {
        try await withServer { server in
            let notFound =
                #"404 {"type":"about:blank","title":"Not Found","status":404,"code":"not_found","detail":"There is no store 'sol'.","instance":"…"}"#
            try await expect(
                [
                    Exchange(
                        "PUT /v1/places/sol", #"{"kind":"Störe","name":"Sol","lat":1,"lon":2}"#,
                        #"201 {"id":"sol","kind":"Störe","name":"Sol","lat":1,"lon":2}"#),
                    Exchange("PUT /v1/products/pump", #"{"name":"Pump"}"#, #"201 {"id":"pump","name":"Pump"}"#),
                    Exchange(
                        "PUT /v1/stores/sol/stock/pump", "{}", #"201 {"store":"sol","product":"pump","quantity":1}"#),
                    Exchange(
                        "GET /v1/stores/nearest?lat=1&lon=2&fields=id", nil, #"200 {"items":[{"id":"sol"}]}"#),
                    Exchange(
                        "GET /v1/stores/nearest?lat=1&lon=2&fields=id&product=pump", nil,
                        #"200 {"items":[{"id":"sol"}]}"#),
                    Exchange(
                        "PATCH /v1/places/sol", #"{"kind":"topic"}"#,
                        #"200 {"id":"sol","kind":"topic","name":"Sol","lat":1,"lon":2}"#),
                    Exchange("GET /v1/stores/nearest?lat=1&lon=2&fields=id", nil, #"200 {"items":[]}"#),
                    Exchange("GET /v1/stores/nearest?lat=1&lon=2&product=pump", nil, #"200 {"items":[]}"#),
                    Exchange("GET /v1/stores/sol/stock", nil, notFound),
                    Exchange("GET /v1/stores/sol/stock/pump", nil, notFound),
                    Exchange("PUT /v1/stores/sol/stock/pump", "{}", notFound),
                    Exchange("DELETE /v1/stores/sol/stock/pump", nil, notFound),
                ], of: server)
        }
    }

    @Test("A long stock is in order, and every read of it is short") func longStock() async throws {
        let monitor = WorkMonitor()
        try await withServer(monitor: monitor) { server in
            try await server.send("PUT /v1/places/sol", #"{"kind":"store","name":"Sol","lat":1,"lon":2}"#)
            let ids = (0..<6000).map { "p\($0 * 7919 % 6000)" }
            for (kind, rows) in [
                ("products", ids.map { #"{"id":"\#($0)","name":"P"}"# }),
                ("stock", ids.map { #"{"store":"sol","product":"\#($0)"}"# }),
            ] {
                let body = rows.joined(separator: "\n")
                try await server.send("POST /v1/imports/\(kind)", body, type: "application/x-ndjson")
            }
            monitor.reset()
            let reply = try await server.send("GET /v1/stores/sol/stock")
            #expect(reply.body.matches(of: #/"product":"(p\d+)"/#).map { String($0.1) } == ids.sorted())
            #expect(monitor.longest(.reading) <= WorkBudget.stepsPerRead)
        }
    }

    @Test("Stores are ordered by price or by the Pareto front of price and distance") func orders() async throws {
        try await withServer { server in
            var exchanges = [
                Exchange("PUT /v1/products/pump", #"{"name":"Pump"}"#, #"201 {"id":"pump","name":"Pump"}"#)
            ]
            for (id, lon, price) in [("near", 0, 90), ("dear", 1, 95), ("cheap", 2, 50), ("far", 3, 50)] {
                exchanges += [
                    Exchange(
                        "PUT /v1/places/\(id)", #"{"kind":"store","name":"S","lat":0,"lon":\#(lon)}"#,
                        #"201 {"id":"\#(id)","kind":"store","name":"S","lat":0,"lon":\#(lon)}"#),
                    Exchange(
                        "PUT /v1/stores/\(id)/stock/pump", #"{"price":\#(price),"currency":"EUR"}"#,
                        #"201 {"store":"\#(id)","product":"pump","price":\#(price),"currency":"EUR","quantity":1}"#),
                ]
            }
            func list(_ query: String, _ ids: String..., more: Bool = false) -> Exchange {
                let items = ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
                return Exchange(
                    "GET /v1/stores/nearest?lat=0&lon=0&fields=id\(query)", nil,
                    #"200 {"items":[\#(items)]\#(more ? #","truncated":true"# : "")}"#)
            }
            func refusal(_ query: String, _ detail: String) -> Exchange {
                Exchange(
                    "GET /v1/stores/nearest?lat=0&lon=0\(query)", nil,
                    #"400 {"type":"about:blank","title":"Bad Request","status":400,"code":"invalid_parameter","detail":"\#(detail)","instance":"…"}"#
                )
            }
            exchanges += [
                list("&sort=distance", "near", "dear", "cheap", "far"),
                list("&sort=price&currency=EUR&within_m=400000", "cheap", "far", "near", "dear"),
                list("&sort=price&currency=EUR&within_m=400000&limit=2", "cheap", "far", more: true),
                list("&sort=price&currency=EUR&within_m=200000", "near", "dear"),
                list("&sort=pareto&currency=EUR", "near", "cheap"),
                list("&sort=pareto&currency=EUR&limit=1", "near", more: true),
                list("&sort=pareto&currency=USD"),
                refusal("&sort=price&within_m=5", "sort=price compares prices: it needs 'currency'."),
                refusal(
                    "&sort=price&currency=EUR", "sort=price needs 'within_m', the radius to search for the cheapest."),
                Exchange(
                    "GET /v1/stores/nearest?lat=0&lon=0&sort=cheap", nil,
                    #"400 {"type":"about:blank","title":"Bad Request","status":400,"code":"invalid_parameter","detail":"'sort' is 'cheap'; must be distance, price or pareto.","instance":"…","errors":[{"pointer":"?sort","code":"format","detail":"must be distance, price or pareto"}]}"#
                ),
            ]
            try await expect(exchanges, of: server)
        }
    }

    @Test("A search that is cut off is marked as truncated") func truncation() async throws {
        try await withServer {
            $0.limits.scan = 1
        } _: { server in
            let rows = (0..<200).map { number in
                #"{"id":"s\#(number)","kind":"store","name":"S","lat":0,"lon":\#(Double(number) / 1000)}"#
            }
            let file = rows.joined(separator: "\n")
            let made = try await server.send("POST /v1/imports/places", file, type: "application/x-ndjson")
            #expect(made.body.contains(#""created":200,"#), "\(made.text)")
            let page = try await server.send("GET /v1/places/nearest?lat=0&lon=0&limit=100&fields=id")
            #expect(page.body.hasSuffix(#","truncated":true}"#), "\(page.body)")
            #expect(page.body.contains(#""cursor":"#))
        }
    }
}
