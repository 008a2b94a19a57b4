internal import DequeModule
internal import Model

/// Interned filter words with reference counts.
///
/// Words that differ only in case and accents are equal (``PlainText``).
struct Vocabulary: Sendable {
    /// The number of later releases before a number is reused: a search in parts may hold the number of a released
    /// word, which must then match nothing.
    private static let rest = 1_000_000

    private var terms: [String: Int32] = [:]
    /// The words by number, with their reference counts; empty for released words.
    private var words: ContiguousArray<(word: String, uses: Int32)> = []
    /// The released numbers, the longest free first.
    private var free: Deque<Int32> = []

    var count: Int { terms.count }

    /// The number of a word; nil for an unused word.
    func term(_ word: String) -> Int32? { terms[PlainText.of(word)] }

    /// The number of a folded word; nil for an unused word.
    func term(folded word: String) -> Int32? { terms[word] }

    /// The folded word of a number; empty for a released number.
    func word(of term: Int32) -> String { words[Int(term)].word }

    /// Adds a reference to a word.
    ///
    /// - Returns: the word's number.
    mutating func take(_ word: String) -> Int32 {
        let key = PlainText.of(word)
        if let term = terms[key] {
            words[Int(term)].uses += 1
            return term
        }
        let term = free.count > Self.rest ? free.removeFirst() : Int32(words.count)
        if Int(term) == words.count { words.append((key, 1)) } else { words[Int(term)] = (key, 1) }
        terms[key] = term
        return term
    }

    /// Removes a reference to a word, and releases its number after the last one.
    mutating func giveBack(_ term: Int32) {
        words[Int(term)].uses -= 1
        guard words[Int(term)].uses == 0 else { return }
        terms[words[Int(term)].word] = nil
        words[Int(term)].word = ""
        free.append(term)
    }
}
