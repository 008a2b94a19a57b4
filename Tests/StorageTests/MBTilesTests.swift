import Foundation
import GRDB
import Storage
import TestSupport
import Testing

/// Files of map tiles.
@Suite struct MBTilesTests {
    private static let schema = """
        CREATE TABLE metadata (name TEXT, value TEXT);
        CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
        """

    /// Gives `body` the path of a file that SQL wrote.
    private func withFile(_ sql: String, _ body: (URL) async throws -> Void) async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "map.mbtiles")
            let queue = try DatabaseQueue(path: file.path)
            try await queue.write { db in try db.execute(sql: sql) }
            try queue.close()
            try await body(file)
        }
    }

    @Test("Tiles are read by rows from the north, with what the metadata say") func tiles() async throws {
        let sql = """
            \(Self.schema)
            INSERT INTO metadata VALUES ('attribution', 'A'), ('bounds', '-10.5, 30,5,44'), ('format', 'png');
            INSERT INTO tiles VALUES (2, 1, 3, x'01'), (2, 1, 0, x'02'), (5, 31, 0, x'03');
            """
        try await withFile(sql) { file in
            let tiles = try MBTiles(file)
            #expect(tiles.attribution == "A" && tiles.zooms == 2...5 && tiles.bounds == [-10.5, 30, 5, 44])
            #expect(try await tiles.image(zoom: 2, x: 1, y: 0) == Data([1]))
            #expect(try await tiles.image(zoom: 2, x: 1, y: 3) == Data([2]))
            #expect(try await tiles.image(zoom: 5, x: 31, y: 31) == Data([3]))
            #expect(try await tiles.image(zoom: 2, x: 1, y: 1) == nil)
        }
    }

    @Test("A file without credit and bounds has none") func plain() async throws {
        for bounds in ["", "1,2,3", "a,b,c,d", "1,2,3,nan"] {
            let sql = "\(Self.schema) INSERT INTO metadata VALUES ('bounds', '\(bounds)'), ('attribution', NULL);"
            try await withFile(sql + "INSERT INTO tiles VALUES (0, 0, 0, x'01')") { file in
                let tiles = try MBTiles(file)
                #expect(tiles.attribution == "" && tiles.zooms == 0...0 && tiles.bounds == nil, "\(bounds)")
            }
        }
    }

    @Test(
        "A file without raster tiles is refused with the reason",
        arguments: [
            ("CREATE TABLE other (a)", "it has no table 'metadata'"),
            ("CREATE TABLE metadata (name, value)", "it has no table 'tiles'"),
            ("CREATE TABLE metadata (name, value); CREATE TABLE tiles (z, x, y, data)", "it has no table 'tiles'"),
            (schema, "has no tiles"),
            (
                "\(schema) INSERT INTO metadata VALUES ('format', 'pbf'); INSERT INTO tiles VALUES (0, 0, 0, x'1f')",
                "has vector tiles (format pbf)"
            ),
            ("\(schema) INSERT INTO tiles VALUES (31, 0, 0, x'01')", "has a zoom level that is not from 0 to 30"),
            ("\(schema) INSERT INTO tiles VALUES (0, 0, 0, NULL)", "has no tiles"),
        ])
    func refusedContents(_ sql: String, _ detail: String) async throws {
        try await withFile(sql) { file in
            #expect { try MBTiles(file) } throws: { ($0 as? MBTiles.Fault)?.detail.contains(detail) ?? false }
        }
    }

    @Test("A file that cannot be read is refused with the reason") func unreadable() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let text = folder.appending(path: "text")
            try Data(repeating: 0x61, count: 5000).write(to: text)
            for (file, detail) in [
                (folder.appending(path: "none"), "does not exist"), (folder, "is a folder"),
                (text, "is not an SQLite database"),
            ] {
                #expect(throws: MBTiles.Fault(detail: detail)) { try MBTiles(file) }
            }
        }
    }
}
