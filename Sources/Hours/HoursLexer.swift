internal import Model

/// The reason why opening hours cannot be parsed.
struct HoursFault: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}

/// A token of opening hours, in lowercase and without accents.
enum HoursToken: Hashable, Sendable {
    case number(Int, digits: Int)
    case word(String)
    case symbol(Character)
    /// A full stop before a blank or the end, after something other than a word, so that it abbreviates nothing.
    case stop
    case comment(String)

    var text: String {
        switch self {
        case .number(let number, let digits):
            String(repeating: "0", count: max(0, digits - String(number).count)) + String(number)
        case .word(let word): word
        case .symbol("|"): "||"
        case .symbol("\n"): "a line end"
        case .symbol(let symbol): String(symbol)
        case .stop: "."
        case .comment(let comment): "\"\(comment)\""
        }
    }
}

/// Splits opening hours into tokens.
struct HoursLexer {
    private let characters: [Character]
    private var at = 0
    private(set) var tokens: [HoursToken] = []
    /// Whether the text departs from the standard syntax.
    private(set) var isLenient = false

    private static let dashes: Set<Character> = ["–", "—", "‒", "―", "−", "‐", "‑", "~"]
    private static let symbols: Set<Character> = ["-", ",", ";", ":", ".", "+", "/", "[", "]", "(", ")"]
    private static let quotes: Set<Character> = ["\"", "“", "”", "„"]

    /// - Throws: ``HoursFault`` for a character without a meaning.
    init(_ text: String) throws(HoursFault) {
        let folded = PlainText.of(text)
        let plain = folded.replacing("a.m.", with: "am").replacing("p.m.", with: "pm")
        isLenient = plain != folded
        characters = Array(plain)
        while at < characters.count { try take() }
    }

    private mutating func take() throws(HoursFault) {
        let character = characters[at]
        if character.isNewline {
            endRow()
        } else if character.isWhitespace {
            at += 1
        } else if let digit = character.wholeNumberValue, character.isASCII {
            takeNumber(digit)
        } else if character.isLetter {
            let end = characters[at...].firstIndex { !$0.isLetter } ?? characters.count
            tokens.append(.word(String(characters[at..<end])))
            at = end
        } else if Self.quotes.contains(character) {
            guard let end = characters[(at + 1)...].firstIndex(where: Self.quotes.contains) else {
                throw HoursFault("a quote is not closed")
            }
            tokens.append(.comment(String(characters[at + 1..<end])))
            at = end + 1
        } else if character == "|", at + 1 < characters.count, characters[at + 1] == "|" {
            at += 1
            append("|", isStandard: true)
        } else if character == "|" {
            endRow()
        } else if Self.dashes.contains(character) {
            append("-", isStandard: false)
        } else if character == "&" {
            append(",", isStandard: false)
        } else if character == "." {
            takeDot()
        } else if Self.symbols.contains(character) {
            append(character, isStandard: true)
        } else {
            throw HoursFault("'\(character)' has no meaning here")
        }
    }

    private mutating func takeDot() {
        if isMarkDot {
            isLenient = true
            at += 1
        } else if endsSentence {
            endRow()
        } else if isStop {
            tokens.append(.stop)
            at += 1
        } else {
            append(".", isStandard: true)
        }
    }

    /// Whether a word marks an hour before a dot; "u." is an abbreviation of "und".
    private func isMark(_ word: String) -> Bool { word != "u" && HoursWords.hourMarks.contains(word) }

    /// Whether the dot belongs to an `h.`, and nothing or a further time of the same days follows.
    private var isMarkDot: Bool {
        guard case .word(let word)? = tokens.last, isMark(word) else { return false }
        let rest = characters[(at + 1)...].drop(while: \.isWhitespace)
        guard let next = rest.first else { return true }
        return next == "," || next == ";" || HoursWords.ands.contains(String(rest.prefix(while: \.isLetter)))
    }

    /// Whether the dot ends a sentence: after a time such as `20:00` or `20h`, and before a word.
    private var endsSentence: Bool {
        guard at + 1 < characters.count, characters[at + 1].isWhitespace,
            characters[at...].dropFirst().first(where: { !$0.isWhitespace })?.isLetter ?? false
        else { return false }
        if case .word(let word)? = tokens.last { return isMark(word) }
        guard tokens.count > 2, case .number(_, digits: 2)? = tokens.last else { return false }
        return tokens[tokens.count - 2] == .symbol(":")
    }

    /// Whether the dot is neither of an abbreviation nor before minutes.
    private var isStop: Bool {
        if case .word? = tokens.last { return false }
        return at + 1 == characters.count || characters[at + 1].isWhitespace
    }

    /// Ends a row of a list, unless a separator has done so; other than `;` it replaces nothing.
    private mutating func endRow() {
        switch tokens.last {
        case nil, .symbol(",")?, .symbol(";")?, .symbol("|")?, .symbol("\n")?: at += 1
        default: append("\n", isStandard: false)
        }
    }

    private mutating func append(_ symbol: Character, isStandard: Bool) {
        tokens.append(.symbol(symbol))
        if !isStandard { isLenient = true }
        at += 1
    }

    private mutating func takeNumber(_ first: Int) {
        var number = 0
        var digits = 0
        while at < characters.count, characters[at].isASCII, let digit = characters[at].wholeNumberValue, digits < 9 {
            number = number * 10 + digit
            digits += 1
            at += 1
        }
        tokens.append(.number(number, digits: digits))
    }
}
