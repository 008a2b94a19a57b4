internal import Foundation
internal import GRDB
public import Model

/// Compaction: moves pings from the packed rows of the log into the tables `pings` and `positions`.
///
/// Pings are inserted in the order of people and time, a few at a time, so that a commit never waits long. An
/// interrupted compaction restarts from the beginning; pings that are already inserted are skipped.
extension Store {
    /// The number of pings read from the log at once.
    private static let round = 50_000

    /// The target duration of one transaction, during which commits wait: a commit's duration if many pings wait.
    private var pace: Duration { .milliseconds(uncompactedCount > 4 * Self.round ? 10 : 4) }

    /// Compacts the oldest rows of the log, some ten thousand pings, letting commits through.
    ///
    /// Pings deleted in the meantime are not inserted.
    ///
    /// - Returns: the number of the last compacted row; all pings up to it are in the tables. nil if the log was empty.
    /// - Throws: ``StorageError``, also if the task is canceled; completed work remains.
    public func compact() async throws(StorageError) -> Int64? {
        let last = try await compact {}
        noteCompacted()
        return last
    }

    /// Compacts the oldest rows, calling `step` whenever commits are let through.
    package func compact(_ step: @Sendable () async throws -> Void) async throws(StorageError) -> Int64? {
        beginCompaction()
        defer { endCompaction() }
        do {
            try await step()
            let (pings, last) = try await pool.read { db in try Self.oldest(db) }
            guard let last else { return nil }
            try await step()
            var rest = pings[...]
            var slice = 200
            while !rest.isEmpty {
                let part = rest.prefix(slice)
                rest = rest.dropFirst(part.count)
                let time = try await pool.writeWithoutTransaction { db in
                    try ContinuousClock().measure {
                        try db.inTransaction(.immediate) {
                            try Self.insert(self.standing(part), db)
                            return .commit
                        }
                    }
                }
                slice = Self.slice(after: part.count, took: time, pace: pace)
                try await step()
            }
            // All pings are in the tables now, so later deletions also delete them there.
            while try await !pool.writeWithoutTransaction({ db in try self.forgetSome(db, through: last) }) {
                try await step()
            }
            return last
        } catch { throw StorageError(error) }
    }

    /// The number of pings for the next transaction to reach the target duration: at most twice the last number.
    private static func slice(after count: Int, took time: Duration, pace: Duration) -> Int {
        min(max(50, Int(Double(count) * min(2, pace / time))), 5_000)
    }

    /// The pings of the oldest rows of the log, ordered by person and time.
    private static func oldest(_ db: Database) throws -> (pings: [LoggedPing], last: Int64?) {
        let rows = try Row.fetchCursor(db, sql: "SELECT number, pings FROM ping_log ORDER BY number")
        var pings: [LoggedPing] = []
        var last: Int64?
        while pings.count < round, let row = try rows.next() {
            let number = row[0] as Int64
            last = number
            pings += try PingLog.unpack(row[1]).map { LoggedPing(ping: $0, logNumber: number) }
        }
        return (pings.sorted { ($0.ping.person, $0.ping.key) < ($1.ping.person, $1.ping.key) }, last)
    }

    /// Compacts the whole log, before anything else is written.
    func compactAll(_ announce: (_ waiting: Int) -> Void) throws(StorageError) {
        try StorageError.wrap {
            try pool.writeWithoutTransaction { db in
                let waiting = try Data.fetchCursor(db, sql: "SELECT pings FROM ping_log")
                    .reduce(0) { try $0 + PingLog.count($1) }
                if waiting > 0 { announce(waiting) }
                while case (let pings, let last?) = try Self.oldest(db) {
                    try db.inTransaction(.immediate) {
                        try Self.insert(pings[...], db)
                        try db.execute(sql: "DELETE FROM ping_log WHERE number <= ?", arguments: [last])
                        return .commit
                    }
                }
            }
        }
    }

    /// Inserts pings sorted by person and time; pings of people deleted in the meantime are dropped.
    private static func insert(_ pings: ArraySlice<LoggedPing>, _ db: Database) throws {
        let isKnown = try db.cachedStatement(sql: "SELECT 1 FROM people WHERE number = ?")
        let ping = try db.cachedStatement(sql: "\(PingRow.insertion) DO NOTHING")
        let (position, newest) = (try PingRow.takeAsPosition(db), try PingRow.takePosition(db))
        let overtaken = try db.cachedStatement(sql: Self.overtakenLive)
        var start = pings.startIndex
        while start < pings.endIndex {
            let person = pings[start].ping.person
            let end = pings[start...].firstIndex { $0.ping.person != person } ?? pings.endIndex
            if try isKnown.run(in: db, { $0.append(person.rawValue) }) {
                for one in pings[start..<end] { try PingRow.insert(one.ping, by: ping, db) }
                // An existing row may be marked as suspect.
                if db.changesCount > 0 {
                    try position.run(in: db) { PingRow.append(pings[end - 1].ping, to: &$0) }
                } else {
                    try newest.run(in: db) { $0.append(person.rawValue) }
                }
                try overtaken.run(in: db) { $0.append(person.rawValue) }
            }
            start = end
        }
    }

    /// Deletes some rows of the log, overwriting them, and returns whether none is left.
    private func forgetSome(_ db: Database, through last: Int64) throws -> Bool {
        let most = 16
        var rows: [Data] = []
        var count = 0
        try db.inTransaction(.immediate) {
            rows = try Data.fetchAll(
                db,
                sql: """
                    DELETE FROM ping_log
                    WHERE number IN (SELECT number FROM ping_log WHERE number <= ? ORDER BY number LIMIT ?) RETURNING pings
                    """, arguments: [last, most])
            count = try rows.reduce(0) { try $0 + PingLog.count($1) }
            return .commit
        }
        forgot(count)
        return rows.count < most
    }
}
