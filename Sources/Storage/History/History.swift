internal import Foundation
internal import GRDB
internal import Geo
public import Model

/// The start of a list of one person's pings.
public enum HistoryStart: Hashable, Sendable {
    /// At the first ping.
    case beginning
    /// At a ping, inclusive.
    case at(PingKey)
    /// After a ping.
    case after(PingKey)

    /// Whether a ping belongs to the list.
    public func admits(_ key: PingKey) -> Bool {
        switch self {
        case .beginning: true
        case .at(let first): key >= first
        case .after(let last): key > last
        }
    }

    /// The greatest time and sequence before the list.
    fileprivate var bound: (time: Int64, sequence: Int64) {
        switch self {
        case .beginning: (.min, 0)
        case .at(let first): (first.time.milliseconds, Int64(first.sequence) - 1)
        case .after(let last): (last.time.milliseconds, Int64(last.sequence))
        }
    }
}

/// Reads of the history, in transactions short enough not to hold up the write-ahead log.
extension Store {
    /// The compacted pings of a person in a half-open interval of fix times, oldest first.
    ///
    /// The result holds as many of the first `limit` as a short transaction can read.
    ///
    /// - Complexity: O(log of all pings + `limit`).
    public func pings(
        of person: PersonNumber, in times: Range<Timestamp>, from start: HistoryStart = .beginning, limit: Int
    ) async throws(StorageError) -> Rows<StoredPing> {
        let (time, sequence) = start.bound
        let sql = """
            SELECT \(PingRow.columns) FROM pings
            WHERE person = ? AND (time_ms, sequence) > (?, ?) AND time_ms >= ? AND time_ms < ?
            ORDER BY time_ms, sequence LIMIT ?
            """
        return try await rows(
            sql,
            [person, time, sequence, times.lowerBound.milliseconds, times.upperBound.milliseconds, limit],
            limit: limit, PingRow.decode)
    }

    /// Checks that the database answers.
    public func probe() async throws(StorageError) {
        try await read { db in _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM secrets") }
    }
}
