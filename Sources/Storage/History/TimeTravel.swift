internal import GRDB
public import Model

/// The stored positions of a person around an instant, those that are suspect left out.
public struct BracketingPings: Sendable {
    /// The latest at or before the instant.
    public var before: StoredPing?
    /// The first after it.
    public var after: StoredPing?

    /// Positions around an instant, as far as there are any.
    public init(before: StoredPing? = nil, after: StoredPing? = nil) {
        self.before = before
        self.after = after
    }
}

/// A time for which two people were friends.
public struct FriendshipInterval: Hashable, Sendable {
    /// The number of the friend.
    public var friend: PersonNumber
    /// From when to when, the end excluded; one that goes on has no end in sight.
    public var times: Range<Timestamp>
}

/// Reading how things were at an instant.
extension Store {
    /// The folded pings of people around an instant, in the order of the numbers given.
    ///
    /// - Complexity: O(`people`.count * log of all pings).
    public func pings(of people: [PersonNumber], around time: Timestamp) async throws(StorageError) -> [BracketingPings]
    {
        try await read(each: people) { person, db in
            BracketingPings(
                before: try PingRow.fetch(db, sql: "\(BelievedSQL.before) LIMIT 1", [person, time.milliseconds]).first,
                after: try PingRow.fetch(db, sql: "\(BelievedSQL.after) LIMIT 1", [person, time.milliseconds]).first)
        }
    }

    /// When a person was friends with anybody, as far as that overlaps an interval; also friendships that ended.
    ///
    /// - Complexity: O(friendships of the person that there ever were).
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
