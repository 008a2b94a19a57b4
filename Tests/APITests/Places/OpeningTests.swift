import Testing

@Suite struct OpeningTests {
    /// The time is Friday, 11:00 in Valencia.
    private static let stores = [
        ("open", #""lat":39.47,"lon":-0.376,"hours":"Mo-Fr 10:00-14:00","timezone":"Europe/Madrid""#),
        ("later", #""lat":39.471,"lon":-0.376,"hours":"Mo-Fr 17:00-20:00""#),
        ("odd", #""lat":39.472,"lon":-0.376,"hours":"10 till late","timezone":"Europe/Madrid""#),
        ("silent", #""lat":39.473,"lon":-0.376"#),
        ("night", #""lat":39.474,"lon":-0.376,"hours":"Fr 12am-3am; Fr 22:00-02:00","timezone":"Europe/Madrid""#),
        ("always", #""lat":39.475,"lon":-0.376,"hours":"24/7","timezone":"Europe/Madrid""#),
        ("lenient", #""lat":39.476,"lon":-0.376,"hours":"Mon-Fri 9am-5pm","timezone":"Europe/Madrid""#),
    ]

    @Test("Places have their opening hours, and can be filtered by them") func openPlaces() async throws {
        try await withServer { server in
            try await stock(server)
            let near =
                "/v1/places/nearest?lat=39.47&lon=-0.376&fields=id,open,opens_at,closes_at,hours_understood,timezone_guessed"
            try await expect(
                [
                    Exchange(
                        "GET \(near)", nil,
                        #"200 {"items":[{"id":"open","open":true,"closes_at":"2026-11-20T13:00:00Z"},{"id":"later","timezone_guessed":"Europe/Madrid","open":false,"opens_at":"2026-11-20T16:00:00Z"},{"id":"odd","hours_understood":false},{"id":"silent"},{"id":"night","hours_understood":false},{"id":"always","open":true},{"id":"lenient","open":true,"closes_at":"2026-11-20T16:00:00Z"}]}"#
                    ),
                    Exchange(
                        "GET \(near)&open_now=true", nil,
                        #"200 {"items":[{"id":"open","open":true,"closes_at":"2026-11-20T13:00:00Z"},{"id":"always","open":true},{"id":"lenient","open":true,"closes_at":"2026-11-20T16:00:00Z"}]}"#
                    ),
                    Exchange(
                        "GET \(near)&open_at=2026-11-20T18:30:00%2B01:00&limit=1", nil,
                        #"200 {"items":[{"id":"later","timezone_guessed":"Europe/Madrid","open":true,"closes_at":"2026-11-20T19:00:00Z"}],"cursor":"…"}"#
                    ),
                    Exchange(
                        "GET /v1/places/nearest?lat=39.47&lon=-0.376&open=true", nil,
                        #"400 {"type":"about:blank","title":"Bad Request","status":400,"code":"unknown_parameter","detail":"'open' is not a parameter here (did you mean 'open_now'?); known: lat, lon, limit, cursor, within_m, beyond_m, in, bbox, fields, open_now, open_at, kind, category, tag, q, owner, attr.*, explain.","instance":"…"}"#
                    ),
                    Exchange(
                        "GET \(near)&open_now=true&open_at=2026-11-20T18:30:00Z", nil,
                        #"400 {"type":"about:blank","title":"Bad Request","status":400,"code":"invalid_parameter","detail":"'open_now' and 'open_at' exclude each other.","instance":"…"}"#
                    ),
                    Exchange(
                        "GET \(near)&open_now=yes", nil,
                        #"400 {"type":"about:blank","title":"Bad Request","status":400,"code":"invalid_parameter","detail":"'open_now' is 'yes'; must be true or false.","instance":"…","errors":[{"pointer":"?open_now","code":"format","detail":"must be true or false"}]}"#
                    ),
                    Exchange(
                        "GET \(near)&open_at=noon", nil,
                        #"400 {"type":"about:blank","title":"Bad Request","status":400,"code":"invalid_parameter","detail":"'open_at' is 'noon'; must be an RFC 3339 time such as 2026-11-20T18:30:00Z.","instance":"…","errors":[{"pointer":"?open_at","code":"format","detail":"must be an RFC 3339 time such as 2026-11-20T18:30:00Z"}]}"#
                    ),
                ], of: server)
        }
    }

    @Test("A change of state within a week is included") func nextChange() async throws {
        try await withServer { server in
            for (id, hours) in [("sooner", "Nov 27 10:00-12:00"), ("later", "Dec 01-24 10:00-18:00")] {
                let json = #"{"kind":"store","name":"X","lat":39.47,"lon":-0.376,"hours":"\#(hours)","timezone":"UTC"}"#
                try await server.send("PUT /v1/places/\(id)", json)
            }
            let items = #"{"items":[{"id":"later","open":false},{"id":"sooner","open":false"#
            for list in ["/v1/places/nearest?lat=39.47&lon=-0.376", "/v1/places?sort=newest"] {
                for (fields, reported) in [
                    ("id,open,opens_at", #","opens_at":"2026-11-27T10:00:00Z""#), ("id,open", ""),
                    ("id,open,closes_at", ""),
                ] {
                    let reply = try await server.send("GET \(list)&fields=\(fields)")
                    #expect(reply.text == "200 \(items)\(reported)}]}", "\(list) \(fields)")
                }
            }
        }
    }

    @Test("Stores can be filtered by opening hours, by distance and by product") func openStores() async throws {
        try await withServer { server in
            try await stock(server)
            let open = #"200 {"items":[{"id":"open"},{"id":"always"},{"id":"lenient"}]}"#
            let near = "GET /v1/stores/nearest?lat=39.47&lon=-0.376&fields=id"
            try await expect(
                [
                    Exchange("\(near)&open_now=true", nil, open),
                    Exchange("\(near)&open_now=true&color=red&limit=5", nil, open),
                    // With few places for the limit, the stores of the product are checked one by one.
                    Exchange("\(near)&open_now=true&product=pump&limit=100", nil, open),
                    Exchange(
                        "\(near)&open_at=2026-11-20T16:30:00Z&product=pump", nil,
                        #"200 {"items":[{"id":"later"},{"id":"always"}]}"#),
                ], of: server)
        }
    }

    @Test("A document has the interpretation of its hours, and can be sent back") func readHours() async throws {
        try await withServer { server in
            let odd =
                #"{"id":"odd","kind":"store","name":"Odd","lat":39.472,"lon":-0.376,"hours":"10 till late","hours_understood":false,"hours_warnings":["is not understood: 'late' is not expected there"],"timezone_guessed":"Europe/Madrid"}"#
            let patched = odd.replacing("10 till late", with: "10-14").replacing(
                #","hours_understood":false,"hours_warnings":["is not understood: 'late' is not expected there"]"#,
                with: #","hours_warnings":["was read as '10:00-14:00'"]"#)
            try await expect(
                [
                    Exchange(
                        "PUT /v1/places/odd",
                        #"{"kind":"store","name":"Odd","lat":39.472,"lon":-0.376,"hours":"10 till late"}"#, "201 \(odd)"
                    ),
                    Exchange("GET /v1/places/odd", nil, "200 \(odd)"),
                    Exchange("PUT /v1/places/odd", odd, "200 \(odd)"),
                    Exchange("PATCH /v1/places/odd", #"{"hours":"10-14"}"#, "200 \(patched)"),
                    Exchange(
                        "GET /v1/places/odd?fields=hours_warnings", nil,
                        #"200 {"hours_warnings":["was read as '10:00-14:00'"]}"#),
                ], of: server)
        }
    }

    @Test("Lists of places and stores have warnings about hours if requested") func warningsInLists() async throws {
        try await withServer { server in
            let hours = #""lat":39.47,"lon":-0.376,"timezone":"Europe/Madrid","hours":"#
            try await server.send("PUT /v1/places/a", #"{"kind":"store","name":"A",\#(hours)"10-14"}"#)
            try await server.send("PUT /v1/places/b", #"{"kind":"store","name":"B",\#(hours)"Mo 10:00-14:00"}"#)
            try await server.send("PUT /v1/products/pump", #"{"name":"Pump"}"#)
            for store in ["a", "b"] { try await server.send("PUT /v1/stores/\(store)/stock/pump", #"{"quantity":1}"#) }
            let here = "nearest?lat=39.47&lon=-0.376"
            for list in ["places?sort=name", "places/\(here)", "stores/\(here)"] {
                let asked = try await server.send("GET /v1/\(list)&fields=id,hours_warnings")
                let reported = #"{"items":[{"id":"a","hours_warnings":["was read as '10:00-14:00'"]},{"id":"b"}]}"#
                #expect(asked.text == "200 \(reported)", "\(list)")
                #expect(try await !server.send("GET /v1/\(list)").body.contains("hours_warnings"), "\(list)")
            }
        }
    }

    @Test("The state on holidays is unknown if hours mention them") func holidays() async throws {
        try await withServer { server in
            let hours = #""lat":39.47,"lon":-0.376,"hours":"Mo-Fr 10:00-14:00; PH off","timezone":"Europe/Madrid""#
            try await server.send("PUT /v1/places/a", #"{"kind":"store","name":"A",\#(hours)}"#)
            try await expect(
                [
                    Exchange(
                        "GET /v1/places/nearest?lat=39.47&lon=-0.376&fields=id,open,hours_on_holidays", nil,
                        #"200 {"items":[{"id":"a","hours_on_holidays":"unknown","open":true}]}"#),
                    Exchange(
                        "GET /v1/places/a?fields=hours_on_holidays", nil, #"200 {"hours_on_holidays":"unknown"}"#),
                ], of: server)
        }
    }

    private func stock(_ server: TestServer) async throws {
        try await server.send("PUT /v1/products/pump", #"{"name":"Pump","colors":["red"]}"#)
        for (id, rest) in Self.stores {
            try await server.send("PUT /v1/places/\(id)", #"{"kind":"store","name":"X",\#(rest)}"#)
            try await server.send("PUT /v1/stores/\(id)/stock/pump", #"{"quantity":1}"#)
        }
    }
}
