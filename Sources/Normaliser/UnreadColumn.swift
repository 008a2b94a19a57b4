internal import Model

/// The likely meaning of a column that matches no field.
package enum UnreadColumn {
    private static let words: [(look: String, words: Set<String>)] = [
        (
            "a price",
            [
                "price", "precio", "pvp", "preis", "prix", "prezzo", "preco", "prijs", "preu", "tarif", "cost", "coste",
                "msrp",
                "rrp", "uvp",
            ]
        ),
        (
            "an amount",
            [
                "quantity", "qty", "stock", "inventory", "cantidad", "existencias", "bestand", "menge", "quantite",
                "quantita", "giacenza", "quantidade", "estoque", "aantal", "voorraad", "unidades", "units", "amount",
                "lagerbestand", "inventario", "inventaire", "uds", "qte", "qta", "qtd", "stk", "stuckzahl", "anzahl",
                "existencia", "disponible", "disponibles", "unidad", "pieces", "pcs",
            ]
        ),
        (
            "hours",
            [
                "hours", "horario", "horarios", "opening", "offnungszeiten", "horaires", "orari", "orario",
                "openingstijden",
            ]
        ),
        (
            "a position",
            [
                "lat", "lon", "lng", "latitude", "longitude", "latitud", "longitud", "coordinates", "coordenadas",
                "coords", "koordinaten", "coordonnees", "wkt", "geom", "utm", "easting", "northing",
            ]
        ),
        ("a time", ["date", "time", "timestamp", "fecha", "hora", "datum", "zeit", "orario", "data"]),
    ]

    /// The columns of a row that may hold a position.
    package static func positions(in row: [String: String]) -> [String] { ColumnNames(row).likelyPositions }

    /// A description such as `a price`, from the column's name, or else from a text in it; nil for another column.
    package static func look(_ name: String, _ text: String) -> String? {
        if let look = look(of: name) { return look }
        if PositionText.isLikely(text) { return "a position" }
        if text.contains(Patterns.hours) { return "hours" }
        if text.wholeMatch(of: Patterns.time) != nil { return "a time" }
        return PriceText(text) == nil ? nil : "a price"
    }

    /// A description from a column's name; nil if it says nothing.
    static func look(of name: String) -> String? {
        let parts = ColumnNames.folded(name).split(separator: "_").map(String.init)
        return words.first { parts.contains(where: $0.words.contains) }?.look
    }

    /// Whether ``look(_:_:)`` describes a column as hours, without reading other texts.
    static func looksLikeHours(_ name: String, _ text: String) -> Bool {
        if let look = look(of: name) { return look == "hours" }
        return text.contains(Patterns.hours) && !PositionText.isLikely(text)
    }
}

private enum Patterns {
    static let hours = Pattern(#/\d\d?[:.h]\d\d\s*[-–—]\s*\d\d?[:.h]\d\d/#)
    static let time = Pattern(#/\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?/#)
}
