import API
import NIOHTTP1
import Testing

/// The headers `ETag` and `If-None-Match` for lists of places.
@Suite struct PlaceListTagTests {
    private func withPlaces(_ body: (TestServer, TestKeys) async throws -> Void) async throws {
        try await withKeys { server, keys, _ in
            try await server.add(["ana", "eva", "luis"].map { ($0, nil) })
            for name in ["sol", "luna", "mar"] {
                let place = #"{"kind":"topic","name":"\#(name)","lat":39.47,"lon":-0.376,"owner":"ana"}"#
                #expect(try await server.send("PUT /v1/places/\(name)", place, token: keys.service).status == 201)
            }
            #expect(try await server.send("PUT /v1/people/ana/blocks/eva", token: keys.service).status == 204)
            try await body(server, keys)
        }
    }

    private func get(
        _ address: String, _ token: String, _ server: TestServer, tag: String? = nil, _ others: [String: String] = [:]
    ) async throws -> TestServer.Reply {
        var headers = others
        headers["authorization"] = "Bearer \(token)"
        headers["if-none-match"] = tag
        return try await server.send("GET \(address)", headers: headers)
    }

    private func tag(_ address: String, _ token: String, _ server: TestServer) async throws -> String {
        try #require(try await get(address, token, server).headers.first(name: "etag"))
    }

    @Test(
        "A page that the caller has is not sent",
        arguments: ["/v1/places", "/v1/places?limit=2", "/v1/places?sort=name&fields=id,open"])
    func notModified(address: String) async throws {
        try await withPlaces { server, keys in
            let first = try await get(address, keys.service, server)
            let tag = try #require(first.headers.first(name: "etag"))
            #expect(tag.hasPrefix("W/\""), "cursors differ, so the bytes do")
            let second = try await get(address, keys.service, server, tag: tag)
            #expect(second.status == 304 && second.body.isEmpty && second.headers["etag"] == [tag])
            #expect(second.headers.first(name: "vary")?.contains("Accept") ?? false)
            #expect(second.headers["content-type"] == [])
            #expect(try await get(address, keys.service, server, tag: #"W/"abc", "x""#).status == 200)
            let geo = try await get(address, keys.service, server, ["accept": "application/geo+json"])
            #expect(geo.headers["etag"] != [tag] && geo.status == 200)
            // The page continues with the cursor that it had.
            if let cursor = first.body.firstMatch(of: #/"cursor":"([^"]+)"/#)?.1 {
                let next = try await get("\(address)&cursor=\(cursor)", keys.service, server)
                #expect(next.body.contains(#""id":"sol""#), "\(next.body)")
                let link = first.headers.first(name: "link") ?? ""
                #expect(link.contains(cursor), "\(link)")
            }
        }
    }

    @Test("A change of a shown place changes the tag of its page") func changedPage() async throws {
        try await withPlaces { server, keys in
            var tags = [try await tag("/v1/places?limit=3", keys.service, server)]
            for (line, body) in [
                ("PATCH /v1/places/sol", #"{"name":"Sol"}"#), ("PUT /v1/people/eva/favourites/places/mar", nil),
                ("PATCH /v1/places/mar", #"{"owner":"luis"}"#),
                ("PUT /v1/places/old", #"{"kind":"topic","name":"Old"}"#), ("DELETE /v1/places/mar", nil),
            ] as [(String, String?)] {
                #expect(try await server.send(line, body, token: keys.service).status < 300)
                tags.append(try await tag("/v1/places?limit=3", keys.service, server))
            }
            #expect(Set(tags).count == tags.count, "\(tags)")
        }
    }

    @Test("A new cursor changes the tag, and a place behind the page does not") func cursors() async throws {
        try await withPlaces { server, keys in
            let address = "/v1/places?limit=3&sort=name"
            let before = try await tag(address, keys.service, server)
            #expect(try await tag(address, keys.service, server) == before)
            let beyond = #"{"kind":"topic","name":"zzz"}"#
            #expect(try await server.send("PUT /v1/places/zzz", beyond, token: keys.service).status == 201)
            let after = try await tag(address, keys.service, server)
            #expect(after != before, "the list goes on now")
            #expect(
                try await server.send("PATCH /v1/places/zzz", #"{"name":"zzzz"}"#, token: keys.service).status == 200)
            #expect(try await tag(address, keys.service, server) == after)
        }
    }

    @Test("A tag depends only on what its caller is shown") func visiblePlaces() async throws {
        try await withPlaces { server, keys in
            func tags() async throws -> [String] {
                var all: [String] = []
                for caller in ["luis", "eva", "ana"] {
                    all.append(try await tag("/v1/places", keys.person(caller), server))
                }
                return all
            }
            let before = try await tags()
            #expect(before[0] == before[1] && before[1] != before[2], "whose they are is told to Ana only: \(before)")
            for name in ["sol", "luna", "mar"] {
                let reply = try await server.send("PATCH /v1/places/\(name)", #"{"owner":"luis"}"#, token: keys.service)
                #expect(reply.status == 200)
            }
            let after = try await tags()
            #expect(after[1] == before[1], "to Eva nothing has changed")
            #expect(after[2] == before[1] && after[0] != before[0], "\(before), \(after)")
        }
    }

    @Test("Batches and explanations have no tag") func withoutTag() async throws {
        try await withPlaces { server, keys in
            let explained = try await get("/v1/places?explain=true", keys.service, server, tag: "*")
            #expect(explained.status == 200 && explained.headers["etag"] == [], "\(explained.text)")
            #expect(try await get("/v1/places?explain=false", keys.service, server, tag: "*").status == 304)
            let batch = try await server.send(
                "POST /v1/query", #"{"queries":[{"list":"places","limit":1}]}"#,
                headers: ["authorization": "Bearer \(keys.service)", "if-none-match": "*"])
            #expect(batch.status == 200 && batch.body.contains(#""id":"mar""#) && batch.headers["etag"] == [])
        }
    }

    @Test("A long page with a tag is compressed") func compression() async throws {
        try await withPlaces { server, keys in
            for number in 0..<9 {
                // Clients refuse answers with extreme compression ratios.
                let about = (0..<250).map { String(($0 + number * 1000) * 7919 % 10007) }.joined()
                let body = #"{"kind":"topic","name":"T\#(number)","address":"\#(about)"}"#
                #expect(try await server.send("PUT /v1/places/t\(number)", body, token: keys.service).status == 201)
            }
            let reply = try await get("/v1/places", keys.service, server, ["accept-encoding": "gzip"])
            #expect(reply.headers["content-encoding"] == ["gzip"])
            #expect(reply.headers.first(name: "etag")?.hasPrefix("W/") ?? false)
            #expect(reply.headers["vary"].joined().contains("Accept-Encoding"), "\(reply.headers)")
        }
    }
}
