import Foundation
import Testing

/// Names, times and forms of tracks as other programs write them.
@Suite struct TrackFormatTests {
    private static let poor = "2026-01-02T08:05:00Z"

    private static func gpx(_ name: String, in parent: String = "extensions") -> String {
        let points = [("39.470", "00", "4.5"), ("39.490", "05", "1650"), ("39.472", "10", "5")].map {
            "<trkpt lat='\($0)' lon='-0.376'><time>2026-01-02T08:\($1):00Z</time>"
                + "<\(parent)><\(name)>\($2)</\(name)></\(parent)></trkpt>"
        }
        return "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    }

    private static func geoJSON(_ name: String) -> String {
        let features = [("39.470", "00", "4.5"), ("39.490", "05", "1650"), ("39.472", "10", "5")].map {
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[-0.376,\#($0)]},"#
                + #""properties":{"time":"2026-01-02T08:\#($1):00Z","\#(name)":\#($2)}}"#
        }
        return #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    }

    private static func csv(_ name: String) -> String {
        """
        time,lat,lon,\(name)
        2026-01-02T08:00:00Z,39.470,-0.376,4.5
        2026-01-02T08:05:00Z,39.490,-0.376,1650
        2026-01-02T08:10:00Z,39.472,-0.376,5

        """
    }

    @Test(
        "An accuracy counts under each of its names, in each form",
        arguments: [
            "hAcc", "hacc", "h_acc", "hAccuracy", "horizontalAccuracy", "horizontal_accuracy", "HorizontalAccuracy",
            "accuracy", "Accuracy", "accuracy_m", "accuracyMeters", "acc", "horizontal-accuracy", "gps_accuracy",
            "acc_m", "locationAccuracy", "position_accuracy", "horizontalError", "precision", "epe", "Genauigkeit",
        ]) func accuracy(_ name: String) async throws
    {
        for file in [Self.gpx(name), Self.gpx(name, in: "Extensions"), Self.geoJSON(name), Self.csv(name)] {
            try await withServer { server in
                try await server.send("PUT /v1/people/ana", "{}")
                let reply = try await server.post(Data(file.utf8), "/v1/imports/tracks?person=ana")
                #expect(reply.body.contains(#""rows":3"#), "\(reply.text)")
                let track = try await server.track("ana")
                #expect(track.contains("39.47,-0.376,,4.5") && !track.contains(Self.poor), "\(file): \(track)")
            }
        }
    }

    @Test(
        "A time may have any usual form of a zone",
        arguments: [
            "2026-01-02T01:00:00-0700", "2026-01-02T01:00:00 -0700", "2026-01-02 01:00:00 -07:00",
            "2026-01-02T01:00:00-07", "2026-01-02T08:00:00+0000", "2026-01-02T13:30:00+0530",
            "2026-01-02 08:00:00 UTC", "2026-01-02T08:00:00 GMT", "2026-01-02 08:00:00Z", "2026-01-02 08:00:00 Z",
            "2026-01-02T08:00Z", "20260102T080000Z", "2026/01/02 08:00:00", "2026/01/02 01:00:00.000-0700",
            "2026-01-02T08:00:00",
        ]) func zones(_ time: String) async throws
    {
        try await withServer { server in
            try await server.send("PUT /v1/people/ana", "{}")
            let file = "time,lat,lon\n\(time),39.47,-0.376\n"
            let reply = try await server.post(Data(file.utf8), "/v1/imports/tracks?person=ana")
            #expect(try await server.track("ana").hasPrefix("2026-01-02T08:00:00Z,39.47"), "\(reply.text)")
        }
    }

    @Test(
        "A time that can mean two days is refused",
        arguments: ["02/01/2026 08:00:00", "2026-01-02T08:00:00-7", "2026-1-2 08:00:00", "08:00:00", "2026-01-02"])
    func doubtfulTimes(_ time: String) async throws {
        try await withServer { server in
            try await server.send("PUT /v1/people/ana", "{}")
            let file = "time,lat,lon\n\(time),39.47,-0.376\n"
            let reply = try await server.post(Data(file.utf8), "/v1/imports/tracks?person=ana")
            #expect(reply.body.contains(#""refused_count":1"#), "\(reply.text)")
        }
    }

    @Test("Takeout's months are visits, ways and their recorded points") func takeout() async throws {
        let file = #"""
            {"timelineObjects":[
            {"placeVisit":{"location":{"latitudeE7":394700000,"longitudeE7":-3760000},
              "duration":{"startTimestamp":"2022-01-02T08:00:00Z","endTimestamp":"2022-01-02T09:00:00Z"}}},
            {"activitySegment":{"startLocation":{"latitudeE7":394700000,"longitudeE7":4291207296},
              "endLocation":{"latitudeE7":394900000,"longitudeE7":-3760000},
              "duration":{"startTimestampMs":"1641114000000","endTimestampMs":"1641115800000"},
              "waypointPath":{"waypoints":[{"latE7":394700000,"lngE7":-3760000}]},
              "simplifiedRawPath":{"points":[{"latE7":394800000,"lngE7":-3760000,"timestampMs":"1641114900000",
              "accuracyMeters":10}]}}},
            {"placeVisit":{"centerLatE7":395000000,"centerLngE7":-3760000,
              "duration":{"startTimestamp":"2022-01-02T10:00:00Z","endTimestamp":"2022-01-02T11:00:00Z"}}},
            {"placeVisit":{"duration":{"startTimestamp":"2022-01-02T12:00:00Z"}}}]}
            """#
        try await withServer { server in
            try await server.send("PUT /v1/people/ana", "{}")
            let reply = try await server.post(Data(file.utf8), "/v1/imports/tracks?person=ana")
            #expect(reply.status == 200 && reply.body.contains(#""without_time":1"#), "\(reply.text)")
            #expect(reply.body.contains("2 entries are not positions"), "\(reply.text)")
            let track = try await server.track("ana")
            for row in [
                "2022-01-02T08:00:00Z,39.47,-0.376", "2022-01-02T09:15:00Z,39.48,-0.376,,10",
                "2022-01-02T09:30:00Z,39.49,-0.376", "2022-01-02T10:00:00Z,39.5,-0.376",
            ] { #expect(track.contains(row), "\(row): \(track)") }
        }
    }

    @Test("TCX is read; its points without a position are counted") func tcx() async throws {
        func point(_ minute: String, _ latitude: String?, _ rest: String = "") -> String {
            let position = latitude.map {
                "<Position><LatitudeDegrees>\($0)</LatitudeDegrees>"
                    + "<LongitudeDegrees>-0.376</LongitudeDegrees></Position>"
            }
            return "<Trackpoint><Time>2026-01-02T08:\(minute):00.000Z</Time>\(position ?? "")\(rest)</Trackpoint>"
        }
        let details = """
            <AltitudeMeters>12</AltitudeMeters><HeartRateBpm><Value>140</Value></HeartRateBpm>\
            <Extensions><ns3:TPX><ns3:Speed>2.5</ns3:Speed></ns3:TPX></Extensions>
            """
        let file = """
            <?xml version="1.0"?>
            <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2" \
            xmlns:ns3="http://www.garmin.com/xmlschemas/ActivityExtension/v2"><Activities><Activity Sport="Running">\
            <Id>2026-01-02T08:00:00Z</Id><Lap StartTime="2026-01-02T08:00:00Z"><Track>\
            \(point("00", "39.47", details))\(point("05", nil))\(point("10", "39.48"))\
            </Track></Lap></Activity></Activities></TrainingCenterDatabase>
            """
        for query in ["", "&format=tcx", "&format=gpx"] {
            try await withServer { server in
                try await server.send("PUT /v1/people/ana", "{}")
                let reply = try await server.post(Data(file.utf8), "/v1/imports/tracks?person=ana\(query)")
                #expect(reply.body.contains("1 entries are not positions"), "\(reply.text)")
                #expect(query.contains("gpx") || reply.body.contains(#""format":"tcx""#), "\(reply.text)")
                #expect(
                    try await server.track("ana") == """
                        2026-01-02T08:00:00Z,39.47,-0.376,,,12,2.5,,
                        2026-01-02T08:10:00Z,39.48,-0.376,,,,,,
                        """)
            }
        }
    }

    @Test("A form that other programs convert is refused by its name, with the command") func converters() async throws
    {
        try await withServer { server in
            try await server.send("PUT /v1/people/ana", "{}")
            for (bytes, name) in [
                ([14, 32, 0, 0, 1, 0, 0, 0] + Array(".FIT\0\0".utf8), "gpsbabel -i garmin_fit -f IN -o gpx -F OUT"),
                (Array("PAR1\u{15}0123456789".utf8), "DuckDB"),
            ] as [([UInt8], String)] {
                let reply = try await server.post(Data(bytes), "/v1/imports/tracks?person=ana")
                #expect(reply.status == 400 && reply.body.contains(name), "\(reply.text)")
            }
        }
    }
}
