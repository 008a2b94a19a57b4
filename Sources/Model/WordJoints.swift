/// Signs within a word that many people leave out or type differently.
///
/// `Hawaiʻi` and `Hawai'i` are `hawaii`, `м'ята` and `мʼята` are `мята`, and `col·legi` is `collegi`. The apostrophe of
/// an elision still separates words, so that `L'Hospitalet` is found by `hospitalet`.
enum WordJoints {
    private static let vowels: Set<Unicode.Scalar> = ["a", "e", "i", "o", "u"]
    private static let middleDot: Unicode.Scalar = "\u{B7}"

    /// A folded text without the signs within its words.
    ///
    /// - Complexity: O(bytes).
    static func joined(_ plain: String) -> String {
        // Nearly all texts have none, and all texts are folded at a start.
        guard plain.unicodeScalars.contains(where: isSign) else { return plain }
        let scalars = plain.unicodeScalars.filter { !isLetter($0) }.map(\.self)
        var joined: [Unicode.Scalar] = []
        for (index, scalar) in scalars.enumerated() {
            let next = index + 1 < scalars.count ? scalars[index + 1] : nil
            if let next, let last = joined.last, isJoint(scalar, after: last, joined.dropLast().last, before: next) {
                continue
            }
            // The modifier letter is an apostrophe where it separates words.
            joined.append(scalar == "\u{2BC}" ? "'" : scalar)
        }
        return String(String.UnicodeScalarView(joined))
    }

    private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
        isApostrophe(scalar) || isLetter(scalar) || scalar == middleDot
    }

    private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "'", "\u{2019}", "\u{2018}", "\u{2BC}": true
        default: false
        }
    }

    /// Whether a letter looks like an apostrophe: the ʻokina, and letters for glottal stops and ayin.
    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{2BB}", "\u{2BE}", "\u{2BF}", "\u{A78C}": true
        default: false
        }
    }

    /// Whether a sign joins its neighbors: an apostrophe two vowels, but not after `qu`, or two Cyrillic letters.
    private static func isJoint(
        _ scalar: Unicode.Scalar, after last: Unicode.Scalar, _ other: Unicode.Scalar?, before next: Unicode.Scalar
    ) -> Bool {
        if scalar == middleDot { return last == "l" && next == "l" }
        guard isApostrophe(scalar) else { return false }
        if isCyrillic(last) && isCyrillic(next) { return true }
        return vowels.contains(last) && vowels.contains(next) && !(last == "u" && other == "q")
    }

    private static func isCyrillic(_ scalar: Unicode.Scalar) -> Bool { 0x400...0x52f ~= scalar.value }
}
