import API
import Geo
import TestSupport
import Testing

/// Sharing settings over HTTP.
@Suite struct SharingRouteTests {
    private let whole =
        #"{"precision":"city","paused_until":"2026-11-21T10:00:00Z","timetable":{"hours":"Mo-Fr 09:00-18:00","timezone":"Europe/Madrid"},"zones":[{"id":"home","lat":39.4699,"lon":-0.3763,"radius_m":300}]}"#

    private func refused(_ pointer: String, _ code: String, _ detail: String) -> String {
        #"400 {"type":"about:blank","title":"Bad Request","status":400,"code":"invalid_body","detail":"\#(pointer): \#(detail)","instance":"…","errors":[{"pointer":"\#(pointer)","code":"\#(code)","detail":"\#(detail)"}]}"#
    }

    @Test("Sharing settings are part of the document") func documents() async throws {
        try await withServer { server in
            let ana = #"{"id":"ana","discoverable":false"#
            try await expect(
                [
                    Exchange("PUT /v1/people/ana", #"{"sharing":\#(whole)}"#, #"201 \#(ana),"sharing":\#(whole)}"#),
                    Exchange("GET /v1/people/ana", nil, #"200 \#(ana),"sharing":\#(whole)}"#),
                    Exchange("GET /v1/people/ana?fields=sharing", nil, #"200 {"sharing":\#(whole)}"#),
                    Exchange(
                        "PATCH /v1/people/ana", #"{"sharing":{"precision":"exact","timetable":null,"zones":null}}"#,
                        #"200 \#(ana),"sharing":{"precision":"exact","paused_until":"2026-11-21T10:00:00Z"}}"#),
                    Exchange(
                        "PATCH /v1/people/ana", #"{"sharing":{"paused_until":null}}"#,
                        #"200 \#(ana),"sharing":{"precision":"exact"}}"#),
                    Exchange(
                        "PATCH /v1/people/ana",
                        #"{"sharing":{"timetable":{"hours":"Mon-Fri 9am-5pm","timezone":"UTC"}}}"#,
                        #"200 \#(ana),"sharing":{"precision":"exact","timetable":{"hours":"Mo-Fr 09:00-17:00","timezone":"UTC"}}}"#
                    ),
                    Exchange("PATCH /v1/people/ana", #"{"sharing":null}"#, "200 \(ana)}"),
                    Exchange("GET /v1/people/ana", nil, "200 \(ana)}"),
                    Exchange(
                        "GET /v1/people/ana?fields=id,sharing", nil,
                        #"200 {"id":"ana","sharing":{"precision":"approximate"}}"#),
                    Exchange("PUT /v1/people/ana", #"{"sharing":{"precision":"approximate"}}"#, "200 \(ana)}"),
                ], of: server)
        }
    }

    @Test("Invalid sharing settings are refused") func invalidSharing() async throws {
        let home = #"{"id":"home","lat":39.47,"lon":-0.376,"radius_m":300}"#
        let rows: [(String, pointer: String, code: String, detail: String)] = [
            (#""exact""#, "/sharing", "type", "is a string; must be an object"),
            (
                #"{"precision":"precise"}"#, "/sharing/precision", "format",
                "is 'precise'; must be one of exact, approximate, city, hidden"
            ),
            (
                #"{"paused_until":"tomorrow"}"#, "/sharing/paused_until", "format",
                "is not a time; must be RFC 3339, or seconds or milliseconds since 1970"
            ),
            (
                #"{"until":0}"#, "/sharing/until", "unknown",
                "is not a field here; known: precision, paused_until, timetable, alerts, zones"
            ),
            (#"{"timetable":"Mo-Fr"}"#, "/sharing/timetable", "type", "is a string; must be an object"),
            (
                #"{"timetable":{"hours":"\#(String(repeating: "Mo 9-14,15-16,17-18,19-21;", count: 20))","timezone":"UTC"}}"#,
                "/sharing/timetable/hours", "too_long", "has 1038 bytes in standard form; at most 1000 are allowed"
            ),
            (#"{"timetable":{"hours":"Mo-Fr 09:00-18:00"}}"#, "/sharing/timetable/timezone", "required", "is required"),
            (
                #"{"timetable":{"hours":"Mo-Fr 09:00-18:00","timezone":"Europe/Gandia"}}"#,
                "/sharing/timetable/timezone", "format", "is 'Europe/Gandia', which is not an IANA time zone"
            ),
            (
                #"{"timetable":{"hours":"Mo-Fr 9:00-5:00","timezone":"UTC"}}"#, "/sharing/timetable/hours", "format",
                "is not understood: 09:00-05:00 may be in 12-hour or 24-hour time"
            ),
            (
                #"{"timetable":{"hours":"sunrise-sunset","timezone":"UTC"}}"#, "/sharing/timetable/hours", "format",
                "depends on holidays, the sun or a remark; only days and times are allowed here"
            ),
            (
                #"{"timetable":{"hours":"Mo-Fr 09:00-18:00; PH off","timezone":"UTC"}}"#, "/sharing/timetable/hours",
                "format", "depends on holidays, the sun or a remark; only days and times are allowed here"
            ),
            (#"{"zones":{}}"#, "/sharing/zones", "type", "is an object; must be an array of objects"),
            (#"{"zones":["home"]}"#, "/sharing/zones/0", "type", "is a string; must be an object"),
            (
                #"{"zones":[{"id":"home","lat":39.47,"lon":-0.376,"radius_m":299}]}"#, "/sharing/zones/0/radius_m",
                "range", "is 299.0; must be from 300.0 to 5000.0"
            ),
            (#"{"zones":[{"id":"home","radius_m":300,"lat":1}]}"#, "/sharing/zones/0/lon", "required", "is required"),
            (#"{"zones":[\#(home),\#(home)]}"#, "/sharing/zones", "format", "has two zones of the id 'home'"),
            (
                #"{"zones":[\#(Array(repeating: home, count: 21).joined(separator: ","))]}"#, "/sharing/zones",
                "too_many", "has 21 entries; at most 20 are allowed"
            ),
        ]
        try await withServer { server in
            for row in rows {
                let reply = try await server.send("PUT /v1/people/ana", #"{"sharing":\#(row.0)}"#)
                #expect(reply.text == refused(row.pointer, row.code, row.detail), "\(row.0)")
            }
        }
    }

    @Test("Imports and exports have the precision") func importsAndExports() async throws {
        try await withServer { server in
            let rows = "id,sharing\nana,exact\nluis,HIDDEN\neva,\nbea,precise\n"
            let reply = try await server.send("POST /v1/imports/people", rows, type: "text/csv")
            #expect(reply.body.contains(#""created":3"#) && reply.body.contains(#""pointer":"/sharing""#))
            let line = #"{"id":"eva","sharing":\#(whole)}"#
            _ = try await server.send("POST /v1/imports/people", line, type: "application/x-ndjson")
            let lines = try await server.send("GET /v1/exports/people", headers: ["accept": "application/x-ndjson"])
            #expect(lines.body.contains(#"{"id":"luis","discoverable":false,"sharing":{"precision":"hidden"}}"#))
            #expect(lines.body.contains(#"{"id":"eva","discoverable":false,"sharing":\#(whole)}"#))
            let table = try await server.send("GET /v1/exports/people", headers: ["accept": "text/csv"])
            #expect(table.body.contains("searchable_by_email,sharing,retention_s,tokens_not_before\n"))
            #expect(table.body.contains(",city,,\n") && table.body.contains(",exact,,\n"))
        }
    }

    @Test("Friends see what is shared") func friends() async throws {
        try await withKeys { server, keys, _ in
            let valencia = try place(39.4699, -0.3763)
            try await server.add([("ana", valencia), ("luis", valencia)])
            _ = try await server.send("PUT /v1/people/luis/friends/ana", token: keys.person("luis"))
            _ = try await server.send("PUT /v1/people/ana/friends/luis", token: keys.person("ana"))
            let centre = CubeCell(containing: valencia, level: 13).centre
            let cell = #""lat":\#(centre.latitude),"lon":\#(centre.longitude)"#
            let absent = problem(404, "Not Found", "not_found", "No position of 'ana' is visible to you.")
            for (sharing, position, listed) in [
                (
                    #"{"precision":"exact"}"#,
                    #"200 {"id":"ana","lat":39.4699,"lon":-0.3763,"at":"2026-11-20T09:50:00Z","precision":"exact"}"#,
                    true
                ),
                (
                    #"{"precision":"approximate"}"#,
                    #"200 {"id":"ana",\#(cell),"at":"2026-11-20T09:45:00Z","precision":"approximate"}"#, true
                ),
                (
                    #"{"precision":"city"}"#,
                    #"200 {"id":"ana","lat":39.47391,"lon":-0.37966,"at":"2026-11-20T09:00:00Z","precision":"city"}"#,
                    true
                ),
                (#"{"precision":"hidden"}"#, absent, false),
                (#"{"precision":"exact","paused_until":"2026-11-20T10:00:01Z"}"#, absent, false),
                (#"{"timetable":{"hours":"Sa-Su","timezone":"UTC"}}"#, absent, false),
            ] {
                let body = #"{"sharing":null}"#
                _ = try await server.send("PATCH /v1/people/ana", body, token: keys.person("ana"))
                _ = try await server.send(
                    "PATCH /v1/people/ana", #"{"sharing":\#(sharing)}"#, token: keys.person("ana"))
                let luis = keys.person("luis")
                #expect(
                    try await server.send("GET /v1/people/ana/position", token: luis).text == position, "\(sharing)")
                let batch = try await server.send("POST /v1/query", #"{"queries":[{"position":"ana"}]}"#, token: luis)
                #expect(batch.text == #"200 {"answers":[\#(position.dropFirst(4))]}"#)
                let near = try await server.send("GET /v1/people/luis/friends/nearest", token: luis).text
                #expect(near.contains(#""id":"ana""#) == listed)
                if listed { #expect(near.contains(position.dropFirst(16).prefix { $0 != "," })) }
                let document = try await server.send("GET /v1/people/ana", token: luis).text
                #expect(document == #"200 {"id":"ana","name":"Ana"}"#, "what she shares is her own")
            }
        }
    }
}
