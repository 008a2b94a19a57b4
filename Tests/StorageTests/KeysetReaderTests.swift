import Foundation
import GRDB
import Geo
import Model
import Storage
import TestSupport
import Testing

/// Tables that are read one page at a time.
@Suite struct KeysetReaderTests {
    @Test("Every row is read once, however short the transactions are", arguments: [Duration.zero, .seconds(3600)])
    func everyRow(maxReadDuration: Duration) async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder, maxReadDuration: maxReadDuration)
            var changes = try (0..<1100).map { try person(PersonNumber($0), "p\($0)") }
            changes += try (0..<50).map { number in
                .catalogue(
                    .place(
                        Versioned(
                            number: Number(number), revision: 1,
                            value: Place(id: try ID("s\(number)"), kind: "store", name: ""))))
            }
            changes += try (0..<600).map {
                .pings(.stored(ping(PersonNumber($0 / 3 * 5), at: Int64($0), try place(1, 2))))
            }
            try await store.commit(changes)
            while try await store.compact() != nil {}
            var people = store.people()
            var ids: [String] = []
            var pages = 0
            while let page = try await people.next() {
                ids += page.map(\.id.text)
                pages += 1
            }
            #expect(ids == (0..<1100).map { "p\($0)" })
            #expect(pages == (maxReadDuration == .zero ? 1100 : 3))
            var pings = store.pings(of: 5...20)
            var seen: [String] = []
            while let page = try await pings.next() { seen += page.map { "\($0.person) \($0.ping.time.milliseconds)" } }
            #expect(seen == (3..<15).map { "p\($0 / 3 * 5) \($0)" })
            let rows = try await store.pings(
                of: 5, in: Timestamp(milliseconds: 0)..<Timestamp(milliseconds: 100), limit: 10)
            #expect(rows.items.count == (maxReadDuration == .zero ? 1 : 3) && rows.isLast == (maxReadDuration != .zero))
            try store.close()
        }
    }

    @Test("A long write-ahead log without a reader is emptied") func emptiedLog() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            let file = folder.appending(path: Store.fileName)
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let reader = try DatabaseQueue(path: file.path, configuration: configuration)
            try reader.inDatabase { db in
                try db.execute(sql: "BEGIN; SELECT count(*) FROM people")
            }
            try await store.commit(try (0..<100).map { try person(PersonNumber($0), "p\($0)") })
            let size = try await store.truncateWAL(above: 1000)
            #expect(size > 1000, "somebody reads")
            #expect(try await store.truncateWAL(above: size) == size, "not longer than it may be")
            try reader.inDatabase { db in try db.execute(sql: "COMMIT") }
            #expect(try await store.truncateWAL(above: 1000) == 0)
            #expect(try Data(contentsOf: URL(fileURLWithPath: file.path + "-wal")).isEmpty)
            try store.close()
        }
    }
}
