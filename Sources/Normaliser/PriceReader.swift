internal import Model

/// Reads the prices in a file of products or stock.
package struct PriceReader: Sendable {
    /// The currency of prices without one; nil if unknown.
    let currency: Currency?

    /// The unit of whole numbers in a price column.
    enum Whole {
        case minorUnits
        /// The major unit, because other prices in the column have decimals.
        case decimals
        /// The unit of the price as written, in a column with another name.
        case named

        /// The unit in a column of this name; other rows may have decimals.
        init(in column: String?, isInDecimals: Bool) {
            self = column == "price" ? (isInDecimals ? .decimals : .minorUnits) : .named
        }
    }

    struct Reading {
        /// The price in minor units; nil if the text is not a price.
        var price: Int64?
        /// The currency code; nil without a price, or if unknown.
        var currency: String?
        /// The change to the text; nil if there is none.
        var remark: Remark?
    }

    /// Reads a price, with the currency column's text if there is one.
    func read(_ text: String, beside code: String?, _ whole: Whole) -> Reading {
        let own = code.flatMap { Currency($0) }
        let named = own ?? currency
        // As in every import, whole numbers in the column 'price' are minor units if it has only whole numbers.
        if whole == .minorUnits, let minor = Int64(text), minor >= 0 {
            return Reading(price: minor, currency: code ?? named?.code)
        }
        // The default currency applies to prices without one, and resolves signs that several currencies share.
        guard let price = PriceText(text, currency: named) ?? (own == nil ? PriceText(text) : nil) else {
            return Reading(remark: Remark("price", .dropped, "'\(text.shortened)' \(reason(text, own))"))
        }
        let isWhole = whole == .decimals && Int64(text) != nil
        var read = "'\(text.shortened)' was read as \(price.least) \(price.currency.code) in minor units"
        if price.greatest != price.least { read += ", the minimum of a range up to \(price.greatest)" }
        if price.isGuess { read += "; other currencies also have this sign" }
        if isWhole { read += ", because the column has decimals" }
        let isCertain = !price.isGuess && price.greatest == price.least && !isWhole
        return Reading(
            price: price.least, currency: price.currency.code,
            remark: Remark("price", isCertain ? .changed : .guessed, read))
    }

    /// Why a text is not a price.
    private func reason(_ text: String, _ own: Currency?) -> String {
        if text.count > PriceText.longest { return "has more than \(PriceText.longest) characters" }
        if PriceText(text) != nil { return "is not in the currency \(own?.code ?? "")" }
        return PriceText(text, currency: Currency("XXX")) == nil ? "is not a price" : "names no currency"
    }

    /// Whether a price cannot be in minor units, because it has decimals or a currency.
    package static func isDecimal(_ text: String) -> Bool {
        Int64(text) == nil && (PriceText(text) ?? PriceText(text, currency: Currency("XXX"))) != nil
    }
}
