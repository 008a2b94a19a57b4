import Discovery
import NIOHTTP1
import Testing

/// The headers `ETag`, `If-Match`, and `If-None-Match` (RFC 9110, 13.1).
@Suite struct ConditionTests {
    private let sol = #"{"kind":"store","name":"Sol"}"#
    private let luna = #"{"kind":"store","name":"Luna"}"#

    @Test("Documents have revisions") func revisions() async throws {
        try await withServer { server in
            let made = try await server.send("PUT /v1/places/sol", sol, headers: ["If-None-Match": "*"])
            let tag = try #require(made.headers.first(name: "etag"))
            #expect(made.status == 201)
            #expect(try await server.send("GET /v1/places/sol", headers: ["If-None-Match": tag]).status == 304)
            #expect(try await server.send("PUT /v1/places/sol", sol, headers: ["If-None-Match": "*"]).status == 412)
            let changed = try await server.send("PUT /v1/places/sol", luna, headers: ["If-Match": tag])
            #expect(changed.status == 200 && changed.headers.first(name: "etag") != tag)
            #expect(
                try await server.send("PATCH /v1/places/sol", #"{"name":"Sol"}"#, headers: ["If-Match": tag]).status
                    == 412)
            #expect(try await server.send("DELETE /v1/places/sol", headers: ["If-Match": tag]).status == 412)
            #expect(try await server.send("DELETE /v1/places/sol", headers: ["If-Match": "*"]).status == 204)
            #expect(try await server.send("PUT /v1/places/sol", sol, headers: ["If-Match": "*"]).status == 412)
        }
    }

    @Test("An unsupported condition of a write is refused, even beside a supported one")
    func unsupportedCondition() async throws {
        try await withServer { server in
            let made = try await server.send("PUT /v1/places/sol", sol)
            let tag = try #require(made.headers.first(name: "etag"))
            let headers = ["If-Match": tag, "If-None-Match": tag]
            let reply = try await server.send("PUT /v1/places/sol", luna, headers: headers)
            #expect(reply.status == 400 && reply.body.contains("only 'If-None-Match: *'"))
            #expect(try await server.send("GET /v1/places/sol").body == made.body)
        }
    }

    @Test("A write happens if any tag of `If-Match` is the document's") func ifMatch() async throws {
        try await withServer { server in
            let tag = try #require(try await server.send("PUT /v1/places/sol", sol).headers.first(name: "etag"))
            let bare = tag.filter { $0 != "\"" }
            for (tags, status) in [
                ("\"zzz\"", 412), ("\"zzz\", \"yyy\"", 412), ("", 412), (bare, 412), ("\"\(bare)", 412),
                ("\"+\(bare)\"", 412), (tag.uppercased(), 412), ("x\(tag)", 412), ("\"W/\(bare)\"", 412),
                ("W/\(tag)", 412), ("w/\(tag)", 412), ("\"zzz\", \(tag)", 200), ("\(tag),W/\"a,b\"", 200), (tag, 200),
            ] {
                let reply = try await server.send("PUT /v1/places/sol", sol, headers: ["If-Match": tags])
                #expect(reply.status == status, "\(tags)")
            }
        }
    }

    @Test("A document is not sent if any tag of `If-None-Match` is its own") func ifNoneMatch() async throws {
        try await withServer { server in
            let tag = try #require(try await server.send("PUT /v1/places/sol", sol).headers.first(name: "etag"))
            for (tags, status) in [
                ("\"zzz\"", 200), ("w/\(tag)", 200), (tag.filter { $0 != "\"" }, 200),
                (tag, 304), ("W/\(tag)", 304), ("\"zzz\", W/\(tag)", 304), (" * ", 304),
            ] {
                let reply = try await server.send("GET /v1/places/sol", headers: ["If-None-Match": tags])
                #expect(reply.status == status, "\(tags)")
            }
        }
    }

    @Test("A write with tags in `If-None-Match` is refused") func tagsOfWrites() async throws {
        try await withServer { server in
            let tag = try #require(try await server.send("PUT /v1/places/sol", sol).headers.first(name: "etag"))
            for tags in [tag, "W/\(tag)", "\"zzz\"", "\"zzz\", *"] {
                for (line, body) in [
                    ("PUT /v1/places/sol", sol), ("PUT /v1/places/new", sol), ("DELETE /v1/places/sol", nil),
                    ("PATCH /v1/places/sol", #"{"name":"X"}"#),
                ] as [(String, String?)] {
                    let reply = try await server.send(line, body, headers: ["If-None-Match": tags])
                    #expect(
                        reply.text
                            == problem(
                                400, "Bad Request", "invalid_parameter", "A write supports only 'If-None-Match: *'."),
                        "\(line) \(tags)")
                }
            }
            #expect(server.engine.read { $0.counts.places } == 1)
        }
    }

    @Test("Stock has no revision and refuses conditions") func conditionsOfStock() async throws {
        try await withServer { server in
            try await server.send("PUT /v1/places/sol", sol)
            try await server.send("PUT /v1/products/pump", #"{"name":"Pump"}"#)
            let stock = "/v1/stores/sol/stock/pump"
            let made = try await server.send("PUT \(stock)", "{}")
            #expect(made.status == 201 && made.headers.first(name: "etag") == nil)
            for header in ["If-Match", "If-None-Match"] {
                for request in ["PUT \(stock)", "DELETE \(stock)"] {
                    let reply = try await server.send(request, "{}", headers: [header: "*"])
                    #expect(
                        reply.text
                            == #"400 {"type":"about:blank","title":"Bad Request","status":400,"code":"invalid_parameter","detail":"Stock has no revision: 'If-Match' and 'If-None-Match' cannot be used here.","instance":"…"}"#
                    )
                }
            }
            #expect(try await server.send("GET \(stock)").headers.first(name: "etag") == nil)
        }
    }
}
