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

    /// Takes the currency from a price.
    ///
    /// - Parameter text: the price.
    /// - Returns: the rest with `|` in place of the currency, and the currency with whether it was guessed from a sign
    ///   that several share; nil for an unknown word or several currencies.
    static func taken(from text: String) -> (rest: String, named: (code: String, isGuess: Bool)?)? {
        var rest = text.uppercased()
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

    /// The currency of a column's text: a code of ISO 4217, or a sign or word for a single currency.
    static func currency(_ text: String) -> Currency? {
        guard let named = taken(from: text)?.named, !named.isGuess else { return nil }
        return Currency(named.code)
    }
}

private enum Patterns {
    static let word = Pattern(#/\p{L}+/#)
    static let abbreviation = Pattern(#/(\p{L}+)\.?/#)
}
