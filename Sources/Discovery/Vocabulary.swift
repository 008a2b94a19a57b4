internal import Storage

/// Words of filters as small numbers.
///
/// Two words are the same when they differ in capitals and accents only (``PlainText``).
struct Vocabulary: Sendable {
    private var terms: [String: Int32] = [:]

    /// The number of a word, nil for one that nothing carries.
    func term(_ word: String) -> Int32? { terms[PlainText.of(word)] }

    /// The number of a word that is folded, nil for one that nothing carries.
    func term(folded word: String) -> Int32? { terms[word] }

    mutating func insert(_ word: String) -> Int32 {
        let key = PlainText.of(word)
        if let term = terms[key] { return term }
        let term = Int32(terms.count)
        terms[key] = term
        return term
    }

    mutating func insert(_ word: String?) -> Int32? { word.map { insert($0) } }
}
