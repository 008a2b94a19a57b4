import Foundation
import Testing

/// The commands `cerca import tracks` and `cerca export tracks`.
@Suite(.timeLimit(.minutes(60))) struct TrackCommandTests {
    private static let walk = """
        <gpx><trk><trkseg>
        <trkpt lat="39.47" lon="-0.376"><time>2026-01-02T08:00:00Z</time></trkpt>
        <trkpt lat="39.4701" lon="-0.376"><time>2026-01-02T08:00:10Z</time></trkpt>
        <trkpt lat="39.48" lon="-0.376"><time>2026-01-02T08:10:00Z</time></trkpt>
        <trkpt lat="99" lon="-0.376"><time>2026-01-02T08:20:00Z</time></trkpt>
        <trkpt lat="39.49" lon="-0.376"/>
        """

    private static func summary(_ file: URL, stored: Int) -> String {
        let verdicts =
            stored > 0 ? "2 stored, 1 throttled:interval" : "2 duplicate, 1 throttled:interval"
        return """
            \(file.path): 5 rows, \(verdicts), 1 refused
              from 2026-01-02T08:00:00Z to 2026-01-02T08:10:00Z
              note: 1 positions have no time and were skipped
              not read past line 6: it ends within its elements
              row 4, line 5: lat is 99.0; must be from -90 to 90; are lat and lon swapped?

            """
    }

    @Test("Tracks are imported into a folder and exported from it") func roundTrip() async throws {
        try await withFolder { folder in
            let (file, data) = (folder.appending(path: "walk"), folder.appending(path: "data"))
            try Data(Self.walk.utf8).write(to: file)
            let people = folder.appending(path: "people.csv")
            try Data("id\nana\n".utf8).write(to: people)
            let arguments = ["import", "tracks", file.path, "--person", "ana", "--device", "bike", "--data", data.path]
            let early = try Program.runAll(arguments)
            #expect(
                early.code == 66 && early.errors == "cerca: \(data.path)/cerca.sqlite: the database does not exist\n")
            #expect(!FileManager.default.fileExists(atPath: data.path))
            #expect(try Program.run("import", "people", people.path, "--data", data.path).code == 0)
            let other = try Program.run("import", "tracks", file.path, "--person", "eva", "--data", data.path)
            #expect(other.code == 65 && other.errors == "cerca: There is no person 'eva'.\n", "\(other)")
            let dry = try Program.runAll(arguments + ["--dry-run"])
            #expect(dry.code == 65 && dry.output.contains("5 rows, 4 well formed, 1 refused"), "\(dry.output)")
            for stored in [2, 0] {
                let result = try Program.runAll(arguments)
                #expect(result.code == 65 && result.output == Self.summary(file, stored: stored), "\(result)")
            }
            let result = try Program.run(
                "export", "tracks", "--person", "ana", "--format", "csv", "--data", data.path)
            let table = """
                t,lat,lon,device,accuracy_m,altitude_m,speed_mps,heading,battery
                2026-01-02T08:00:00Z,39.47,-0.376,bike,,,,,
                2026-01-02T08:10:00Z,39.48,-0.376,bike,,,,,

                """
            #expect(result.code == 0 && result.output == table, "\(result)")
            let service = try await Service(data: data)
            let sent = try Program.run(
                "import", "tracks", file.path, "--person", "ana", "--device", "bike", "--url", service.base)
            #expect(sent.code == 65 && sent.output == Self.summary(file, stored: 0), "\(sent)")
            let gpx = try Program.run("export", "tracks", "--person", "ana", "--url", service.base)
            #expect(gpx.code == 0 && gpx.output.matches(of: #/<src>bike</src>/#).count == 2, "\(gpx)")
            #expect(service.stop() == 0)
        }
    }

    @Test(
        "Exports that cannot be written are refused",
        arguments: [["--format", "csv"], ["--person", "ana", "--format", "ndjson"], ["--person", "a b"]])
    func refusals(arguments: [String]) throws {
        #expect(try Program.runAll(["export", "tracks"] + arguments).code == 64)
    }
}
