/// Correction of words with one typing error.
package enum Misspelling {
    /// The lengths of words that are corrected: shorter words are too close to others, and longer words have too many
    /// corrections.
    private static let lengths = 5...24

    /// The words within one edit: a letter omitted, inserted, replaced, or exchanged with the next; sorted.
    ///
    /// The word must be normalized (``PlainText``). Inserted letters are a to z, a space, and the letters of the word.
    /// The result is empty for a word of less than 5 letters or more than 24.
    ///
    /// - Complexity: O(length²): some 500 for nine letters.
    package static func corrections(of word: String) -> [String] {
        let letters = Array(word)
        guard lengths.contains(letters.count) else { return [] }
        var found: Set<String> = []
        for place in letters.indices {
            let (before, after) = (letters[..<place], letters[(place + 1)...])
            found.insert(String(before + after))
            if let next = after.first { found.insert(String(before + [next, letters[place]] + after.dropFirst())) }
        }
        for letter in Set("abcdefghijklmnopqrstuvwxyz ").union(letters) {
            for place in letters.indices {
                found.insert(String(letters[..<place] + [letter] + letters[(place + 1)...]))
                found.insert(String(letters[..<place] + [letter] + letters[place...]))
            }
            found.insert(String(letters + [letter]))
        }
        found.remove(word)
        return found.sorted()
    }
}
