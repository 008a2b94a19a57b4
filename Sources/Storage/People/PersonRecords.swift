internal import GRDB
public import Model

/// What one person likes, said and shared: for whoever wants to know all that is held about them.
extension Store {
    private static let rowsOfPage = 2_000
    /// Comments may be long.
    private static let commentsOfPage = 200

    /// A favorite of a person.
    public struct FavouriteRow: Sendable {
        /// The person, place or product.
        public var other: AnyID
        /// Since when.
        public var since: Timestamp
    }

    /// A comment by a person.
    public struct CommentRow: Sendable {
        /// The id of the comment.
        public var id: CommentID
        /// The place that it is about.
        public var place: PlaceID
        /// The words.
        public var text: String
        /// When it was received.
        public var at: Timestamp
        /// When it was last changed; nil for never.
        public var editedAt: Timestamp?
    }

    /// What a person shared from an instant on.
    public struct SharingRow: Sendable {
        /// Since when.
        public var since: Timestamp
        /// What was shared, without the zones.
        public var sharing: Sharing
    }

    /// A person's favorites of a kind, by their numbers; nobody is named who has blocked the person.
    public func favourites(_ kind: FavouriteKind, of person: PersonNumber) -> KeysetReader<FavouriteRow> {
        KeysetReader(
            self, PersonRecordsSQL.favourites(kind), after: [-1], bounds: [Int64(person)], pagesOf: Self.rowsOfPage
        ) { row in
            FavouriteRow(other: ID(known: row[1]), since: try row.timestamp(2))
        }
    }

    /// The comments that a person wrote, in the order in which they were made.
    public func comments(by person: PersonNumber) -> KeysetReader<CommentRow> {
        KeysetReader(
            self, PersonRecordsSQL.comments, after: [-1], bounds: [Int64(person)], pagesOf: Self.commentsOfPage
        ) { row in
            CommentRow(
                id: ID(known: row[1]), place: ID(known: row[2]), text: row[3], at: try row.timestamp(4),
                editedAt: row.hasNull(atIndex: 5) ? nil : try row.timestamp(5))
        }
    }

    /// What a person shared since when, oldest first; before the first what who states nothing shares.
    public func sharings(of person: PersonNumber) -> KeysetReader<SharingRow> {
        KeysetReader(self, PersonRecordsSQL.sharings, after: [.min], bounds: [Int64(person)], pagesOf: Self.rowsOfPage)
        { row in
            SharingRow(since: try row.timestamp(0), sharing: try ColumnText.sharing(row[1]))
        }
    }
}

/// The queries, of which the first parameter is a key, the next is the person and the last a limit.
package enum PersonRecordsSQL {
    /// Favorites of a kind.
    package static func favourites(_ kind: FavouriteKind) -> String {
        let isShown = kind == .people ? "AND \(PersonTiesSQL.isNotHidden("?2"))" : ""
        return """
            SELECT other, id, since_ms FROM \(kind.table) JOIN \(kind.rawValue) ON number = other
            WHERE person = ?2 AND other > ?1 \(isShown) ORDER BY other LIMIT ?3
            """
    }

    /// Comments.
    package static let comments = """
        SELECT comments.number, comments.id, places.id, text, at_ms, edited_ms FROM comments
        JOIN places ON places.number = place WHERE author = ?2 AND comments.number > ?1
        ORDER BY comments.number LIMIT ?3
        """

    /// What was shared since when.
    package static let sharings = """
        SELECT since_ms, sharing FROM sharings WHERE person = ?2 AND since_ms > ?1 ORDER BY since_ms LIMIT ?3
        """
}
