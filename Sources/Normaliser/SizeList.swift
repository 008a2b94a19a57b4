internal import Foundation
internal import Geo
internal import Model

/// The entries of a list of sizes as written by people and programs, without spaces.
struct SizeList {
    private(set) var entries: [String] = []
    /// Whether the entries cannot be separated with certainty.
    private(set) var isDoubtful = false
    /// A second reading of the list, as a sentence; nil if there is none.
    private(set) var doubt: String?

    /// Unsupported fractions; a text with one must not be read as another size.
    private static let fractions = [
        ("1/3", "⅓"), ("2/3", "⅔"), ("1/4", "¼"), ("3/4", "¾"), ("1/8", "⅛"), ("3/8", "⅜"), ("5/8", "⅝"), ("7/8", "⅞"),
    ]
    /// The least number after which a single digit is no further size, but may be a fraction.
    private static let leastAdult = 15.0
    /// The most that two sizes with a slash between them differ.
    private static let mostApart = 2.0
    /// The words within a size.
    private static let units: Set = [
        "MONTHS", "MONTH", "MOS", "MTHS", "MOIS", "MESES", "MONATE", "MESI", "YEARS", "YEAR", "YRS", "YR", "AÑOS",
        "ANS",
        "JAHRE", "ANNI", "ANOS", "JAAR", "MAANDEN", "WIDE", "NARROW", "REG", "REGULAR", "LONG", "SHORT", "TALL",
        "PETITE", "MEDIUM", "SMALL", "LARGE", "EXTRA", "PLUS", "BIG", "XT", "LT", "XLT", "SIZE", "ONE", "MM",
    ]

    init(_ written: String) {
        // Several blanks mean no more than one.
        let text = Self.plain(
            Self.unwrapped(written.replacing(Patterns.spaces) { $0.output.contains("\n") ? "\n" : " " }))
        for group in Self.withPoints(text, &doubt).split(whereSeparator: { ";,|\n".contains($0) }) {
            let parts = group.split(separator: "/")
            if !Self.areAlternatives(parts) { isDoubtful = true }
            for part in parts {
                let words = part.split(whereSeparator: \.isWhitespace).map { $0.uppercased() }
                guard let sizes = Self.sizes(words) else {
                    isDoubtful = true
                    continue
                }
                entries += sizes
            }
        }
        isDoubtful = isDoubtful || text.contains("(") || entries.contains(".") || isScattered || hasDigitAfterNumber
    }

    /// The text without the brackets and quotes of a list in JSON, or of an array in SQL.
    private static func unwrapped(_ written: String) -> String {
        guard let match = written.wholeMatch(of: Patterns.brackets), let list = match.1 ?? match.2 else {
            return written
        }
        return String(list).replacing(Patterns.quoted) { "\($0.output.1)\($0.output.2)" }
    }

    /// The text with halves as decimals, words of ranges and lists as signs, and inches as `IN`.
    private static func plain(_ written: String) -> String {
        var text = written.replacing(Patterns.half) { "\($0.output.1).5" }
        text = text.replacing(Patterns.oneSize, with: "ONESIZE").replacing(Patterns.euro, with: "EU")
        text = text.replacing(Patterns.otherSystem) { "\($0.output.1 ?? $0.output.2 ?? "")" }
        for (fraction, sign) in fractions { text = text.replacing(" " + fraction, with: sign) }
        text = text.replacing(Patterns.dash, with: "-").replacing(Patterns.dots) { "\($0.output.1)-" }
        text = text.replacing(Patterns.fromWord, with: "").replacing(Patterns.sizeWord, with: "")
        text = text.replacing(Patterns.inches) { "\($0.output.1)IN" }
        return text.replacing(Patterns.rangeWord, with: "-").replacing(Patterns.listWord, with: ",")
            .replacing(Patterns.spacedDash, with: "-")
    }

    /// The text with decimal commas as points.
    ///
    /// A comma without a space before a single 5 or 0 is decimal if the list has other separators, or if the number
    /// before it is not less, so that the list would not ascend. WooCommerce writes a comma in a value as `\,`.
    private static func withPoints(_ text: String, _ doubt: inout String?) -> String {
        if text.contains("\\,") {
            return text.replacing(Patterns.escapedComma) { "\($0.output.1)." }.replacing("\\,", with: ",")
        }
        let isBroken = text.split(separator: ",").allSatisfy { $0.count == 1 } && text.filter { $0 == "," }.count > 1
        guard !isBroken, !text.contains(Patterns.decimalPoint) || text.contains(";") else { return text }
        let hasOthers = text.contains(Patterns.separator)
        let hasSystem = text.contains(Patterns.letter)
        var second: String?
        let read = text.replacing(Patterns.commaHalf) { match in
            let (number, digit) = (match.output.1, match.output.2)
            let isFraction =
                hasOthers || hasSystem || digit == "00" || text.contains("-")
                || (number.count > 1 || digit == "5" && number >= digit)
            if !isFraction, digit == "5" {
                second = "'\(match.output.0)' was read as \(number) and \(digit); it may be \(number).\(digit)"
            }
            return isFraction && !number.contains(".") ? "\(number).\(digit)" : String(match.output.0)
        }
        if text.filter({ $0 == "," }).count == 1 { doubt = second }
        return read
    }

    /// Whether sizes with a slash between them are a list; `34/32` is waist and length, and `2/3 años` is one size.
    private static func areAlternatives(_ parts: [Substring]) -> Bool {
        guard parts.count > 1 else { return true }
        let numbers = parts.compactMap { part in part.wholeMatch(of: Patterns.slashed).flatMap { Double($0.output.1) } }
        guard !numbers.isEmpty else { return true }
        guard numbers.count == parts.count else { return false }
        return zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 && (parts.count > 2 || $1 - $0 <= mostApart) }
    }

    /// Whether a word within sizes is none of a size, such as `agotado` or `no`.
    private static func isForeign(_ letters: String) -> Bool {
        letters.count > 1 && !SizeText.systems.contains(letters) && SizeRange.step(letters) == nil
            && !units.contains(letters) && Set(letters).count > 1 || letters == "Y" || letters == "E"
    }

    /// The sizes between two separators; nil if their words cannot be separated with certainty.
    private static func sizes(_ words: [String]) -> [String]? {
        guard words.count > 1 else { return words }
        let letters = words.flatMap { $0.matches(of: Patterns.letters).map { String($0.output) } }
        let hasSize = words.contains { $0.contains(where: \.isNumber) || SizeRange.step($0) != nil }
        if hasSize, letters.contains(where: isForeign) { return nil }
        var sizes: [String] = []
        let isPrefix = SizeText.systems.contains(words[0])
        var prefix = ""
        for word in words {
            if SizeText.systems.contains(word) {
                if isPrefix { prefix = word } else if !sizes.isEmpty { sizes[sizes.count - 1] += word }
            } else {
                sizes.append(prefix + word)
                prefix = ""
            }
        }
        let areNumbers =
            sizes.allSatisfy { $0.first?.isNumber ?? false || $0.dropFirst(2).first?.isNumber ?? false }
            && sizes.allSatisfy { $0.contains(Patterns.numericSize) }
        if areNumbers || sizes.allSatisfy({ SizeRange.step($0) != nil }) { return sizes }
        let touches = zip(words, words.dropFirst()).contains {
            ($0.last?.isNumber ?? false) && ($1.first?.isNumber ?? false)
        }
        return touches || words.contains { SizeRange.step($0) != nil && $0.count == 1 } && words.count > 2
            ? nil : [words.joined()]
    }

    /// Whether single digits neither ascend nor descend, such as the characters of a broken list.
    private var isScattered: Bool {
        let digits = entries.compactMap { Int($0) }
        guard entries.count > 2, digits.count == entries.count, digits.allSatisfy({ $0 < 10 }) else { return false }
        let pairs = zip(digits, digits.dropFirst())
        return !pairs.allSatisfy(<) && !pairs.allSatisfy(>)
    }

    private var hasDigitAfterNumber: Bool {
        zip(entries, entries.dropFirst()).contains { number, digit in
            digit.count == 1 && digit.first?.isNumber ?? false && (number.decimalNumber ?? 0) >= Self.leastAdult
        }
    }
}

private enum Patterns {
    static let spaces = Pattern(#/\s+/#)
    static let brackets = Pattern(#/\s*(?:\[(.*)\]|\{(.*)\})\s*/#)
    static let quoted = Pattern(#/(^|,)\s*["'](.*?)["']\s*(?=,|$)/#)
    static let half = Pattern(#/(\d)(?: ?½| {1,2}1\/2(?!\d)|-1\/2(?!\d))/#)
    static let dash = Pattern(#/[‐‑‒–—−~〜～]/#)
    static let dots = Pattern(#/(\d)(?:\.{2,3}|…)(?=\d)/#)
    static let fromWord = Pattern(
        #/^\s*(?:(?:sizes?|tallas?|größen?|grössen?|gr\.|pointures?|tailles?|taglie|taglia|maten|maat|tamanhos?)\b\s*:?\s*)?(?:from|von|desde|de|del|du|da|dal|van)\s+(?:(?:el|la|le)\s+)?(?=\S+\s)/#
            .ignoresCase())
    static let sizeWord = Pattern(
        #/^\s*(?:sizes?|tallas?|größen?|grössen?|gr\.|pointures?|tailles?|taglie|taglia|maten|maat|tamanhos?|n[º°]\.?|núm\.|número|numero|nr\.|no\.)\s*:?\s*(?=\d|[a-z]{1,3}\b)/#
            .ignoresCase())
    static let inches = Pattern(
        #/(\d)\s*(?:''|["″”“]|(?:inch(?:es)?|zoll|pulgadas?|pouces?|pollici|polegadas?)\b)/#.ignoresCase())
    static let rangeWord = Pattern(
        #/\s+(?:to|through|a|al|hasta|bis|à|au|ao|até|tot|t\/m)\s+(?:(?:el|la|le)\s+)?/#.ignoresCase())
    static let listWord = Pattern(#/\s+(?:&|\+|and|or|y|o|e|und|oder|et|ou|en|i|och|og)\s+/#.ignoresCase())
    static let spacedDash = Pattern(#/\s*-\s*/#)
    static let escapedComma = Pattern(#/(\d)\\,(?=\d)/#)
    static let decimalPoint = Pattern(#/\d\.\d/#)
    static let separator = Pattern(#/[;\/|\n]|,\s/#)
    static let letter = Pattern(#/[A-Za-z]/#)
    static let commaHalf = Pattern(#/(\d{1,9}(?:\.\d{1,9})?),(00?|5)(?![\d.])/#)
    static let oneSize = Pattern(#/\bO\/S\b/#.ignoresCase())
    static let euro = Pattern(#/\bEUR(?=[\s.:]*\d)/#.ignoresCase())
    /// In parentheses, a size repeated in another system, or the numbers of a size in letters.
    static let otherSystem = Pattern(
        #/(\d(?:\.\d)?)\s*\(\s*(?:EU|UK|US|FR|IT|JP|CM)[\s.:]*\d+(?:[.,]\d)?\s*\)|\b(\d?X{0,4}[SML])\s*\(\s*\d+\s*[-–\/]\s*\d+\s*\)/#
            .ignoresCase())
    static let slashed = Pattern(#/\s*(?:[A-Z]{2}[\s.:]*)?(\d+(?:\.\d+)?)\s*(?:[A-Z]{2})?\s*/#.ignoresCase())
    static let letters = Pattern(#/\p{L}+/#)
    static let numericSize = Pattern(#/^(?:[A-Z]{2})?[.:]?\d+(?:[.,]\d+)?(?:[A-Z]{2})?(?:-\d+(?:\.\d)?)?$/#)
}
