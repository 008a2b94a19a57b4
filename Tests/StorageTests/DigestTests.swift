import Foundation
import GRDB
import Model
import Storage
import TestSupport
import Testing

/// Digests by which replicas of one log are compared.
@Suite struct DigestTests {
    private func digest(_ store: Store) async throws -> Digest { try await store.snapshot().digest() }

    /// Taken before, during, and after compaction, and with two pings in another order.
    @Test("A digest does not depend on how far pings are compacted") func compaction() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([person(0, "a"), person(1, "b")])
            let pings = try (0..<1000).map { ping(PersonNumber($0 % 2), at: Int64($0), try place(Double($0) / 100, 1)) }
            try await store.commit(pings.map { .pings(.stored($0)) }, together: 10)
            let before = try await digest(store)
            #expect(before.tables.count > 30)
            _ = try await store.compact {
                let meanwhile = try await digest(store)
                #expect(meanwhile == before)
            }
            #expect(store.uncompactedCount == 0)
            #expect(try await digest(store) == before)
            var hindsight = pings[999]
            (hindsight.seenUntil, hindsight.isSuspect) = (Timestamp(milliseconds: 5000), true)
            try await store.commit([.pings(.stored(hindsight))])
            #expect(try await digest(store) == before, "what became known later is compared by what it leads to")
            try store.close()
        }
    }

    /// A column does not keep negative zero.
    @Test("Zero and negative zero have one digest") func negativeZero() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            var still = ping(0, at: 1, try place(1, 1))
            still.details.speed = -0.0
            try await store.commit([person(0, "a"), .pings(.stored(still))])
            let before = try await digest(store)
            _ = try await store.compact()
            #expect(try await digest(store) == before)
            try store.close()
        }
    }

    /// The order of coders and sets differs between processes.
    @Test("Documents and sets are written in a stable order") func stableOrder() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            var fence = Fence(id: try ID("f"), .circle(try place(1, 1), metres: 5), watching: .everybody)
            (fence.note, fence.margin, fence.isOnce) = ("a/b", 3, true)
            try await store.commit([.fences(.put(Versioned(number: 0, revision: 1, value: fence)))])
            let document = try store.inspect { try String.fetchOne($0, sql: "SELECT document FROM fences") }
            let written = try JSONSerialization.jsonObject(with: Data(try #require(document).utf8))
            let sorted = try JSONSerialization.data(
                withJSONObject: written, options: [.sortedKeys, .withoutEscapingSlashes])
            #expect(document == String(decoding: sorted, as: UTF8.self))
            try store.close()
        }
        let keys = (0..<30).map { PingKey(time: Timestamp(milliseconds: $0), sequence: 1) }
        let fix = Fix(time: Timestamp(milliseconds: 40), place: try place(1, 1), accuracy: 0)
        struct Accused: Decodable { let accused: [PingKey] }
        let run = try JSONEncoder().encode(OutlierRun(accused: Set(keys), last: fix))
        #expect(try JSONDecoder().decode(Accused.self, from: run).accused == keys)
        #expect(try JSONDecoder().decode(OutlierRun.self, from: run).accused == Set(keys))
    }

    @Test("A digest does not see commits after its snapshot") func snapshots() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([person(0, "a")])
            let before = try await digest(store)
            func change() async throws {
                let snapshot = try store.snapshot()
                try await store.commit([person(1, "b")])
                #expect(try await snapshot.digest() == before)
            }
            try await change()
            #expect(try await digest(store).difference(from: before) == "people (2 rows, there 1)")
            try store.close()
        }
    }

    @Test(
        "A difference of digests names the changed table",
        arguments: [
            "UPDATE people SET name = 'x' WHERE number = 1": "people (2 rows, there 2)",
            "UPDATE people SET name = '' WHERE number = 1": "people (2 rows, there 2)",
            "UPDATE people SET name = 'x', surname = NULL WHERE number = 1": "people (2 rows, there 2)",
            "UPDATE pings SET accuracy_m = 12.6 WHERE person = 0": "pings (2 rows, there 2)",
            "DELETE FROM pings WHERE person = 0": "pings (1 rows, there 2)",
            "DELETE FROM ping_log": "pings (1 rows, there 2)",
            "UPDATE secrets SET value = randomblob(32) WHERE name = 'zones'": "secrets (3 rows, there 3)",
            "UPDATE known_time SET time_ms = 5": "", "UPDATE positions SET accuracy_m = 3": "",
            "UPDATE text_version SET version = 0": "",
        ])
    func differences(sql: String, difference: String) async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([person(0, "a"), person(1, "b"), .pings(.stored(ping(0, at: 1, try place(1, 1))))])
            _ = try await store.compact()
            try await store.commit([.pings(.stored(ping(1, at: 2, try place(1, 1))))])
            let before = try await digest(store)
            try await openFile(folder).write { db in try db.execute(sql: sql) }
            #expect(try await digest(store).difference(from: before) == difference)
            try store.close()
        }
    }

    @Test("A canceled digest ends at once") func cancellation() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit((0..<5000).map { try person($0, "p\($0)") })
            let digesting = Task { try await digest(store) }
            digesting.cancel()
            await #expect(throws: StorageError.self) { try await digesting.value }
            try store.close()
        }
    }
}
