import Foundation
import Testing

/// GIS programs open the file of a service and find all of its places by SpatiaLite's index.
@Suite(.timeLimit(.minutes(60))) struct MapProgramTests {
    /// Gives `body` a file whose places were imported, moved, and deleted.
    private func withFile(_ body: (_ path: String) throws -> Void) async throws {
        try await withFolder { folder in
            let (first, second) = (folder.appending(path: "first.csv"), folder.appending(path: "second.csv"))
            let data = folder.appending(path: "data")
            func rows(_ numbers: Range<Int>, _ longitude: Double) -> String {
                "id,kind,name,lat,lon\n"
                    + numbers.map { "shop\($0),store,Shop \($0),\(40 + $0 % 50),\(longitude + Double($0 / 50))\n" }
                    .joined()
            }
            try Data(rows(0..<1500, -10).utf8).write(to: first)
            try Data(rows(500..<2000, 20).utf8).write(to: second)
            for file in [first, second] {
                let result = try Program.run(
                    "import", "places", file.path, "--data", data.path, "--prune")
                #expect(result.code == 0, "\(result)")
            }
            try body(data.appending(path: "cerca.sqlite").path)
        }
    }

    @Test("SpatiaLite finds its index valid") func spatialite() async throws {
        try await withFile { path in
            func ask(_ sql: String) throws -> String {
                let result = try Program.runAll(
                    ["-silent", path, sql], of: URL(fileURLWithPath: "/usr/bin/spatialite"))
                return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
            }
            #expect(try ask("SELECT CheckSpatialIndex('places', 'position')") == "1")
            #expect(try ask("SELECT spatial_index_enabled FROM geometry_columns WHERE f_table_name = 'places'") == "1")
            let found = try ask(
                """
                SELECT count(*) FROM places WHERE rowid IN (SELECT rowid FROM SpatialIndex
                WHERE f_table_name = 'places' AND search_frame = BuildMbr(29.5, 39.5, 31.5, 90))
                """)
            #expect(found == "100", "two meridians with fifty places each")
        }
    }

    @Test("GDAL opens the places") func gdal() async throws {
        try await withFile { path in
            func info(_ options: String...) throws -> String {
                try Program.runAll(
                    ["-ro", "-so"] + options + [path, "places"], of: URL(fileURLWithPath: "/usr/bin/ogrinfo")
                ).output
            }
            let all = try info()
            #expect(all.contains("Geometry: Point") && all.contains("Feature Count: 1500"), "\(all)")
            #expect(all.contains("Extent: (30.000000, 40.000000) - (59.000000, 89.000000)"), "\(all)")
            #expect(all.contains("WGS 84"))
            #expect(try info("-spat", "29.5", "39.5", "31.5", "90").contains("Feature Count: 100"))
        }
    }
}
