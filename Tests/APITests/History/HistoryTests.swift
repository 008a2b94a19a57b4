import Foundation
import FoundationXML
import GRDB
import Geo
import NIOHTTP1
import Testing

/// A person's history in each format.
@Suite struct HistoryTests {
    private static let gpxBeginning = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="Cerca" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" xmlns:cerca="urn:cerca:gpx:1">

        """

    @Test("Every format is exact") func formats() async throws {
        try await withServer { server in
            try await makeWalk(server)
            let forms = [
                (
                    "application/json", "?limit=2",
                    #"{"items":[{"t":"2026-11-20T08:00:00Z","lat":10,"lon":180,"device":"a<b>&\"c,","accuracy_m":8.5,"altitude_m":-12.25,"speed_mps":1.4,"heading":90,"battery":0.5,"seen_until":"2026-11-20T08:01:00Z"},{"t":"2026-11-20T08:10:00.500Z","lat":10.01,"lon":180}],"cursor":"…"}"#
                ),
                (
                    "application/geo+json", "?limit=1&fields=t",
                    #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[180,10]},"properties":{"t":"2026-11-20T08:00:00Z"}}],"cursor":"…"}"#
                ),
                (
                    "text/csv", "",
                    """
                    t,lat,lon,device,accuracy_m,altitude_m,speed_mps,heading,battery,seen_until,suspect
                    2026-11-20T08:00:00Z,10,180,"a<b>&""c,",8.5,-12.25,1.4,90,0.5,2026-11-20T08:01:00Z,
                    2026-11-20T08:10:00.500Z,10.01,180,,,,,,,,
                    2026-11-20T08:20:00Z,10.02,180,,,,,,,,
                    2026-11-20T08:30:00Z,10.02,179.99,,,,,,,,

                    """
                ),
                ("text/csv", "?fields=lon,t&limit=1", "t,lon\n2026-11-20T08:00:00Z,180\n"),
                ("text/csv", "?datetime=2027-01-01T00:00:00Z/..&fields=t", "t\n"),
                (
                    "application/gpx+xml", "",
                    Self.gpxBeginning + """
                        <trk><name>ana&amp;&lt;co&gt;</name><trkseg>
                        <trkpt lat="10" lon="-180"><ele>-12.25</ele><time>2026-11-20T08:00:00Z</time>\
                        <src>a&lt;b&gt;&amp;"c,</src><extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>1.4</gpxtpx:speed>\
                        <gpxtpx:course>90</gpxtpx:course></gpxtpx:TrackPointExtension>\
                        <cerca:accuracy_m>8.5</cerca:accuracy_m><cerca:battery>0.5</cerca:battery>\
                        <cerca:seen_until>2026-11-20T08:01:00Z</cerca:seen_until></extensions></trkpt>
                        <trkpt lat="10.01" lon="-180"><time>2026-11-20T08:10:00.500Z</time></trkpt>
                        <trkpt lat="10.02" lon="-180"><time>2026-11-20T08:20:00Z</time></trkpt>
                        <trkpt lat="10.02" lon="179.99"><time>2026-11-20T08:30:00Z</time></trkpt>
                        </trkseg></trk>
                        </gpx>

                        """
                ),
                (
                    "application/gpx+xml", "?simplify_m=50&fields=t&datetime=2026-11-20T08:05:00Z/..",
                    Self.gpxBeginning + """
                        <trk><name>ana&amp;&lt;co&gt;</name><trkseg>
                        <trkpt lat="10.01" lon="-180"><time>2026-11-20T08:10:00.500Z</time></trkpt>
                        <trkpt lat="10.02" lon="-180"><time>2026-11-20T08:20:00Z</time></trkpt>
                        <trkpt lat="10.02" lon="179.99"><time>2026-11-20T08:30:00Z</time></trkpt>
                        </trkseg></trk>
                        </gpx>

                        """
                ),
                (
                    "application/gpx+xml", "?bbox=0,1,1,0", #"{"type":"about:blank""#
                ),
                ("application/gpx+xml", "?bbox=0,0,1,1", Self.gpxBeginning + "</gpx>\n"),
                ("application/json", "?simplify_m=2000&fields=lat", #"{"items":[{"lat":10},{"lat":10.02}]}"#),
                (
                    "application/json", "?simplify_m=100&fields=lat",
                    #"{"items":[{"lat":10},{"lat":10.02},{"lat":10.02}]}"#
                ),
                (
                    "application/json", "?bbox=179.995,10.005,180,11&fields=lat",
                    #"{"items":[{"lat":10.01},{"lat":10.02}]}"#
                ),
            ]
            for (accept, query, body) in forms {
                let reply = try await server.history(accept, query)
                if body.hasPrefix(#"{"type":"about"#) {
                    #expect(reply.status == 400)
                } else {
                    #expect(reply.text == "200 \(body)", "\(accept) \(query)")
                    #expect(reply.headers.first(name: "content-type")?.hasPrefix(accept) == true)
                    #expect(reply.headers.first(name: "cache-control") == "no-store")
                }
            }
        }
    }

    @Test(
        "The caller's preferred format is used",
        arguments: [
            ("*/*", "application/json"), ("", "application/json"), ("text/*", "text/csv"),
            ("text/html, application/*;q=0.5", "application/json"),
            ("application/geo+json; charset=utf-8", "application/geo+json"),
            ("application/json;q=0.1, application/gpx+xml;q=0.9", "application/gpx+xml"),
            ("*/*;q=0.1, application/json;q=0", "application/geo+json"),
            ("APPLICATION/GPX+XML", "application/gpx+xml"),
        ])
    func preferredFormat(accept: String, type: String) async throws {
        try await withServer { server in
            try await makeWalk(server)
            let reply = try await server.history(accept, "")
            #expect(reply.status == 200 && reply.headers.first(name: "content-type")?.hasPrefix(type) == true)
        }
    }

    @Test("Invalid requests for histories are refused") func refusals() async throws {
        try await withServer { server in
            try await makeWalk(server)
            for accept in ["image/png", "text/html;q=1, application/xml", "application/json;q=0", "nonsense"] {
                let reply = try await server.history(accept, "")
                #expect(
                    reply.text
                        == #"406 {"type":"about:blank","title":"Not Acceptable","status":406,"code":"not_acceptable","detail":"'Accept' names none of the possible formats: application/json, application/geo+json, application/gpx+xml, text/csv.","instance":"…"}"#
                )
            }
            for (query, detail) in [
                ("?simplify_m=-1", "'simplify_m' is '-1'; must be a number from 0 to 20040000"),
                ("?limit=10001", "'limit' is '10001'; must be a whole number from 1 to 10000"),
                ("?fields=t,name", "'fields' is 't,name'; must be a list of t, lat, lon, device, accuracy_m"),
                ("?in=1&bbox=0,0,1,1", "'in' and 'bbox' exclude each other."),
                ("?cursor=AAAA", "The cursor does not belong to this list"),
            ] {
                let reply = try await server.history("application/gpx+xml", query)
                #expect(reply.status == 400 && reply.body.contains(detail), "\(query): \(reply.body)")
            }
            #expect(
                try await server.send("GET /v1/people/nobody/history", headers: ["accept": "text/csv"]).status == 404)
        }
    }

    @Test("More columns than a table can have are refused") func tooManyColumns() async throws {
        try await withServer { server in
            for person in 0..<20 {
                let members = (0..<50).map { "\"a\(person)-\($0)\":1" }.joined(separator: ",")
                let body = "{\"attributes\":{\(members)}}"
                #expect(try await server.send("PUT /v1/people/p\(person)", body).status == 201)
            }
            let reply = try await server.send("GET /v1/exports/people", headers: ["accept": "text/csv"])
            #expect(
                reply.text
                    == #"406 {"type":"about:blank","title":"Not Acceptable","status":406,"code":"not_acceptable","detail":"there are 1017 columns, attributes included, and CSV has at most 1000 here: use ndjson.","instance":"…"}"#
            )
            let plain = try await server.send("GET /v1/exports/people")
            #expect(plain.status == 200 && plain.headers.first(name: "content-type") == "application/x-ndjson")
            let pictures = try await server.send("GET /v1/exports/people", headers: ["accept": "application/gpx+xml"])
            #expect(
                pictures.status == 406 && pictures.body.contains("possible formats: application/x-ndjson, text/csv."))
            #expect(
                try await server.send("GET /v1/exports/cats").body.contains(
                    "known: people, friends, places, products, stock, pings, tracks."))
        }
    }

    @Test("GPX documents conform to the schema") func gpxSchema() async throws {
        try await withServer { server in
            try await makeWalk(server)
            _ = try await server.addLongWalk(700)
            for path in [
                "/v1/people/ana&%3Cco%3E/history", "/v1/exports/pings", "/v1/people/ana/history?bbox=0,-90,90,90",
                "/v1/people/ana/history?limit=7",
            ] {
                let reply = try await server.send("GET \(path)", headers: ["accept": "application/gpx+xml"])
                let judge = GPXJudge()
                let parser = XMLParser(data: Data(reply.body.utf8))
                parser.delegate = judge
                #expect(parser.parse() && judge.faults.isEmpty, "\(path): \(judge.faults)")
                #expect(judge.points > 1, "\(path)")
                #expect(judge.segments > 1 || !path.contains("bbox"), "a line that leaves the area ends there")
            }
        }
    }

    // MARK: - Data

    /// A walk north along the 180° meridian and then west.
    private func makeWalk(_ server: TestServer) async throws {
        let person = "ana&<co>"
        try await server.add([(person, nil)])
        let lines = #"""
            {"person":"\#(person)","t":"2026-11-20T08:00:00Z","lat":10,"lon":180,"device":"a<b>&\"c,","accuracy_m":8.5,"altitude_m":-12.25,"speed_mps":1.4,"heading":90,"battery":0.5}
            {"person":"\#(person)","t":"2026-11-20T08:01:00Z","lat":10,"lon":180}
            {"person":"\#(person)","t":"2026-11-20T08:10:00.5Z","lat":10.01,"lon":-180}
            {"person":"\#(person)","t":"2026-11-20T08:20:00Z","lat":10.02,"lon":180}
            {"person":"\#(person)","t":"2026-11-20T08:30:00Z","lat":10.02,"lon":179.99}
            """#
        let reply = try await server.send("POST /v1/pings", lines, type: "application/x-ndjson")
        #expect(reply.body.hasPrefix(#"{"stored":4,"throttled":1,"#), "\(reply.body)")
    }
}
