internal import Foundation

/// Words of filters as small numbers.
///
/// Two words are the same when they differ in capitals and accents only.
struct Vocabulary: Sendable {
    private var terms: [String: Int32] = [:]

    /// The number of a word, nil for one that nothing carries.
    func term(_ word: String) -> Int32? { terms[Self.folded(word)] }

    /// The numbers of those of the words that something carries.
    func terms(_ words: [String]) -> [Int32] { words.compactMap(term) }

    mutating func insert(_ word: String) -> Int32 {
        let key = Self.folded(word)
        if let term = terms[key] { return term }
        let term = Int32(terms.count)
        terms[key] = term
        return term
    }

    mutating func insert(_ word: String?) -> Int32? { word.map { insert($0) } }

    /// The word without accents, in small letters.
    static func folded(_ word: String) -> String {
        if word.utf8.allSatisfy({ $0 < 0x80 }) { return word.lowercased() }
        return word.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}
