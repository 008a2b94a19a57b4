internal import GRDB
public import Model

extension Store {
    /// Calls `body` with each comment, ordered by number.
    public func forEachComment(_ body: (PlaceComment) throws -> Void) throws(StorageError) {
        try forEach("SELECT number, id, place, author, at_ms, edited_ms, revision FROM comments ORDER BY number") {
            row in
            var comment = PlaceComment(
                number: try row.integer(0), id: ID(known: row[1]), place: try row.integer(2),
                author: try row.integer(3), at: Timestamp(milliseconds: row[4]))
            comment.editedAt = (row[5] as Int64?).map(Timestamp.init(milliseconds:))
            comment.revision = row[6]
            try body(comment)
        }
    }

    /// The texts of comments by number; deleted comments are omitted.
    ///
    /// - Throws: ``StorageError``.
    public func texts(ofComments numbers: [CommentNumber]) async throws(StorageError) -> [CommentNumber: String] {
        return try await read { db in
            let statement = try db.cachedStatement(sql: "SELECT text FROM comments WHERE number = ?")
            return try numbers.reduce(into: [:]) { texts, number in
                texts[number] = try String.fetchOne(statement, arguments: [number])
            }
        }
    }
}

extension Transaction {
    func write(_ change: CommentChange) throws {
        switch change {
        case .put(let comment, let text):
            try run(
                """
                INSERT INTO comments (number, id, place, author, at_ms, edited_ms, revision, text)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (number) DO UPDATE SET
                    (edited_ms, revision, text) = (excluded.edited_ms, excluded.revision, excluded.text)
                """,
                [
                    comment.number, comment.id.text, comment.place, comment.author, comment.at.milliseconds,
                    comment.editedAt?.milliseconds, comment.revision, text,
                ])
        case .deleted(let number): try erase("comments", number)
        }
    }
}
