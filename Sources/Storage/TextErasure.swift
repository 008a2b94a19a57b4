internal import GRDB

/// Getting the names of deleted people out of the index of text.
///
/// FTS5 only notes that a row is deleted; its words stay in old segments until all segments are merged into one. (Its
/// `secure-delete` needs SQLite 3.42.)
extension Store {
    /// How many pages one transaction merges, so that no commit waits long for it, and how many follow each other.
    private static let (pages, steps) = (64, 64)

    /// Whether the index of people's names may hold those of deleted ones, also after a crash.
    func holdsErasedText() throws -> Bool {
        try pool.read { db in try Self.erasures(db) != nil }
    }

    private static func erasures(_ db: Database) throws -> Int? {
        try Int.fetchOne(db, sql: "SELECT count FROM text_erasures WHERE name = 'people_text'")
    }

    /// Merges segments of the index of people's names, if people were deleted, for a while.
    ///
    /// - Returns: whether nothing is left to be merged.
    func mergeText() async throws(StorageError) -> Bool {
        do {
            for _ in 0..<Self.steps {
                let isDone = try await pool.writeWithoutTransaction { db in
                    var isDone = false
                    try db.inTransaction(.immediate) {
                        isDone = try self.mergeSomeText(db)
                        return .commit
                    }
                    return isDone
                }
                if isDone { return true }
            }
            return false
        } catch { throw StorageError(error) }
    }

    /// A merge that began before somebody was deleted may have left that name behind it: then another one begins.
    private func mergeSomeText(_ db: Database) throws -> Bool {
        guard let erasures = try Self.erasures(db) else { return true }
        let begun = mergedErasures
        let before = db.totalChangesCount
        try db.execute(
            sql: "INSERT INTO people_text (people_text, rank) VALUES ('merge', ?)",
            arguments: [begun == nil ? -Self.pages : Self.pages])
        // The command counts as one change; see "The 'merge' command" of https://sqlite.org/fts5.html.
        guard db.totalChangesCount - before < 2 else {
            mergedErasures = begun ?? erasures
            return false
        }
        mergedErasures = nil
        guard begun ?? erasures == erasures else { return false }
        try db.execute(sql: "DELETE FROM text_erasures")
        return true
    }
}
