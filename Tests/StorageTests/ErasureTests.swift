import Foundation
import GRDB
import Geo
import Model
import Storage
import TestSupport
import Testing

/// Erasure of deleted data, detection of damage, and permissions of the files.
@Suite struct ErasureTests {
    private let files = ["cerca.sqlite", "cerca.sqlite-wal"]

    @Test("Deleted people are gone from the files") func deletedPeople() async throws {
        let marker = "an unmistakable sentence about zed"
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            var zed = Person(id: try ID("zed"))
            zed.about = marker
            try await store.commit([.people(.put(Versioned(number: 0, revision: 1, value: zed))), person(1, "ana")])
            func holdsMarker() throws -> Bool {
                try files.contains { name in
                    try Data(contentsOf: folder.appending(path: name)).range(of: Data(marker.utf8)) != nil
                }
            }
            #expect(try holdsMarker())
            try await store.commit([.people(.deleted(0))])
            #expect(try holdsMarker(), "what was written stays in the log until it is emptied")
            try await store.scrub()
            #expect(try !holdsMarker())
            try store.close()
        }
    }

    @Test("The write-ahead log is emptied once its last reader ends") func busyLog() async throws {
        let marker = "an unmistakable sentence about zed"
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            var zed = Person(id: try ID("zed"))
            zed.about = marker
            try await store.commit([.people(.put(Versioned(number: 0, revision: 1, value: zed)))])
            func holdsMarker() throws -> Bool {
                try files.contains { name in
                    try Data(contentsOf: folder.appending(path: name)).range(of: Data(marker.utf8)) != nil
                }
            }
            let reader = try DatabasePool(path: folder.appending(path: files[0]).path).makeSnapshot()
            #expect(try await reader.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM people") } == 1)
            try await store.commit([.people(.deleted(0))])
            try await store.scrub()
            #expect(try holdsMarker(), "the reader sees it still")
            try reader.close()
            try await store.scrub()
            #expect(try !holdsMarker())
            try store.close()
        }
    }

    /// The last position is suspect, and is erased before the newest believed one.
    @Test("Erasing traces keeps the person's newest believed position") func newestKept() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            let pings = try (0..<10).map { ping(0, at: $0, try place(1, 2)) }
            try await store.commit([person(0, "ana")] + pings.map { .pings(.stored($0)) })
            _ = try await store.compact()
            try await store.commit([.pings(.suspected(pings[9]))])
            try await store.commit([.people(.tracesErased(person: 0, atMost: 4))])
            #expect(try await history(store, of: 0).map(\.key) == pings[4...].map(\.key), "the oldest first")
            try await store.commit([.people(.tracesErased(person: 0, atMost: 1000))])
            #expect(try await history(store, of: 0).map(\.key) == [pings[8].key])
            try store.close()
            #expect(try DatabaseFile(folder.appending(path: Store.fileName)).integrity { _, _ in }.faults == [])
        }
    }

    @Test("Only the owner can read the files") func permissions() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([person(0, "ana")])
            for name in files + ["lock"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)
                #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
            }
            try store.close()
        }
    }

    @Test("A number out of range is reported as damage and does not crash") func outOfRange() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([person(0, "ana"), .pings(.stored(ping(0, at: 1, place(1, 2))))])
            _ = try await store.compact()
            try store.close()
            try await openFile(folder).write { db in
                try db.execute(sql: "PRAGMA ignore_check_constraints = ON; UPDATE positions SET sequence = 300")
            }
            let again = try Store(folder: folder)
            #expect(throws: StorageError.damaged("300 in column 3")) { try again.forEachPerson { _, _, _ in } }
            try again.close()
        }
    }

    @Test("Lists of texts round-trip, whatever characters they begin with") func tagLists() async throws {
        var shop = Place(id: try ID("shop"), kind: "store", name: "Shop")
        shop.tags = ["a", "\u{301}b", "\u{fe0f}c", "d\"e", "\r\nf", "ñ"]
        let record = Versioned(number: 0, revision: 1, value: shop)
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([.catalogue(.place(record))])
            try store.forEachPlace { #expect($0.value.tags == shop.tags) }
            try store.close()
        }
    }
}
