import Foundation
import GRDB
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// The history of what people shared, and files from before it was recorded.
@Suite struct SharingTests {
    private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    @Test("The sharing history returns what was written") func sharingHistory() async throws {
        for seed in RandomCases.seeds(0..<20) {
            try await withMigratedFolder { folder in
                var random = SeededGenerator(seed: seed)
                let store = try Store(folder: folder)
                try await store.commit([person(0, "a"), person(1, "b")])
                var written: [(time: Int64, sharing: Sharing)] = []
                for _ in 0..<random.integer(0...6) {
                    // A clock that goes back does not change earlier entries.
                    let time = Int64(random.integer(1...100)) * 10
                    let sharing = Sharing(random.pick(Precision.allCases))
                    try await store.commit([.people(.shared(person: 1, sharing, at: at(time)))])
                    let since = max(time, written.last?.time ?? time)
                    if written.last?.time == since { written.removeLast() }
                    written.append((since, sharing))
                }
                for from in stride(from: Int64(-5), through: 1005, by: 101) {
                    let to = from + Int64(random.integer(1...300))
                    let found = try await store.sharings(of: [0, 1], in: at(from)..<at(to))
                    #expect(found[0].map(\.sharing) == [Sharing()] && found[0][0].times.contains(at(from)))
                    for time in from..<to {
                        let expected = written.last { $0.time <= time }?.sharing ?? Sharing()
                        let reported = found[1].filter { $0.times.contains(at(time)) }.map(\.sharing)
                        #expect(reported == [expected], "seed \(seed): \(time) of \(from) to \(to)")
                    }
                    let end = written.first { $0.time >= to }?.time
                    #expect(found[1].last?.times.upperBound == at(end ?? .max), "seed \(seed)")
                }
                try await store.commit([.people(.deleted(1))])
                #expect(try store.inspect { try Int.fetchOne($0, sql: "SELECT count(*) FROM sharings") } == 0)
                try store.close()
            }
        }
    }

    /// A row of the log from before privacy zones lacks the last byte.
    @Test("A log from before privacy zones is read") func logBeforeZones() async throws {
        try await withMigratedFolder { folder in
            var store = try Store(folder: folder)
            try await store.commit([person(0, "a")])
            let one = ping(0, at: 7, try place(1, 2))
            try await store.commit([.pings(.stored(one))])
            let row = try #require(try store.inspect { try Data.fetchOne($0, sql: "SELECT pings FROM ping_log") })
            try store.close()
            try await openFile(folder).write { db in
                try db.execute(sql: "DELETE FROM pings")
                try db.execute(sql: "DELETE FROM positions")
                try db.execute(
                    sql: "INSERT INTO ping_log VALUES (1, ?)", arguments: [Data([1]) + row.dropFirst().dropLast()])
            }
            store = try Store(folder: folder)
            #expect(try await history(store, of: 0) == [one])
            try store.close()
        }
    }
}
