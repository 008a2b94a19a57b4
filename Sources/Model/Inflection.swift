/// Singular and plural forms of words: `zapatos` for `zapato`, `boxes` for `box`.
package enum Inflection {
    /// The other singular and plural forms of an English or Spanish word, which must be normalized (``PlainText``).
    ///
    /// The rules change endings without a dictionary, so some forms are not words. For plurals they are the rules of
    /// Harman's S-stemmer (1991, doi:10.1002/(SICI)1097-4571(199101)42:1<7::AID-ASI2>3.0.CO;2-P), and `z` and `ces` of
    /// Spanish.
    ///
    /// - Complexity: O(length).
    package static func forms(of word: String) -> Set<String> {
        guard word.utf8.count > 2 else { return [] }
        var forms: Set<String> = []
        for singular in singulars(of: word) + [word] {
            forms.insert(singular)
            forms.formUnion(plurals(of: singular))
        }
        forms.remove(word)
        return forms
    }

    /// The endings of plurals with their replacements; the longest matching ending applies.
    private static let endings: [(plural: String, singulars: [String])] = [
        ("ces", ["z", "ce"]), ("ies", ["y", "ie", "i"]), ("ves", ["f", "fe", "ve"]), ("es", ["", "e"]), ("ss", []),
        ("us", []), ("is", []), ("s", [""]),
    ]

    private static func singulars(of word: String) -> [String] {
        guard let ending = endings.first(where: { word.hasSuffix($0.plural) }) else { return [] }
        let stem = word.dropLast(ending.plural.count)
        return ending.singulars.map { stem + $0 }.filter { $0.utf8.count > 2 }
    }

    private static func plurals(of word: String) -> [String] {
        guard let last = word.last, last != "s" else { return [word + "es"] }
        let stem = word.dropLast()
        if word.hasSuffix("fe") { return [stem.dropLast() + "ves", word + "s"] }
        return switch last {
        case "z": [stem + "ces", word + "es"]
        case "y": [stem + "ies", word + "s", word + "es"]
        case "f": [stem + "ves", word + "s"]
        case "a", "e", "i", "o", "u": [word + "s"]
        default: [word + "s", word + "es"]
        }
    }
}
