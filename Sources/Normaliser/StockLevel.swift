internal import Model

/// Whether a text says that a product is in stock.
package enum StockLevel {
    /// The names of columns with such texts.
    package static let columns = [
        "availability", "in_stock", "is_in_stock", "instock", "stock_status", "availability_status",
        "source_item_status",
        "disponibilidad", "en_stock", "verfugbarkeit", "auf_lager", "lieferbar", "disponibilite", "disponibilita",
        "disponibilidade", "em_estoque", "beschikbaarheid", "op_voorraad", "disponibilitat", "status",
    ]

    /// The names of columns that say so if they have no amount.
    package static let amounts = [
        "available", "disponible", "disponibles", "disponibile", "disponivel", "beschikbaar", "vorratig", "verfugbar",
        "lagernd",
    ]
    /// The names of columns that say that there is none.
    package static let negations: Set = [
        "sold_out", "soldout", "is_sold_out", "out_of_stock", "outofstock", "is_out_of_stock", "agotado", "agotada",
        "sin_stock", "sin_existencias", "ausverkauft", "vergriffen", "nicht_vorratig", "epuise", "rupture",
        "en_rupture", "rupture_de_stock", "esaurito", "esgotado", "uitverkocht", "exhaurit", "esgotat",
    ]

    /// A column with such a text.
    struct Column {
        var column: String
        var text: String
        /// Whether there is some; nil if the text is not understood.
        var isInStock: Bool?
    }

    /// Removes the columns that say whether there is some.
    static func take(from columns: inout ColumnNames) -> [Column] {
        var taken: [Column] = []
        // All of them count, so that one that is not understood hides no other.
        for column in columns.rest.keys.sorted() {
            let name = ColumnNames.folded(column)
            let isNegation = negations.contains(name)
            guard isNegation || levels.contains(name), let text = columns.take(column: column) else { continue }
            taken.append(Column(column: column, text: text, isInStock: isNegation ? isDenied(text) : isInStock(text)))
        }
        if taken.allSatisfy({ $0.isInStock == nil }), let status = columns.take(["status"]) {
            taken.append(Column(column: status.column, text: status.text, isInStock: isInStock(status.text)))
        }
        return taken
    }

    private static let levels = Set(columns + amounts).subtracting(["status"])

    /// Whether there is some by the text of a column such as `sold_out`: an answer such as no, or else a state.
    private static func isDenied(_ text: String) -> Bool? {
        let words = words(text)
        return yes.contains(words) ? false : no.contains(words) ? true : Int(text) == nil ? isInStock(text) : nil
    }

    private static let yes: Set = ["yes", "y", "true", "si", "s", "ja", "oui", "sim", "x", "j", "1"]
    private static let no: Set = ["no", "n", "false", "nein", "non", "nao", "nee", "0"]

    private static let inStock: Set = [
        "in stock", "instock", "yes", "y", "true", "si", "s", "ja", "oui", "sim", "available", "in store", "disponible",
        "en stock", "hay stock", "auf lager", "vorratig", "lieferbar", "verfugbar", "disponibile", "in magazzino",
        "disponivel", "em estoque", "op voorraad", "beschikbaar", "limited availability", "limitedavailability",
        "limited",
        "low stock", "few left", "last units", "ultimas unidades", "pocas unidades", "instoreonly", "en estoc",
    ]
    private static let outOfStock: Set = [
        "out of stock", "outofstock", "no", "n", "false", "nein", "non", "nao", "nee", "none", "not in stock",
        "sold out",
        "soldout", "unavailable", "not available", "agotado", "agotada", "sin stock", "sin existencias",
        "no disponible",
        "no hay", "no hay stock", "fuera de stock", "ausverkauft", "vergriffen", "nicht verfugbar", "nicht auf lager",
        "nicht lieferbar", "nicht vorratig", "epuise", "rupture", "rupture de stock", "en rupture",
        "en rupture de stock", "indisponible", "esaurito", "non disponibile", "fuori stock", "esgotado", "indisponivel",
        "fora de estoque", "sem estoque", "uitverkocht", "niet op voorraad", "niet beschikbaar", "exhaurit", "esgotat",
        "preorder", "pre order", "presale", "backorder", "back order", "on backorder", "onbackorder",
        "on display to order", "made to order", "discontinued", "descatalogado", "coming soon",
    ]

    /// Whether a text says that there is some: a word such as `in_stock`, a number, or an address such as
    /// `https://schema.org/InStock`; nil if it is not understood.
    static func isInStock(_ text: String) -> Bool? {
        if let pieces = Int(text) { return pieces > 0 }
        let last = text.split(separator: "/").last.map(String.init) ?? text
        let words = words(last)
        return inStock.contains(words) ? true : outOfStock.contains(words) ? false : nil
    }

    private static func words(_ text: String) -> String {
        PlainText.words(of: text.replacing("_", with: " ")).joined(separator: " ")
    }
}
