/// Signs within a word that many people leave out or type differently.
///
/// `Hawaiʻi` and `Hawai'i` are `hawaii`, `м'ята` and `мʼята` are `мята`, and `col·legi` and `col.legi` are `collegi`. The apostrophe of
/// an elision still separates words, so that `L'Hospitalet` is found by `hospitalet`.
enum WordJoints {
    private static let vowels: Set<Unicode.Scalar> = ["a", "e", "i", "o", "u"]
    /// The dot of Catalan, and what is typed and pasted instead.
    private static let middleDots: Set<Unicode.Scalar> = ["\u{B7}", "\u{2022}", "\u{2027}", "\u{2219}", "\u{22C5}"]

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
            let before = (joined.dropLast().last, joined.last)
            let after = (next, index + 2 < scalars.count ? scalars[index + 2] : nil)
            if isJoint(scalar, after: before, before: after) { continue }
            // The modifier letter is an apostrophe where it separates words.
            joined.append(scalar == "\u{2BC}" ? "'" : scalar)
        }
        return String(String.UnicodeScalarView(joined))
    }

    private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
        isApostrophe(scalar) || isLetter(scalar) || scalar == "." || middleDots.contains(scalar)
    }

    private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "'", "`", "\u{2019}", "\u{2018}", "\u{2BC}": true
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

    /// Whether a sign joins its neighbors: an apostrophe two vowels, but not after `qu`, or two Cyrillic letters; a dot
    /// two l, and a full stop only between vowels, unlike in `S.L.L.`.
    private static func isJoint(
        _ scalar: Unicode.Scalar, after before: (Unicode.Scalar?, Unicode.Scalar?),
        before after: (Unicode.Scalar?, Unicode.Scalar?)
    ) -> Bool {
        guard let last = before.1, let next = after.0 else { return false }
        if last == "l", next == "l" {
            let isBetweenVowels = [before.0, after.1].allSatisfy { $0.map(vowels.contains) ?? false }
            return middleDots.contains(scalar) || scalar == "." && isBetweenVowels
        }
        guard isApostrophe(scalar) else { return false }
        if isCyrillic(last) && isCyrillic(next) { return true }
        return vowels.contains(last) && vowels.contains(next) && !(last == "u" && before.0 == "q")
    }

    private static func isCyrillic(_ scalar: Unicode.Scalar) -> Bool { 0x400...0x52f ~= scalar.value }
}
