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
        let words = PlainText.words(of: last.replacing("_", with: " ")).joined(separator: " ")
        return inStock.contains(words) ? true : outOfStock.contains(words) ? false : nil
    }
}
