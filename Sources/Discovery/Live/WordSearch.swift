internal import Geo
public import Model
internal import Storage

/// Finding by words, of which the storage has the indexes.
extension Live {
    /// The different words at most that a text may have.
    public static let mostWords = Store.mostWords
    /// What it costs to look for a word, to read a number that is found, and to try a word in place of one that was
    /// mistyped (``Effort``).
    private static let (stepsOfWord, stepsOfNumber, stepsOfTry) = (20_000, 10, 300)

    /// The numbers of the places or products that have all words of a text, in order; nil for a text with no word, or
    /// with more than ``mostWords``.
    ///
    /// The caller pays for all that are found: whoever may look for places and products may see each of them.
    ///
    /// - Parameters:
    ///   - index: where they are looked for.
    ///   - text: what was typed.
    ///   - groups: puts words together that are looked for as one, and says what else they may be called.
    /// - Returns: the numbers.
    /// - Throws: ``StorageError``.
    /// - Complexity: O(documents that have one of the words).
    public func numbers<Thing>(
        in index: TextIndex<Thing>, matching text: String, groups: @escaping @Sendable ([String]) -> [SoughtWords]
    ) async throws(StorageError) -> [Number<Thing>]? {
        guard let answer = try await store.numbers(in: index, matching: text, groups: groups) else { return nil }
        Effort.count(
            answer.words * Self.stepsOfWord + answer.found.count * Self.stepsOfNumber + answer.tried * Self.stepsOfTry)
        return answer.found
    }

    /// By what a person is looked for.
    public enum PersonSearch: Sendable {
        /// Words of the name: for services that of the surname, too.
        case name(String)
        /// The e-mail address, whatever its capitals.
        case email(String)
    }

    /// The next people who want to be found so, at least `limit` of whom the caller may know unless there are fewer;
    /// nil for a text with no word, or with more than ``mostWords``.
    ///
    /// As many more are found as a block may hide: else a short page, or one that goes on, would reveal it. The caller
    /// pays for words and limit, whoever is found.
    ///
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
            Effort.charge(answer.words * Self.stepsOfWord + limit * Self.stepsOfNumber)
            return answer.found
        case .email(let email):
            return try await store.people(withEmail: email, after: after?.number ?? -1, limit: most).map {
                PersonFound(isBeginning: false, number: $0)
            }
        }
    }
}

extension PlaceFilter {
    /// Narrows to the places of an owner.
    ///
    /// Nobody is told what places another person has: to each it is as if there were none.
    public mutating func narrow(toOwner id: PersonID, for caller: Caller) {
        if caller.mayAct(for: id) { owner = id } else { numbers = [] }
    }
}
