import NIOHTTP1
import Testing

/// Products that fit a person, by sizes and gender in the profile.
@Suite struct FittingTests {
    private func withShoes(_ body: (TestServer, TestKeys) async throws -> Void) async throws {
        try await withKeys { server, keys, _ in
            func put(_ path: String, _ body: String) async throws {
                let reply = try await server.send("PUT /v1/\(path)", body, token: keys.service)
                #expect(reply.status < 300, "\(reply.text)")
            }
            try await put("people/ana", #"{"sex":"female","attributes":{"size":"EU:37","sizes":["EU:37.5","eu:37"]}}"#)
            try await put("people/luis", #"{"sex":"male"}"#)
            try await put("people/eva", #"{"sex":"other","attributes":{"shoe_size":42,"sizeable":"43"}}"#)
            for (id, gender, size) in [
                ("w37", "female", "EU:37"), ("w40", "female", "EU:40"), ("u37", "unisex", "EU:37.5"),
                ("m37", "male", "EU:37"),
                ("m42", "male", "42"),
            ] {
                try await put("products/\(id)", #"{"name":"N","gender":"\#(gender)","sizes":["\#(size)"]}"#)
                try await put("places/s-\(id)", #"{"kind":"store","name":"S","lat":0,"lon":0}"#)
                try await put("stores/s-\(id)/stock/\(id)", #"{"sizes":{"\#(size)":1}}"#)
            }
            try await body(server, keys)
        }
    }

    private func items(_ ids: String...) -> String { ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",") }

    @Test("A size number matches the only size system in the catalog") func singleSystem() async throws {
        try await withShoes { server, keys in
            func found(_ size: String) async throws -> [String] {
                let wish = "fields=id&size=\(size)"
                return [
                    try await server.send("GET /v1/products?\(wish)", token: keys.service).text,
                    try await server.send("GET /v1/stores/nearest?lat=0&lon=0&\(wish)", token: keys.service).text,
                ]
            }
            func change(_ request: String, _ body: String = "") async throws {
                let reply = try await server.send(request, body, token: keys.service)
                #expect(reply.status < 300, "\(reply.text)")
            }
            let products = #"200 {"items":[\#(items("m37", "w37"))]}"#
            let stores = #"200 {"items":[\#(items("s-m37", "s-w37"))]}"#
            let nothing = [#"200 {"items":[]}"#, #"200 {"items":[]}"#]
            #expect(try await found("37") == [products, stores])
            #expect(try await found("42") == ["m42", "s-m42"].map { #"200 {"items":[\#(items($0))]}"# })
            #expect(try await found("UK:37") == nothing)
            // With a second system, in stock or of a product, the number 37 is ambiguous.
            try await change("PUT /v1/stores/s-w40/stock/w40", #"{"sizes":{"UK:6.5":1}}"#)
            #expect(try await found("37") == nothing)
            try await change("PUT /v1/stores/s-w40/stock/w40", #"{"sizes":{"EU:40":1}}"#)
            #expect(try await found("37") == [products, stores])
            try await change("PUT /v1/products/x", #"{"name":"N","sizes":["US:8"]}"#)
            #expect(try await found("37") == nothing)
            try await change("PUT /v1/products/x", #"{"name":"N","sizes":["EU:41"]}"#)
            #expect(try await found("37") == [products, stores])
            try await change("PUT /v1/stores/s-w40/stock/x", #"{"sizes":{"US:8":1}}"#)
            #expect(try await found("37") == nothing)
            try await change("DELETE /v1/products/x")
            #expect(try await found("37") == [products, stores])
            try await change("PUT /v1/products/y", #"{"name":"N","sizes":["US:8","EU:M"]}"#)
            try await change("DELETE /v1/products/y")
            #expect(try await found("37") == [products, stores])
            // Only a plain number is assumed to be in the system.
            try await change("PUT /v1/products/y", #"{"name":"N","sizes":["EU:M"]}"#)
            #expect(try await found("M") == nothing)
        }
    }

    @Test("Size and gender come from the profile unless the query has them") func profile() async throws {
        try await withShoes { server, keys in
            let ana = #""for":{"person":"ana","size":["EU:37","EU:37.5"],"gender":["female","unisex"]}"#
            let rows: [(String, String, String)] = [
                ("ana", "products?for=ana&fields=id", #"{"items":[\#(items("u37", "w37"))],\#(ana)}"#),
                (
                    "ana", "stores/nearest?lat=0&lon=0&for=ana&fields=id",
                    #"{"items":[\#(items("s-u37", "s-w37"))],\#(ana)}"#
                ),
                (
                    "ana", "products/facets?for=ana&facet=size",
                    #"{"count":2,"facets":{"size":[{"value":"EU:37","count":1},{"value":"EU:37.5","count":1},{"value":"EU:40","count":1}]},\#(ana)}"#
                ),
                (
                    "ana", "products?for=ana&fields=id&size=EU:40",
                    #"{"items":[\#(items("w40"))],"for":{"person":"ana","gender":["female","unisex"]}}"#
                ),
                (
                    "ana", "products?for=ana&fields=id&gender=male",
                    #"{"items":[\#(items("m37"))],"for":{"person":"ana","size":["EU:37","EU:37.5"]}}"#
                ),
                (
                    "luis", "products?for=luis&fields=id",
                    #"{"items":[\#(items("m37", "m42", "u37"))],"for":{"person":"luis","gender":["male","unisex"],"unknown":["size"]}}"#
                ),
                (
                    "eva", "products?for=eva&fields=id",
                    #"{"items":[\#(items("m42"))],"for":{"person":"eva","size":["42"],"unknown":["gender"]}}"#
                ),
            ]
            for (person, path, answer) in rows {
                for token in [keys.person(person), keys.service] {
                    let reply = try await server.send("GET /v1/\(path)", token: token)
                    #expect(reply.text == "200 \(answer)", "\(path)")
                    #expect(reply.headers.first(name: "cache-control") == "no-store", "\(path)")
                }
            }
            let batch = #"{"queries":[{"list":"products","for":"ana","fields":"id"}]}"#
            let answer = try await server.send("POST /v1/query", batch, token: keys.person("ana"))
            #expect(answer.text == #"200 {"answers":[{"items":[\#(items("u37", "w37"))],\#(ana)}]}"#)
        }
    }

    @Test("A person cannot query what fits another, whether known or not") func otherPeople() async throws {
        try await withShoes { server, keys in
            for path in ["products?", "products/facets?", "stores/nearest?lat=0&lon=0&"] {
                for id in ["ana", "nobody"] {
                    let reply = try await server.send("GET /v1/\(path)for=\(id)", token: keys.person("luis"))
                    #expect(reply.text == CallerRows.notAllowed, "\(path)")
                }
                let unknown = try await server.send("GET /v1/\(path)for=nobody", token: keys.service)
                #expect(unknown.text == CallerRows.absent("person", "nobody"))
                #expect(try await server.send("GET /v1/\(path)for=a%20b", token: keys.service).status == 400)
            }
        }
    }
}
