internal import DequeModule
internal import Model

/// Words of filters as small numbers, as long as anything carries them.
///
/// Two words are the same when they differ in capitals and accents only (``PlainText``).
struct Vocabulary: Sendable {
    /// A number is used for another word when so many others were given back after it: who looks through the picture in parts
    /// may hold the number of a word that is gone meanwhile, and finds nothing then, not something else.
    private static let rest = 1_000_000

    private var terms: [String: Int32] = [:]
    /// The words by number, and how often each is carried; empty for those that are gone.
    private var words: ContiguousArray<(word: String, uses: Int32)> = []
    /// The numbers without words, the one that is free for the longest first.
    private var free: Deque<Int32> = []

    /// How many words there are.
    var count: Int { terms.count }

    /// The number of a word, nil for one that nothing carries.
    func term(_ word: String) -> Int32? { terms[PlainText.of(word)] }

    /// The number of a word that is folded, nil for one that nothing carries.
    func term(folded word: String) -> Int32? { terms[word] }

    /// The word of a number, folded; empty for one that is gone.
    func word(of term: Int32) -> String { words[Int(term)].word }

    /// Takes note that something more carries a word.
    ///
    /// - Returns: its number.
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

    /// Takes note that something no longer carries the word of a number, and forgets one that nothing carries.
    mutating func giveBack(_ term: Int32) {
        words[Int(term)].uses -= 1
        guard words[Int(term)].uses == 0 else { return }
        terms[words[Int(term)].word] = nil
        words[Int(term)].word = ""
        free.append(term)
    }
}
