internal import GRDB
public import Model

/// The records by and about one person that a data export contains.
extension Store {
    private static let rowsOfPage = 2_000
    /// Comments may be long.
    private static let commentsOfPage = 200

    /// A favorite of a person.
    public struct FavouriteRow: Sendable {
        /// The person, place or product.
        public var other: AnyID
        /// When it became a favorite.
        public var since: Timestamp
    }

    /// A comment by a person.
    public struct CommentRow: Sendable {
        /// The id of the comment.
        public var id: CommentID
        /// The place that it is about.
        public var place: PlaceID
        /// The text.
        public var text: String
        /// When it was received.
        public var at: Timestamp
        /// When it was last edited; nil for never.
        public var editedAt: Timestamp?
    }

    /// The sharing settings of a person from an instant on.
    public struct SharingRow: Sendable {
        /// The start.
        public var since: Timestamp
        /// The settings, without the zones.
        public var sharing: Sharing
    }

    /// A person's favorites of a kind, ordered by number, without people who have blocked the person.
    public func favourites(_ kind: FavouriteKind, of person: PersonNumber) -> KeysetReader<FavouriteRow> {
        KeysetReader(
            self, PersonRecordsSQL.favourites(kind), after: [-1], bounds: [Int64(person)], pagesOf: Self.rowsOfPage
        ) { row in
            FavouriteRow(other: ID(known: row[1]), since: try row.timestamp(2))
        }
    }

    /// The comments of a person, in order of creation.
    public func comments(by person: PersonNumber) -> KeysetReader<CommentRow> {
        KeysetReader(
            self, PersonRecordsSQL.comments, after: [-1], bounds: [Int64(person)], pagesOf: Self.commentsOfPage
        ) { row in
            CommentRow(
                id: ID(known: row[1]), place: ID(known: row[2]), text: row[3], at: try row.timestamp(4),
                editedAt: row.hasNull(atIndex: 5) ? nil : try row.timestamp(5))
        }
    }

    /// The history of a person's sharing settings, oldest first; before the first entry the default applied.
    public func sharings(of person: PersonNumber) -> KeysetReader<SharingRow> {
        KeysetReader(self, PersonRecordsSQL.sharings, after: [.min], bounds: [Int64(person)], pagesOf: Self.rowsOfPage)
        { row in
            SharingRow(since: try row.timestamp(0), sharing: try ColumnText.sharing(row[1]))
        }
    }
}

/// The queries: the first parameter is a key, the next is the person and the last a limit.
package enum PersonRecordsSQL {
    package static func favourites(_ kind: FavouriteKind) -> String {
        let isShown = kind == .people ? "AND \(PersonTiesSQL.isNotHidden("?2"))" : ""
        return """
            SELECT other, id, since_ms FROM \(kind.table) JOIN \(kind.rawValue) ON number = other
            WHERE person = ?2 AND other > ?1 \(isShown) ORDER BY other LIMIT ?3
            """
    }

    package static let comments = """
        SELECT comments.number, comments.id, places.id, text, at_ms, edited_ms FROM comments
        JOIN places ON places.number = place WHERE author = ?2 AND comments.number > ?1
        ORDER BY comments.number LIMIT ?3
        """

    package static let sharings = """
        SELECT since_ms, sharing FROM sharings WHERE person = ?2 AND since_ms > ?1 ORDER BY since_ms LIMIT ?3
        """
}
