import Geo
import NIOHTTP1
import Testing

/// Requests with pings, and their exact answers.
@Suite struct PingAnswerTests {
    @Test("Answers about pings are exact") func pings() async throws {
        try await withServer { server in
            try await server.add([("ana", nil), ("luis", nil)])
            try await expect(
                [
                    Exchange(
                        "POST /v1/pings",
                        #"{"person":"ana","lat":39.4699,"lon":-0.3763,"t":"2026-11-20T09:00:00Z","accuracy_m":8.5}"#,
                        #"200 {"stored":1,"throttled":0,"verdicts":["stored"],"hint":{"from":{"lat":39.4699,"lon":-0.3763},"beyond_m":500,"not_before":"2026-11-20T09:02:00Z","until":"2026-11-21T09:00:00Z"}}"#
                    ),
                    Exchange(
                        "POST /v1/pings",
                        #"[{"person":"ana","lat":39.4699,"lon":-0.37,"t":1795165260},{"person":"luis","lat":1,"lon":2,"t":1795164060123},{"person":"ana","lat":40,"lon":-0.3763,"t":"2026-11-20T10:06:00+00:00"},{"person":"x","lat":1,"lon":1}]"#,
                        #"200 {"stored":1,"throttled":1,"refused":2,"verdicts":["throttled:interval","stored","future","unknown_person"],"hints":{"luis":{"from":{"lat":1,"lon":2},"beyond_m":500,"not_before":"2026-11-20T08:43:00.123Z","until":"2026-11-21T08:41:00.123Z"},"ana":{"from":{"lat":39.4699,"lon":-0.3763},"beyond_m":500,"not_before":"2026-11-20T09:02:00Z","until":"2026-11-21T09:00:00Z"}}}"#
                    ),
                    Exchange(
                        "GET /v1/people/ana/position", nil,
                        #"200 {"id":"ana","lat":39.4699,"lon":-0.37,"at":"2026-11-20T09:01:00Z","precision":"exact"}"#
                    ),
                    Exchange(
                        "GET /v1/people/ana/history", nil,
                        #"200 {"items":[{"t":"2026-11-20T09:00:00Z","lat":39.4699,"lon":-0.3763,"accuracy_m":8.5}]}"#),
                    Exchange(
                        "GET /v1/people/ana/history?fields=t,lon", nil,
                        #"200 {"items":[{"t":"2026-11-20T09:00:00Z","lon":-0.3763}]}"#),
                    Exchange(
                        "GET /v1/people/ana/history?datetime=2026-11-20T09:00:00.001Z/..", nil, #"200 {"items":[]}"#),
                    Exchange(
                        "GET /v1/people/ana/history?datetime=2026-11-20T09:00:00Z/2026-11-20T09:00:00Z", nil,
                        #"200 {"items":[]}"#),
                    Exchange(
                        "POST /v1/pings",
                        #"{"person":"ana","lat":39.4699,"lon":-0.3763,"t":"2026-11-20T09:01:30Z"}"#,
                        #"200 {"stored":0,"throttled":1,"verdicts":["throttled:interval"],"hint":{"from":{"lat":39.4699,"lon":-0.3763},"beyond_m":500,"not_before":"2026-11-20T09:02:00Z","until":"2026-11-21T09:00:00Z"}}"#
                    ),
                    Exchange(
                        "GET /v1/people/ana/position", nil,
                        #"200 {"id":"ana","lat":39.4699,"lon":-0.3763,"at":"2026-11-20T09:01:30Z","precision":"exact"}"#
                    ),
                    Exchange(
                        "POST /v1/pings",
                        #"{"person":"ana","lat":39.47,"lon":-0.3763,"t":"2026-11-20T09:02:30Z"}"#,
                        #"200 {"stored":0,"throttled":1,"verdicts":["throttled:distance"],"hint":{"from":{"lat":39.4699,"lon":-0.3763},"beyond_m":500,"not_before":"2026-11-20T09:02:00Z","until":"2026-11-21T09:00:00Z"}}"#
                    ),
                    Exchange(
                        "GET /v1/people/ana/position", nil,
                        #"200 {"id":"ana","lat":39.47,"lon":-0.3763,"at":"2026-11-20T09:02:30Z","since":"2026-11-20T09:01:30Z","precision":"exact"}"#
                    ),
                    Exchange(
                        "GET /v1/people?fields=id,at,since,seen_until&limit=1", nil,
                        #"200 {"items":[{"id":"ana","at":"2026-11-20T09:02:30Z","since":"2026-11-20T09:01:30Z"}],"cursor":"…"}"#
                    ),
                    Exchange(
                        "GET /v1/people/nearest?lat=39.47&lon=-0.3763&fields=id,at,since,seen_until&limit=1", nil,
                        #"200 {"items":[{"id":"ana","at":"2026-11-20T09:02:30Z","since":"2026-11-20T09:01:30Z"}],"cursor":"…"}"#
                    ),
                    Exchange(
                        "GET /v1/people/ana/history?fields=t,seen_until", nil,
                        #"200 {"items":[{"t":"2026-11-20T09:00:00Z","seen_until":"2026-11-20T09:02:30Z"}]}"#),
                    Exchange(
                        "DELETE /v1/people/ana/history?datetime=2026-11-20T09:00:30Z/..", nil,
                        #"200 {"deleted":0,"stays_cut":1}"#),
                    Exchange(
                        "GET /v1/people/ana/history?fields=t,seen_until", nil,
                        #"200 {"items":[{"t":"2026-11-20T09:00:00Z"}]}"#),
                    Exchange(
                        "DELETE /v1/people/ana/history?datetime=../2026-11-20T09:00:00Z", nil, #"200 {"deleted":0}"#),
                    Exchange("DELETE /v1/people/ana/history?bbox=-1,39,-0.5,40", nil, #"200 {"deleted":0}"#),
                    Exchange("DELETE /v1/people/luis/history?datetime=../..", nil, #"200 {"deleted":1}"#),
                    Exchange(
                        "DELETE /v1/people/ana/history?in=\(Self.square)&datetime=2026-11-20T09:00:00Z/..", nil,
                        #"200 {"deleted":1}"#),
                    Exchange("GET /v1/people/ana/history", nil, #"200 {"items":[]}"#),
                ], of: server)
        }
    }

    /// A square around the center of Valencia.
    private static let square =
        "%7B%22type%22:%22Polygon%22,%22coordinates%22:%5B%5B%5B-1,39%5D,%5B0,39%5D,%5B0,40%5D,%5B-1,40%5D,%5B-1,39%5D%5D%5D%7D"

    @Test("Pings can be sent as JSON lines") func linesOfPings() async throws {
        try await withServer { server in
            try await server.add([("ana", nil)])
            let lines = """
                {"person":"ana","lat":39.4699,"lon":-0.3763,"t":"2026-11-20T09:00:00Z"}

                {"person":"ana","lat":"39","lon":-0.3763}
                {"person":"ana","lat"
                {"person":"ana","lat":39.4799,"lon":-0.3763,"t":"2026-11-20T09:05:00Z"}
                """
            let reply = try await server.send("POST /v1/pings", lines, type: "application/x-ndjson; charset=utf-8")
            #expect(reply.status == 200)
            #expect(
                reply.body.hasPrefix(
                    #"{"stored":2,"throttled":0,"refused":2,"verdicts":["stored","invalid:lat","invalid:json","stored"],"errors":[{"pointer":"/1/lat","code":"type","#
                ))
        }
    }

    @Test("The sums of verdicts add up to the number of pings") func sums() async throws {
        try await withServer { server in
            try await server.add([("ana", nil)])
            let ping = #"{"person":"ana","lat":39.47,"lon":-0.37,"t":"2026-11-20T09:00:00Z"}"#
            let others =
                #"{"person":"ana","lat":39.5,"lon":-0.37,"t":"2026-11-20T09:00:30Z"},{"person":"x","lat":1,"lon":1}"#
            let reply = try await server.send("POST /v1/pings", "[\(ping),\(ping),\(others),7]")
            let start = #"{"stored":1,"throttled":1,"duplicate":1,"refused":2,"verdicts":["#
            #expect(reply.body.hasPrefix(start), "\(reply.body)")
        }
    }

    @Test("A single ping for an unknown person is not found") func unknownPerson() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", nil), ("luis", nil)])
            let ping = #"{"person":"nobody","lat":1,"lon":1}"#
            for (name, token) in [
                ("nobody", keys.service), ("nobody", keys.person("ana")), ("luis", keys.person("ana")),
            ] {
                let alone = ping.replacing("nobody", with: name)
                #expect(
                    try await server.send("POST /v1/pings", alone, token: token).text
                        == problem(
                            404, "Not Found", "not_found",
                            "You may not send positions for '\(name)', or they do not exist."))
                let reply = try await server.send("POST /v1/pings", "[\(alone)]", token: token)
                #expect(reply.text == #"200 {"stored":0,"throttled":0,"refused":1,"verdicts":["unknown_person"]}"#)
            }
        }
    }

    @Test("A ping without a person belongs to the token's person") func defaultPerson() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", nil)])
            let made = try await server.send(
                "POST /v1/people/ana/devices", #"{"id":"phone"}"#, token: keys.person("ana"))
            let phone = String(try #require(made.body.firstMatch(of: #/"token":"([^"]+)"/#)?.1))
            let rows = [
                (keys.person("ana"), #"{"lat":39.4,"lon":0,"t":"2026-11-20T08:00:00Z"}"#),
                (phone, #"[{"lat":39.5,"lon":0,"t":"2026-11-20T08:10:00Z","person":null}]"#),
                (keys.person("ana"), #"[{"lat":39.6,"lon":0,"t":"2026-11-20T08:20:00Z"}]"#),
            ]
            for (token, body) in rows {
                let reply = try await server.send("POST /v1/pings", body, token: token)
                #expect(reply.status == 200 && reply.body.contains(#""stored":1"#), "\(reply.body)")
            }
            let line = #"{"lat":39.7,"lon":0,"t":"2026-11-20T08:30:00Z"}"#
            let lines = try await server.send(
                "POST /v1/pings", line, token: phone, type: "application/x-ndjson")
            #expect(lines.body.contains(#""stored":1"#), "\(lines.body)")
            let history = try await server.send("GET /v1/people/ana/history?fields=lat", token: keys.service)
            #expect(history.body == #"{"items":[{"lat":39.4},{"lat":39.5},{"lat":39.6},{"lat":39.7}]}"#)
            let service = try await server.send("POST /v1/pings", rows[0].1, token: keys.service)
            #expect(service.status == 400 && service.body.contains("/person: is required"), "\(service.body)")
        }
    }
}
