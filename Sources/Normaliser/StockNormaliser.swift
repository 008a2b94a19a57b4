public import Model

/// Normalizes the rows of other programs' lists of stock: columns are renamed, and prices are parsed.
public struct StockNormaliser: Sendable {
    private let prices: PriceReader

    /// - Parameter currency: the currency of prices without one; nil if unknown.
    public init(currency: Currency? = nil) { prices = PriceReader(currency: currency) }

    /// A normalized row, with remarks.
    public struct Result: Sendable {
        /// The texts by field.
        public fileprivate(set) var texts: [String: String] = [:]
        /// The price in minor units; nil if there is none.
        public fileprivate(set) var price: Int64?
        /// Changes to the values of this row.
        public fileprivate(set) var remarks: [Remark] = []
        /// Changes to the columns of all such rows, as sentences.
        public fileprivate(set) var notes: Set<String> = []
    }

    /// The fields of stock with alternative column names, the best name first.
    private static let columns: [(field: String, names: [String])] = [
        (
            "store",
            [
                "store_id", "store_code", "source_code", "shop", "shop_id", "tienda", "location", "location_id",
                "branch", "sucursal", "filiale", "magasin",
            ]
        ),
        (
            "product",
            [
                // A column 'product' besides one of these holds a name.
                "product_internal_reference", "internal_reference", "product_id", "sku", "product", "variant_sku",
                "item_id", "id", "item", "ref", "reference", "referencia", "codigo", "code", "articulo",
                "artikelnummer", "artikel", "article",
            ]
        ), ("price", ["precio", "pvp", "preis", "prix", "sale_price", "regular_price"]),
        ("currency", ["moneda", "divisa", "wahrung", "devise"]),
        ("sizes", ["size", "talla", "tallas", "grosse", "pointure", "taille"]),
        (
            "quantity",
            [
                "qty", "available", "available_not_editable", "on_hand", "stock", "cantidad", "existencias",
                "unidades", "bestand", "menge", "quantite",
            ]
        ),
    ]

    /// Normalizes a row of texts by column; empty texts count as missing.
    ///
    /// - Parameters:
    ///   - row: the texts.
    ///   - isInDecimals: whether other rows have decimals in the column `price`, so that its whole numbers are not
    ///     minor units.
    /// - Returns: the normalized row, which depends only on these values.
    public func normalised(_ row: [String: String], isInDecimals: Bool = false) -> Result {
        var result = Result()
        var columns = ColumnNames(row)
        var named: [String: String] = [:]
        for (field, names) in Self.columns {
            guard let (name, _, text) = columns.take(names.contains(field) ? names : [field] + names) else { continue }
            result.texts[field] = text
            named[field] = name
            if name != field { result.notes.insert("column '\(name)' was read as '\(field)'") }
        }
        for column in columns.rest.keys {
            result.notes.insert("column '\(column)' matches no field, and was not kept")
        }
        price(PriceReader.Whole(in: named["price"], isInDecimals: isInDecimals), &result)
        quantity(&result)
        return result
    }

    /// Removes a fraction of zero from a quantity, and replaces a negative quantity (oversold) with 0.
    private func quantity(_ result: inout Result) {
        guard let text = result.texts["quantity"], let match = text.wholeMatch(of: #/(-?\d{1,9})(?:[.,]0+)?/#),
            let pieces = Int(match.1)
        else { return }
        let quantity = String(max(0, pieces))
        guard quantity != text else { return }
        result.texts["quantity"] = quantity
        result.remarks.append(Remark("quantity", .changed, "'\(text)' was read as \(quantity)"))
    }

    private func price(_ whole: PriceReader.Whole, _ result: inout Result) {
        // A currency without a price has no meaning; the product's own price applies.
        let code = result.texts.removeValue(forKey: "currency")
        guard let text = result.texts.removeValue(forKey: "price") else { return }
        let reading = prices.read(text, beside: code, whole)
        result.price = reading.price
        result.texts["currency"] = reading.currency
        if let remark = reading.remark { result.remarks.append(remark) }
    }
}
