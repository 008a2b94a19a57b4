import Foundation
import GRDB
import Geo
import Laws
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@Suite struct CompactionTests {
    @Test("Compaction moves every ping from the log to the table") func movesPings() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            let pings = try (0..<2500).map {
                ping(PersonNumber($0 % 3), at: Int64(10_000 - $0), try place(Double($0) / 100, 1))
            }
            try await store.commit([person(0, "a"), person(1, "b"), person(2, "c")])
            try await store.commit(pings.map { .pings(.stored($0)) })
            #expect(try await history(store, of: 0).isEmpty)
            #expect(try await store.compact() != nil)
            for number in 0..<PersonNumber(3) {
                let expected = pings.filter { $0.person == number }.sorted { $0.time < $1.time }
                #expect(try await history(store, of: number) == expected)
            }
            #expect(try await store.compact() == nil, "the log is empty")
            var last: [StoredPing] = []
            try store.forEachPerson { _, _, position in if let position { last.append(position) } }
            #expect(last == Array(pings.prefix(3)).sorted { $0.person < $1.person })
            try store.close()
        }
    }

    @Test("Positions around an instant have all their details") func around() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            var full = ping(0, at: 10_000, try place(39.47, -0.376))
            full.details.altitude = -3.25
            full.details.speed = 0.5
            full.details.heading = 359.5
            full.details.battery = 0.25
            full.sequence = 7
            var bare = ping(0, at: 20_000, try place(-39.47, 179.9))
            bare.details.accuracy = nil
            bare.device = ""
            bare.isInPrivacyZone = true
            try await store.commit([person(0, "a"), .pings(.stored(full)), .pings(.stored(bare))])
            #expect(try await store.compact() != nil)
            full.seenUntil = Timestamp(milliseconds: 15_000)
            full.gaps = [Stay.Gap(from: Timestamp(milliseconds: 11_000), to: Timestamp(milliseconds: 12_000))]
            let stay = Stay(since: full.time, until: full.seenUntil, gaps: full.gaps)
            try await store.commit([.pings(.stayWritten(person: 0, full.key, stay))])
            let found = try #require(try await store.pings(of: [0], around: Timestamp(milliseconds: 15_000)).first)
            #expect(found.before == full)
            #expect(found.after == bare)
            try store.close()
        }
    }

    /// The log has more rows than one transaction deletes.
    @Test("Compaction leaves no row in the log") func emptiesLog() async throws {
        try await withMigratedFolder { folder in
            let (store, pings) = try await filled(folder)
            #expect(try await store.compact() != nil)
            #expect(store.uncompactedCount == 0)
            try await store.commit([.pings(.erased(person: 0, Set(pings.map(\.key)), logRows: [], newest: nil))])
            #expect(try await store.compact() == nil)
            #expect(try await history(store, of: 0).isEmpty)
            try store.close()
        }
    }

    /// Canceled before anything is compacted, when some pings are in the table, and when some rows of the log are gone.
    @Test("A canceled compaction leaves the right count of pings in the log") func cancellation() async throws {
        let moments: [(left: ClosedRange<Int>, isThen: @Sendable (_ folded: Int, _ rows: Int) -> Bool)] = [
            (400...400, { _, _ in true }), (400...400, { folded, _ in folded > 0 }),
            (1...399, { _, rows in rows < 40 }),
        ]
        for (left, isThen) in moments {
            try await withMigratedFolder { folder in
                let (store, pings) = try await filled(folder)
                let folding = Task {
                    try await store.compact {
                        func count(_ table: String) throws -> Int {
                            try store.inspect { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
                        }
                        if isThen(try count("pings"), try count("ping_log")) { withUnsafeCurrentTask { $0?.cancel() } }
                    }
                }
                await #expect(throws: StorageError.self) { try await folding.value }
                let file = try DatabaseFile(folder.appending(path: Store.fileName))
                let waiting = try file.integrity { _, _ in }.waiting
                #expect(left.contains(waiting) && store.uncompactedCount == waiting)
                while try await store.compact() != nil {}
                #expect(store.uncompactedCount == 0)
                #expect(try await history(store, of: 0) == pings)
                try store.close()
            }
        }
    }

    /// Between transactions some pings are deleted, one of them is stored again elsewhere, and a place is deleted.
    @Test("Compaction ends despite constant deletions and does not restore what was deleted", .timeLimit(.minutes(60)))
    func concurrentDeletions() async throws {
        try await withMigratedFolder { folder in
            let (store, pings) = try await filled(folder)
            let elsewhere = try place(50, 1)
            let model = Mutex((step: 0, stored: Dictionary(uniqueKeysWithValues: pings.map { ($0.key, $0) })))
            let folded = try await store.compact {
                let changes = model.withLock { model -> [Change] in
                    let gone = [model.step, 20 + model.step, 399 - model.step].map { pings[$0].key }
                    var again = ping(0, at: gone[1].time.milliseconds, elsewhere)
                    again.device = "again"
                    for key in gone { model.stored[key] = nil }
                    model.stored[again.key] = again
                    model.step += 1
                    return [
                        .pings(.erased(person: 0, Set(gone), logRows: Set(1...200), newest: nil)),
                        .pings(.stored(again)),
                        .catalogue(.placeDeleted(7)),
                    ]
                }
                try await store.commit(changes)
            }
            #expect(folded != nil)
            while try await store.compact() != nil {}
            let (steps, stored) = model.withLock { ($0.step, $0.stored) }
            #expect(steps > 4)
            #expect(try await history(store, of: 0) == stored.values.sorted { $0.key < $1.key })
            try store.close()
        }
    }

    /// Returns a store with 400 pings of one person in the log, in 40 rows or more.
    private func filled(_ folder: URL) async throws -> (Store, [StoredPing]) {
        let store = try Store(folder: folder)
        try await store.commit([person(0, "a")])
        let pings = try (0..<400).map { ping(0, at: Int64($0), try place(Double($0) / 100, 1)) }
        for start in stride(from: 0, to: pings.count, by: 10) {
            try await store.commit(pings[start..<start + 10].map { .pings(.stored($0)) })
        }
        return (store, pings)
    }

    @Test("A store opens after an interrupted compaction") func interrupted() async throws {
        try await withMigratedFolder { folder in
            let pings = try (0..<500).map { ping(0, at: Int64($0), try place(Double($0) / 100, 1)) }
            do {
                let store = try Store(folder: folder)
                try await store.commit([person(0, "a")])
                try await store.commit(pings.map { .pings(.stored($0)) })
                // As after a kill behind the first slice, with some pings in both and the log still there.
                let log = try store.inspect { db in
                    try Row.fetchAll(db, sql: "SELECT * FROM ping_log").map { $0[1] as Data }
                }
                _ = try await store.compact()
                try store.close()
                try await openFile(folder).write { db in
                    for (number, row) in log.enumerated() {
                        try db.execute(sql: "INSERT INTO ping_log VALUES (?, ?)", arguments: [number + 1, row])
                    }
                    try db.execute(sql: "DELETE FROM pings WHERE time_ms > 200")
                }
            }
            let store = try Store(folder: folder)
            #expect(try await history(store, of: 0) == pings)
            try store.close()
        }
    }

    @Test("Compaction does not restore pings of deleted people") func deletedPeople() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([person(0, "a"), person(1, "b")])
            try await store.commit([
                .pings(.stored(ping(0, at: 1, place(1, 1)))), .pings(.stored(ping(1, at: 1, place(1, 1)))),
            ])
            try await store.commit([.people(.deleted(0))])
            _ = try await store.compact()
            #expect(try await history(store, of: 0).isEmpty)
            #expect(try await history(store, of: 1).count == 1)
            try store.close()
        }
    }

    @Test("Packed pings round-trip") func packedPings() async throws {
        var random = SeededGenerator(seed: 5)
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([person(0, "a")])
            let pings = (0..<300).map { index in
                var one = ping(0, at: Int64(index), random.place())
                one.device = random.pick(["", "phone", "téléphone", String(repeating: "x", count: 255)])
                one.sequence = UInt8(random.integer(0...255))
                one.details.altitude = random.pick([nil, -12.5, 8848])
                one.details.speed = random.pick([nil, 0, 3.25])
                one.details.heading = random.pick([nil, 359.5])
                one.details.battery = random.pick([nil, 0.42])
                one.isInPrivacyZone = random.chance(0.5)
                return one
            }
            try await store.commit(pings.map { .pings(.stored($0)) })
            _ = try await store.compact()
            #expect(try await history(store, of: 0) == pings)
            try store.close()
        }
    }

    /// A row is rewritten as a whole when one of its pings is deleted.
    @Test("Half a turn suffices to rewrite a row of the log") func rowSize() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            try await store.commit([person(0, "a")])
            let here = try place(1, 2)
            let count = RandomCases.count(2000, all: 10_000)
            let pings = (0..<count).map { index in
                var one = ping(0, at: Int64(index), here)
                one.device = String(repeating: "d", count: 255)
                return one
            }
            try await store.commit(pings.map { .pings(.stored($0)) }, together: count)
            #expect(store.uncompactedCount == count)
            let rows = try store.inspect { try Int64.fetchAll($0, sql: "SELECT number FROM ping_log") }
            let monitor = WorkMonitor()
            for row in rows {
                let erasure = Change.pings(.erased(person: 0, [pings[count / 2].key], logRows: [row], newest: nil))
                try await store.commit([erasure], monitor: monitor)
            }
            #expect(monitor.longest(.turn) <= WorkBudget.stepsPerTurn / 2)
            #expect(store.uncompactedCount == count - 1)
            while try await store.compact() != nil {}
            #expect(try await history(store, of: 0) == pings.filter { $0.key != pings[count / 2].key })
            try store.close()
        }
    }

    /// That version has no byte that marks a ping in a privacy zone.
    @Test("A log of the first version is counted and compacted") func firstVersion() async throws {
        try await withMigratedFolder { folder in
            let pings = try (0..<3).map { ping(0, at: Int64($0), try place(1, 2)) }
            do {
                let store = try Store(folder: folder)
                try await store.commit([person(0, "a")] + pings.map { .pings(.stored($0)) })
                try store.close()
            }
            try await openFile(folder).write { db in
                let row = try Data.fetchOne(db, sql: "SELECT pings FROM ping_log") ?? Data()
                let size = (row.count - 1) / pings.count
                let old = pings.indices.reduce(into: Data([1])) { old, index in
                    old += row.dropFirst(1 + index * size).prefix(size - 1)
                }
                try db.execute(sql: "UPDATE ping_log SET pings = ?", arguments: [old])
            }
            let announced = Mutex<[Int]>([])
            let store = try Store(folder: folder) { waiting in announced.withLock { $0.append(waiting) } }
            #expect(announced.withLock { $0 } == [3])
            #expect(try await history(store, of: 0) == pings)
            try store.close()
        }
    }

    @Test("A damaged log is reported") func damagedLog() async throws {
        try await withMigratedFolder { folder in
            do {
                let store = try Store(folder: folder)
                try await store.commit([person(0, "a")])
                try store.close()
            }
            try await openFile(folder).write { db in
                try db.execute(sql: "INSERT INTO ping_log VALUES (1, x'0105000000')")
            }
            #expect(throws: StorageError.damaged("ping log cut short")) { try Store(folder: folder) }
        }
    }
}
