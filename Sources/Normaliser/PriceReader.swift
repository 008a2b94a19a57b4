internal import Model

/// Reads the prices of a file, of products or of what stores have.
package struct PriceReader: Sendable {
    /// The currency of prices that name none; nil if nobody knows.
    let currency: Currency?

    /// What a whole number in the column of prices is.
    enum Whole {
        case minorUnits
        /// As other prices there have decimals.
        case decimals
        /// A price as it is written, in a column of another name.
        case named

        /// What it is in a column of a name, of which other rows may have decimals.
        init(in column: String?, isInDecimals: Bool) {
            self = column == "price" ? (isInDecimals ? .decimals : .minorUnits) : .named
        }
    }

    /// What became of a price.
    struct Reading {
        /// In minor units; nil for what is none.
        var price: Int64?
        /// The code of its currency; nil without a price, or if nobody knows.
        var currency: String?
        /// What was done to it.
        var remark: Remark?
    }

    /// Reads a price beside what the column of currencies says, if there is one.
    func read(_ text: String, beside code: String?, _ whole: Whole) -> Reading {
        let own = code.flatMap { Currency($0) }
        let named = own ?? currency
        // The column 'price' holds minor units when it holds whole numbers only, as in every import.
        if whole == .minorUnits, let minor = Int64(text), minor >= 0 {
            return Reading(price: minor, currency: code ?? named?.code)
        }
        // The currency of all prices is for those that name none, and chooses among those of a sign.
        guard let price = PriceText(text, currency: named) ?? (own == nil ? PriceText(text) : nil) else {
            return Reading(remark: Remark("price", .dropped, "'\(text.shortened)' \(reason(text, own))"))
        }
        let isWhole = whole == .decimals && Int64(text) != nil
        var read = "'\(text.shortened)' was read as \(price.least) \(price.currency.code) in minor units"
        if price.greatest != price.least { read += ", the least of a range up to \(price.greatest)" }
        if price.isGuess { read += "; other currencies have this sign, too" }
        if isWhole { read += ", for the column has decimals" }
        let isCertain = !price.isGuess && price.greatest == price.least && !isWhole
        return Reading(
            price: price.least, currency: price.currency.code,
            remark: Remark("price", isCertain ? .changed : .guessed, read))
    }

    /// Why a text is no price.
    private func reason(_ text: String, _ own: Currency?) -> String {
        if text.count > PriceText.longest { return "has more than \(PriceText.longest) characters" }
        if PriceText(text) != nil { return "is not of the currency \(own?.code ?? "")" }
        return PriceText(text, currency: Currency("XXX")) == nil ? "is no price" : "names no currency"
    }

    /// Whether a price cannot be in minor units: it has decimals or a currency.
    package static func isDecimal(_ text: String) -> Bool {
        Int64(text) == nil && (PriceText(text) ?? PriceText(text, currency: Currency("XXX"))) != nil
    }
}
