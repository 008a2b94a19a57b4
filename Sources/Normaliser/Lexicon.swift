internal import GazetteerData
public import Model

/// The standard words for products with their variants: English and Spanish, singular and plural, and search synonyms.
///
/// Case and accents never matter.
public struct Lexicon: Sendable {
    /// The attribute of a product that a word describes.
    public enum Kind: String, CaseIterable, Sendable {
        case color, material, gender, category
        /// No attribute: a synonym for searches only.
        case word
    }

    /// The meaning of one or more words.
    struct Entry: Hashable, Sendable {
        var standard: String
        /// Whether the word only modifies a following word, such as ash in ash gray.
        var isShade: Bool
    }

    private var entries: [Kind: [String: Entry]] = [:]
    /// The forms of words in searches.
    public var inflection = Inflection()
    /// Maximum number of words in an entry.
    private(set) var longest = 1

    /// The built-in table (`data/words.csv`).
    ///
    /// - Precondition: the table is valid, as the tests check.
    ///
    /// - Precondition: the table is valid, as the tests check.
    public init() {
        var length = 0
        let start = cerca_words(&length)
        let text = String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
        do { try add(text) } catch { preconditionFailure("the table of words is damaged: \(error)") }
    }

    /// An error in a line of a table of words.
    public struct LineError: Error, Hashable, CustomStringConvertible {
        /// The line number, counted from 1, the header.
        public var line: Int
        /// The error as a sentence.
        public var description: String
    }

    /// Adds a table in CSV without quotes, with the columns `kind,standard,words,shades`.
    ///
    /// Words are separated by `;`. Existing entries are replaced. A shade counts unless a plain word of the same kind
    /// follows it.
    ///
    /// - Throws: ``LineError``.
    public mutating func add(_ table: String) throws(LineError) {
        let lines = table.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in lines.enumerated() where !line.isEmpty {
            let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed)
            if number == 0 {
                guard cells == ["kind", "standard", "words", "shades"] else {
                    throw LineError(line: 1, description: "the header is not kind,standard,words,shades")
                }
                continue
            }
            guard cells.count == 4 else {
                throw LineError(line: number + 1, description: "has \(cells.count) cells instead of 4")
            }
            guard let kind = Kind(rawValue: cells[0]) else {
                let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw LineError(line: number + 1, description: "'\(cells[0])' is not one of \(kinds)")
            }
            guard !PlainText.words(of: cells[1]).isEmpty else {
                throw LineError(line: number + 1, description: "has no standard word")
            }
            add(cells[1], kind, words: [cells[1]] + Self.listed(cells[2]), shades: Self.listed(cells[3]))
        }
    }

    private mutating func add(_ standard: String, _ kind: Kind, words: [String], shades: [String]) {
        for (texts, isShade) in [(shades, true), (words, false)] {
            for text in texts {
                let words = PlainText.words(of: text)
                guard !words.isEmpty else { continue }
                longest = max(longest, words.count)
                entries[kind, default: [:]][words.joined(separator: " ")] = Entry(standard: standard, isShade: isShade)
            }
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    private static func listed(_ text: String) -> [String] { text.split(separator: ";").map(trimmed) }

    /// The standard word for a whole text; nil for an unknown text.
    func standard(_ text: String, _ kind: Kind) -> String? {
        entry(PlainText.words(of: text).joined(separator: " "), kind)?.standard
    }

    /// The entry for folded words separated by spaces; nil for unknown words.
    func entry(_ words: String, _ kind: Kind) -> Entry? { entries[kind]?[words] }

    /// The folded words that mean any of the standard words, sorted.
    ///
    /// - Complexity: O(entries of the kind).
    func words(for standards: Set<String>, _ kind: Kind, withShades: Bool) -> [String] {
        guard let known = entries[kind] else { return [] }
        return known.filter { standards.contains($0.value.standard) && (withShades || !$0.value.isShade) }.keys.sorted()
    }

    /// The standard words found in a text, in order and without duplicates.
    ///
    /// The longest matching sequence of words wins. Single letters are ignored, and so are negated words
    /// (`leather-free`, `sin piel`) and imitations (`faux suede`).
    public func standards(in text: String, _ kind: Kind) -> [String] {
        let words = PlainText.words(of: text)
        guard let known = entries[kind] else { return [] }
        var found: [(entry: Entry, end: Int)] = []
        var at = 0
        while at < words.count {
            guard let (entry, length) = match(words, at, known) else {
                at += 1
                continue
            }
            guard !Self.isNegated(words, at..<at + length) else {
                at += length
                continue
            }
            // A shade directly before a plain word only modifies it.
            if !entry.isShade, let last = found.last, last.entry.isShade, last.end == at { found.removeLast() }
            found.append((entry, at + length))
            at += length
        }
        var seen: Set<String> = []
        return found.map(\.entry.standard).filter { seen.insert($0).inserted }
    }

    private static let negations: Set<String> = ["non", "not", "no", "without", "sin", "pu", "faux"]
    private static let exemptionWords: Set<String> = ["free", "libre"]

    private static func isNegated(_ words: [String], _ range: Range<Int>) -> Bool {
        let before = words[..<range.lowerBound].suffix(2)
        if let last = before.last {
            if negations.contains(last) { return true }
            // For example "free of leather", "libre de piel".
            if before.count == 2, ["of", "de"].contains(last), exemptionWords.contains(before.first ?? "") {
                return true
            }
        }
        guard range.upperBound < words.count else { return false }
        return exemptionWords.contains(words[range.upperBound]) || words[range.upperBound] == "look"
    }

    private func match(_ words: [String], _ at: Int, _ known: [String: Entry]) -> (entry: Entry, length: Int)? {
        for length in (1...min(longest, words.count - at)).reversed() {
            if length == 1, words[at].count == 1 { return nil }
            if let entry = known[words[at..<at + length].joined(separator: " ")] { return (entry, length) }
        }
        return nil
    }
}
