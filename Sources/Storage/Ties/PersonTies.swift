internal import GRDB
public import Model

/// How one person stands, or stood, to others: for whoever wants to know all that is held about them.
///
/// Nobody is named who has blocked the person, for whom they do not exist.
extension Store {
    private static let rowsOfPage = 2_000

    /// A friendship, or a request for one.
    public struct FriendshipRow: Sendable {
        /// The other one.
        public var other: PersonID
        /// Whether the other one asked.
        public var wasAsked: Bool
        /// When one of the two asked.
        public var asked: Timestamp
        /// When the two became friends; nil for a request.
        public var since: Timestamp?
    }

    /// A friendship that has ended.
    public struct FormerFriendshipRow: Sendable {
        /// The other one.
        public var other: PersonID
        /// When it began.
        public var since: Timestamp
        /// When it ended.
        public var until: Timestamp
    }

    /// What a person decided about another.
    public struct DecisionRow: Sendable {
        /// The other one.
        public var other: PersonID
        /// Whether the person likes the other.
        public var likes: Bool
        /// When it was said.
        public var time: Timestamp
    }

    /// A block of another by a person.
    public struct BlockRow: Sendable {
        /// The other one.
        public var other: PersonID
        /// When it was made.
        public var since: Timestamp
    }

    /// A person's friendships and requests, by the numbers of the others.
    public func friendships(of person: PersonNumber) -> KeysetReader<FriendshipRow> {
        KeysetReader(self, PersonTiesSQL.friendships, after: [-1], bounds: [Int64(person)], pagesOf: Self.rowsOfPage) {
            row in
            FriendshipRow(
                other: ID(known: row[1]), wasAsked: try row.integer(2) as Int64 == row.integer(0),
                asked: try row.timestamp(3), since: row.hasNull(atIndex: 4) ? nil : try row.timestamp(4))
        }
    }

    /// A person's friendships that have ended, by the numbers of the others.
    public func formerFriendships(of person: PersonNumber) -> KeysetReader<FormerFriendshipRow> {
        KeysetReader(
            self, PersonTiesSQL.formerFriendships, after: [-1, .min], bounds: [Int64(person)],
            pagesOf: Self.rowsOfPage
        ) { row in
            FormerFriendshipRow(
                other: ID(known: row[2]), since: try row.timestamp(1), until: try row.timestamp(3))
        }
    }

    /// What a person decided about others, by their numbers.
    public func decisions(of person: PersonNumber) -> KeysetReader<DecisionRow> {
        KeysetReader(self, PersonTiesSQL.decisions, after: [-1], bounds: [Int64(person)], pagesOf: Self.rowsOfPage) {
            row in
            DecisionRow(other: ID(known: row[1]), likes: row[2], time: try row.timestamp(3))
        }
    }

    /// Whom a person blocks, by their numbers.
    public func blocks(of person: PersonNumber) -> KeysetReader<BlockRow> {
        KeysetReader(self, PersonTiesSQL.blocks, after: [-1], bounds: [Int64(person)], pagesOf: Self.rowsOfPage) {
            row in
            BlockRow(other: ID(known: row[1]), since: try row.timestamp(2))
        }
    }
}

/// The queries, of which the first parameters are a key, the next is the person and the last a limit.
package enum PersonTiesSQL {
    /// Friendships and requests.
    package static let friendships = """
        SELECT other, id, asked_by, asked_ms, since_ms FROM (
            SELECT b AS other, asked_by, asked_ms, since_ms FROM friendships WHERE a = ?2 AND b > ?1
            UNION ALL SELECT a, asked_by, asked_ms, since_ms FROM friendships WHERE b = ?2 AND a > ?1
        ) JOIN people ON number = other WHERE \(isNotHidden("?2")) ORDER BY other LIMIT ?3
        """

    /// Friendships that have ended.
    package static let formerFriendships = """
        SELECT other, since_ms, id, until_ms FROM (
            SELECT b AS other, since_ms, until_ms FROM former_friendships WHERE a = ?3
            UNION ALL SELECT a, since_ms, until_ms FROM former_friendships WHERE b = ?3
        ) JOIN people ON number = other WHERE (other, since_ms) > (?1, ?2) AND \(isNotHidden("?3"))
        ORDER BY other, since_ms LIMIT ?4
        """

    /// Likes and dislikes.
    package static let decisions = """
        SELECT decisions.other AS other, id, likes, at_ms FROM decisions JOIN people ON number = other
        WHERE person = ?2 AND other > ?1 AND \(isNotHidden("?2")) ORDER BY other LIMIT ?3
        """

    /// Blocks.
    package static let blocks = """
        SELECT blocks.other, id, since_ms FROM blocks JOIN people ON number = other WHERE person = ?2 AND other > ?1
        ORDER BY other LIMIT ?3
        """

    /// That somebody in `people` has not blocked a person.
    static func isNotHidden(_ person: String) -> String {
        "NOT EXISTS (SELECT 1 FROM blocks hidden WHERE hidden.person = people.number AND hidden.other = \(person))"
    }
}
