internal import Model

/// A reduced price in a row, with the texts of the period in which it applies.
package struct Sale: Sendable {
    var price: String
    var column: String
    var period: [(bound: Bound, text: String)]

    /// The part of a period in a column: `unclear` for another date.
    ///
    /// A column that says whether there is a sale is `off` if it denies it, and `doubtful` if it is not understood.
    enum Bound { case start, end, both, unclear, off, doubtful }

    /// The names of columns for reduced prices.
    package static let names = [
        "sale_price", "special_price", "discounted_price", "discount_price", "offer_price", "promo_price",
        "promotional_price", "promotion_price", "price_sale", "reduced_price", "precio_rebajado", "precio_oferta",
        "precio_de_oferta", "precio_promocional", "precio_con_descuento", "angebotspreis", "aktionspreis",
        "sonderpreis",
        "prix_promo", "prix_promotionnel", "prix_solde", "prix_remise", "prix_reduit", "tarif_promo",
        "tarif_promotionnel", "prezzo_scontato", "prezzo_offerta", "prezzo_in_offerta", "prezzo_promozionale",
        "preco_promocional", "preco_com_desconto", "preu_rebaixat", "aanbiedingsprijs", "actieprijs",
    ]

    /// The texts of the period, those that say whether there is a sale first.
    private var texts: [String] {
        let flags = period.filter { [.off, .doubtful].contains($0.bound) }
        let dates = period.filter { ![.off, .doubtful].contains($0.bound) }
        return (flags + dates).map { "'\($0.text.shortened)'" }
    }

    /// The texts of the period that a reduced price of zero contradicts.
    var contradictions: [String] { period.contains { $0.bound != .off } ? texts : [] }

    /// The texts of the period in parentheses, if there are several.
    private var listed: String { period.count > 1 ? " (\(texts.joined(separator: "; ")))" : "" }

    /// Whether a reduced price applies at a time.
    private enum Standing {
        case applies, over, ahead, unclear, off, doubtful
    }

    /// Why the reduced price does not count at a time, as the rest of a sentence; nil if it does.
    func fault(at now: Timestamp?) -> String? {
        switch standing(at: now) {
        case .over: "does not count: its dates are over"
        case .ahead: "does not count yet: its dates are in the future"
        case .unclear:
            "does not count: its dates are not understood\(listed)"
        case .off: "does not count: the row denies the sale\(listed)"
        case .doubtful:
            "does not count: whether there is a sale is not understood (\(texts.joined(separator: "; ")))"
        case .applies: nil
        }
    }

    private func standing(at now: Timestamp?) -> Standing {
        if period.contains(where: { $0.bound == .off }) { return .off }
        if period.contains(where: { $0.bound == .doubtful }) { return .doubtful }
        var times: [(start: Int64?, end: Int64?)] = []
        for (bound, text) in period {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            switch bound {
            case .both:
                guard parts.count == 2, let start = SaleTime.start(parts[0]), let end = SaleTime.end(parts[1]) else {
                    return .unclear
                }
                times.append((start, end))
            case .start:
                guard let start = SaleTime.start(text) else { return .unclear }
                times.append((start, nil))
            case .end:
                guard let end = SaleTime.end(text) else { return .unclear }
                times.append((nil, end))
            case .unclear, .off, .doubtful: return .unclear
            }
        }
        guard !times.isEmpty else { return .applies }
        guard let now = now?.milliseconds else { return .unclear }
        if times.contains(where: { $0.end.map { $0 < now } ?? false }) { return .over }
        return times.contains { $0.start.map { $0 > now } ?? false } ? .ahead : .applies
    }
}

/// Times of sales in milliseconds since 1970: ISO 8601, without a zone in UTC, or seconds since 1970.
private enum SaleTime {
    static func start(_ text: String) -> Int64? { range(text)?.lowerBound }

    /// The end; a date alone includes its day.
    static func end(_ text: String) -> Int64? { range(text)?.upperBound }

    private static func range(_ text: String) -> ClosedRange<Int64>? {
        let text = text.filter { $0 != "\"" }
        if let match = text.wholeMatch(of: Patterns.epochSeconds), let seconds = Int64(match.1) {
            return seconds * 1000...seconds * 1000
        }
        guard let match = text.wholeMatch(of: Patterns.time), let date = CalendarDate(String(match.1)) else {
            return nil
        }
        let day = Int64(date.daysSinceEpoch) * 86_400_000
        guard let hour = match.2.flatMap({ Int64($0) }), let minute = match.3.flatMap({ Int64($0) }) else {
            return day...day + 86_399_999
        }
        var seconds = hour * 3600 + minute * 60 + (match.4.flatMap { Int64($0) } ?? 0)
        if let sign = match.5, let hours = match.6.flatMap({ Int64($0) }), let minutes = match.7.flatMap({ Int64($0) })
        {
            seconds -= (hours * 3600 + minutes * 60) * (sign == "-" ? -1 : 1)
        }
        let time = day + seconds * 1000
        return time...time
    }
}

extension ColumnNames {
    /// Removes the columns of a sale and its period, which are `columns`.
    mutating func takeSale() -> (sale: Sale?, columns: [String]) {
        guard let (_, column, price) = take(Sale.names) else { return (nil, []) }
        var sale = Sale(price: price, column: column, period: [])
        var columns = [column]
        for name in rest.keys.sorted() {
            guard let text = rest[name], let bound = SaleColumns.bound(ofColumn: Self.folded(name), text) else {
                continue
            }
            // A date of no certain meaning may be another column's.
            if bound != .unclear {
                _ = take(column: name)
                columns.append(name)
            }
            // PrestaShop writes a missing date as zeros.
            let isFlag = [.off, .doubtful].contains(bound)
            if isFlag || text.wholeMatch(of: Patterns.zeroTime) == nil { sale.period.append((bound, text)) }
        }
        return (sale, columns)
    }
}

private enum Patterns {
    static let epochSeconds = Pattern(#/\s*(\d{10})\s*/#)
    static let time = Pattern(
        #/\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s?(?:Z|([+-])(\d\d):?(\d\d))?)?\s*/#)
    static let zeroTime = Pattern(#/[0\s:\/.TZ+-]*/#)
}
