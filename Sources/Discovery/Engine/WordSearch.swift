internal import Geo
public import Model
internal import Storage

/// Full-text search; the storage has the indexes.
extension Engine {
    /// The maximum number of different words in a query.
    public static let mostWords = Store.mostWords
    /// Work units (``WorkBudget``) of looking up a word, of reading a number found, and of trying a word in place of a
    /// mistyped one.
    private static let (stepsOfWord, stepsOfNumber, stepsOfTry) = (20_000, 10, 300)

    /// The places or products that contain all words of a text.
    ///
    /// The caller pays for all that are found, because every caller who may search places and products may see each of
    /// them.
    ///
    /// - Parameters:
    ///   - index: the text index.
    ///   - text: the query as typed.
    ///   - inflection: the forms of words.
    ///   - isRanked: whether the matches are distinguished by relevance.
    ///   - groups: combines words that are looked up as one, and adds their synonyms.
    /// - Returns: the matches; nil for a text with no word, or with more than ``mostWords``.
    /// - Throws: ``StorageError``.
    /// - Complexity: O(documents that contain one of the words).
    public func numbers<Thing>(
        in index: TextIndex<Thing>, matching text: String, inflection: Inflection = Inflection(),
        isRanked: Bool = false, groups: @escaping @Sendable ([String]) -> [SoughtWords]
    ) async throws(StorageError) -> WordMatches<Thing>? {
        let answer = try await store.numbers(
            in: index, matching: text, inflection: inflection, isRanked: isRanked, groups: groups)
        guard let answer else { return nil }
        let read = answer.found.count + answer.named.count + answer.exact.count
        WorkBudget.count(
            answer.words * Self.stepsOfWord + read * Self.stepsOfNumber + answer.tried * Self.stepsOfTry)
        var matches = WordMatches(answer.found)
        (matches.named, matches.exact) = (answer.named, answer.exact)
        return matches
    }

    /// The key of a search for people.
    public enum PersonSearch: Sendable {
        /// Words of the name; for services also of the surname.
        case name(String)
        /// The e-mail address, case-insensitive.
        case email(String)
    }

    /// The next people who can be found by this key, at least `limit` that the caller may know unless there are fewer.
    ///
    /// More are read than requested, as many as blocks may hide. Otherwise a short page, or one that continues, would
    /// reveal a block. The caller pays for the words and the limit, not for the results.
    ///
    /// - Returns: the people; nil for a text with no word, or with more than ``mostWords``.
    /// - Throws: ``StorageError``.
    /// - Complexity: O(limit) for one word of up to three letters, else O(people with one of the words).
    public func people(
        by search: PersonSearch, for caller: Caller, after: PersonFound?, limit: Int
    ) async throws(StorageError) -> [PersonFound]? {
        let most = limit + read { $0.hiddenCount(from: caller) }
        switch search {
        case .name(let text):
            let answer = try await store.people(
                named: text, bySurname: caller == .service, after: after, limit: most)
            guard let answer else { return nil }
            WorkBudget.charge(answer.words * Self.stepsOfWord + limit * Self.stepsOfNumber)
            return answer.found
        case .email(let email):
            return try await store.people(withEmail: email, after: after?.number ?? -1, limit: most).map {
                PersonFound(isBeginning: false, number: $0)
            }
        }
    }
}

extension PlaceFilter {
    /// Restricts the filter to the places of an owner.
    ///
    /// The places of another person are not revealed: the filter then matches none.
    public mutating func narrow(toOwner id: PersonID, for caller: Caller) {
        if caller.mayAct(for: id) { owner = id } else { numbers = [] }
    }
}
