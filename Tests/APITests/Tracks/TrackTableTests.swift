import Foundation
import Testing

/// Tables and lists of positions as other programs write them.
@Suite struct TrackTableTests {
    private func load(_ file: String) async throws -> (reply: String, track: String) {
        var result = (reply: "", track: "")
        try await withServer { server in
            try await server.send("PUT /v1/people/ana", "{}")
            let reply = try await server.post(Data(file.utf8), "/v1/imports/tracks?person=ana")
            result = (reply.text, try await server.track("ana"))
        }
        return result
    }

    @Test(
        "Time and position are read in any usual form",
        arguments: [
            "timestamp,LATITUDE,N/S,LONGITUDE,E/W\n2026-01-02T08:00:00Z,39.47,N,0.376,W\n",
            "time,lat,lat_dir,lon,lon_dir\n2026-01-02T08:00:00Z,39.47,N,-0.376,W\n",
            "DATE,TIME,VALID,LATITUDE,N/S,LONGITUDE,E/W\n2026/01/02,08:00:00,SPS,39.47,N,0.376,W\n",
            "UTC DATE,UTC TIME,lat,lon\n2026-01-02,8:00:00,39.47,-0.376\n",
            "fecha,latitud,longitud\n2026-01-02 08:00:00,39.47,-0.376\n",
            "fecha;hora;latitud;longitud\n2026-01-02;08:00;39,470;-0,376\n",
            "time,lat,lon,timezone\n2026-01-02T09:00:00,39.47,-0.376,Europe/Madrid\n",
            "time,lat,lon,tz\n2026-01-02T08:00:00Z,39.47,-0.376,Europe/Madrid\n",
            "time,lat,lon,utc_offset\n2026-01-02T09:00:00,39.47,-0.376,+01:00\n",
            "tst,lat,lon,acc\n1767340800,39.47,-0.376,0\n",
            "fixTime,valid,latitude,longitude\n2026-01-02T08:00:00Z,TRUE,39.47,-0.376\n"
                + "2026-01-02T09:00:00Z,FALSE,39.48,-0.376\n",
            #"[{"deviceId":2,"fixTime":"2026-01-02T08:00:00.000+00:00","valid":true,"latitude":39.47,"#
                + #""longitude":-0.376,"accuracy":0},{"deviceId":2,"fixTime":"2026-01-02T09:00:00.000+00:00","#
                + #""valid":false,"latitude":39.48,"longitude":-0.376,"accuracy":0}]"#,
            #"{"count":1,"data":[{"_type":"location","tst":1767340800,"lat":39.47,"lon":-0.376}]}"#,
        ])
    func forms(_ file: String) async throws {
        let (reply, track) = try await load(file)
        #expect(track.hasPrefix("2026-01-02T08:00:00Z,39.47,-0.376,,,"), "\(reply) \(track)")
        #expect(!track.contains("09:00"), "\(track)")
    }

    @Test(
        "A time or a position that is not certain is refused",
        arguments: [
            "time,lat,lon,timezone\n2026-10-25T02:30:00,39.47,-0.376,Europe/Madrid\n",
            "time,lat,lon,timezone\n2026-03-29T02:30:00,39.47,-0.376,Europe/Madrid\n",
            "time,lat,lon,timezone\n2026-01-02T09:00:00,39.47,-0.376,XYZ\n",
            "date,time,lat,lon\n02/01/2026,08:00:00,39.47,-0.376\n",
            "time,lat,lat_dir,lon\n2026-01-02T08:00:00Z,-39.47,N,-0.376\n",
            "time,lat,N/S,lon\n2026-01-02T08:00:00Z,39.47,X,-0.376\n",
        ])
    func uncertain(_ file: String) async throws {
        #expect(try await load(file).reply.contains(#""refused_count":1"#), "\(file)")
    }

    @Test("Traccar's speed is in knots, in lists too") func knots() async throws {
        let list =
            #"[{"deviceId":2,"fixTime":"2026-01-02T08:00:00Z","valid":true,"latitude":39.47,"longitude":-0.376,"#
            + #""speed":3.6}]"#
        #expect(try await load(list).track == "2026-01-02T08:00:00Z,39.47,-0.376,,,,1.852,,")
    }

    @Test("An accuracy with a unit or a decimal comma is read; one that is not read is a warning") func accuracy()
        async throws
    {
        for (text, read) in [("1650 m", "1650"), ("12m", "12"), ("\"12,5\"", "12.5"), ("\"1,650\"", ""), ("0", "")] {
            let (reply, track) = try await load("time,lat,lon,acc\n2026-01-02T08:00:00Z,39.47,-0.376,\(text)\n")
            #expect(track == "2026-01-02T08:00:00Z,39.47,-0.376,,\(read),,,,", "\(text): \(reply)")
        }
        let reply = try await load("time,lat,lon,my accuracy\n2026-01-02T08:00:00Z,39.47,-0.376,1650\n").reply
        #expect(reply.contains("warning: column 'my accuracy' looks like an accuracy and was ignored"), "\(reply)")
    }

    @Test(
        "An accuracy of a point itself, and OruxMaps', are read",
        arguments: [
            "<hAcc>12</hAcc>", "<accuracy>12</accuracy>",
            "<extensions><x><ext type='ACC' subtype='0'>12</ext></x></extensions>",
        ])
    func gpx(_ accuracy: String) async throws {
        let point = "<trkpt lat='39.47' lon='-0.376'><time>2026-01-02T08:00:00Z</time>\(accuracy)</trkpt>"
        let (reply, track) = try await load("<gpx><trk><trkseg>\(point)</trkseg></trk></gpx>")
        #expect(track == "2026-01-02T08:00:00Z,39.47,-0.376,,12,,,,", "\(reply)")
    }
}
