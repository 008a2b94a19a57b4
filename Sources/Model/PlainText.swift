internal import Foundation

/// Texts as they are compared: whatever their capitals, accents and forms of letters, in every script.
package enum PlainText {
    /// Changes whenever ``of(_:)`` does: indexes of words that were made by another version are made anew.
    package static let version = 1

    /// Letters that are no others with an accent, and what is written for them where they are not on the keyboard.
    private static let letters: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ø": "o", "Ø": "o", "ł": "l", "Ł": "l",
        "đ": "d", "Đ": "d", "ð": "d", "Ð": "d", "þ": "th", "Þ": "th", "ħ": "h", "Ħ": "h", "ŧ": "t", "Ŧ": "t", "ı": "i",
    ]

    /// What becomes of the letters of Europe, the Near East and India, which are most.
    private static let table: [String] = (firstOfTable..<0x2000).map { number in
        Unicode.Scalar(number).map(letter) ?? ""
    }
    private static let firstOfTable: UInt32 = 0x80

    /// The words of a text: letters and digits between whatever else, without capitals and accents.
    package static func words(of text: String) -> [String] {
        // The s of "women's" belongs to its word.
        of(text).replacing("'", with: "").replacing("’", with: "")
            .split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// A text without accents, in small letters: `Ελένη` is `ελενη`, `Алёна` is `алена`, `Straße` is `strasse`.
    ///
    /// Letters are taken apart as Unicode's compatibility says (NFKD), marks that only point or accent are left out, and what is
    /// left is put together again. Fractions and numbers in circles stay what they are, for `37½` is not `371⁄2`.
    ///
    /// - Complexity: O(bytes).
    package static func of(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < firstOfTable }) { return text.lowercased() }
        var plain = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                plain += scalar.properties.lowercaseMapping
            } else {
                let place = Int(scalar.value - firstOfTable)
                plain += place < table.count ? table[place] : letter(scalar)
            }
        }
        return plain.unicodeScalars.contains(where: isPart) ? plain.precomposedStringWithCanonicalMapping : plain
    }

    /// Whether a scalar may be one letter together with the one before it: a mark, or a piece of a syllable of Hangul.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x300
            && (scalar.properties.canonicalCombiningClass != .notReordered || 0x1100...0x11ff ~= scalar.value)
    }

    private static func letter(_ scalar: Unicode.Scalar) -> String {
        guard scalar.properties.generalCategory != .otherNumber else { return String(scalar) }
        var plain = ""
        for part in String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars { add(part, to: &plain) }
        return plain
    }

    private static func add(_ scalar: Unicode.Scalar, to plain: inout String) {
        if let letter = letters[scalar] {
            plain += letter
        } else if !isAccent(scalar) {
            // Small letters of the capitals are one for all forms of a letter: the two small sigmas are.
            for capital in scalar.properties.uppercaseMapping.unicodeScalars {
                plain += capital.properties.lowercaseMapping
            }
        }
    }

    /// Whether a mark points (Hebrew, Arabic) or stands above, below or through a letter, and is no part of it, as the vowels of
    /// Thai, the virama of India and the voices of kana are.
    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.properties.generalCategory == .nonspacingMark else { return false }
        switch scalar.properties.canonicalCombiningClass.rawValue {
        case 1, 10...36, 200...: return true
        default: return false
        }
    }
}
