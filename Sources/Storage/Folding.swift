internal import Foundation
internal import GRDB

/// Folding: moving pings from the packed rows of the log into the tables `pings` and `positions`.
///
/// Pings are inserted in the order of people and time, a few at a time, so that a commit never waits long behind it. A
/// fold that was broken off is done again from its start; the pings that are already there are passed over.
extension Store {
    /// How many pings are read from the log at once.
    private static let round = 50_000

    /// How long one transaction shall take, for commits wait meanwhile: longer when so many pings wait that commits have to
    /// slow down.
    private var pace: Duration { .milliseconds(unfoldedCount > 4 * Self.round ? 100 : 10) }

    /// Folds the oldest rows of the log, as many as have some ten thousand pings, letting commits through meanwhile.
    ///
    /// - Returns: The number of the last row folded; all pings up to it are in the tables. nil if the log was empty.
    public func fold() async throws(StorageError) -> Int64? {
        let erasures = erasures
        do {
            let (pings, last) = try await pool.read { db in try Self.oldest(db) }
            guard let last else { return nil }
            var rest = pings[...]
            var slice = 200
            while !rest.isEmpty {
                let part = rest.prefix(slice)
                rest = rest.dropFirst(part.count)
                let time = try await pool.writeWithoutTransaction { db in
                    guard self.erasures == erasures else { throw Outdated() }
                    return try ContinuousClock().measure {
                        try db.inTransaction(.immediate) {
                            try Self.insert(part, db)
                            return .commit
                        }
                    }
                }
                slice = Self.slice(after: part.count, took: time, pace: pace)
            }
            // All are in the tables now, and whoever deletes some of them deletes them there as well.
            while try await !pool.writeWithoutTransaction({ db in try Self.forgetSome(db, through: last) }) {}
            folded(pings.count)
            return last
        } catch is Outdated { return try await fold() } catch { throw StorageError(error) }
    }

    /// How many pings the next transaction inserts, so that it takes as long as it shall: at most twice as many as the last.
    private static func slice(after count: Int, took time: Duration, pace: Duration) -> Int {
        min(max(50, Int(Double(count) * min(2, pace / time))), 5_000)
    }

    /// What was read from the log may hold pings that were deleted since.
    private struct Outdated: Error {}

    /// The pings of the oldest rows of the log, by person and time.
    private static func oldest(_ db: Database) throws -> (pings: [StoredPing], last: Int64?) {
        let rows = try Row.fetchCursor(db, sql: "SELECT number, pings FROM ping_log ORDER BY number")
        var pings: [StoredPing] = []
        var last: Int64?
        while pings.count < round, let row = try rows.next() {
            last = row[0]
            pings += try PingLog.unpack(row[1])
        }
        return (sorted(pings), last)
    }

    private static func sorted(_ pings: [StoredPing]) -> [StoredPing] {
        pings.sorted { ($0.person, $0.time, $0.sequence) < ($1.person, $1.time, $1.sequence) }
    }

    /// Folds the whole log.
    func foldAll() throws(StorageError) {
        try StorageError.wrap {
            try pool.writeWithoutTransaction { db in
                while case (let pings, let last?) = try Self.oldest(db) {
                    try db.inTransaction(.immediate) {
                        try Self.insert(pings[...], db)
                        try Self.forget(db, through: last)
                        return .commit
                    }
                }
            }
        }
        folded(nil)
    }

    /// Inserts pings sorted by person and time; those of people who were deleted meanwhile are gone with them.
    private static func insert(_ pings: ArraySlice<StoredPing>, _ db: Database) throws {
        let isKnown = try db.cachedStatement(sql: "SELECT 1 FROM people WHERE number = ?")
        let ping = try db.cachedStatement(sql: "\(PingRow.insertion) DO NOTHING")
        let position = try PingRow.takePosition(db)
        var start = pings.startIndex
        while start < pings.endIndex {
            let person = pings[start].person
            let end = pings[start...].firstIndex { $0.person != person } ?? pings.endIndex
            if try Int.fetchOne(isKnown, arguments: [person]) != nil {
                for one in pings[start..<end] { try ping.execute(arguments: PingRow.arguments(one)) }
                try position.execute(arguments: [person])
            }
            start = end
        }
    }

    /// Deletes some rows of the log, overwriting them, and tells whether none is left.
    private static func forgetSome(_ db: Database, through last: Int64) throws -> Bool {
        let rows = 16
        try db.execute(
            sql: """
                DELETE FROM ping_log WHERE number IN (SELECT number FROM ping_log WHERE number <= ? ORDER BY number LIMIT ?)
                """, arguments: [last, rows])
        return db.changesCount < rows
    }

    private static func forget(_ db: Database, through last: Int64) throws {
        try db.execute(sql: "DELETE FROM ping_log WHERE number <= ?", arguments: [last])
    }
}
