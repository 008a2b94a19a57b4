import Foundation
import Testing

/// Tracks in KML, as Google Earth, GPSBabel, OpenTracks and Google's old timeline write them.
@Suite struct KMLTests {
    private static func kml(_ content: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>
        <LookAt><gx:TimeSpan><begin>2020-01-01T00:00:00Z</begin></gx:TimeSpan></LookAt>\(content)</Document></kml>
        """
    }

    private static let whens = ["00", "10", "20"].map { "<when>2026-01-02T08:\($0):00Z</when>" }
    private static let coords = ["39.47 5", "39.48 6", "39.49 7"].map { "<gx:coord>-0.376 \($0)</gx:coord>" }
    private static let values = """
        <ExtendedData><SchemaData schemaUrl="#s"><gx:SimpleArrayData name="heartrate"><gx:value>99</gx:value>\
        </gx:SimpleArrayData><gx:SimpleArrayData name="accuracy"><gx:value>4</gx:value><gx:value/><gx:value>9</gx:value>\
        </gx:SimpleArrayData></SchemaData></ExtendedData>
        """

    private static func placemark(_ content: String) -> String { "<Placemark><name>x</name>\(content)</Placemark>" }

    private static func track(_ content: String) -> String { "<gx:Track>\(content)</gx:Track>" }

    private func expect(
        _ content: String, _ track: String, _ parts: [String] = [], query: String = "", _ line: Int = #line
    ) async throws {
        try await withServer { server in
            try await server.send("PUT /v1/people/ana", "{}")
            let reply = try await server.post(
                Data(Self.kml(content).utf8), "/v1/imports/tracks?person=ana\(query)")
            #expect(reply.status == 200, "line \(line): \(reply.text)")
            for part in parts { #expect(reply.body.contains(part), "line \(line): \(part) in \(reply.text)") }
            #expect(try await server.track("ana") == track, "line \(line)")
        }
    }

    @Test("The n-th time, position, heading and value of a track belong together") func tracks() async throws {
        let stored = """
            2026-01-02T08:00:00Z,39.47,-0.376,,4,5,,90,
            2026-01-02T08:10:00Z,39.48,-0.376,,,6,,,
            2026-01-02T08:20:00Z,39.49,-0.376,,9,7,,,
            """
        let mode = "<altitudeMode>absolute</altitudeMode>", angles = "<gx:angles>90 0 0</gx:angles>"
        let orders = [
            Self.whens.joined() + Self.coords.joined() + angles + Self.values,
            zip(Self.whens, Self.coords).map { $0 + $1 }.joined() + angles + Self.values,
            Self.coords.joined() + Self.whens.joined() + angles + Self.values,
        ]
        for order in orders {
            for query in ["", "&format=kml", "&format=gpx"] {
                try await expect(
                    Self.placemark(Self.track(mode + order)), stored, [#""rows":3,"stored":3"#, "not read: heartrate"],
                    query: query)
            }
            let several = "<gx:MultiTrack>\(mode)\(Self.track(order))</gx:MultiTrack>"
            try await expect(Self.placemark(several), stored, [#""format":"kml","rows":3,"stored":3"#])
        }
    }

    @Test("An altitude that is not absolute is not read") func relativeAltitude() async throws {
        try await expect(
            Self.placemark(Self.track(Self.whens[0] + Self.coords[0])), "2026-01-02T08:00:00Z,39.47,-0.376,,,,,,")
    }

    @Test("A time, or a position, that lacks its other is counted") func unpaired() async throws {
        try await expect(
            Self.placemark(Self.track(Self.whens.joined() + Self.coords[0])),
            "2026-01-02T08:00:00Z,39.47,-0.376,,,,,,", [#""rows":1,"#, "2 entries are not positions"])
        try await expect(
            Self.placemark(Self.track(Self.whens[0] + Self.coords.joined())),
            "2026-01-02T08:00:00Z,39.47,-0.376,,,,,,", [#""rows":3,"#, #""without_time":2"#])
        try await expect(
            Self.placemark(Self.track(Self.whens[0] + Self.whens[1] + "<gx:coord/>" + Self.coords[0])),
            "2026-01-02T08:10:00Z,39.47,-0.376,,,,,,", [#""rows":1,"#, "1 entries are not positions"])
    }

    @Test("A point has its time, or the beginning and the end of its period") func points() async throws {
        let point = "<Point><coordinates>-0.376,39.47,0</coordinates></Point>"
        func period(_ begin: String, _ end: String) -> String {
            "<TimeSpan><begin>\(begin)</begin><end>\(end)</end></TimeSpan>"
        }
        let time = "<TimeStamp><when>2026-01-02T08:00:00Z</when></TimeStamp>"
        let stored = "2026-01-02T08:00:00Z,39.47,-0.376,,,,,,"
        try await expect(Self.placemark(time + point), stored, [#""format":"kml","rows":1,"stored":1,"#])
        let stay = period("2026-01-02T08:00:00Z", "2026-01-02T09:00:00Z")
        for placemark in [stay + point, point + stay] {
            try await expect(Self.placemark(placemark), stored, [#""rows":2,"#, "/2026-01-02T09:00:00Z"])
        }
        try await expect(Self.placemark(period("2026-01-02T08:00:00Z", "") + point), stored, [#""rows":1,"#])
    }

    @Test("A line has the beginning and the end of its period at its ends, and no other times") func lines()
        async throws
    {
        let line = """
            <LineString><coordinates>
            -0.376,39.47,0 -0.376,39.475
            -0.376,39.48,0\t</coordinates></LineString>
            """
        let span = "<TimeSpan><begin>2026-01-02T08:00:00Z</begin><end>2026-01-02T08:10:00Z</end></TimeSpan>"
        let ends = "2026-01-02T08:00:00Z,39.47,-0.376,,,,,,\n2026-01-02T08:10:00Z,39.48,-0.376,,,,,,"
        try await expect(Self.placemark(line + span), ends, [#""rows":3,"stored":2"#, #""without_time":1"#])
        let time = "<TimeStamp><when>2026-01-02T08:00:00Z</when></TimeStamp>"
        try await expect(Self.placemark(time + line), "", [#""rows":3,"stored":0"#, #""without_time":3"#])
        let both = "<MultiGeometry><Point><coordinates>-0.3,39</coordinates></Point>\(line)</MultiGeometry>"
        try await expect(Self.placemark(span + both), "", [#""without_time":4"#])
    }

    @Test("Areas are not positions; unreadable coordinates are refused") func faults() async throws {
        let area =
            "<Polygon><outerBoundaryIs><LinearRing><coordinates>1,2 3,4 1,2</coordinates></LinearRing></outerBoundaryIs></Polygon>"
        let time = "<TimeStamp><when>2026-01-02T08:00:00Z</when></TimeStamp>"
        let point = "\(time)<Point><coordinates>west,39.47</coordinates></Point>"
        let year = "<TimeStamp><when>2026</when></TimeStamp><Point><coordinates>-0.376,39.47</coordinates></Point>"
        try await expect(
            Self.placemark(area) + Self.placemark(point) + Self.placemark(year), "",
            [
                "1 entries are not positions", "is 'west,39.47'; must be longitude and latitude",
                #""refused_count":2"#,
            ])
    }

    @Test("Values of a track beyond the held positions are reported") func longTrack() async throws {
        let times = (0..<10_002).map { "<when>\(1_767_340_800 + 600 * $0)</when>" }.joined()
        let coords = (0..<10_002).map { "<gx:coord>-0.376 39.4\($0 % 2)</gx:coord>" }.joined()
        let track = Self.placemark(Self.track(times + coords + Self.values))
        try await withServer { server in
            try await server.send("PUT /v1/people/ana", "{}")
            let reply = try await server.post(
                Data(Self.kml(track).utf8), "/v1/imports/tracks?person=ana&dry_run=true")
            #expect(reply.body.contains(#""rows":10002,"#), "\(reply.text)")
            #expect(reply.body.contains("2 values of tracks with more than 10000 positions were not read"))
        }
    }

    @Test("KMZ is refused with the command that unpacks it") func kmz() async throws {
        try await withServer { server in
            try await server.send("PUT /v1/people/ana", "{}")
            let header = [UInt8]("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 26)
            for type in ["application/octet-stream", "application/vnd.google-earth.kmz"] {
                let reply = try await server.post(
                    Data(header + "doc.kml...".utf8), "/v1/imports/tracks?person=ana", type: type)
                #expect(reply.status == 400 && reply.body.contains("it is KMZ: unpack it first"), "\(reply.text)")
            }
            let other = try await server.post(Data(header + "a.gpx".utf8), "/v1/imports/tracks?person=ana")
            #expect(other.body.contains("it is compressed as zip: unpack it first with 'unzip IN'"), "\(other.text)")
        }
    }
}
