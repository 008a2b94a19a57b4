internal import Model

extension DayColumn {
    /// The words of a column, split also within `mondayOpen1` and `mondayopen1`.
    static func split(_ column: String) -> [String] {
        var text = ""
        var last: Character = " "
        for character in column {
            if last.isLowercase && character.isUppercase || last.isLetter && character.isNumber { text += " " }
            text.append(character)
            last = character
        }
        let words = PlainText.words(of: text).flatMap(parted)
        guard words.count > 1, words.contains(where: phraseEnds.contains) else { return words }
        var joined = " " + words.joined(separator: " ") + " "
        for (phrase, word) in phrases { joined = joined.replacing(" \(phrase) ", with: " \(word) ") }
        return joined.split(separator: " ").map(String.init)
    }

    /// Whether a column names a day by a word that means nothing else.
    static func namesDay(_ words: [String]) -> Bool { words.contains(where: wholeNames.contains) }

    /// The names of days that mean nothing else.
    private static let wholeNames = Set(
        names.keys.filter { $0.count > 5 || ["lunes", "lundi", "mardi", "jeudi"].contains($0) }
    )
    .subtracting(["segunda", "quarta", "quinta"])
    private static let lengths = (5...wholeNames.map(\.count).reduce(5, max)).reversed()
    /// Abbreviations that are words of their own in few names of columns.
    private static let shortNames: Set = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let shortParts: Set = ["open", "close", "closed", "opening", "closing", "hours"]

    /// The longest word that is taken apart, in bytes.
    private static let longestWord = 40

    /// The parts of a word such as `mondayopen`, in which letters in uppercase were lost; else the word.
    private static func parted(_ word: String) -> [String] {
        guard (6...longestWord).contains(word.utf8.count), names[word] == nil, groups[word] == nil else {
            return [word]
        }
        if word.hasSuffix("s"), wholeNames.contains(String(word.dropLast())) { return [String(word.dropLast())] }
        let short = String(word.prefix(3)), rest = String(word.dropFirst(3))
        if shortNames.contains(short), shortParts.contains(rest) { return [short, rest] }
        let letters = Array(word)
        for start in letters.indices {
            for length in lengths where start + length <= letters.count {
                let day = String(letters[start..<start + length])
                guard wholeNames.contains(day), let before = known(letters[..<start]),
                    let after = known(letters[(start + length)...])
                else { continue }
                return before + [day] + after
            }
        }
        return [word]
    }

    /// The known words that make up a text; nil if there are none.
    private static func known(_ letters: ArraySlice<Character>) -> [String]? {
        if letters.isEmpty { return [] }
        guard letters.count > 1 else { return nil }
        for length in (2...letters.count).reversed() {
            let word = String(letters.prefix(length))
            if parts[word] != nil || turns[word] != nil || breaks.contains(word),
                let rest = known(letters.dropFirst(length))
            {
                return [word] + rest
            }
        }
        return nil
    }
}
