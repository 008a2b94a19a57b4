import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Testing

/// Tracks over HTTP: permissions, types, and refusals.
@Suite(.timeLimit(.minutes(60))) struct TrackRouteTests {
    private static let line =
        #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[-0.376,39.47],[-0.376,39.48],[-0.376,39.49]]},"properties":{"times":["2026-01-02T08:00:00Z","2026-01-02T08:10:00Z","2026-01-02T12:00:00Z"]}}"#

    @Test("Tracks are exported in each format") func formats() async throws {
        try await withServer { server in
            try await server.send("PUT /v1/people/ana", "{}")
            try await server.send("POST /v1/imports/tracks?person=ana&device=bike", Self.line)
            for (accept, body) in [
                (
                    "application/geo+json",
                    """
                    {"type":"FeatureCollection","features":[
                    {"type":"Feature","geometry":{"type":"LineString","coordinates":[[-0.376,39.47],[-0.376,39.48]]},\
                    "properties":{"person":"ana","coordTimes":["2026-01-02T08:00:00Z","2026-01-02T08:10:00Z"],"device":"bike"}},
                    {"type":"Feature","geometry":{"type":"MultiPoint","coordinates":[[-0.376,39.49]]},\
                    "properties":{"person":"ana","coordTimes":["2026-01-02T12:00:00Z"],"device":"bike"}}
                    ]}

                    """
                ),
                (
                    "text/csv",
                    """
                    t,lat,lon,device,accuracy_m,altitude_m,speed_mps,heading,battery
                    2026-01-02T08:00:00Z,39.47,-0.376,bike,,,,,
                    2026-01-02T08:10:00Z,39.48,-0.376,bike,,,,,
                    2026-01-02T12:00:00Z,39.49,-0.376,bike,,,,,

                    """
                ),
                (
                    "*/*",
                    """
                    <?xml version="1.0" encoding="UTF-8"?>
                    <gpx version="1.1" creator="Cerca" xmlns="http://www.topografix.com/GPX/1/1" \
                    xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" xmlns:cerca="urn:cerca:gpx:1">
                    <trk><name>ana</name><trkseg>
                    <trkpt lat="39.47" lon="-0.376"><time>2026-01-02T08:00:00Z</time><src>bike</src></trkpt>
                    <trkpt lat="39.48" lon="-0.376"><time>2026-01-02T08:10:00Z</time><src>bike</src></trkpt>
                    </trkseg><trkseg>
                    <trkpt lat="39.49" lon="-0.376"><time>2026-01-02T12:00:00Z</time><src>bike</src></trkpt>
                    </trkseg></trk>
                    </gpx>

                    """
                ),
            ] {
                let reply = try await server.send(
                    "GET /v1/exports/tracks?person=ana", headers: ["accept": accept])
                #expect(reply.text == "200 \(body)", "\(accept)")
                #expect(reply.headers.first(name: "cache-control") == "no-store")
            }
            try await server.send("PUT /v1/people/eva", "{}")
            let none = try await server.send(
                "GET /v1/exports/tracks?person=eva", headers: ["accept": "application/geo+json"])
            #expect(none.text == "200 {\"type\":\"FeatureCollection\",\"features\":[\n]}\n")
        }
    }

    @Test("Invalid imports and exports are refused") func refusals() async throws {
        try await withServer { server in
            try await server.send("PUT /v1/people/ana", "{}")
            for (request, type, status, detail) in [
                ("POST /v1/imports/tracks", "application/json", 400, "'person' is required."),
                ("POST /v1/imports/tracks?person=a%20b", "application/json", 400, "must be an id."),
                ("POST /v1/imports/tracks?person=nobody", "application/json", 404, "There is no person 'nobody'."),
                ("POST /v1/imports/tracks?person=ana", "text/plain", 415, "The body must be application/geo+json or "),
                (
                    "POST /v1/imports/tracks?person=ana&format=kmz", "application/json", 400,
                    "must be gpx, tcx, kml, nmea, geojson, timeline, owntracks, ndjson or csv."
                ),
                ("POST /v1/imports/tracks?person=ana&device=%01", "application/json", 400, "at most 255 bytes"),
                ("POST /v1/imports/tracks?person=ana&format=gpx", "application/json", 400, "cannot be read further in"),
                ("POST /v1/imports/tracks?person=ana", "text/csv", 400, "in line 1: The header has text after"),
                ("GET /v1/exports/tracks?person=nobody", "", 404, "There is no person 'nobody'."),
                ("GET /v1/exports/tracks", "", 400, "'person' is required."),
            ] {
                let reply = try await server.send(request, type.isEmpty ? nil : Self.line, type: type)
                #expect(reply.status == status && reply.body.contains(detail), "\(request): \(reply.text)")
            }
            let ndjson = try await server.send(
                "GET /v1/exports/tracks?person=ana", headers: ["accept": "application/x-ndjson"])
            #expect(ndjson.status == 406)
        }
    }

    @Test("A dry run stores nothing") func dryRun() async throws {
        try await withServer { server in
            try await server.send("PUT /v1/people/ana", "{}")
            let reply = try await server.send("POST /v1/imports/tracks?person=ana&dry_run=true", Self.line)
            #expect(
                reply.text
                    == #"200 {"format":"json","rows":3,"stored":0,"verdicts":{},"without_time":0,"interval":"2026-01-02T08:00:00Z/2026-01-02T12:00:00Z","refused":[],"refused_count":0}"#
            )
            #expect(try await server.track("ana").isEmpty)
        }
    }

    @Test("Positions older than the retention are not stored") func retention() async throws {
        try await withServer { server in
            try await server.send("PUT /v1/people/ana", #"{"retention_s":86400}"#)
            let reply = try await server.send("POST /v1/imports/tracks?person=ana", Self.line)
            #expect(reply.body.contains(#""verdicts":{"stale":3}"#))
            #expect(
                reply.body.contains(#""notes":["3 positions are older than the retention, and were not stored"]"#))
        }
    }

    /// In every notation of the parameter, persons name themselves or leave it out.
    @Test("People import and export only their own tracks") func ownTracks() async throws {
        try await withKeys { server, keys, _ in
            for name in ["ana", "eva"] {
                #expect(try await server.send("PUT /v1/people/\(name)", "{}", token: keys.service).status == 201)
            }
            for path in ["tracks", "tracks?person=ana", "tracks?person=%61na", "tracks?pers%6Fn=ana"] {
                let sent = try await server.send("POST /v1/imports/\(path)", Self.line, token: keys.person("ana"))
                #expect(sent.status == 200, "\(path): \(sent.text)")
                let reply = try await server.send("GET /v1/exports/\(path)", token: keys.person("ana"))
                #expect(reply.status == 200 && reply.body.contains("<name>ana</name>"), "\(path): \(reply.text)")
            }
            for path in ["tracks?person=eva", "tracks?pers%6Fn=eva", "tracks?person=nobody", "tracks?person="] {
                for line in ["POST /v1/imports/\(path)", "GET /v1/exports/\(path)"] {
                    let body = line.hasPrefix("POST") ? Self.line : nil
                    let reply = try await server.send(line, body, token: keys.person("ana"))
                    #expect(reply.text == CallerRows.notAllowed, "\(line)")
                }
            }
            let twice = try await server.send(
                "GET /v1/exports/tracks?person=ana&pers%6Fn=eva", token: keys.person("ana"))
            #expect(twice.status == 400)
            #expect(try await server.send("GET /v1/exports/tracks", token: keys.service).status == 400)
        }
    }

    @Test("Files of one person are imported one after the other") func oneAtATime() async throws {
        try await withServer { server in
            for name in ["ana", "luis"] { try await server.send("PUT /v1/people/\(name)", "{}") }
            func quick(_ person: String) async throws -> TestServer.Reply {
                try await server.send("POST /v1/imports/tracks?person=\(person)&dry_run=true", Self.line)
            }
            let slow = try Socket(server)
            let length = Self.line.utf8.count
            try slow.send(
                "POST /v1/imports/tracks?person=ana HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
                    + "content-length: \(length)\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n")
            // The service requests its body once it has a slot.
            let invitation = "HTTP/1.1 100 Continue\r\n\r\n"
            #expect(try await slow.receive(atMost: invitation.utf8.count) == invitation)
            let reply = try await quick("ana")
            #expect(reply.status == 503 && reply.headers.first(name: "retry-after") == "10", "\(reply.text)")
            #expect(try await quick("luis").status == 200)
            try slow.send(Self.line)
            let body = try await slow.receive()
            #expect(body.contains(#""stored":3"#), "\(body)")
            #expect(try await quick("ana").status == 200)
        }
    }
}
