internal import Model

/// The meaning of columns beside a reduced price.
enum SaleColumns {
    /// The beginnings of words for a sale, also within compounds such as `Sonderpreis` and `Angebotsende`.
    private static let sales = [
        "sale", "special", "promo", "offer", "discount", "reduced", "ofert", "rebaj", "rebaix", "descuent", "descont",
        "angebot", "aktion", "sonder", "rabatt", "solde", "remise", "reduit", "scont", "offert", "saldo", "saldi",
        "aanbied", "actie", "korting",
    ]
    /// The words of a column that may say whether there is a sale, such as `sale`.
    private static let flags: Set = [
        "sale", "special", "promo", "promotion", "offer", "discount", "discounted", "oferta", "rebaja", "rebajas",
        "rebajado", "promocion", "descuento", "angebot", "aktion", "solde", "soldes", "remise", "sconto", "offerta",
        "promozione", "saldo", "saldi", "promocao", "desconto", "aanbieding", "actie", "de", "price",
    ]
    /// The words of a column that says so, whatever its text, such as `Is on sale?`.
    private static let marks: Set = [
        "is", "on", "in", "en", "im", "em", "op", "active", "activo", "activa", "aktiv", "actif", "attivo",
        "attiva", "ativo", "ativa", "actief", "enabled", "status", "flag",
    ]
    private static let ends: Set = [
        "end", "ends", "ended", "to", "until", "till", "thru", "through", "hasta", "fin", "final", "bis", "ende",
        "endet", "au", "fine", "fim", "ate", "expires", "expire", "expiry", "expiration", "tot", "termina", "termine",
        "acaba", "finaliza", "scade", "scadenza", "eindigt", "einde", "eind", "ablauf", "caduca", "vence", "fins",
    ]
    private static let starts: Set = [
        "start", "starts", "from", "begin", "begins", "since", "desde", "inicio", "von", "ab", "beginn", "beginnt",
        "debut", "du", "dal", "inizio", "inizia", "van", "empieza", "comienza", "comeca", "commence", "vanaf", "des",
    ]
    private static let periods: Set = [
        "effective", "date", "dates", "period", "periodo", "periode", "zeitraum", "vigencia", "validity", "valid",
        "datum", "fecha", "data",
    ]
    /// The words that name the time of something else than a price.
    private static let otherTimes = [
        "creat", "updat", "modif", "publi", "added", "release", "launch", "avail", "open", "alta", "creado", "erstellt",
        "geandert", "angelegt", "cree", "import", "deliver", "arriv", "birth", "restock", "stock", "ship", "last",
        "disponib", "verfugbar", "lieferbar", "made",
    ]
    private static let denials: Set = [
        "no", "n", "false", "0", "nein", "non", "nao", "nee", "off", "inactive", "inactivo", "inaktiv", "disabled",
        "ended", "over", "expired", "none", "falso", "falsch",
    ]
    /// The words of a name that denies the sale, beside the denials, and those that make it a question: `sale (y/n)`.
    private static let negations = denials.filter { $0.count > 1 }.union([
        "not", "never", "sin", "sense", "sans", "senza", "sem", "ohne", "zonder", "without", "kein", "keine", "geen",
        "deactivated", "desactivado", "deaktiviert", "desactive", "cancelled", "canceled", "paused", "finished",
    ])
    private static let answers: Set = ["yes", "y", "si", "s", "ja", "j", "oui", "sim", "true"]
    /// The texts that affirm a sale, beside a yes and the names of sales.
    private static let affirmations: Set = marks.subtracting(["is", "status", "flag"]).union([
        "s", "j", "on sale", "sale", "in sale", "in promo", "in promotion", "discounted", "reduced", "running", "live",
        "en oferta", "oferta", "rebajado", "rebajada", "vigente", "im angebot", "angebot", "reduziert", "en promo",
        "en promotion", "en solde", "in offerta", "in saldo", "scontato", "em promocao", "em oferta",
        "in de aanbieding",
    ])

    /// The part of a sale's period in a column, which is `unclear` for a date of no certain meaning; nil for a column
    /// without one.
    static func bound(ofColumn name: String, _ text: String) -> Sale.Bound? {
        guard !Sale.names.contains(name) else { return nil }
        let (parts, isDenied) = denial(in: parts(name))
        let isOfSale = parts.contains { part in part != "sales" && sales.contains(where: part.hasPrefix) }
        let isOther = parts.contains { part in otherTimes.contains(where: part.hasPrefix) }
        let isTime = text.wholeMatch(of: Patterns.date) != nil
        let bound: Sale.Bound? =
            if parts.contains(where: ends.contains) { .end } else if parts.contains(where: starts.contains) {
                .start
            } else if parts.contains(where: periods.contains) { .both } else { nil }
        let isPeriod =
            bound != nil && bound != .both && parts.contains(where: periods.contains)
            || parts.contains { $0.hasPrefix("valid") || $0.hasPrefix("expir") }
        // `promo_no` may be a number, also with letters.
        if isDenied, bound != nil || !text.contains(where: \.isNumber) || ["0", "1"].contains(text) {
            return .doubtful
        }
        if isOfSale || !isOther && (isTime || isPeriod), let bound { return bound }
        // A number in a column such as `discount` is no flag.
        if isOfSale, let isMarked = isFlag(parts), isMarked || !text.contains(where: \.isNumber) { return flag(text) }
        return isTime && !isOther ? .unclear : nil
    }

    /// The words of a name without its answers (`on_sale_yes_no`), and whether it denies a sale, such as `sale_disabled`.
    private static func denial(in parts: [String]) -> (parts: [String], isDenied: Bool) {
        if parts.contains(where: answers.contains), parts.contains(where: { $0 == "n" || negations.contains($0) }) {
            return (parts.filter { $0 != "n" && !answers.contains($0) && !negations.contains($0) }, false)
        }
        func isSale(_ part: some StringProtocol) -> Bool { part != "sales" && sales.contains(where: part.hasPrefix) }
        let isJoined = parts.contains { part in
            if isSale(part) { return negations.contains { $0.count > 2 && part.hasSuffix($0) } }
            return ["off", "no", "not", "non"].contains { word in
                let rest = part.dropFirst(word.count)
                return part.hasPrefix(word) && (isSale(rest) || rest.hasPrefix("on") && isSale(rest.dropFirst(2)))
            }
        }
        return (parts, isJoined || parts.contains(where: isSale) && parts.contains(where: negations.contains))
    }

    /// Whether a column that says whether there is a sale can say nothing else; nil for another column.
    private static func isFlag(_ parts: [String]) -> Bool? {
        let isMarked = parts.contains(where: marks.contains)
        let isFlag = parts.allSatisfy { part in
            flags.contains(part) || marks.contains(part) || isMarked && sales.contains(where: part.hasPrefix)
        }
        return isFlag ? isMarked : nil
    }

    /// The meaning of a flag's text: only an affirmation lets the sale count.
    private static func flag(_ text: String) -> Sale.Bound? {
        let words = text.utf8.count <= 100 ? PlainText.words(of: text).joined(separator: " ") : text
        if denials.contains(words) || WeekCell.isFlag(words, isNo: true) { return .off }
        let isOn = affirmations.contains(words) || WeekCell.isFlag(words) || ["✓", "✔"].contains(text)
        return isOn ? nil : .doubtful
    }

    /// The words of a name, where `startdatum` and `angebotsende` are two.
    private static func parts(_ name: String) -> [String] {
        name.split(separator: "_").map(String.init).flatMap { part in
            guard let match = part.wholeMatch(of: Patterns.compound) else { return [part] }
            return [String(match.1), String(match.2)].filter { !$0.isEmpty }
        }
    }
}

private enum Patterns {
    static let date = Pattern(
        #/\s*(?:\d{1,2}[-\/.]\d{1,2}[-\/.]\d{2,4}|\d{4}[-\/.]\d{1,2}[-\/.]\d{1,2})(?:[T \/].*)?/#)
    static let compound = Pattern(#/(\w*?)(datum|date|ende|einde|beginn|begin|start|zeitraum|periode)/#)
}
