internal import GRDB
public import Model

/// The current and former ties of one person that a data export contains.
///
/// People who have blocked the person are omitted, because they are invisible to the person.
extension Store {
    private static let rowsOfPage = 2_000

    /// A friendship, or a request for one.
    public struct FriendshipRow: Sendable {
        /// The other person.
        public var other: PersonID
        /// Whether the other person made the request.
        public var wasAsked: Bool
        /// When the request was made.
        public var asked: Timestamp
        /// When the two became friends; nil for a request.
        public var since: Timestamp?
    }

    /// A friendship that has ended.
    public struct FormerFriendshipRow: Sendable {
        /// The other person.
        public var other: PersonID
        /// When it began.
        public var since: Timestamp
        /// When it ended.
        public var until: Timestamp
    }

    /// A person's decision about another.
    public struct DecisionRow: Sendable {
        /// The other person.
        public var other: PersonID
        /// Whether the person likes the other.
        public var likes: Bool
        /// When it was made.
        public var time: Timestamp
    }

    /// A block of another by a person.
    public struct BlockRow: Sendable {
        /// The other person.
        public var other: PersonID
        /// When it was made.
        public var since: Timestamp
    }

    /// A person's friendships and requests, ordered by the others' numbers.
    public func friendships(of person: PersonNumber) -> KeysetReader<FriendshipRow> {
        KeysetReader(self, PersonTiesSQL.friendships, after: [-1], bounds: [Int64(person)], pagesOf: Self.rowsOfPage) {
            row in
            FriendshipRow(
                other: ID(known: row[1]), wasAsked: try row.integer(2) as Int64 == row.integer(0),
                asked: try row.timestamp(3), since: row.hasNull(atIndex: 4) ? nil : try row.timestamp(4))
        }
    }

    /// A person's former friendships, ordered by the others' numbers.
    public func formerFriendships(of person: PersonNumber) -> KeysetReader<FormerFriendshipRow> {
        KeysetReader(
            self, PersonTiesSQL.formerFriendships, after: [-1, .min], bounds: [Int64(person)],
            pagesOf: Self.rowsOfPage
        ) { row in
            FormerFriendshipRow(
                other: ID(known: row[2]), since: try row.timestamp(1), until: try row.timestamp(3))
        }
    }

    /// A person's decisions about others, ordered by their numbers.
    public func decisions(of person: PersonNumber) -> KeysetReader<DecisionRow> {
        KeysetReader(self, PersonTiesSQL.decisions, after: [-1], bounds: [Int64(person)], pagesOf: Self.rowsOfPage) {
            row in
            DecisionRow(other: ID(known: row[1]), likes: row[2], time: try row.timestamp(3))
        }
    }

    /// The people whom a person blocks, ordered by number.
    public func blocks(of person: PersonNumber) -> KeysetReader<BlockRow> {
        KeysetReader(self, PersonTiesSQL.blocks, after: [-1], bounds: [Int64(person)], pagesOf: Self.rowsOfPage) {
            row in
            BlockRow(other: ID(known: row[1]), since: try row.timestamp(2))
        }
    }
}

/// The queries: the first parameters are a key, the next is the person and the last a limit.
package enum PersonTiesSQL {
    package static let friendships = """
        SELECT other, id, asked_by, asked_ms, since_ms FROM (
            SELECT b AS other, asked_by, asked_ms, since_ms FROM friendships WHERE a = ?2 AND b > ?1
            UNION ALL SELECT a, asked_by, asked_ms, since_ms FROM friendships WHERE b = ?2 AND a > ?1
        ) JOIN people ON number = other WHERE \(isNotHidden("?2")) ORDER BY other LIMIT ?3
        """

    package static let formerFriendships = """
        SELECT other, since_ms, id, until_ms FROM (
            SELECT b AS other, since_ms, until_ms FROM former_friendships WHERE a = ?3
            UNION ALL SELECT a, since_ms, until_ms FROM former_friendships WHERE b = ?3
        ) JOIN people ON number = other WHERE (other, since_ms) > (?1, ?2) AND \(isNotHidden("?3"))
        ORDER BY other, since_ms LIMIT ?4
        """

    package static let decisions = """
        SELECT decisions.other AS other, id, likes, at_ms FROM decisions JOIN people ON number = other
        WHERE person = ?2 AND other > ?1 AND \(isNotHidden("?2")) ORDER BY other LIMIT ?3
        """

    package static let blocks = """
        SELECT blocks.other, id, since_ms FROM blocks JOIN people ON number = other WHERE person = ?2 AND other > ?1
        ORDER BY other LIMIT ?3
        """

    /// A condition that the row of `people` has not blocked a person.
    static func isNotHidden(_ person: String) -> String {
        "NOT EXISTS (SELECT 1 FROM blocks hidden WHERE hidden.person = people.number AND hidden.other = \(person))"
    }
}
