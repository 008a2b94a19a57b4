import Foundation
import Testing

/// Tracks in NMEA 0183, as receivers and GPSLogger write them.
@Suite struct NMEATests {
    /// The sentence with its checksum.
    private static func line(_ sentence: String) -> String {
        let sum = sentence.utf8.reduce(0, ^)
        return "$\(sentence)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16, uppercase: true))"
    }

    private static func rmc(_ clock: String, _ minutes: String, status: String = "A", date: String = "020126") -> String
    {
        line("GPRMC,\(clock),\(status),39\(minutes),N,00022.560,W,3.6,090.0,\(date),,,A")
    }

    private static func gga(_ clock: String, _ minutes: String, quality: Int = 1) -> String {
        line("GNGGA,\(clock),39\(minutes),N,00022.560,W,\(quality),08,0.9,15.5,M,50.1,M,,")
    }

    private func expect(
        _ lines: [String], _ track: String, _ parts: [String] = [], ending: String = "\r\n", _ line: Int = #line
    ) async throws {
        try await withServer { server in
            try await server.send("PUT /v1/people/ana", "{}")
            let file = lines.joined(separator: ending) + ending
            let reply = try await server.post(Data(file.utf8), "/v1/imports/tracks?person=ana")
            #expect(reply.status == 200, "line \(line): \(reply.text)")
            for part in parts { #expect(reply.body.contains(part), "line \(line): \(part) in \(reply.text)") }
            #expect(try await server.track("ana") == track, "line \(line): \(reply.text)")
        }
    }

    @Test("The sentences of one time are one position, in any order") func epochs() async throws {
        let stored = """
            2026-01-02T08:00:00Z,39.47,-0.376,,4.5,15.5,1.852,90,
            2026-01-02T08:10:00.250Z,39.48,-0.376,,4.5,15.5,1.852,90,
            """
        let other = Self.line("GPGSV,1,1,00")
        for ending in ["\r\n", "\n"] {
            try await expect(
                [
                    Self.rmc("080000", "28.2"), other, Self.gga("080000.00", "28.2"), other,
                    Self.gga("081000.250", "28.8"), Self.rmc("081000.25", "28.8"),
                ], stored,
                [#""format":"nmea","rows":2,"stored":2,"verdicts":{"stored":2},"without_time":0"#, "not read: GPGSV"],
                ending: ending)
        }
    }

    @Test("The date of a position is in RMC or ZDA of its time; without one it has no time") func dates() async throws {
        try await expect(
            [
                Self.line("GPZDA,080000,02,01,2026,00,00"), Self.gga("080000", "28.2"), Self.gga("081000", "28.8"),
                Self.rmc("082000", "29.4", date: ""), Self.rmc("235959", "30.0", date: "311299"),
            ],
            """
            1999-12-31T23:59:59Z,39.5,-0.376,,,,1.852,90,
            2026-01-02T08:00:00Z,39.47,-0.376,,4.5,15.5,,,
            """, [#""rows":4,"#, #""without_time":2"#])
    }

    @Test("Void sentences are not positions, and a line may begin with a log's time") func void() async throws {
        try await expect(
            [
                Self.rmc("075800", "28.2", status: "V"), "a log of a receiver", Self.line("GPRMC,,V,,,,,,,,,,N"),
                Self.gga("075900", "28.2", quality: 0), "09:00:01 " + Self.rmc("080000", "28.2"),
            ], "2026-01-02T08:00:00Z,39.47,-0.376,,,,1.852,90,", [#""rows":1,"#, "4 entries are not positions"])
    }

    @Test("Damaged sentences are refused, and a fix without an intact position is not stored") func damaged()
        async throws
    {
        let good = Self.rmc("080000", "28.2")
        let reasons = [
            (Self.rmc("081000", "28.8").replacing("39", with: "38"), "has the checksum '"),
            (String(Self.rmc("081000", "28.8").dropLast(3)), "has no checksum"),
            (Self.line("GPRMC,081000,A,3928.8"), "is not a whole sentence"),
            (Self.line("GPRMC,25:00,A,3928.8,N,00022.56,W,0,0,020126"), "is not a whole sentence"),
            (Self.line("GPRMC,081000,A,3978.8,N,00022.56,W,0,0,020126"), "must be degrees and minutes"),
            (Self.line("GPRMC,081000,A,3928.8,W,00022.56,N,0,0,020126"), "must be degrees and minutes"),
            (Self.line("GPRMC,081000,A,3928.8,N,00022.56,W,0,0,320126"), "must be RFC 3339"),
        ]
        for (sentence, reason) in reasons {
            try await expect(
                [good, sentence], "2026-01-02T08:00:00Z,39.47,-0.376,,,,1.852,90,", [reason, #""refused_count":1"#])
        }
    }

    @Test("A file without checksums is read") func noChecksums() async throws {
        try await expect(
            ["080000", "081000"].map { "$GPRMC,\($0),A,3928.2,N,00022.56,W,3.6,90,020126" },
            "2026-01-02T08:00:00Z,39.47,-0.376,,,,1.852,90,", [#""rows":2,"#, #""refused_count":0"#])
    }
}
