internal import GRDB
package import Model

/// Getting the words of what is deleted or replaced out of the indexes of text.
///
/// FTS5 only notes that a row is deleted; its words stay in old segments until all segments are merged into one. (Its
/// `secure-delete` needs SQLite 3.42.) Triggers count what is deleted and replaced, in the same transaction.
extension Store {
    /// How many pages one transaction merges, so that no commit waits long for it.
    private static let pages = 64

    /// Merges segments of each index that has words of what is gone, for a while.
    ///
    /// - Parameter steps: how many transactions it is at most for each index.
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
    /// A merge that began before something was deleted may have left those words behind it: then another one begins.
    ///
    /// - Returns: whether the merge goes on.
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

/// How far the merge of an index is.
struct TextMerge: Sendable {
    /// How many deletions the merge that is under way reaches; nil for none.
    private(set) var reaches: Int?
    private var steps = 0
    /// How often the next one is put off still.
    private var pauses = 0

    /// Takes note of a step; the merge is over for nil.
    ///
    /// The index is written anew each time something in it changes: the more that is the seldomer, so that it is a sixteenth
    /// of what the disk and the writer could do.
    mutating func step(reaches: Int?) {
        self.reaches = reaches
        steps += 1
        guard reaches == nil else { return }
        (steps, pauses) = (0, steps / 4)
    }

    /// Whether the next merge is put off this time.
    mutating func rests() -> Bool {
        guard reaches == nil, pauses > 0 else { return false }
        pauses -= 1
        return true
    }
}
