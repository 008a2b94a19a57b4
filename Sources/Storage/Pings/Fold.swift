internal import Foundation
internal import GRDB
public import Model

/// Compaction, called folding: moving pings from the packed rows of the log into the tables `pings` and `positions`.
///
/// Pings are inserted in the order of people and time, a few at a time, so that a commit never waits long behind it. A
/// fold that was broken off is done again from its start; the pings that are already there are passed over.
extension Store {
    /// How many pings are read from the log at once.
    private static let round = 50_000

    /// How long one transaction shall take, for commits wait meanwhile: as long as a commit when many pings wait.
    private var pace: Duration { .milliseconds(unfoldedCount > 4 * Self.round ? 10 : 4) }

    /// Folds the oldest rows of the log, as many as have some ten thousand pings, letting commits through meanwhile.
    ///
    /// What is deleted meanwhile is left out of what is still to be inserted.
    ///
    /// - Returns: The number of the last row folded; all pings up to it are in the tables. nil if the log was empty.
    /// - Throws: ``StorageError``, also when the task is canceled; what was done until then stays done.
    public func fold() async throws(StorageError) -> Int64? {
        let last = try await fold {}
        noteFolded()
        return last
    }

    /// The same, calling `step` whenever commits are let through.
    package func fold(_ step: @Sendable () async throws -> Void) async throws(StorageError) -> Int64? {
        beginFold()
        defer { endFold() }
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
            // All are in the tables now, and whoever deletes some of them deletes them there as well.
            while try await !pool.writeWithoutTransaction({ db in try self.forgetSome(db, through: last) }) {
                try await step()
            }
            return last
        } catch { throw StorageError(error) }
    }

    /// How many pings the next transaction inserts, so that it takes as long as it shall: at most twice as many as the last.
    private static func slice(after count: Int, took time: Duration, pace: Duration) -> Int {
        min(max(50, Int(Double(count) * min(2, pace / time))), 5_000)
    }

    /// The pings of the oldest rows of the log, by person and time.
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

    /// Folds the whole log, before anything else is written.
    func foldAll(_ announce: (_ waiting: Int) -> Void) throws(StorageError) {
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

    /// Inserts pings sorted by person and time; those of people who were deleted meanwhile are gone with them.
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
                // One that was there before may be suspect.
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

    /// Deletes some rows of the log, overwriting them, and tells whether none is left.
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
