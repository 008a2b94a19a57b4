internal import Model

extension ProductNormaliser {
    /// The fields of products with alternative column names, the best name first.
    package static let columns: [(field: String, names: [String])] = [
        (
            "id",
            [
                "seller_sku", "product_id", "sku", "variant_sku", "ref", "reference", "referencia", "codigo", "code",
                "articulo", "artikelnummer", "internal_reference", "custom_sku", "system_id", "token", "codice",
                "codice_articolo",
                "articolo_codice", "referencia_produto", "artikelcode", "artikel_nr", "artikelnr", "codi",
            ]
        ),
        (
            "brand",
            [
                "brand_name", "marca", "make", "manufacturer", "fabricante", "marke", "marque", "vendor", "marchio",
                "merk",
            ]
        ),
        (
            "name",
            [
                "title", "product_name", "model_name", "item_name", "model", "product", "item", "nombre", "titulo",
                "modelo", "bezeichnung", "artikelbezeichnung", "artikelname", "produktname", "artikel", "produkt",
                "designation", "nome", "nome_prodotto", "nome_produto", "prodotto", "produto", "produit", "nom",
                "nom_du_produit", "nombre_producto", "nombre_del_producto", "producto", "articolo", "artigo", "naam",
                "productnaam", "artikelnaam", "nom_producte",
            ]
        ),
        (
            "category",
            [
                "categoria", "categories", "category_string", "product_type", "type", "tipo", "product_category",
                "warengruppe", "kategorie", "categorie", "collection",
            ]
        ), ("gender", ["genero", "sex", "sexo", "department", "geschlecht", "genre"]),
        (
            "colors",
            [
                "color", "colour", "colour_name", "color_name", "colores", "colorway", "colourway", "farbe", "farben",
                "couleur", "couleurs", "colore", "colori", "cor", "cores", "kleur", "kleuren",
            ]
        ),
        (
            "materials",
            [
                "material", "material_composition", "composition", "composicion", "materiales", "matiere",
                "materiale", "materiali", "materiais", "materiaal",
            ]
        ),
        (
            "sizes",
            [
                "size", "available_sizes", "tallas", "talla", "grosse", "pointure", "taille", "size_eu", "size_uk",
                "size_us", "grossen", "pointures", "tailles", "taglia", "taglie", "tamanho", "tamanhos", "maat",
                "maten", "talles",
            ]
        ),
        (
            "price",
            [
                "price_range", "precio", "pvp", "preis", "prix", "sales_price", "variant_price", "price_tax_incl",
                "regular_price", "prezzo", "preco", "prijs", "preu", "cost", "amount",
            ]
        ), ("currency", ["moneda", "divisa", "wahrung", "devise", "valuta", "moeda"]),
        (
            "description",
            [
                "descripcion", "body_html", "item_description", "short_description", "descripcion_corta",
                "beschreibung", "descrizione", "descricao", "omschrijving", "details", "notes", "text",
            ]
        ), ("url", ["link", "product_url", "permalink", "enlace"]),
        (
            "photo",
            [
                "image", "image_url", "image_link", "image_src", "images", "base_image", "productimageurl",
                "product_image_url_1", "imagen", "foto", "picture",
            ]
        ),
    ]

    private static let optionMarks = ["option", "attribute", "productoption"]

    /// The row with the values of options under their names, and the columns of these names and values.
    ///
    /// Options are given as `Option1 Name` and `Option1 Value`, or `Attribute 1 name` and `Attribute 1 value(s)`.
    static func withOptions(_ row: [String: String]) -> (row: [String: String], options: Set<String>) {
        guard row.keys.contains(where: { key in optionMarks.contains { key.hasPrefix($0) } }) else { return (row, []) }
        var named = row
        var options: Set<String> = []
        let columns = Dictionary(row.keys.sorted().map { (ColumnNames.folded($0), $0) }) { first, _ in first }
        for (folded, column) in columns where folded.contains(Patterns.optionName) {
            let values = ["value", "value_s", "description"].lazy.compactMap { word in
                columns[folded.replacing("name", with: word)].map { (column: $0, text: row[$0] ?? "") }
            }
            guard let name = row[column], let value = values.first(where: { !$0.text.isEmpty }),
                named[name, default: ""].isEmpty
            else { continue }
            (named[column], named[value.column]) = (nil, nil)
            options.formUnion([column, value.column])
            named[name] = value.text
        }
        return (named, options)
    }
}

private enum Patterns {
    static let optionName = Pattern(#/^(?:option|attribute|productoption)_?\d*_?name/#)
}
