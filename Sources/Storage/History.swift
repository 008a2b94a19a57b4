internal import Foundation
internal import GRDB
internal import Geo

/// Reading what was stored, in transactions short enough not to hold up the write-ahead log.
extension Store {
    /// The folded pings of a person in the half-open interval of fix times, oldest first, after a given one.
    ///
    /// - Complexity: O(log of all pings + `limit`).
    public func pings(
        of person: Int32, from: Timestamp, to: Timestamp, after: (time: Timestamp, sequence: UInt8)? = nil, limit: Int
    ) async throws(StorageError) -> [StoredPing] {
        let start = after?.time.milliseconds ?? from.milliseconds
        let sequence = after.map { Int($0.sequence) } ?? -1
        do {
            return try await pool.read { db in
                try PingRow.fetch(
                    db,
                    """
                    WHERE person = ? AND (time_ms, sequence) > (?, ?) AND time_ms >= ? AND time_ms < ?
                    ORDER BY time_ms, sequence LIMIT ?
                    """,
                    [person, start, sequence, from.milliseconds, to.milliseconds, limit])
            }
        } catch { throw StorageError(error) }
    }

    /// Whether the database answers.
    public func probe() async throws(StorageError) {
        do { try await pool.read { db in _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM secrets") } } catch {
            throw StorageError(error)
        }
    }
}
