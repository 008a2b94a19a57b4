internal import GRDB
public import Model

/// Verification and rebuilding of the text indexes.
extension TextTable {
    /// The differences between the index and the documents, one sentence at most.
    ///
    /// An index keeps no text to compare, so its words are compared with the words of a temporary new index.
    ///
    /// - Complexity: O(n log n) for n words of documents, in memory.
    func faults(_ db: Database) throws -> [String] {
        let there = "temp.there_\(table)"
        let right = "temp.right_\(table)"
        try db.execute(
            sql: """
                \(creation(in: "temp."))
                \(filling(in: "temp."))
                CREATE VIRTUAL TABLE \(there) USING fts5vocab(main, \(table)_text, instance);
                CREATE VIRTUAL TABLE \(right) USING fts5vocab(temp, \(table)_text, instance);
                """)
        defer { try? db.execute(sql: "DROP TABLE \(there); DROP TABLE \(right); DROP TABLE temp.\(table)_text") }
        let words = "SELECT doc, col, term FROM"
        let sentences = try [
            ("lacks", "\(words) \(right) EXCEPT \(words) \(there)"),
            ("has", "\(words) \(there) EXCEPT \(words) \(right)"),
        ].compactMap { verb, difference -> String? in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT words, first, (SELECT id FROM main.\(table) WHERE number = first)
                    FROM (SELECT count(*) AS words, min(doc) AS first FROM (\(difference)))
                    """)
            guard let row, let count = row[0] as Int?, count > 0, let number = row[1] as Int64? else { return nil }
            let document = (row[2] as String?).map { "'\($0)'" } ?? "row \(number), which does not exist"
            return "\(verb) \(count) words \(verb == "has" ? "too many" : "of documents"), first of \(document)"
        }
        return sentences.isEmpty
            ? []
            : [
                "text index: \(table)_text \(sentences.joined(separator: "; ")): 'cerca check --rebuild-text' rebuilds it"
            ]
    }

    /// Rebuilds the index, whatever its state.
    func rebuild(_ db: Database) throws {
        try db.execute(sql: "DROP TABLE IF EXISTS main.\(table)_text; \(creation(in: "main.")) \(filling(in: "main."))")
    }
}

extension Store {
    /// Rebuilds the text indexes from the documents.
    ///
    /// - Throws: ``StorageError``; then they are unchanged.
    /// - Complexity: O(documents).
    public func rebuildText() throws(StorageError) {
        try StorageError.wrap {
            try pool.write { db in
                for table in TextTable.all { try table.rebuild(db) }
                try db.execute(sql: "UPDATE text_version SET version = ?", arguments: [PlainText.version])
            }
        }
    }

    /// Rebuilds the text indexes if another version of ``PlainText`` made them.
    func renewText() throws(StorageError) {
        let version = try readNow { db in try Int.fetchOne(db, sql: "SELECT version FROM text_version") }
        if version != PlainText.version { try rebuildText() }
    }
}
