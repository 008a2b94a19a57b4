import Foundation
import GRDB
import Geo
import Model
import Storage
import TestSupport
import Testing

@Suite struct StoreTests {
    @Test("A store uses a write-ahead log, and one file is left when it is closed") func walMode() async throws {
        try await withFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([person(0, "ana")])
            // Another connection sees this mode. `synchronous` is private to the writer and tested by kill -9.
            let mode = try await openFile(folder).read { db in try String.fetchOne(db, sql: "PRAGMA journal_mode") }
            #expect(mode == "wal")
            try store.close()
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(files == ["cerca.sqlite", "lock"], "one database file is left, and nothing to recover")
        }
    }

    @Test("A folder in use is refused with the process that holds it") func folderInUse() async throws {
        try await withFolder { folder in
            let store = try Store(folder: folder)
            #expect(throws: StorageError.inUse(pid: getpid())) { try Store(folder: folder) }
            try store.close()
        }
        try await withFolder { folder in
            do {
                let store = try Store(folder: folder)
                try store.close()
            }
            _ = try Store(folder: folder)
        }
    }

    /// References are checked by `cerca check`, not in the whole file at each migration.
    @Test("A file with a dangling reference is migrated") func danglingReference() async throws {
        try await withFolder { folder in
            do { try Store(folder: folder).close() }
            try await openFile(folder).writeWithoutTransaction { db in
                try db.execute(
                    sql: """
                        PRAGMA foreign_keys = OFF;
                        INSERT INTO blocks (person, other, since_ms) VALUES (7, 8, 0);
                        DROP INDEX events_of_groups;
                        DROP INDEX events_of_comments;
                        DELETE FROM grdb_migrations WHERE identifier = '38 finding events of groups and comments';
                        """)
            }
            do { try Store(folder: folder).close() }
            let count = try await openFile(folder).read { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master WHERE name = 'events_of_groups'")
            }
            #expect(count == 1)
        }
    }

    @Test("A file of a newer schema is refused, with both versions") func newerSchema() async throws {
        try await withFolder { folder in
            do { try Store(folder: folder).close() }
            try await openFile(folder).write { db in
                try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 something of the future')")
            }
            #expect(throws: StorageError.newerSchema(found: 99, known: Schema.version)) { try Store(folder: folder) }
        }
    }

    @Test("A backup does not replace a file that appeared in the meantime") func occupiedBackup() async throws {
        try await withFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([person(0, "ana")])
            let file = try DatabaseFile(folder.appending(path: Store.fileName))
            let copy = folder.appending(path: "copy.sqlite")
            #expect(throws: StorageError.occupied(path: copy.path)) {
                try file.copy(to: copy, isReplacing: false) { _ in try? Data("precious".utf8).write(to: copy) }
            }
            #expect(try Data(contentsOf: copy) == Data("precious".utf8))
            #expect(!FileManager.default.fileExists(atPath: DatabaseFile.partial(of: copy).path))
            try file.copy(to: copy, isReplacing: true)
            #expect(try DatabaseFile(copy).integrity { _, _ in }.faults == [])
            try store.close()
        }
    }

    /// Positions that wait in the log must equal those in the table.
    @Test("The integrity check names a log that contradicts the table") func contradictingLog() async throws {
        try await withFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([person(0, "ana")])
            try await store.commit([.pings(.stored(ping(0, at: 1, place(1, 1))))])
            try await store.commit([.pings(.stored(ping(0, at: 2, place(1, 2))))])
            func faults(after sql: String) async throws -> [String] {
                try await openFile(folder).write { db in try db.execute(sql: sql) }
                return try DatabaseFile(folder.appending(path: Store.fileName)).integrity { _, _ in }.faults
            }
            #expect(try await faults(after: "CREATE TABLE kept AS SELECT * FROM ping_log") == [])
            #expect(
                try await faults(after: "INSERT INTO ping_log SELECT number + 2, pings FROM kept WHERE number = 3") == [
                    "log: row 5: the position of person 0 at 2 ms is in the log twice"
                ])
            #expect(try await store.compact() != nil)
            #expect(try await faults(after: "INSERT INTO ping_log SELECT * FROM kept WHERE number = 2") == [])
            #expect(
                try await faults(after: "UPDATE pings SET device = 'other' WHERE time_ms = 1") == [
                    "log: row 2: the position of person 0 at 1 ms differs from the one in pings"
                ])
            try store.close()
        }
    }

    @Test("A damaged file is refused") func damagedFile() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("this is no database, but it is long enough to look like one at first sight ...".utf8)
                .write(to: folder.appending(path: Store.fileName))
            #expect(throws: StorageError.self) { try Store(folder: folder) }
        }
    }

    @Test("A folder that cannot be created is named") func unreachableFolder() async throws {
        #expect {
            try Store(folder: URL(fileURLWithPath: "/proc/cerca"))
        } throws: { error in
            if case .unreachable(let path, _)? = error as? StorageError { path == "/proc/cerca" } else { false }
        }
    }

    @Test("Secrets are distinct and persistent") func secrets() async throws {
        try await withFolder { folder in
            let first = try Store(folder: folder)
            let secret = try first.secret(.order)
            #expect(try secret.count == 32 && secret != first.secret(.cursor))
            try first.close()
            let again = try Store(folder: folder).secret(.order)
            #expect(again == secret)
        }
    }

    @Test("The schema enforces constraints") func constraints() async throws {
        try await withFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([person(0, "ana"), person(1, "luis")])
            let now = Timestamp(milliseconds: 1)
            for broken: Change in [
                try person(2, "ana"), .ties(.made(0, 7, at: now)), .ties(.made(1, 1, at: now)),
                .ties(.blocked(by: 0, 0, at: now)), .ties(.decided(by: 0, about: 9, likes: true, at: now)),
                .catalogue(.stock(store: 0, product: 0, price: nil, sizes: [])),
            ] {
                await #expect(throws: StorageError.self, "\(broken)") { try await store.commit([broken]) }
            }
            try store.close()
        }
    }

    @Test("A failed item is rolled back, and its neighbors are committed") func failedItem() async throws {
        try await withFolder { folder in
            let store = try Store(folder: folder)
            await #expect(throws: StorageError.self) {
                try await store.commit([person(0, "ana"), person(1, "ana"), person(2, "luis")])
            }
            var names: [String] = []
            try store.forEachPerson { record, _, _ in names.append(record.value.id.text) }
            #expect(names == ["ana", "luis"])
            try store.close()
        }
    }
}
