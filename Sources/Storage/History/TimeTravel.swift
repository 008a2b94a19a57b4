internal import GRDB
public import Model

/// The stored positions of a person around an instant, without suspect ones.
public struct BracketingPings: Sendable {
    /// The latest at or before the instant.
    public var before: StoredPing?
    /// The first after it.
    public var after: StoredPing?

    /// Creates the positions around an instant, as far as they exist.
    public init(before: StoredPing? = nil, after: StoredPing? = nil) {
        self.before = before
        self.after = after
    }
}

/// An interval during which two people were friends.
public struct FriendshipInterval: Hashable, Sendable {
    /// The number of the friend.
    public var friend: PersonNumber
    /// The half-open interval; for a current friendship it ends in the far future.
    public var times: Range<Timestamp>
}

/// Reads of the state at an instant.
extension Store {
    /// The compacted pings of people around an instant, in the order of the given numbers.
    ///
    /// - Complexity: O(`people`.count * log of all pings).
    public func pings(of people: [PersonNumber], around time: Timestamp) async throws(StorageError) -> [BracketingPings]
    {
        try await read(each: people) { person, db in
            BracketingPings(
                before: try PingRow.fetch(db, sql: "\(BelievedSQL.before) LIMIT 1", person, [time.milliseconds]).first,
                after: try PingRow.fetch(db, sql: "\(BelievedSQL.after) LIMIT 1", person, [time.milliseconds]).first)
        }
    }

    /// The current and former friendships of a person that overlap an interval.
    ///
    /// - Complexity: O(all current and former friendships of the person).
    public func friendships(
        of person: PersonNumber, in times: Range<Timestamp>
    ) async throws(StorageError) -> [FriendshipInterval] {
        return try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT a + b - ?1, since_ms, NULL FROM friendships WHERE (a = ?1 OR b = ?1) AND since_ms < ?3
                    UNION ALL SELECT a + b - ?1, since_ms, until_ms FROM former_friendships
                    WHERE (a = ?1 OR b = ?1) AND since_ms < ?3 AND until_ms > ?2
                    ORDER BY 2
                    """, arguments: [person, times.lowerBound.milliseconds, times.upperBound.milliseconds]
            ).map { row in
                let until = (row[2] as Int64?) ?? .max
                return FriendshipInterval(
                    friend: try row.integer(0),
                    times: Timestamp(milliseconds: row[1])..<Timestamp(milliseconds: until))
            }
        }
    }
}
