import NIOHTTP1
import Testing

/// What stores have.
@Suite struct StockTests {
    @Test func onlyStoresHaveStock() async throws {
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
                    Exchange("DELETE /v1/stores/sol/stock/pump", nil, "204 "),
                ], of: server)
        }
    }
}
