public import Model

/// Normalizes the rows of other programs' lists of stock: columns are renamed, and prices are parsed.
public struct StockNormaliser: Sendable {
    private let prices: PriceReader

    /// - Parameters:
    ///   - currency: the currency of prices without one; nil if unknown.
    ///   - now: the time at which prices are paid; nil if unknown, so that no sale with dates counts.
    public init(currency: Currency? = nil, now: Timestamp? = nil) {
        prices = PriceReader(currency: currency, now: now)
    }

    /// A normalized row, with remarks.
    public struct Result: Sendable {
        /// The texts by field.
        public fileprivate(set) var texts: [String: String] = [:]
        /// The price in minor units; nil if there is none.
        public fileprivate(set) var price: Int64?
        /// Changes to the values of this row.
        public fileprivate(set) var remarks: [Remark] = []
        /// The columns without a field.
        public fileprivate(set) var others: [String: String] = [:]
        /// The field as which each column was read.
        public fileprivate(set) var fields: [String: String] = [:]
        /// Changes to the columns of all such rows, as sentences.
        public fileprivate(set) var notes: Set<String> = []
    }

    /// The fields of stock with alternative column names, the best name first.
    package static let columns: [(field: String, names: [String])] = [
        (
            "store",
            [
                "store_id", "store_code", "source_code", "shop", "shop_id", "tienda", "location", "location_id",
                "branch", "sucursal", "filiale", "magasin", "store_name", "shop_name", "nombre_tienda",
                "nombre_de_la_tienda", "boutique", "nom_du_magasin", "geschaft", "laden", "filialname", "negozio",
                "nome_negozio", "punto_vendita", "loja", "nome_da_loja", "winkel", "botiga", "store_address",
                "direccion", "address", "adresse", "indirizzo",
            ]
        ),
        (
            "product",
            [
                // A column 'product' besides one of these holds a name.
                "product_internal_reference", "internal_reference", "product_id", "sku", "product", "variant_sku",
                "item_id", "id", "item", "ref", "reference", "referencia", "codigo", "code", "articulo",
                "artikelnummer", "artikel", "article", "producto", "prodotto", "codice", "codice_articolo", "articolo",
                "produto", "artigo", "produit", "artikelnr",
            ]
        ), ("price", ["precio", "pvp", "preis", "prix", "regular_price", "prezzo", "preco", "prijs", "preu"]),
        ("currency", ["moneda", "divisa", "wahrung", "devise", "valuta", "moeda"]),
        ("sizes", ["size", "talla", "tallas", "grosse", "pointure", "taille", "taglia", "tamanho", "maat", "talles"]),
        (
            "quantity",
            [
                "qty", "available", "available_not_editable", "on_hand", "stock", "cantidad", "existencias",
                "unidades", "bestand", "menge", "quantite", "quantita", "giacenza",
                "quantidade", "estoque", "aantal", "voorraad", "disponibili", "quantitat",
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
            let wanted = names.contains(field) ? names : [field] + names
            guard let (name, column, text) = columns.take(wanted) else { continue }
            result.texts[field] = text
            result.fields[column] = field
            named[field] = name
            if name != field { result.notes.insert("column '\(name)' was read as '\(field)'") }
        }
        let (sale, ofSale) = columns.takeSale()
        let discount = sale == nil && result.texts["price"] != nil ? columns.takeDiscount() : nil
        for column in ofSale + (discount?.columns ?? []) { result.fields[column] = "price" }
        if let sale { result.notes.insert("column '\(sale.column)' was read as the price while a sale lasts") }
        let level = columns.take(StockLevel.columns)
        if let level {
            result.notes.insert("column '\(level.column)' was read as whether there is some")
            result.fields[level.column] = "quantity"
        }
        result.others = columns.rest
        price(PriceReader.Whole(in: named["price"], isInDecimals: isInDecimals), sale, discount, &result)
        quantity(&result)
        if let level { availability(level.text, &result) }
        sizes(&result)
        return result
    }

    /// Applies a text that says whether there is some: a row without a quantity would otherwise count as one piece.
    private func availability(_ text: String, _ result: inout Result) {
        let quantity = result.texts["quantity"]
        switch StockLevel.isInStock(text) {
        case true?: break
        case false?:
            guard quantity != "0" || result.texts["sizes"] != nil else { return }
            result.texts["quantity"] = "0"
            if let sizes = result.texts["sizes"], sizes.contains("=") {
                result.texts["sizes"] = sizes.replacing(Patterns.count, with: "=0")
            }
            let other = quantity.map { " instead of '\($0.shortened)'" } ?? ""
            result.remarks.append(Remark("quantity", .changed, "'\(text.shortened)' was read as 0\(other)"))
        case nil where quantity == nil:
            result.texts["quantity"] = "0"
            result.remarks.append(
                Remark("quantity", .guessed, "'\(text.shortened)' is not understood: 0 is assumed"))
        case nil:
            result.remarks.append(
                Remark("quantity", .doubted, "'\(text.shortened)' is not understood; the quantity is kept"))
        }
    }

    /// Reads sizes as in products, unless they have quantities.
    private func sizes(_ result: inout Result) {
        guard let text = result.texts["sizes"], !text.contains("="), text != "-" else { return }
        let read = SizeText(text)
        let sizes = read.sizes.map(\.text).joined(separator: ";")
        // Texts that are not sizes are left unchanged, so that reading refuses them.
        guard read.unknown.isEmpty, !sizes.isEmpty, sizes != text.uppercased().filter({ !$0.isWhitespace }) else {
            return
        }
        result.texts["sizes"] = sizes
        result.remarks.append(Remark("sizes", .changed, "'\(text.shortened)' was read as \(sizes)"))
    }

    /// Removes a fraction of zero from a quantity, and replaces a negative quantity (oversold) with 0, and a word such
    /// as `agotado` with its meaning.
    private func quantity(_ result: inout Result) {
        guard let text = result.texts["quantity"] else { return }
        if Int(text) == nil, let isInStock = StockLevel.isInStock(text) {
            result.texts["quantity"] = isInStock ? nil : "0"
            let read = isInStock ? "at least one" : "0"
            result.remarks.append(Remark("quantity", .changed, "'\(text.shortened)' was read as \(read)"))
            return
        }
        guard let match = text.wholeMatch(of: Patterns.pieces), let pieces = Int(match.1)
        else {
            return
        }
        let quantity = String(max(0, pieces))
        guard quantity != text else { return }
        result.texts["quantity"] = quantity
        result.remarks.append(Remark("quantity", .changed, "'\(text)' was read as \(quantity)"))
    }

    private func price(
        _ whole: PriceReader.Whole, _ sale: Sale?, _ discount: Discount?, _ result: inout Result
    ) {
        // A currency without a price has no meaning; the product's own price applies.
        let code = result.texts.removeValue(forKey: "currency")
        let text = result.texts.removeValue(forKey: "price")
        guard let reading = prices.read(text, sale, discount, beside: code, whole) else {
            if let code {
                result.remarks.append(Remark("currency", .dropped, "'\(code.shortened)' is beside no price"))
            }
            return
        }
        result.price = reading.price
        result.texts["currency"] = reading.currency
        result.remarks += reading.remarks
    }
}

private enum Patterns {
    static let count = Pattern(#/=\d+/#)
    static let pieces = Pattern(#/(?:\+|>=? ?)?(-?\d{1,9})(?:[.,]0+)?\+?/#)
}
