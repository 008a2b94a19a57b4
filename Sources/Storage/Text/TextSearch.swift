internal import GRDB
package import Model

/// Full-text search of documents.
///
/// All words of the query must be in the document, each as a prefix of a word there; case and accents are ignored in
/// any script (``PlainText``). Words are delimited as by `unicode61` of SQLite's FTS5.
extension Store {
    /// The numbers of the documents that match all words of a text, in order; nil for a text without a letter or digit.
    ///
    /// A word also matches in the other grammatical number (``Inflection``), or as one of the alternatives in `groups`.
    /// If nothing matches all words, up to two words that match nothing are corrected (``Misspelling``).
    ///
    /// - Parameters:
    ///   - index: the index to search.
    ///   - text: the query as typed.
    ///   - groups: combines words that are searched for together.
    /// - Returns: the documents, and the number of corrections tried.
    /// - Throws: ``StorageError``.
    /// - Complexity: O(documents that have one of the words).
    package func numbers<Thing>(
        in index: TextIndex<Thing>, matching text: String,
        groups: @escaping @Sendable ([String]) -> [SoughtWords] = { words in words.map { SoughtWords([$0]) } }
    ) async throws(StorageError) -> (found: [Number<Thing>], tried: Int)? {
        try await read { db in
            let words = try Words.tokens(of: text, db)
            guard !words.isEmpty else { return nil }
            let sought = groups(words)
            let found: [Number<Thing>] = try Self.numbers(index.table, sought, db)
            guard found.isEmpty else { return (found, 0) }
            let (corrected, tried) = try Self.corrected(sought, groups) { group in
                try !Self.matches(index.table, group, db)
            }
            return (tried == 0 ? [] : try Self.numbers(index.table, corrected, db), tried)
        }
    }

    private static func numbers<Thing>(
        _ table: String, _ sought: [SoughtWords], _ db: Database
    ) throws -> [Number<Thing>] {
        try Number.fetchAll(
            db.cachedStatement(sql: "SELECT rowid FROM \(table) WHERE \(table) MATCH ?"),
            arguments: [sought.map(\.pattern).joined(separator: " AND ")])
    }

    private static func matches(_ table: String, _ group: SoughtWords, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(table) MATCH ?)"),
            arguments: [group.pattern]) ?? false
    }

    /// The maximum number of words of a text that are corrected, each of which tries some hundred others.
    private static let mostCorrected = 2

    /// Adds corrections for the first words that match nothing, and returns the number of corrections.
    private static func corrected(
        _ sought: [SoughtWords], _ groups: ([String]) -> [SoughtWords], isNowhere: (SoughtWords) throws -> Bool
    ) rethrows -> (groups: [SoughtWords], tried: Int) {
        var (corrected, left, tried) = (sought, mostCorrected, 0)
        for (place, group) in sought.enumerated() where group.typed.count == 1 && left > 0 {
            let corrections = Misspelling.corrections(of: group.typed[0]).filter { !$0.contains(" ") }
            guard !corrections.isEmpty, try isNowhere(group) else { continue }
            corrected[place].others += corrections.map { [$0] } + corrections.flatMap { groups([$0]) }.flatMap(\.others)
            left -= 1
            tried += corrections.count
        }
        return (corrected, tried)
    }

    /// The next people findable by name whose names, or given names only, match all words of a text.
    ///
    /// The result is nil for a text without a letter or digit.
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

    /// The next people findable by e-mail address who have this address, ignoring ASCII case.
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

/// The normalized words of a search.
private struct Words {
    private let words: [String]

    /// nil if there are none.
    init?(_ text: String, _ db: Database) throws {
        let tokens = try Self.tokens(of: text, db)
        guard !tokens.isEmpty else { return nil }
        words = Set(tokens).sorted()
    }

    /// The words in the order of the text.
    static func tokens(of text: String, _ db: Database) throws -> [String] {
        try db.makeTokenizer(WordTokenizer.tokenizerDescriptor()).tokenize(query: text).map(\.token)
    }

    /// A pattern that matches words with these prefixes; quoting disables operators.
    var prefixes: String { words.map(\.prefixPattern).joined(separator: " AND ") }

    /// A pattern that matches exactly these words.
    var whole: String { words.map(\.pattern).joined(separator: " AND ") }
}

extension String {
    /// A pattern that matches this word; quoting disables operators.
    fileprivate var pattern: String { "\"\(replacing("\"", with: "\"\""))\"" }
    /// A pattern that matches words with this prefix.
    fileprivate var prefixPattern: String { "\(pattern)*" }
}

extension SoughtWords {
    /// A pattern that matches documents with the typed words, or with any of the alternatives.
    fileprivate var pattern: String {
        let typed = typed.map { word in
            let forms = Inflection.forms(of: word).filter { !$0.hasPrefix(word) }.sorted()
            return "(\(([word.prefixPattern] + forms.map(\.pattern)).joined(separator: " OR ")))"
        }
        let others = others.map { $0.map(\.pattern).joined(separator: " AND ") }.map { "(\($0))" }
        return "(\(([typed.joined(separator: " AND ")].map { "(\($0))" } + others).joined(separator: " OR ")))"
    }
}
