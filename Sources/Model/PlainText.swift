internal import Foundation

/// Text normalization for comparison, which ignores case, accents and variants of letters in every script.
package enum PlainText {
    /// The version of ``of(_:)`` and ``Bigrams``: text indexes of another version are rebuilt.
    package static let version = 5

    /// Letters that are not accented forms of others, with their usual replacements in plain ASCII.
    private static let letters: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ø": "o", "Ø": "o", "ł": "l", "Ł": "l",
        "đ": "d", "Đ": "d", "ð": "d", "Ð": "d", "þ": "th", "Þ": "th", "ħ": "h", "Ħ": "h", "ŧ": "t", "Ŧ": "t", "ı": "i",
    ]

    /// The precomputed results for nearly all letters that change, up to kana and the signs of East Asia.
    private static let table: [String] = (firstOfTable..<0x3400).map { number in
        Unicode.Scalar(number).map(letter) ?? ""
    }
    private static let firstOfTable: UInt32 = 0x80
    /// The precomputed results for compatibility forms, such as ligatures and letters of full width.
    private static let forms: [String] = (firstOfForms..<0x1_0000).map { number in
        Unicode.Scalar(number).map(letter) ?? ""
    }
    private static let firstOfForms: UInt32 = 0xf900
    /// The maximum number of letters into which one is decomposed, so that no text becomes many times as long.
    private static let mostParts = 4

    /// The words of a text: sequences of letters and digits, in lowercase and without accents.
    package static func words(of text: String) -> [String] {
        // The s of "women's" belongs to its word.
        of(text).replacing("'", with: "").replacing("’", with: "")
            .split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// A text in lowercase without accents: `Ελένη` is `ελενη`, `Алёна` is `алена`, `Straße` is `strasse`.
    ///
    /// Letters are decomposed by Unicode compatibility (NFKD), marks that are only points or accents are removed, and
    /// the rest is recomposed. Signs within a word are left out (``WordJoints``). Fractions and circled numbers are
    /// unchanged, because `37½` is not `371⁄2`, and so are letters that stand for more than four, such as `ﷺ`.
    ///
    /// - Complexity: O(bytes).
    package static func of(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < firstOfTable }) { return WordJoints.joined(text.lowercased()) }
        var plain = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case ..<firstOfTable: plain += scalar.properties.lowercaseMapping
            case ..<0x3400: plain += table[Int(scalar.value - firstOfTable)]
            // Han and Hangul syllables stay as they are.
            case 0x3400..<0x4dc0, 0x4e00..<0xa000, 0xac00..<0xd7a4: plain.unicodeScalars.append(scalar)
            case firstOfForms..<0x1_0000: plain += forms[Int(scalar.value - firstOfForms)]
            default: plain += letter(scalar)
            }
        }
        return WordJoints.joined(
            plain.unicodeScalars.contains(where: isPart) ? plain.precomposedStringWithCanonicalMapping : plain)
    }

    /// Whether a scalar may combine with the one before it: a mark, or a part of a Hangul syllable.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x300
            && (scalar.properties.canonicalCombiningClass != .notReordered || 0x1100...0x11ff ~= scalar.value)
    }

    private static func letter(_ scalar: Unicode.Scalar) -> String {
        // An accent of its own is typed as an apostrophe.
        guard scalar != "\u{B4}" else { return "'" }
        guard scalar.properties.generalCategory != .otherNumber else { return String(scalar) }
        let parts = String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars
        guard parts.count <= mostParts else { return String(scalar) }
        var plain = ""
        for part in parts { add(part, to: &plain) }
        return plain
    }

    private static func add(_ scalar: Unicode.Scalar, to plain: inout String) {
        if let letter = letters[scalar] {
            plain += letter
        } else if !isAccent(scalar) {
            // Lowercasing the uppercase form unifies the variants of a letter, such as the two small sigmas.
            for capital in scalar.properties.uppercaseMapping.unicodeScalars {
                plain += capital.properties.lowercaseMapping
            }
        }
    }

    /// Whether a mark is a point (Hebrew, Arabic) or an accent above, below or through a letter.
    ///
    /// Marks that are part of a letter are not accents, such as the vowels of Thai, the virama of India and the voicing
    /// marks of kana.
    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.properties.generalCategory == .nonspacingMark else { return false }
        switch scalar.properties.canonicalCombiningClass.rawValue {
        case 1, 10...36, 200...: return true
        default: return false
        }
    }
}
