internal import GRDB
package import Model

/// Removal of deleted and replaced words from the text indexes.
///
/// FTS5 only marks a row as deleted; its words stay in old segments until all segments are merged into one. (Its
/// `secure-delete` needs SQLite 3.42.) Deletions and replacements are counted in the same transaction.
extension Store {
    /// The number of pages that one transaction merges, so that no commit waits long for it.
    private static let pages = 64

    /// Merges segments of each index with erased words, up to a number of transactions.
    ///
    /// - Parameter steps: the maximum number of transactions for each index.
    /// - Throws: ``StorageError``.
    package func mergeText(steps: Int = 64) async throws(StorageError) {
        do {
            for name in try await pool.read(Self.erasedIndexes) {
                guard !merges[name, default: TextMerge()].rests() else { continue }
                var left = steps
                while left > 0, try await pool.writeWithoutTransaction({ db in try self.mergeStep(name, db) }) {
                    left -= 1
                }
            }
        } catch { throw StorageError(error) }
    }

    private static func erasedIndexes(_ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT name FROM text_erasures ORDER BY name")
    }

    /// Merges some segments of an index.
    ///
    /// A merge that began before a deletion may have skipped its words; then another merge begins.
    ///
    /// - Returns: whether the merge continues.
    private func mergeStep(_ name: String, _ db: Database) throws -> Bool {
        var merge = merges[name] ?? TextMerge()
        var goesOn = false
        try db.inTransaction(.immediate) {
            let sql = "SELECT count FROM text_erasures WHERE name = ?"
            guard let erasures = try Int.fetchOne(db, sql: sql, arguments: [name]) else { return .commit }
            let before = db.totalChangesCount
            try db.execute(
                sql: "INSERT INTO \(name) (\(name), rank) VALUES ('merge', ?)",
                arguments: [merge.reaches == nil ? -Self.pages : Self.pages])
            let reaches = merge.reaches ?? erasures
            // The command counts as one change; see "The 'merge' command" of https://sqlite.org/fts5.html.
            goesOn = db.totalChangesCount - before > 1
            merge.step(reaches: goesOn ? reaches : nil)
            if !goesOn, reaches == erasures {
                try db.execute(sql: "DELETE FROM text_erasures WHERE name = ?", arguments: [name])
            }
            return .commit
        }
        merges[name] = merge
        noteErasure()
        return goesOn
    }
}

/// The progress of an index's merge.
struct TextMerge: Sendable {
    /// The number of deletions covered by the current merge; nil if there is none.
    private(set) var reaches: Int?
    private var steps = 0
    /// The number of times the next merge is still postponed.
    private var pauses = 0

    /// Records a step; nil ends the merge.
    ///
    /// The whole index is rewritten for any change in it. So merges of a larger index are rarer, which limits them to a
    /// sixteenth of the capacity of the disk and the writer.
    mutating func step(reaches: Int?) {
        self.reaches = reaches
        steps += 1
        guard reaches == nil else { return }
        (steps, pauses) = (0, steps / 4)
    }

    /// Whether the next merge is postponed this time.
    mutating func rests() -> Bool {
        guard reaches == nil, pauses > 0 else { return false }
        pauses -= 1
        return true
    }
}
