internal import GRDB
package import Model

/// The results of a word search and its cost.
package struct FoundByWords<Item: Sendable>: Sendable {
    /// The results, in order.
    package var found: [Item] = []
    /// The results whose name has all words in any form, in order; empty if not requested, or for a single result.
    package var named: [Item] = []
    /// The members of ``named`` whose name has all words exactly as typed.
    package var exact: [Item] = []
    /// The number of words searched for, without those that are a prefix of another.
    package var words: Int
    /// The number of corrections tried for misspelled words.
    package var tried = 0
}

/// Full-text search of documents.
///
/// All words of the query must be in the document, each as a prefix of a word there; case and accents are ignored in
/// any script (``PlainText``). Words are delimited as by `unicode61` of SQLite's FTS5.
extension Store {
    /// The maximum number of different words in a query.
    ///
    /// A word costs more if more documents have it.
    package static let mostWords = 12

    /// The numbers of the documents that match all words of a text, in order; nil for a text with no word or too many.
    ///
    /// A word also matches in other forms, or as one of the alternatives in `groups`. If nothing matches all words, up to
    /// two words that match nothing are corrected (``Misspelling``).
    ///
    /// - Parameters:
    ///   - index: the index to search.
    ///   - text: the query as typed.
    ///   - inflection: the forms of words.
    ///   - isRanked: whether the best matches are returned too.
    ///   - groups: combines words that are searched for together.
    /// - Returns: the numbers and the cost of the search.
    /// - Throws: ``StorageError``.
    /// - Complexity: O(documents that have one of the words).
    package func numbers<Thing>(
        in index: TextIndex<Thing>, matching text: String, inflection: Inflection = Inflection(),
        isRanked: Bool = false,
        groups: @escaping @Sendable ([String]) -> [SoughtWords] = { words in words.map { SoughtWords([$0]) } }
    ) async throws(StorageError) -> FoundByWords<Number<Thing>>? {
        try await read { db in
            guard let words = try Words.tokens(of: text, db) else { return nil }
            let forms = WordForms(of: words, inflection)
            var sought = forms.unimplied(groups(words))
            var answer = FoundByWords<Number<Thing>>(words: sought.reduce(0) { $0 + $1.typed.count })
            answer.found = try Self.numbers(index.table, forms.pattern(of: sought), db)
            if answer.found.isEmpty {
                (sought, answer.tried) = try Self.corrected(sought, groups) { group in
                    try !Self.matches(index.table, forms.pattern(of: [group]), db)
                }
                if answer.tried > 0 { answer.found = try Self.numbers(index.table, forms.pattern(of: sought), db) }
            }
            guard isRanked, answer.found.count > 1 else { return answer }
            answer.named = try Self.numbers(index.table, "\(index.names): (\(forms.pattern(of: sought)))", db)
            guard !answer.named.isEmpty else { return answer }
            answer.exact = try Self.numbers(index.table, "\(index.names): (\(words.wholePattern))", db)
            return answer
        }
    }

    private static func numbers<Thing>(_ table: String, _ pattern: String, _ db: Database) throws -> [Number<Thing>] {
        try Number.fetchAll(
            db.cachedStatement(sql: "SELECT rowid FROM \(table) WHERE \(table) MATCH ?"), arguments: [pattern])
    }

    private static func matches(_ table: String, _ pattern: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(table) MATCH ?)"),
            arguments: [pattern]) ?? false
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
    /// The result is nil for a text with no word or too many.
    ///
    /// - Throws: ``StorageError``.
    /// - Complexity: O(limit) for one word of up to three letters, else O(people with one of the words).
    package func people(
        named text: String, bySurname: Bool, after: PersonFound?, limit: Int
    ) async throws(StorageError) -> FoundByWords<PersonFound>? {
        let after = after ?? PersonFound(isBeginning: false, number: -1)
        return try await read { db in
            guard let words = try Words(text, db) else { return nil }
            var answer = FoundByWords<PersonFound>(words: words.longest.count)
            let columns = bySurname ? "{name surname}" : "{name}"
            if !after.isBeginning {
                answer.found = try Self.people("\(columns): (\(words.whole))", after.number, limit, db).map {
                    PersonFound(isBeginning: false, number: $0)
                }
            }
            guard answer.found.count < limit else { return answer }
            let number = after.isBeginning ? after.number : -1
            let rest = try Self.people(
                "\(columns): ((\(words.prefixes)) NOT (\(words.whole)))", number, limit - answer.found.count, db)
            answer.found += rest.map { PersonFound(isBeginning: true, number: $0) }
            return answer
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

    /// Creates the words of a text; nil if there are none or too many.
    init?(_ text: String, _ db: Database) throws {
        guard let tokens = try Self.tokens(of: text, db) else { return nil }
        words = Set(tokens).sorted()
    }

    /// In the order of the text; nil if there are none, or too many.
    static func tokens(of text: String, _ db: Database) throws -> [String]? {
        let tokens = try db.makeTokenizer(WordTokenizer.tokenizerDescriptor()).tokenize(query: text).map(\.token)
        return 1...Store.mostWords ~= Set(tokens).count ? tokens : nil
    }

    /// The words that are not a prefix of another.
    ///
    /// A name with a word that begins with `alex` has one that begins with `al`.
    var longest: [String] {
        words.filter { word in !words.contains { $0 != word && $0.begins(with: word) } }
    }

    /// The pattern of words with these prefixes.
    ///
    /// A quoted word contains no operator.
    var prefixes: String { longest.map(\.prefixPattern).joined(separator: " AND ") }

    /// A pattern that matches exactly these words.
    var whole: String { words.wholePattern }
}

extension [String] {
    /// A pattern that matches documents with exactly these words.
    fileprivate var wholePattern: String { map(\.pattern).joined(separator: " AND ") }
}

extension String {
    /// A pattern that matches this word; quoting disables operators.
    fileprivate var pattern: String { "\"\(replacing("\"", with: "\"\""))\"" }
    /// A pattern that matches words with this prefix.
    fileprivate var prefixPattern: String { "\(pattern)*" }
    /// Whether another word is a prefix of this one by bytes, as in the index.
    fileprivate func begins(with word: String) -> Bool { utf8.starts(with: word.utf8) }
}

/// The inflected forms of the words of a search.
private struct WordForms {
    private let forms: [String: [String]]

    init(of words: [String], _ inflection: Inflection) {
        forms = Dictionary(words.map { ($0, inflection.forms(of: $0)) }) { first, _ in first }
    }

    /// The groups that no other group implies, in order.
    func unimplied(_ groups: [SoughtWords]) -> [SoughtWords] {
        groups.reduce(into: []) { kept, group in
            guard !kept.contains(where: { implies($0, group) }) else { return }
            kept.removeAll { implies(group, $0) }
            kept.append(group)
        }
    }

    /// Whether every document that matches a group matches another, which is equal or a prefix of a word of the first.
    private func implies(_ group: SoughtWords, _ other: SoughtWords) -> Bool {
        guard group != other else { return true }
        guard other.typed.count == 1 else { return false }
        let beginning = other.typed[0]
        let isTyped = group.typed.contains { word in
            word.begins(with: beginning) && (forms[word] ?? []).allSatisfy { $0.begins(with: beginning) }
        }
        return isTyped && group.others.allSatisfy { $0.contains { $0.begins(with: beginning) } }
    }

    /// The expression that matches documents with the words or the alternatives of all groups.
    func pattern(of groups: [SoughtWords]) -> String { groups.map(pattern(of:)).joined(separator: " AND ") }

    private func pattern(of group: SoughtWords) -> String {
        let typed = group.typed.map { word in
            let others = (forms[word] ?? []).filter { !$0.hasPrefix(word) }
            return "(\(([word.prefixPattern] + others.map(\.pattern)).joined(separator: " OR ")))"
        }
        let others = group.others.map { "(\($0.wholePattern))" }
        return "(\((["(\(typed.joined(separator: " AND ")))"] + others).joined(separator: " OR ")))"
    }
}
