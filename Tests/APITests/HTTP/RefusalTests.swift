import API
import Discovery
import NIOHTTP1
import Testing

/// Every kind of bad input, with its explanation; refused input has no effect.
@Suite struct RefusalTests {
    private func badBody(_ pointer: String, _ code: String, _ detail: String) -> String {
        problem(
            400, "Bad Request", "invalid_body", pointer.isEmpty ? "the body \(detail)" : "\(pointer): \(detail)",
            #"{"pointer":"\#(pointer)","code":"\#(code)","detail":"\#(detail)"}"#)
    }

    @Test("Invalid bodies are refused and change nothing") func bodies() async throws {
        try await withServer { server in
            try await server.add([("ana", nil)])
            let before = server.engine.read { $0.canonicalDump }
            let swapped =
                "is 139.48; must be from -90 to 90; are lat and lon swapped?"
            try await expect(
                [
                    Exchange(
                        "POST /v1/pings", #"{"person":"ana","lat":91,"lon":170}"#,
                        badBody("/lat", "range", "is 91.0; must be from -90 to 90")),
                    Exchange(
                        "POST /v1/pings", #"{"person":"ana","lat":139.48,"lon":35.6}"#,
                        badBody("/lat", "exchanged", swapped)),
                    Exchange(
                        "POST /v1/pings", #"{"person":"ana","lat":1,"lon":-180.1}"#,
                        badBody("/lon", "range", "is -180.1; must be from -180 to 180")),
                    Exchange(
                        "POST /v1/pings", #"{"person":"ana","lat":"39.48","lon":1}"#,
                        badBody("/lat", "type", "is a string; must be a number")),
                    Exchange(
                        "POST /v1/pings", #"{"person":"ana","lat":true,"lon":1}"#,
                        badBody("/lat", "type", "is a boolean; must be a number")),
                    Exchange(
                        "POST /v1/pings", #"{"person":"ana","lat":1}"#, badBody("/lon", "required", "is required")),
                    Exchange("POST /v1/pings", #"{"lat":1,"lon":1}"#, badBody("/person", "required", "is required")),
                    Exchange(
                        "POST /v1/pings", #"{"person":"a b","lat":1,"lon":1}"#,
                        badBody("/person", "format", "has a space or a character that is not printable ASCII")),
                    Exchange(
                        "POST /v1/pings", #"{"person":"ana","lat":1,"lon":1,"latitude":1}"#,
                        badBody(
                            "/latitude", "unknown",
                            "is not a field here (did you mean 'lat'?); known: person, device, t, lat, lon, accuracy_m, altitude_m, speed_mps, heading, battery"
                        )),
                    Exchange(
                        "POST /v1/pings", #"{"person":"ana","lat":1,"long":1}"#,
                        badBody(
                            "/long", "unknown",
                            "is not a field here (did you mean 'lon'?); known: person, device, t, lat, lon, accuracy_m, altitude_m, speed_mps, heading, battery"
                        ).replacing("[{", with: #"[{"pointer":"/lon","code":"required","detail":"is required"},{"#)),
                    Exchange(
                        "POST /v1/pings", #"{"person":"ana","lat":1,"lon":1,"accuracy_m":-1}"#,
                        badBody("/accuracy_m", "range", "is -1.0; must be from 0.0 to 100000000.0")),
                    Exchange(
                        "POST /v1/pings", #"{"person":"ana","lat":1,"lon":1,"t":"2026-02-30T00:00:00Z"}"#,
                        badBody(
                            "/t", "format", "is not a time; must be RFC 3339, or seconds or milliseconds since 1970"
                        )),
                    Exchange(
                        "POST /v1/pings", #"{"person":"ana","lat":NaN,"lon":1}"#,
                        problem(
                            400, "Bad Request", "invalid_json",
                            "The text is not JSON: it has a value that is not JSON, at byte 22.")),
                    Exchange(
                        "POST /v1/pings", #"{"person":"ana","lat":1e999,"lon":1}"#,
                        problem(
                            400, "Bad Request", "invalid_json",
                            "The text is not JSON: it has a number that is too large, at byte 22.")),
                    Exchange(
                        "POST /v1/pings", #"{"person":"ana","lat":39.4"#,
                        problem(400, "Bad Request", "invalid_json", "The text is not JSON: it ends early, at byte 26.")),
                    Exchange("POST /v1/pings", #""ana""#, badBody("", "type", "is a string; must be an object")),
                    Exchange(
                        "POST /v1/pings", "",
                        problem(400, "Bad Request", "invalid_json", "The text is not JSON: it ends early, at byte 0.")),
                    Exchange(
                        "PUT /v1/people/ana", #"{"id":"luis"}"#,
                        badBody("/id", "mismatch", "is 'luis', but the path says 'ana'")),
                    Exchange(
                        "PUT /v1/people/ana", #"{"born":"1996-13-01"}"#,
                        badBody("/born", "format", "is '1996-13-01'; must be a day as yyyy-mm-dd")),
                    Exchange(
                        "PUT /v1/people/ana", #"{"sex":"x"}"#,
                        badBody("/sex", "format", "is 'x'; must be one of female, male, other")),
                    Exchange(
                        "PUT /v1/people/ana", #"{"name":"a\u0000b"}"#,
                        badBody("/name", "format", "has a control character")),
                    Exchange(
                        "PUT /v1/people/ana", #"{"email":"nobody"}"#,
                        badBody("/email", "format", "is not an e-mail address")),
                    Exchange(
                        "PUT /v1/people/ana", #"{"photo":"javascript:alert(1)"}"#,
                        badBody("/photo", "format", "is not an http or https address")),
                    Exchange(
                        "PUT /v1/people/ana", #"{"throttle":{"distance":5}}"#,
                        badBody(
                            "/throttle/distance", "unknown",
                            "is not a field here (did you mean 'distance_m'?); known: distance_m, interval_s"
                        )),
                    Exchange(
                        "PUT /v1/people/ana", #"{"attributes":{"a":{"b":1}}}"#,
                        badBody(
                            "/attributes/a", "type",
                            "is an object; \(attributeRule)"
                        )),
                    Exchange(
                        "PATCH /v1/people/ana", #"{"sex":5}"#,
                        badBody("/sex", "type", "is a number; must be a string")),
                    Exchange("PUT /v1/places/x", #"{"name":"X"}"#, badBody("/kind", "required", "is required")),
                    Exchange(
                        "PUT /v1/places/x", #"{"kind":"store","name":"X","lat":1}"#,
                        badBody("/lon", "required", "is required")),
                    Exchange(
                        "PUT /v1/places/x", #"{"kind":"store","name":"X","timezone":"Mars/Base"}"#,
                        badBody("/timezone", "format", "is 'Mars/Base', which is not an IANA time zone")),
                    Exchange(
                        "PUT /v1/places/nearest", #"{"kind":"store","name":"X"}"#,
                        wrongMethod("GET, HEAD")),
                    Exchange(
                        "PUT /v1/places/%6Eearest", #"{"kind":"store","name":"X"}"#,
                        badBody("/id", "format", "is 'nearest', which is a path of its own")),
                    Exchange(
                        "PUT /v1/products/facets", #"{"name":"X"}"#,
                        wrongMethod("GET, HEAD")),
                    Exchange(
                        "PUT /v1/products/f%61cets", #"{"name":"X"}"#,
                        badBody("/id", "format", "is 'facets', which is a path of its own")),
                    Exchange(
                        "PUT /v1/people/requests", "{}",
                        badBody("/id", "format", "is 'requests', which is a path of its own")),
                    Exchange(
                        "PUT /v1/products/x", #"{"name":"X","price":59.9,"currency":"EUR"}"#,
                        badBody("/price", "type", "is 59.9; must be a whole number of minor units, such as cents")),
                    Exchange(
                        "PUT /v1/products/x", #"{"name":"X","price":5990}"#,
                        badBody("/currency", "required", "is required with a price")),
                    Exchange(
                        "PUT /v1/products/x", #"{"name":"X","price":1,"currency":"euro"}"#,
                        badBody("/currency", "format", "is 'euro'; must be an ISO 4217 code such as EUR")),
                    Exchange("PUT /v1/people/ana/decisions/ana", "{}", badBody("/like", "required", "is required")),
                ], of: server)
            #expect(server.engine.read { $0.canonicalDump } == before, "nothing of it was done")
            let row = try await server.send("POST /v1/imports/people", "id\nrequests\n", type: "text/csv")
            #expect(row.body.contains("is 'requests', which is a path of its own"))
            let several = try await server.send("PUT /v1/people/luis", #"{"sex":1,"born":2,"x":3}"#)
            #expect(several.body.matches(of: #/"pointer":"(\/\w+)"/#).map { String($0.1) } == ["/born", "/sex", "/x"])
            for (line, body, meant) in [
                ("POST /v1/pings", #"{"person":"ana","lat":1,"lng":1,"accuracy":5}"#, ["accuracy_m", "lon"]),
                ("PUT /v1/products/x", #"{"name":"X","colour":["red"]}"#, ["colors"]),
                ("PUT /v1/people/ana", #"{"birthday":"1996-05-01","Name":"Ana"}"#, ["name", "born"]),
            ] {
                let reply = try await server.send(line, body)
                let reported = reply.body.matches(of: #/did you mean '(\w+)'\?\); known/#).map { String($0.1) }
                #expect(Set(reported) == Set(meant), "\(reply.body)")
            }
        }
    }

    /// Returns the answer to a body of spaces that is sent to its end although the answer announces the end of the
    /// connection, which the client of the other tests takes for a failure.
    private func answer(toSpaces count: Int, of server: TestServer) async throws -> TestServer.Reply {
        let socket = try Socket(server)
        let head = "POST /v1/pings HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        async let sending: Void = socket.sendAll(
            head + "content-length: \(count)\r\n\r\n" + String(repeating: " ", count: count))
        let answer = try await socket.receive()
        try await sending
        let match = try #require(answer.wholeMatch(of: #/HTTP/1\.1 (\d+) (?s:.*?)\r\n\r\n(\{.*\})/#))
        return TestServer.Reply(status: Int(match.1) ?? 0, headers: [:], body: String(match.2))
    }

    private func nothing(_ advice: String) -> String {
        problem(404, "Not Found", "not_found", "There is nothing at this path\(advice); '/docs' shows what there is.")
    }

    private func wrongMethod(_ methods: String) -> String {
        problem(405, "Method Not Allowed", "method_not_allowed", "This path supports \(methods).")
    }

    @Test("Bodies and batches that are too large are refused") func tooLarge() async throws {
        try await withServer { configuration in
            configuration.limits.batch = 3
            // Enough for a busy machine to send ten mebibytes.
            configuration.pace.lingeringClose = .seconds(600)
        } _: { server in
            try await server.add([("ana", nil)])
            #expect(
                try await answer(toSpaces: 10 << 20, of: server).text
                    == problem(
                        413, "Content Too Large", "body_too_large", "The body may have at most 8388608 bytes here."))
            let pings = (0..<4).map { _ in #"{"person":"ana","lat":1,"lon":1}"# }.joined(separator: ",")
            #expect(
                try await server.send("POST /v1/pings", "[\(pings)]").text
                    == problem(413, "Content Too Large", "batch_too_large", "A batch may have at most 3 pings."))
            #expect(try await server.send("GET /v1/people/ana/history").body == #"{"items":[]}"#)
            #expect(try await server.send("GET /livez").status == 200, "and the server goes on")
        }
    }

    @Test("Missing paths, methods, and objects are refused") func notFound() async throws {
        try await withServer { server in
            try await expect(
                [
                    Exchange("GET /v1/nothing", nil, nothing("")),
                    Exchange("GET /people/ana", nil, nothing(" (did you mean '/v1/people'?)")),
                    Exchange("GET /v1/peple/ana", nil, nothing(" (did you mean '/v1/people'?)")),
                    Exchange("GET /v1/people/ana/nothing", nil, nothing("")),
                    Exchange(
                        "POST /v1/products", "{}", wrongMethod("GET, HEAD; PUT to '/v1/products/{id}' creates one")),
                    Exchange(
                        "GET /v1/people/ana/position", nil,
                        problem(404, "Not Found", "not_found", "There is no person 'ana'.")),
                    Exchange("GET /v1/places/x", nil, problem(404, "Not Found", "not_found", "There is no place 'x'.")),
                    Exchange(
                        "GET /v1/stores/x/stock", nil, problem(404, "Not Found", "not_found", "There is no store 'x'.")),
                    Exchange(
                        "POST /v1/people/ana", nil,
                        wrongMethod("DELETE, GET, HEAD, PATCH, PUT")),
                ], of: server)
            let reply = try await server.send("POST /v1/people/ana")
            #expect(reply.headers.first(name: "allow") == "DELETE, GET, HEAD, PATCH, PUT")
            #expect(reply.headers.first(name: "content-type") == "application/problem+json")
            let kind = try await server.send("POST /v1/imports/cats", "a", type: "text/csv")
            #expect(
                kind.text
                    == problem(
                        404, "Not Found", "not_found",
                        "'cats' cannot be imported; known: people, friends, places, products, stock, pings, tracks."
                    ))
        }
    }
}
