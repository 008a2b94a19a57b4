/// The inflections of words in some languages: `zapatos` and `zapato`, `rote` and `roter`.
public struct Inflection: Sendable {
    /// The languages of the words.
    public let languages: [Language]

    /// The inflections in some languages.
    public init(_ languages: [Language] = [.english, .spanish]) { self.languages = languages }

    /// The other forms of a normalized word (``PlainText``), sorted: singular and plural, genders, cases.
    ///
    /// The word is taken for a word of each language. No dictionary is used, so some forms are not words. Words in other
    /// scripts than Latin have none.
    ///
    /// - Complexity: O(length): at most some fifty forms and a hundred stems for each language.
    package func forms(of word: String) -> [String] {
        guard word.utf8.count > 2, word.utf8.allSatisfy({ $0 < 0x80 }) else { return [] }
        return languages.reduce(into: Set<String>()) { $0.formUnion($1.forms(of: word)) }.subtracting([word]).sorted()
    }
}

extension Language {
    fileprivate func forms(of word: String) -> Set<String> {
        let singulars = Set(singulars(of: word) + [word])
        let related = singulars.union(related(to: singulars))
        // Other words that end with s are plurals already.
        return related.union(related.filter { singulars.contains($0) || $0.last != "s" }.flatMap(plurals(of:)))
    }

    private func singulars(of word: String) -> [String] {
        guard let rule = plurals.first(where: { word.hasSuffix($0.ending) }) else { return [] }
        let beginning = word.dropLast(rule.ending.count)
        return rule.singulars.map { beginning + $0 }.filter { $0.utf8.count > 2 }
    }

    private func plurals(of word: String) -> [String] {
        plurals.flatMap { rule in
            rule.singulars.filter(word.hasSuffix).map { word.dropLast($0.count) + rule.ending }
        }.filter { singulars(of: $0).contains(word) }
    }

    /// The words that have another ending, and the stem of one of some words.
    private func related(to words: Set<String>) -> [String] {
        guard let stemmer = Stemmer(self) else { return [] }
        return words.flatMap { word in
            let stem = stemmer.stem(of: word)
            return exchanges(of: word).filter { $0.utf8.count > 2 && stemmer.stem(of: $0) == stem }
        }
    }

    /// A word with each other ending in place of one that it has, or added.
    private func exchanges(of word: String) -> [String] {
        ([""] + endings).filter(word.hasSuffix).flatMap { ending in
            spellings(of: String(word.dropLast(ending.count))).flatMap { beginning in
                // Dutch `bom` is not `boom`, although both are `bom` in `bommen` and `bomen`.
                ((ending.isEmpty ? [] : [""]) + endings).map { beginning + $0 }
            }
        }
    }

    /// The spellings of the beginning of a word before and without an ending: in Dutch `boot` and `bot`, `tas` and `tass`.
    private func spellings(of beginning: String) -> [String] {
        let letters = Array(beginning.suffix(3))
        guard self == .dutch, letters.count == 3, !Self.vowels.contains(letters[2]) else { return [beginning] }
        if letters[2] == letters[1] { return [beginning, String(beginning.dropLast())] }
        guard Self.vowels.contains(letters[1]) else { return [beginning] }
        if letters[1] == letters[0] { return [beginning, beginning.dropLast(2) + String(letters[2])] }
        return [beginning, beginning.dropLast() + String(letters[1...]), beginning + String(letters[2])]
    }

    private static let vowels: Set<Character> = ["a", "e", "i", "o", "u"]
}
