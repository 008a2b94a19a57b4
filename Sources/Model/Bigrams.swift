/// Words of scripts without spaces between them, such as Japanese, Chinese and Thai, as pairs of neighboring characters.
///
/// A dictionary would find their words; pairs find any part of a text, at the price of a few false matches.
package enum Bigrams {
    /// A folded text whose characters of these scripts are pairs, separated by spaces.
    ///
    /// A document has all pairs and, for a search of one character, the last one alone: `東京都` is `東京 京都 都`. A
    /// query needs only enough pairs to cover its characters, so that it has few words: `東京都庁` is `東京 都庁`.
    ///
    /// - Complexity: O(bytes).
    package static func separated(_ text: String, isQuery: Bool) -> String {
        guard text.unicodeScalars.contains(where: isUnspaced) else { return text }
        var separated = ""
        var run: [Character] = []
        func end() {
            guard !run.isEmpty else { return }
            separated += " \(pairs(of: run, isQuery: isQuery).joined(separator: " ")) "
            run = []
        }
        for character in text {
            if let first = character.unicodeScalars.first, isUnspaced(first) {
                run.append(character)
            } else {
                end()
                separated.append(character)
            }
        }
        end()
        return separated
    }

    private static func pairs(of run: [Character], isQuery: Bool) -> [String] {
        guard let last = run.last, run.count > 1 else { return run.map { String($0) } }
        let pairs = zip(run, run.dropFirst()).map { String([$0, $1]) }
        guard isQuery else { return pairs + [String(last)] }
        return pairs.indices.filter { $0.isMultiple(of: 2) || $0 == pairs.count - 1 }.map { pairs[$0] }
    }

    /// Whether a scalar is of Thai, Lao, Burmese, Khmer, kana or Han (Unicode 15.1).
    private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0xe00: false
        case 0xe00...0xeff, 0x1000...0x109f, 0x1780...0x17ff, 0x3005...0x3007, 0x3040...0x30ff, 0x31f0...0x31ff,
            0x3400...0x4dbf, 0x4e00...0x9fff, 0xf900...0xfaff, 0x20000...0x323af:
            true
        default: false
        }
    }
}
