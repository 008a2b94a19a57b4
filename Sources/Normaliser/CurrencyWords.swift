internal import Model

/// The signs and words for currencies in prices, and the words that say nothing about the amount.
enum CurrencyWords {
    /// Signs without letters, or with letters before a dollar, the longest first; a guess is shared by currencies.
    private static let signs: [(sign: String, code: String, isGuess: Bool)] = [
        ("US$", "USD", false), ("AU$", "AUD", false), ("CA$", "CAD", false), ("NZ$", "NZD", false),
        ("HK$", "HKD", false), ("MX$", "MXN", false), ("NT$", "TWD", false), ("AR$", "ARS", false),
        ("RD$", "DOP", false),
        ("A$", "AUD", false), ("C$", "CAD", true), ("S$", "SGD", false), ("R$", "BRL", false), ("S/.", "PEN", false),
        ("S/", "PEN", false), ("$", "USD", true), ("€", "EUR", false), ("£", "GBP", true), ("¥", "JPY", true),
        ("₩", "KRW", false), ("₹", "INR", false), ("₽", "RUB", false), ("₴", "UAH", false), ("₺", "TRY", false),
        ("₪", "ILS", false), ("฿", "THB", false), ("₫", "VND", false), ("₱", "PHP", false), ("₦", "NGN", false),
        ("₡", "CRC", false), ("₲", "PYG", false), ("₸", "KZT", false), ("₵", "GHS", false), ("₾", "GEL", false),
        ("₿", "", false), ("元", "CNY", false), ("円", "JPY", false), ("원", "KRW", false),
    ]
    private static let words: [String: (code: String, isGuess: Bool)] = [
        "EURO": ("EUR", false), "EUROS": ("EUR", false), "KR": ("SEK", true), "ZŁ": ("PLN", false),
        "ZL": ("PLN", false), "KČ": ("CZK", false), "KC": ("CZK", false), "FT": ("HUF", false), "LEI": ("RON", true),
        "ЛВ": ("BGN", false), "РУБ": ("RUB", false), "ГРН": ("UAH", false), "TL": ("TRY", false), "SFR": ("CHF", false),
        "FR": ("CHF", true), "RS": ("INR", true), "RM": ("MYR", false), "RP": ("IDR", false), "DIN": ("RSD", false),
    ]
    /// The currencies that share a sign or word, by its most common one.
    static let shared: [String: Set<String>] = [
        "USD": [
            "AUD", "ARS", "BBD", "BMD", "BND", "BSD", "BZD", "CAD", "CLP", "COP", "DOP", "FJD", "GYD", "HKD", "JMD",
            "KYD", "LRD", "MXN", "NAD", "NZD", "SGD", "SRD", "TTD", "TWD", "UYU", "XCD",
        ],
        "GBP": ["EGP", "FKP", "GIP", "LBP", "SHP", "SYP"], "JPY": ["CNY"], "CAD": ["NIO"],
        "SEK": ["DKK", "NOK", "ISK"], "RON": ["MDL"], "CHF": ["XAF", "XOF", "XPF"],
        "INR": ["PKR", "LKR", "NPR", "MUR", "SCR"],
    ]
    /// The words beside a price that is paid, tax included.
    private static let fillers: Set<String> = [
        "TTC", "PVP", "PVPR", "VAT", "IVA", "MWST", "UST", "TVA", "TAX", "GST", "BTW", "MOMS", "DPH", "PTU", "INCL",
        "INC", "INKL", "INCLUDED", "INCLUDING", "INCLUIDO", "INCLUSO", "INCLUSA", "INCLUSIVE", "CON", "WITH", "MIT",
        "AVEC",
        "RRP", "MSRP", "UVP", "PRICE", "PREIS", "PRECIO", "PRIX", "PREZZO", "PREÇO", "PRIJS",
    ]

    /// The words in parentheses that leave the price as it is.
    private static let asides: Set<String> = [
        "NOW", "WAS", "BEFORE", "CLEARANCE", "SALE", "REDUCED", "OUTLET", "OFFER", "INSTEAD", "OF", "ANTES", "AHORA",
        "REBAJADO", "REBAJAS", "OFERTA", "STATT", "VORHER", "JETZT", "REDUZIERT", "AVANT", "SOLDES", "PRIMA", "ORA",
        "AGORA", "VOORHEEN",
    ]
    /// The codes that are words beside prices, too.
    private static let homonyms: Set<String> = ["TOP", "ALL", "GEL", "CUP", "PEN", "BAM", "MOP", "SOS"]

    /// Whether a remark beside a price leaves it as it is: taxes that are included, an earlier price, a percentage.
    static func isAside(_ remark: String) -> Bool {
        !remark.contains("+")
            && remark.uppercased().matches(of: Patterns.word).map { String($0.output) }.allSatisfy {
                fillers.contains($0) || asides.contains($0) || words[$0] != nil || Currency($0)?.isListed ?? false
            }
    }

    /// Whether a currency's code in a text may be another word, such as `TOP` or `cad.`.
    static func isDoubtful(_ code: String, in text: String) -> Bool {
        homonyms.contains(code) || text.contains(code.lowercased() + ".")
    }

    /// Takes the currency from a price.
    ///
    /// - Parameter text: the price.
    /// - Returns: the rest with `|` in place of the currency, and the currency with whether it was guessed from a sign
    ///   that several share; nil for an unknown word or several currencies.
    static func taken(from text: String) -> (rest: String, named: (code: String, isGuess: Bool)?)? {
        var rest = text.uppercased().replacing(Patterns.initials) { $0.output.filter { $0 != "." } }
        var signed: (code: String, isGuess: Bool)?
        func note(_ code: String, _ isGuess: Bool) -> Bool {
            guard signed == nil || signed?.code == code else { return false }
            signed = signed ?? (code, isGuess)
            return true
        }
        for (sign, code, isGuess) in signs where rest.contains(sign) {
            guard note(code, isGuess) else { return nil }
            rest = rest.replacing(sign, with: "|")
        }
        var codes: Set<String> = []
        for word in rest.matches(of: Patterns.word).map({ String($0.output) }) where !fillers.contains(word) {
            if let (code, isGuess) = words[word] {
                guard note(code, isGuess) else { return nil }
            } else if Currency(word)?.isListed ?? false {
                codes.insert(word)
            } else {
                return nil
            }
        }
        rest = rest.replacing(Patterns.abbreviation) { fillers.contains(String($0.output.1)) ? " " : "|" }
        guard let code = codes.first else { return (rest, signed) }
        guard codes.count == 1, signed.map({ PriceText.may($0.code, $0.isGuess, be: code) }) ?? true else { return nil }
        return (rest, (code, false))
    }

    /// The currency of a column's text: a code of ISO 4217, or a sign or word, which several currencies may share.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - usual: the currency of prices without one, which decides a shared sign.
    /// - Returns: the currency, and whether it was guessed from a sign; nil for another text.
    static func currency(_ text: String, usual: Currency?) -> (currency: Currency, isGuess: Bool)? {
        guard text.count <= PriceText.longest, let named = taken(from: text)?.named else { return nil }
        if named.isGuess, let usual, PriceText.may(named.code, true, be: usual.code) { return (usual, false) }
        return Currency(named.code).map { ($0, named.isGuess) }
    }
}

private enum Patterns {
    static let initials = Pattern(#/\b(?:\p{L}\.){2,}/#)
    static let word = Pattern(#/\p{L}+/#)
    static let abbreviation = Pattern(#/(\p{L}+)[.:]?/#)
}
