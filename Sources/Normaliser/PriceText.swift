public import Model

/// A price as written by people: `$105-132`, `1.299,00 EUR`, `€ 49.95`.
public struct PriceText: Hashable, Sendable {
    /// The price, or the lower end of a range, in minor units.
    public var least: Int64
    /// The upper end of a range; equal to ``least`` for a single price.
    public var greatest: Int64
    /// The currency of both.
    public var currency: Currency
    /// Whether the currency was guessed from a sign that several currencies share.
    public var isGuess: Bool

    private static let groupMarks: Set<Character> = [".", ",", " ", "'", "’", "‘", "ʼ", "´", "`"]
    private static let withoutCents: Set<String> = ["JPY", "KRW", "CLP", "VND", "ISK", "PYG", "UGX", "XAF", "XOF"]
    private static let withMills: Set<String> = ["KWD", "BHD", "OMR", "JOD", "TND", "LYD", "IQD"]

    /// The currencies with groups of two digits before the last three, as in `1,29,999`.
    private static let withPairs: Set<String> = ["INR", "PKR", "NPR", "BDT"]

    /// Maximum length of a price, in characters.
    static let longest = 200

    /// Reads a price; remarks in parentheses such as `(was 59)` are ignored.
    ///
    /// Returns nil for a text that is not a price or is ambiguous, for an unknown currency, for another remark such as
    /// `(sin IVA)`, and for more than 200 characters.
    ///
    /// - Parameters:
    ///   - text: the price.
    ///   - currency: the currency of a price without one.
    public init?(_ text: String, currency: Currency? = nil) {
        guard text.count <= Self.longest else { return nil }
        // A letter before a number may be a shelf, too.
        let text = currency?.code == "ZAR" ? text.replacing(Patterns.rand) { "\($0.output.1)" } : text
        guard let plain = Self.withoutRemarks(Self.plain(text)), let (rest, named) = CurrencyWords.taken(from: plain)
        else { return nil }
        if let named, let currency, !Self.may(named.code, named.isGuess, be: currency.code) { return nil }
        guard
            let known = named?.isGuess == false ? Currency(named?.code ?? "") : currency ?? Currency(named?.code ?? "")
        else { return nil }
        let decimals = Self.withoutCents.contains(known.code) ? 0 : Self.withMills.contains(known.code) ? 3 : 2
        let hasPairs = Self.withPairs.contains(known.code)
        let numbers = Self.withCents(rest).split(omittingEmptySubsequences: false) { "-–—~".contains($0) }
        let amounts = numbers.compactMap { number in
            let inner = number.drop { $0.isWhitespace || $0 == "|" }
            guard let last = inner.lastIndex(where: { !$0.isWhitespace && $0 != "|" }) else { return nil as Int64? }
            return Self.amount(
                String(inner[...last]).replacing(Patterns.spaces, with: " ")[...], decimals: decimals,
                hasPairs: hasPairs)
        }
        guard amounts.count == numbers.count, (1...2).contains(amounts.count), amounts[0] <= amounts[amounts.count - 1]
        else { return nil }
        least = amounts[0]
        greatest = amounts[amounts.count - 1]
        self.currency = known
        isGuess = named?.isGuess == true && currency == nil
    }

    /// The text with signs in full width as plain ones, words of ranges as dashes, and `59€90` as `59.90€`.
    private static func plain(_ text: String) -> String {
        guard text.contains(where: { $0.isLetter || $0 == "€" || "￥＄￡￦".contains($0) }) else { return text }
        return String(text.map { wide[$0] ?? $0 }).replacing(Patterns.rangeWord) { "\($0.output.1)-" }
            .replacing(Patterns.centsAfterSign) { "\($0.output.1).\($0.output.2)€" }
    }

    private static let wide: [Character: Character] = ["￥": "¥", "＄": "$", "￡": "£", "￦": "₩"]

    /// Replaces remarks in parentheses with a space, so that the digits on both sides do not form one number, and a
    /// currency in them with the currency.
    ///
    /// Returns nil for a remark with a word that may change the price, such as `sin` or `only`.
    private static func withoutRemarks(_ text: String) -> String? {
        var plain = ""
        var rest = text[...]
        while let opening = rest.firstIndex(of: "("), let closing = rest[opening...].firstIndex(of: ")") {
            let remark = String(rest[rest.index(after: opening)..<closing])
            let isNumber = remark.contains(where: \.isNumber)
            let isCurrency = !isNumber && CurrencyWords.taken(from: remark)?.named != nil
            guard isCurrency || CurrencyWords.isAside(remark) else { return nil }
            plain += rest[..<opening] + " " + (isCurrency ? remark + " " : "")
            rest = rest[rest.index(after: closing)...]
        }
        return plain + rest
    }

    /// The text without dashes for cents, as in `49,- €`, and with a zero before cents alone, as in `,89 €`.
    private static func withCents(_ text: String) -> String {
        text.replacing(Patterns.noCents) { "\($0.output.1) " }
            .replacing(Patterns.centsAlone) {
                "\($0.output.1)\($0.output.2)0.\($0.output.3)"
            }
    }

    /// Whether a sign or code in the text may stand for a currency.
    static func may(_ named: String, _ isGuess: Bool, be code: String) -> Bool {
        named == code || isGuess && CurrencyWords.shared[named]?.contains(code) ?? false
    }

    /// An amount in minor units.
    ///
    /// The last point or comma is the decimal separator unless three digits follow it. Those are mills in a currency
    /// that has them, and otherwise a group of thousands. Spaces and apostrophes only separate groups.
    private static func amount(_ text: Substring, decimals: Int, hasPairs: Bool) -> Int64? {
        guard let first = text.first, first.isNumber,
            text.allSatisfy({ $0.isASCII && $0.isNumber || groupMarks.contains($0) })
        else { return nil }
        var whole = text
        var cents: Substring = ""
        if let mark = text.lastIndex(where: { ".,".contains($0) }) {
            var after = text[text.index(after: mark)...]
            // More than three digits cannot be a group, and trailing zeros are insignificant.
            let isFraction = after.count > 3
            while isFraction, after.count > max(decimals, 2), after.last == "0" { after.removeLast() }
            let isOther = text[..<mark].contains { groupMarks.contains($0) && $0 != text[mark] }
            let isOnly = !text[..<mark].contains(where: groupMarks.contains)
            if isFraction || after.count != 3 || isOther || decimals == 3 && isOnly {
                guard after.allSatisfy(\.isNumber), !after.isEmpty, after.count <= max(decimals, 2) else { return nil }
                (whole, cents) = (text[..<mark], after)
            }
        }
        // Groups of thousands have three digits, and only one kind of separator.
        let groups = whole.split(omittingEmptySubsequences: false, whereSeparator: groupMarks.contains)
        let inner = hasPairs && groups.count > 2 && groups[1].count == 2 ? 2 : 3
        guard groups.dropFirst().dropLast().allSatisfy({ $0.count == inner }),
            groups.count == 1 || groups[groups.count - 1].count == 3,
            groups.count == 1 || (1...3).contains(groups[0].count),
            Set(whole.filter { !$0.isNumber }).count <= 1, let number = Int64(groups.joined()), number < 1_000_000_000
        else { return nil }
        let padded = cents + String(repeating: "0", count: max(0, decimals - cents.count))
        guard padded.dropFirst(decimals).allSatisfy({ $0 == "0" }) else { return nil }
        let scale = (0..<decimals).reduce(Int64(1)) { power, _ in power * 10 }
        return number * scale + (Int64(padded.prefix(decimals)) ?? 0)
    }
}

private enum Patterns {
    static let spaces = Pattern(#/\s+/#)
    static let rand = Pattern(#/^\s*R\s?(\d)/#)
    static let rangeWord = Pattern(#/([\d€$£])\s+(?:to|a|à|al|hasta|bis|tot|até)\s+(?=[€$£]?\s?\d)/#.ignoresCase())
    static let centsAfterSign = Pattern(#/^\s*(\d{1,4})€(\d\d)\s*$/#)
    static let noCents = Pattern(#/(\d)[.,:]\s?[-–—]{1,2}(?!\d)/#)
    static let centsAlone = Pattern(#/(^|[^\d.,\s'’])(\s*)[-–—]?[.,](\d\d)(?!\d)/#)
}
