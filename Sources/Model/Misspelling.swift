/// A word that was typed with one mistake.
package enum Misspelling {
    /// Of so many letters words are taken for mistyped ones: shorter ones are too near to others, and of longer ones there is
    /// too much that could be meant.
    private static let lengths = 5...24

    /// What may have been meant by a word: one letter left out, put in, replaced, or exchanged with the next; in order.
    ///
    /// The word is written as it is compared (``PlainText``). What is put in is a letter from a to z, a space, or one that the
    /// word has. None of a word with less than 5 letters, or more than 24.
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
