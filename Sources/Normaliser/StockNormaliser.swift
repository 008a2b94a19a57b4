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
        /// Why the row cannot be read, as the rest of a sentence about its sizes; nil if it can.
        public fileprivate(set) var refusal: String?
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
                "direccion", "address", "adresse", "indirizzo", "almacen", "lager", "warehouse", "warehouse_name",
                "punto_de_venta", "point_de_vente", "ponto_de_venda", "magazzino", "entrepot", "armazem", "magazijn",
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
                "quantidade", "estoque", "aantal", "voorraad", "disponibili", "quantitat", "stock_quantity",
                "stock_qty", "stock_level", "stock_on_hand", "stock_total", "total_stock", "stock_actual",
                "stock_disponible", "current_stock", "inventory", "inventory_quantity", "inventory_qty",
                "inventory_level", "variant_inventory_qty", "on_hand_current", "quantity_on_hand", "qty_on_hand",
                "quantity_available", "available_quantity", "inventario", "disponible", "disponibles",
                "unidades_disponibles", "cantidad_disponible", "existencia", "uds", "cant", "lagerbestand",
                "warenbestand", "lagermenge", "anzahl", "stuck", "stuckzahl", "stk", "qte", "qte_en_stock",
                "quantite_en_stock", "quantite_disponible", "qta", "quantita_disponibile", "pezzi", "disponibile",
                "qtd", "qtde", "quantidade_disponivel", "disponivel", "inventaris", "beschikbaar", "estoc",
                "existencies", "pieces", "pcs",
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
        let levels = StockLevel.take(from: &columns)
        for level in levels {
            result.notes.insert("column '\(level.column)' was read as whether there is some")
            result.fields[level.column] = "quantity"
        }
        let priceColumn = columns.completePrice(
            in: &result.texts, result.fields.first { $0.value == "price" }?.key, usual: prices.currency)
        if let priceColumn, result.fields[priceColumn] == nil { result.fields[priceColumn] = "price" }
        let (sale, ofSale) = columns.takeSale()
        let discount = sale == nil && result.texts["price"] != nil ? columns.takeDiscount() : nil
        for column in ofSale + (discount?.columns ?? []) { result.fields[column] = "price" }
        if let sale { result.notes.insert("column '\(sale.column)' was read as the price while a sale lasts") }
        result.others = columns.rest
        price(PriceReader.Whole(in: priceColumn, isInDecimals: isInDecimals), sale, discount, &result)
        let isSome = quantity(&result)
        sizes(&result)
        availability(levels, &result)
        if levels.isEmpty, !isSome { doubtAmount(row, &result) }
        return result
    }

    /// Applies texts that say whether there is some: a row without a quantity would otherwise count as one piece.
    private func availability(_ levels: [StockLevel.Column], _ result: inout Result) {
        let quantity = result.texts["quantity"]
        if let none = levels.first(where: { $0.isInStock == false }) {
            guard quantity != "0" || result.texts["sizes"] != nil else { return }
            let other = quantity.map { " instead of '\($0.shortened)'" } ?? ""
            result.remarks.append(Remark("quantity", .changed, "'\(none.text.shortened)' was read as 0\(other)"))
            empty(&result)
        } else if !levels.contains(where: { $0.isInStock == true }), let unclear = levels.first {
            let written = "'\(unclear.text.shortened)' is not understood"
            if quantity == nil, !result.hasCounts {
                result.remarks.append(Remark("quantity", .guessed, "\(written): 0 is assumed"))
                empty(&result)
            } else {
                result.remarks.append(Remark("quantity", .doubted, "\(written); the quantity is kept"))
            }
        }
    }

    /// Assumes that there is none if a row has an amount that was not read, or an empty cell for one.
    private func doubtAmount(_ row: [String: String], _ result: inout Result) {
        guard result.texts["quantity"] == nil, !result.hasCounts else { return }
        let amounts = result.others.keys.filter { UnreadColumn.look(of: $0) == "an amount" }.sorted()
        let names = Self.columns.filter { ["quantity", "sizes"].contains($0.field) }.flatMap { [$0.field] + $0.names }
        let isEmpty = row.contains { names.contains(ColumnNames.folded($0.key)) && $0.value.isEmpty }
        guard
            let reason = amounts.first.map({ "column '\($0)' may be an amount" })
                ?? (isEmpty ? "its column is empty" : nil)
        else { return }
        result.remarks.append(Remark("quantity", .guessed, "\(reason): 0 is assumed"))
        empty(&result)
    }

    /// Sets all quantities to 0.
    private func empty(_ result: inout Result) {
        result.texts["quantity"] = "0"
        guard let sizes = result.texts["sizes"], result.hasCounts || sizes.contains(";") else { return }
        result.texts["quantity"] = nil
        let names = sizes.split(separator: ";").map { $0.prefix { $0 != "=" } }
        result.texts["sizes"] = names.map { "\($0)=0" }.joined(separator: ";")
    }

    /// Reads sizes as in products, with their quantities if they have any; refuses the row if they are not understood.
    private func sizes(_ result: inout Result) {
        guard let text = result.texts["sizes"], text != "-" else { return }
        let counts = SizeCounts(text)
        let read = SizeText(text)
        let isRead = counts != nil || read.unknown.isEmpty && !read.sizes.isEmpty && !text.contains(Patterns.product)
        guard isRead, counts?.unknown == nil else {
            let unknown = (counts?.unknown ?? read.unknown.first ?? text).shortened
            result.refusal = "'\(unknown)' is not a size"
            return
        }
        let sizes = counts?.text ?? read.sizes.map(\.text).joined(separator: ";")
        if result.texts["quantity"] == "0", sizes.contains(";"), counts == nil {
            result.texts["sizes"] = sizes
            return empty(&result)
        }
        guard sizes != text.uppercased().filter({ !$0.isWhitespace }) else { return }
        result.texts["sizes"] = sizes
        let kind: Remark.Kind = counts?.isGuess ?? false ? .guessed : .changed
        result.remarks.append(Remark("sizes", kind, "'\(text.shortened)' was read as \(sizes)"))
    }

    /// Removes a fraction of zero and a word such as `uds` from a quantity, and replaces a negative quantity (oversold)
    /// with 0, and a word such as `agotado` with its meaning.
    ///
    /// - Returns: whether a word says that there is some.
    private func quantity(_ result: inout Result) -> Bool {
        guard let text = result.texts["quantity"] else { return false }
        if Int(text) == nil, let isInStock = StockLevel.isInStock(text) {
            result.texts["quantity"] = isInStock ? nil : "0"
            let read = isInStock ? "at least one" : "0"
            result.remarks.append(Remark("quantity", .changed, "'\(text.shortened)' was read as \(read)"))
            return isInStock
        }
        guard let match = text.wholeMatch(of: Patterns.pieces), let pieces = Int(match.1) else { return false }
        let quantity = String(max(0, pieces))
        guard quantity != text else { return false }
        result.texts["quantity"] = quantity
        result.remarks.append(Remark("quantity", .changed, "'\(text)' was read as \(quantity)"))
        return false
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

extension StockNormaliser.Result {
    /// Whether each size has its quantity.
    fileprivate var hasCounts: Bool { texts["sizes"]?.contains("=") ?? false }
}

private enum Patterns {
    /// A size and perhaps its quantity, as in `37x3`.
    static let product = Pattern(#/\d\s*[xX×*]\s*\d/#)
    static let pieces = Pattern(
        #/(?:\+|>=? ?)?(-?\d{1,9})(?:[.,]0+)?\+?(?:\s*(?:uds?|unidad(?:es)?|units?|pcs?|pieces?|stk|stück|pz|pezzi)\.?)?/#
            .ignoresCase())
}
