internal import Model

/// Reads the prices in a file of products or stock.
package struct PriceReader: Sendable {
    /// The currency of prices without one; nil if unknown.
    let currency: Currency?
    /// The time at which prices are paid; nil if unknown, so that no sale with dates counts.
    let now: Timestamp?

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
        /// The changes to the text.
        var remarks: [Remark] = []
    }

    /// Reads the price that is paid: the reduced one if it applies, is in the same currency and is not higher.
    func read(
        _ text: String?, _ sale: Sale?, _ discount: Discount?, beside code: String?, _ whole: Whole
    ) -> Reading? {
        let isDecimal = whole == .minorUnits && sale.map { Self.isDecimal($0.price) } ?? false
        let whole = isDecimal ? .decimals : whole
        let full = text.map { read($0, beside: code, whole) }
        guard let sale else {
            return discount.flatMap { discount in full.map { self.reduced($0, by: discount) } } ?? full
        }
        var reduced = read(sale.price, beside: code, full?.price == nil ? .named : whole)
        func kept(_ reason: String) -> Reading {
            var kept = full ?? Reading(remarks: reduced.price == nil ? reduced.remarks : [])
            let kind: Remark.Kind = full?.price == nil ? .dropped : .doubted
            kept.remarks.append(Remark("price", kind, "the sale price '\(sale.price.shortened)' \(reason)"))
            return kept
        }
        // Zeros mean that there is no sale.
        guard reduced.price != 0, !sale.price.allSatisfy({ "0.,".contains($0) }) else {
            let others = sale.contradictions.joined(separator: ", ")
            return others.isEmpty ? full : kept("means no sale, in spite of \(others)")
        }
        if let reason = sale.fault(at: now) { return kept(reason) }
        guard let price = reduced.price else { return kept("is not a price") }
        guard let text, let full, let fullPrice = full.price else {
            reduced.remarks = (full?.remarks ?? []) + reduced.remarks
            return reduced
        }
        guard full.currency == reduced.currency, price <= fullPrice else {
            return kept("does not count: it is higher than the price, or in another currency")
        }
        let (kind, detail) =
            reduced.remarks.first { $0.field == "price" }.map { ($0.kind, $0.detail) }
            ?? (.changed, "'\(sale.price.shortened)' was read")
        let remark = Remark("price", kind, "\(detail), the sale price instead of '\(text.shortened)'")
        reduced.remarks = [remark] + reduced.remarks.filter { $0.field != "price" }
        return reduced
    }

    /// Reads a price, with the currency column's text if there is one.
    func read(_ text: String, beside code: String?, _ whole: Whole) -> Reading {
        let column = code.flatMap { CurrencyWords.currency($0, usual: currency) }
        let own = column?.currency
        if let code, own == nil {
            let detail = "'\(text.shortened)' is in the currency '\(code.shortened)', which is not known"
            return Reading(remarks: [Remark("price", .dropped, detail)])
        }
        let named = own ?? currency
        // As in every import, whole numbers in the column 'price' are minor units if it has only whole numbers.
        let sign = (column?.isGuess ?? false ? code : nil).map {
            Remark("currency", .guessed, "'\($0.shortened)' was read as \(own?.code ?? ""); others also have this sign")
        }
        if whole == .minorUnits, let minor = Int64(text), minor >= 0 {
            return Reading(price: minor, currency: named?.code, remarks: [sign].compactMap(\.self))
        }
        // The default currency applies to prices without one, and resolves signs that several currencies share.
        guard let price = PriceText(text, currency: named) ?? (own == nil ? other(text) : nil) else {
            return Reading(remarks: [Remark("price", .dropped, "'\(text.shortened)' \(reason(text, own ?? currency))")])
        }
        let isWhole = whole == .decimals && Int64(text) != nil
        var read = "'\(text.shortened)' was read as \(price.least) \(price.currency.code) in minor units"
        if price.greatest != price.least { read += ", the minimum of a range up to \(price.greatest)" }
        if price.isGuess { read += "; other currencies also have this sign" }
        if isWhole { read += ", because the column has decimals" }
        let isCertain = !price.isGuess && price.greatest == price.least && !isWhole
        return Reading(
            price: price.least, currency: price.currency.code,
            remarks: [Remark("price", isCertain ? .changed : .guessed, read)] + [sign].compactMap(\.self))
    }

    /// The price in a text that names another currency than the default one.
    private func other(_ text: String) -> PriceText? {
        guard let price = PriceText(text), currency == nil || !CurrencyWords.isDoubtful(price.currency.code, in: text)
        else { return nil }
        return price
    }

    /// Why a text is not a price.
    private func reason(_ text: String, _ own: Currency?) -> String {
        if text.count > PriceText.longest { return "has more than \(PriceText.longest) characters" }
        if PriceText(text) != nil { return "is not in the currency \(own?.code ?? "")" }
        return PriceText(text, currency: Currency("XXX")) == nil
            ? "is not a price" : "names no currency: give one with 'currency' (--currency)"
    }

    /// Whether a row's price or sale price cannot be in minor units.
    package static func isInDecimals(_ row: [String: String]) -> Bool {
        row.contains { name, text in
            (name == "price" || Sale.names.contains(ColumnNames.folded(name))) && isDecimal(text)
        }
    }

    /// Whether a price cannot be in minor units, because it has decimals or a currency.
    static func isDecimal(_ text: String) -> Bool {
        Int64(text) == nil && (PriceText(text) ?? PriceText(text, currency: Currency("XXX"))) != nil
    }
}
