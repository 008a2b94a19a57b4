internal import GRDB
package import Model

/// Finding documents by their words.
///
/// All words of what is looked for must be in the document, each as the beginning of a word there; capitals and accents do not
/// matter, in any script (``PlainText``). What is a word is what `unicode61` of SQLite's FTS5 takes for one.
extension Store {
    /// The numbers of the documents that have all words of a text, in order; nil for a text without a letter or digit.
    ///
    /// - Throws: ``StorageError``.
    /// - Complexity: O(documents that have one of the words).
    package func numbers<Thing>(
        in index: TextIndex<Thing>, matching text: String
    ) async throws(StorageError) -> [Number<Thing>]? {
        try await read { db in
            guard let words = try Words(text, db) else { return nil }
            let name = index.table
            return try Number.fetchAll(
                db.cachedStatement(sql: "SELECT rowid FROM \(name) WHERE \(name) MATCH ?"),
                arguments: [words.prefixes])
        }
    }

    /// The next people who want to be found by name and whose names, or given names only, have all words of a text; nil for a
    /// text without a letter or digit.
    ///
    /// - Throws: ``StorageError``.
    /// - Complexity: O(limit) for words of up to three letters and whole ones, at most O(people with such words).
    package func people(
        named text: String, bySurname: Bool, after: PersonFound?, limit: Int
    ) async throws(StorageError) -> [PersonFound]? {
        let after = after ?? PersonFound(isBeginning: false, number: -1)
        return try await read { db in
            guard let words = try Words(text, db) else { return nil }
            var found: [PersonFound] = []
            let columns = bySurname ? "{name surname}" : "{name}"
            if !after.isBeginning {
                found = try Self.people("\(columns): (\(words.whole))", after.number, limit, db).map {
                    PersonFound(isBeginning: false, number: $0)
                }
            }
            guard found.count < limit else { return found }
            let number = after.isBeginning ? after.number : -1
            let rest = try Self.people(
                "\(columns): ((\(words.prefixes)) NOT (\(words.whole)))", number, limit - found.count, db)
            return found + rest.map { PersonFound(isBeginning: true, number: $0) }
        }
    }

    private static func people(_ pattern: String, _ number: PersonNumber, _ limit: Int, _ db: Database) throws
        -> [PersonNumber]
    {
        try PersonNumber.fetchAll(
            db.cachedStatement(
                sql: "SELECT rowid FROM people_text WHERE people_text MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?"),
            arguments: [pattern, number, limit])
    }

    /// The next people who want to be found by e-mail address and have this one, whatever its capitals of ASCII.
    ///
    /// - Throws: ``StorageError``.
    package func people(
        withEmail email: String, after number: PersonNumber, limit: Int
    ) async throws(StorageError) -> [PersonNumber] {
        try await read { db in
            try PersonNumber.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT number FROM people WHERE lower(email) = lower(?) AND searchable_by_email = 1
                        AND number > ? ORDER BY number LIMIT ?
                        """), arguments: [email, number, limit])
        }
    }
}

/// The words of what somebody looks for, as the indexes have words.
private struct Words {
    private let words: [String]

    /// Nil if there are none.
    init?(_ text: String, _ db: Database) throws {
        let tokens = try db.makeTokenizer(WordTokenizer.tokenizerDescriptor()).tokenize(query: text)
        guard !tokens.isEmpty else { return nil }
        words = Set(tokens.map(\.token)).sorted()
    }

    /// What matches words that begin with these; nothing in a quoted word is an operator.
    var prefixes: String { words.map { "\(Self.quoted($0))*" }.joined(separator: " AND ") }

    /// What matches these words only.
    var whole: String { words.map(Self.quoted).joined(separator: " AND ") }

    private static func quoted(_ word: String) -> String { "\"\(word.replacing("\"", with: "\"\""))\"" }
}
