import Foundation
import Interchange
import Model
import Testing

/// Track files in each foreign format, made for these tests, and the results of their imports.
@Suite struct TrackFileTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
        path: "../TrackFiles")

    static func bytes(_ file: String) throws -> Data { try Data(contentsOf: folder.appending(path: file)) }

    @Test(
        "Each format is stored and reported",
        arguments: [
            (
                "watch.gpx",
                """
                2026-01-02T07:00:00Z,39.4,-0.4,,,3,,,
                2026-01-02T08:00:00Z,39.4699015,-0.3762881,,,15.5,2.5,271.5,
                2026-01-02T08:10:00Z,39.4799015,-0.3762881,,4,16,,,
                2026-01-02T08:20:00Z,39.4899015,-0.3762881,,8,,,,
                """,
                #"{"format":"gpx","rows":11,"stored":4,"verdicts":{"stored":4},"without_time":3,"interval":"2026-01-02T07:00:00Z/2026-01-02T08:20:00Z","refused":[{"row":7,"line":31,"errors":[{"pointer":"/lat","code":"exchanged","detail":"is 91.5; must be from -90 to 90; are lat and lon swapped?"}]},{"row":8,"line":32,"errors":[{"pointer":"/lon","code":"type","detail":"is 'west'; must be a number"}]},{"row":9,"line":33,"errors":[{"pointer":"/lon","code":"required","detail":"is required"}]},{"row":10,"line":34,"errors":[{"pointer":"/t","code":"format","detail":"is 'yesterday'; must be RFC 3339, or seconds or milliseconds since 1970"}]}],"refused_count":4,"notes":["not read: Proximity, atemp, hr, name","speed_mps was invalid in 1 positions and omitted","3 positions have no time and were skipped"]}"#
            ),
            (
                "logger.gpx",
                """
                2009-05-01T10:00:00Z,48.137,11.575,,10,520,1.25,90,
                2009-05-01T10:05:00Z,48.147,11.575,,,,,,
                """,
                #"{"format":"gpx","rows":2,"stored":2,"verdicts":{"stored":2},"without_time":0,"interval":"2009-05-01T10:00:00Z/2009-05-01T10:05:00Z","refused":[],"refused_count":0,"notes":["times without a zone were read as UTC","not read: fix"]}"#
            ),
            (
                "table.csv",
                """
                2026-01-02T08:00:00Z,39.47,-0.376,,10,15.5,,270,
                2026-01-02T08:10:00Z,39.48,-0.376,,,,,,
                2026-01-02T08:20:00Z,39.49,-0.376,,,,,,
                """,
                #"{"format":"csv","rows":6,"stored":3,"verdicts":{"stored":3},"without_time":1,"interval":"2026-01-02T08:00:00Z/2026-01-02T08:20:00Z","refused":[{"row":4,"errors":[{"pointer":"/lon","code":"type","detail":"is 'x'; must be a number"}]},{"row":7,"errors":[{"pointer":"","code":"format","detail":"has 2 fields; the header has 7"}]}],"refused_count":2,"notes":["column 'Timestamp' was read as 't'","column 'Latitude' was read as 'lat'","column 'Longitude' was read as 'lon'","column 'mode' matches no field and was ignored","altitude_m was invalid in 1 positions and omitted","1 positions have no time and were skipped"]}"#
            ),
            (
                "lines.geojson",
                """
                2026-01-02T08:00:00Z,39.47,-0.376,phone,5,12.5,,,
                2026-01-02T08:10:00Z,39.48,-0.376,phone,,,,,
                2026-01-02T08:20:00Z,39.49,-0.376,phone,7.5,14,,,
                2026-01-02T09:00:00Z,39.5,-0.376,,,,,,
                2026-01-02T09:10:00Z,39.51,-0.376,,,,,,
                2026-01-02T09:20:00Z,39.52,-0.376,,,,,,
                2026-01-02T09:30:00Z,39.53,-0.376,,,,1.5,,
                2026-01-02T09:50:00Z,39.57,-0.376,,,,,,
                """,
                #"{"format":"json","rows":13,"stored":8,"verdicts":{"stored":8},"without_time":1,"interval":"2026-01-02T08:00:00Z/2026-01-02T09:50:00Z","refused":[{"row":9,"byte":943,"errors":[{"pointer":"/properties/times","code":"mismatch","detail":"has 1 times; the line has 2 positions"}]},{"row":11,"byte":1106,"errors":[{"pointer":"/geometry","code":"type","detail":"is not [longitude, latitude]"}]},{"row":12,"byte":1479,"errors":[{"pointer":"","code":"format","detail":"is not JSON: has no ':' after a name"}]},{"row":13,"byte":1488,"errors":[{"pointer":"","code":"type","detail":"is a number; must be an object"}]}],"refused_count":4,"notes":["not read: name","2 entries are not positions and were skipped","1 positions have no time and were skipped"]}"#
            ),
            (
                "ana.rec",
                """
                2026-01-02T08:00:00Z,39.47,-0.376,,12,15,10,90,0.55
                2026-01-02T08:10:00Z,39.48,-0.376,,,,0,,
                2026-01-02T08:20:00Z,39.49,-0.376,,,,,,
                """,
                #"{"format":"ndjson","rows":4,"stored":3,"verdicts":{"stored":3},"without_time":0,"interval":"2026-01-02T08:00:00Z/2026-01-02T08:20:00Z","refused":[{"row":6,"errors":[{"pointer":"","code":"format","detail":"is not JSON: ends early"}]}],"refused_count":1,"notes":["not read: conn, tid","2 entries are not positions and were skipped"]}"#
            ),
            (
                "messages.ndjson",
                """
                2026-01-02T08:00:00Z,39.47,-0.376,,12,,,,
                2026-01-02T08:10:00Z,39.48,-0.376,bike,,,,,0.5
                2026-01-02T08:20:00.500Z,39.49,-0.376,,,,,,
                """,
                #"{"format":"ndjson","rows":7,"stored":3,"verdicts":{"stored":3},"without_time":0,"interval":"2026-01-02T08:00:00Z/2026-01-02T08:20:00.500Z","refused":[{"row":5,"errors":[{"pointer":"/person","code":"mismatch","detail":"is 'eva'; the tracks are of 'ana'"}]},{"row":6,"errors":[{"pointer":"","code":"type","detail":"is an array; must be an object"}]},{"row":7,"errors":[{"pointer":"","code":"format","detail":"is not JSON: has a value that is not JSON"}]},{"row":8,"errors":[{"pointer":"/lat","code":"type","detail":"is a boolean; must be a number"}]}],"refused_count":4,"notes":["not read: hello","1 entries are not positions and were skipped"]}"#
            ),
            (
                "Records.json",
                """
                2026-01-02T08:00:00.123Z,39.47,-0.376,,20,,,,
                2026-01-02T08:10:00Z,39.48,-0.376,,8,15,3,180,
                """,
                #"{"format":"json","rows":4,"stored":2,"verdicts":{"stored":2},"without_time":1,"interval":"2026-01-02T08:00:00.123Z/2026-01-02T08:10:00Z","refused":[{"row":3,"byte":559,"errors":[{"pointer":"/lon","code":"required","detail":"is required"}]}],"refused_count":1,"notes":["not read: activity, deviceTag, source, verticalAccuracy","1 entries are not positions and were skipped","1 positions have no time and were skipped"]}"#
            ),
            (
                "Timeline.json",
                """
                2026-01-02T07:12:00Z,39.47,-0.376,,,,,,
                2026-01-02T07:20:00Z,39.48,-0.376,,,,,,
                2026-01-02T07:40:00Z,39.49,-0.376,,,,,,
                2026-01-02T08:45:00Z,39.5,-0.376,,,,,,
                2026-01-02T09:00:00Z,39.51,-0.376,,,,,,
                2026-01-02T09:30:00Z,39.52,-0.376,,13,50.5,0.5,,
                """,
                #"{"format":"json","rows":8,"stored":6,"verdicts":{"stored":6,"throttled:distance":1},"without_time":0,"interval":"2026-01-02T07:12:00Z/2026-01-02T09:30:00Z","refused":[{"row":3,"byte":30,"errors":[{"pointer":"/lat","code":"type","detail":"is 'nowhere'; must be a position"}]}],"refused_count":1,"notes":["not read: source, startTimeTimezoneUtcOffsetMinutes, timelineMemory, userLocationProfile, wifiScan","2 entries are not positions and were skipped"]}"#
            ),
            (
                "location-history.json",
                """
                2026-01-02T07:12:00Z,39.47,-0.376,,,,,,
                2026-01-02T07:20:00Z,39.48,-0.376,,,,,,
                2026-01-02T07:40:00Z,39.49,-0.376,,,,,,
                2026-01-02T08:45:00Z,39.5,-0.376,,,,,,
                2026-01-02T09:00:00Z,39.51,-0.376,,,,,,
                """,
                #"{"format":"json","rows":6,"stored":5,"verdicts":{"stored":5,"throttled:distance":1},"without_time":0,"interval":"2026-01-02T07:12:00Z/2026-01-02T09:00:00Z","refused":[],"refused_count":0}"#
            ),
        ])
    func formats(file: String, stored: String, report: String) async throws {
        try await withServer { server in
            try await server.send("PUT /v1/people/ana", "{}")
            let bytes = try Self.bytes(file)
            let reply = try await server.post(bytes, "/v1/imports/tracks?person=ana")
            #expect(reply.text == "200 \(report)")
            #expect(try await server.track("ana") == stored)
            let again = try await server.post(bytes, "/v1/imports/tracks?person=ana")
            #expect(again.body.contains(#""stored":0,"#), "the same again stores nothing: \(again.body)")
            #expect(try await server.track("ana") == stored)
        }
    }

    /// UTF-16 in both byte orders, with a byte order mark; the declaration must agree or be absent.
    @Test("GPX can be in UTF-16") func utf16() async throws {
        try await withServer { server in
            try await server.send("PUT /v1/people/ana", "{}")
            try await server.send("PUT /v1/people/luis", "{}")
            let text = try #require(String(data: Self.bytes("watch.gpx"), encoding: .utf8)).replacing(
                #" encoding="UTF-8""#, with: "")
            for (person, encoding) in [("ana", String.Encoding.utf16LittleEndian), ("luis", .utf16BigEndian)] {
                let mark: [UInt8] = encoding == .utf16LittleEndian ? [0xff, 0xfe] : [0xfe, 0xff]
                let bytes = try Data(mark) + #require(text.data(using: encoding))
                let reply = try await server.post(bytes, "/v1/imports/tracks?person=\(person)")
                #expect(
                    reply.body.contains(#""rows":11,"stored":4,"verdicts":{"stored":4}"#) && reply.status == 200,
                    "\(reply.body)")
            }
        }
    }
}

extension TestServer {
    /// Posts bytes with an unspecific type.
    func post(_ bytes: Data, _ path: String, type: String = "application/octet-stream") async throws -> Reply {
        try await send("POST \(path)", bytes: bytes, type: type)
    }

    /// The stored positions of a person, as a table without its header.
    func track(_ person: String) async throws -> String {
        let fields = "t,lat,lon,device,accuracy_m,altitude_m,speed_mps,heading,battery"
        let reply = try await send("GET /v1/people/\(person)/history?fields=\(fields)", headers: ["accept": "text/csv"])
        return reply.body.split(separator: "\n").dropFirst().joined(separator: "\n")
    }
}
