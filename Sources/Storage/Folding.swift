internal import Foundation
internal import GRDB

/// Folding: moving pings from the packed rows of the log into the tables `pings` and `positions`.
///
/// Pings are inserted in the order of people and time, a few at a time, so that a commit never waits long behind it. A
/// fold that was broken off is done again from its start; the pings that are already there are passed over.
extension Store {
    /// How many pings one transaction of a fold inserts.
    private static let slice = 1_000

    /// Folds all that is in the log now, letting commits through after each slice.
    ///
    /// - Returns: The number of the last row folded; all pings up to it are in the tables. nil if the log was empty.
    public func fold() async throws(StorageError) -> Int64? {
        do {
            guard let last = try await pool.read({ db in try Int64.fetchOne(db, sql: Self.lastNumber) }) else {
                return nil
            }
            let pings = try await pool.read { db in try Self.logged(db, through: last) }
            for start in stride(from: 0, to: pings.count, by: Self.slice) {
                let slice = pings[start..<min(start + Self.slice, pings.count)]
                try await pool.writeWithoutTransaction { db in
                    try db.inTransaction(.immediate) {
                        try Self.insert(slice, db)
                        return .commit
                    }
                }
            }
            try await pool.writeWithoutTransaction { db in try Self.forget(db, through: last) }
            return last
        } catch { throw StorageError(error) }
    }

    /// Folds the whole log at once.
    func foldAll() throws(StorageError) {
        try StorageError.wrap {
            try pool.writeWithoutTransaction { db in
                guard let last = try Int64.fetchOne(db, sql: Self.lastNumber) else { return }
                try db.inTransaction(.immediate) {
                    try Self.insert(Self.logged(db, through: last)[...], db)
                    try Self.forget(db, through: last)
                    return .commit
                }
            }
        }
    }

    private static let lastNumber = "SELECT max(number) FROM ping_log HAVING max(number) IS NOT NULL"

    private static func logged(_ db: Database, through last: Int64) throws -> [StoredPing] {
        let rows = try Data.fetchAll(
            db, sql: "SELECT pings FROM ping_log WHERE number <= ? ORDER BY number", arguments: [last])
        return try rows.flatMap(PingLog.unpack).sorted {
            ($0.person, $0.time, $0.sequence) < ($1.person, $1.time, $1.sequence)
        }
    }

    /// Inserts pings sorted by person and time; those of people who were deleted meanwhile are gone with them.
    private static func insert(_ pings: ArraySlice<StoredPing>, _ db: Database) throws {
        let isKnown = try db.cachedStatement(sql: "SELECT 1 FROM people WHERE number = ?")
        let ping = try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO pings (\(PingRow.columns)) VALUES (\(PingRow.placeholders))")
        let position = try db.cachedStatement(
            sql: """
                INSERT INTO positions (\(PingRow.columns)) VALUES (\(PingRow.placeholders))
                ON CONFLICT (person) DO UPDATE SET (time_ms, sequence, received_ms, device, public_cell, accuracy_m,
                    altitude_m, speed_mps, heading, battery, position) = (excluded.time_ms, excluded.sequence,
                    excluded.received_ms, excluded.device, excluded.public_cell, excluded.accuracy_m,
                    excluded.altitude_m, excluded.speed_mps, excluded.heading, excluded.battery, excluded.position)
                WHERE (excluded.time_ms, excluded.sequence) > (time_ms, sequence)
                """)
        var start = pings.startIndex
        while start < pings.endIndex {
            let person = pings[start].person
            let end = pings[start...].firstIndex { $0.person != person } ?? pings.endIndex
            if try Int.fetchOne(isKnown, arguments: [person]) != nil {
                for one in pings[start..<end] { try ping.execute(arguments: PingRow.arguments(one)) }
                try position.execute(arguments: PingRow.arguments(pings[end - 1]))
            }
            start = end
        }
    }

    private static func forget(_ db: Database, through last: Int64) throws {
        try db.execute(sql: "DELETE FROM ping_log WHERE number <= ?", arguments: [last])
    }
}
