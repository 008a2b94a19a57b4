internal import GRDB
package import Model

/// Finding documents by their words.
///
/// All words of what is looked for must be in the document, each as the beginning of a word there; capitals and accents do not
/// matter, in any script (``PlainText``). What is a word is what `unicode61` of SQLite's FTS5 takes for one.
extension Store {
    /// The numbers of the documents that have all words of a text, in order; nil for a text without a letter or digit.
    ///
    /// A word may also be there in the other number (``Inflection``), or as one of what `groups` says that it may be called. Where
    /// nothing has all words, two of those that nothing has are taken for mistyped ones (``Misspelling``).
    ///
    /// - Parameters:
    ///   - index: where they are looked for.
    ///   - text: what was typed.
    ///   - groups: puts words together that are looked for as one.
    /// - Returns: also how many words were tried in place of mistyped ones.
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

    /// How many words of a text are taken for mistyped ones: each costs a look at some hundred others.
    private static let mostCorrected = 2

    /// Groups with what may have been meant by the first words that are nowhere, and how many words that is.
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
        let tokens = try Self.tokens(of: text, db)
        guard !tokens.isEmpty else { return nil }
        words = Set(tokens).sorted()
    }

    /// In the order of the text.
    static func tokens(of text: String, _ db: Database) throws -> [String] {
        try db.makeTokenizer(WordTokenizer.tokenizerDescriptor()).tokenize(query: text).map(\.token)
    }

    /// What matches words that begin with these; nothing in a quoted word is an operator.
    var prefixes: String { words.map(\.prefixPattern).joined(separator: " AND ") }

    /// What matches these words only.
    var whole: String { words.map(\.pattern).joined(separator: " AND ") }
}

extension String {
    /// What matches this word; nothing in a quoted word is an operator.
    fileprivate var pattern: String { "\"\(replacing("\"", with: "\"\""))\"" }
    /// What matches words that begin with this one.
    fileprivate var prefixPattern: String { "\(pattern)*" }
}

extension SoughtWords {
    /// What matches documents that have the words, or any of what else they may be called.
    fileprivate var pattern: String {
        let typed = typed.map { word in
            let forms = Inflection.forms(of: word).filter { !$0.hasPrefix(word) }.sorted()
            return "(\(([word.prefixPattern] + forms.map(\.pattern)).joined(separator: " OR ")))"
        }
        let others = others.map { $0.map(\.pattern).joined(separator: " AND ") }.map { "(\($0))" }
        return "(\(([typed.joined(separator: " AND ")].map { "(\($0))" } + others).joined(separator: " OR ")))"
    }
}
