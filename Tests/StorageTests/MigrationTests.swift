import Foundation
import GRDB
import Storage
import Testing

/// Migrations never change, because existing files went through the old ones.
@Suite struct MigrationTests {
    private static let frozen = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Migrations.sql")

    /// Whether SpatiaLite creates an object itself, which differs between its versions.
    private static func isSpatial(_ name: String) -> Bool {
        name.hasPrefix("idx_") || name.prefixMatch(of: /(?:g[gi]|tm)[iud]_/) != nil
    }

    private func database() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try SpatialConnection.prepare(db)
            db.add(tokenizer: WordTokenizer.self)
        }
        return try DatabaseQueue(configuration: configuration)
    }

    private func form(of db: Database) throws -> [String: String] {
        let rows = try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_schema WHERE sql NOT NULL")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) }).filter { !Self.isSpatial($0.key) }
    }

    @Test("Each migration produces its original schema") func unchanged() throws {
        let empty = try database().write { db in
            try db.execute(sql: "SELECT InitSpatialMetaData('WGS84')")
            return try form(of: db)
        }
        var known = empty
        var text = ""
        let queue = try database()
        for (name, migrate) in Schema.migrations {
            let now = try queue.write { db in
                try migrate(db)
                return try form(of: db)
            }
            text += "-- \(name)\n"
            for (item, sql) in now.sorted(by: { $0.key < $1.key }) where known[item] != sql { text += "\(sql);\n" }
            for item in known.keys.sorted() where now[item] == nil { text += "-- without \(item)\n" }
            known = now
        }
        // Not in TMPDIR, which tools/test removes at its end.
        let found = URL(filePath: "/var/tmp/Migrations.sql")
        try text.write(to: found, atomically: true, encoding: .utf8)
        #expect(
            try String(contentsOf: Self.frozen, encoding: .utf8) == text,
            "what they do now is in \(found.path); only a new migration may add to \(Self.frozen.lastPathComponent)")
    }
}
