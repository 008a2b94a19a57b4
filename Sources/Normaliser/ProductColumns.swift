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
                "maten", "talles", "shoe_size", "talla_eu", "talla_uk", "talla_us", "eu_size", "uk_size", "us_size",
            ]
        ),
        (
            "price",
            [
                "price_range", "precio", "pvp", "preis", "prix", "sales_price", "variant_price", "price_tax_incl",
                "regular_price", "prezzo", "preco", "prijs", "preu", "precio_normal", "tarif_regulier",
                "regularer_preis", "prezzo_di_listino", "reguliere_prijs", "preco_normal", "preu_normal",
                "retail_price",
            ]
        ), ("currency", ["moneda", "divisa", "wahrung", "devise", "valuta", "moeda"]),
        (
            "description",
            [
                "descripcion", "body_html", "item_description", "short_description", "descripcion_corta",
                "beschreibung", "descrizione", "descricao", "omschrijving", "details", "text",
            ]
        ), ("url", ["link", "product_url", "permalink", "enlace"]),
        (
            "photo",
            [
                "image", "image_url", "image_link", "image_src", "images", "base_image", "productimageurl",
                "product_image_url_1", "product_image_url", "imagen", "foto", "picture",
            ]
        ),
    ]

    /// Columns that hold an id or a name, depending on the others.
    static let articles: Set = ["articulo", "article"]

    /// The fields with the names of columns for a row.
    ///
    /// An `Item` beside a `Name` is the kind of a row, as in BigCommerce. An `Artículo` beside another id, as in
    /// `Referencia;Artículo`, is the name if no column is, and if it has letters.
    static func columns(of row: [String: String]) -> [(field: String, names: [String])] {
        let given = Set(row.keys.map(ColumnNames.folded))
        let hasItem = given.contains("item") && given.contains("name")
        guard hasItem || !given.isDisjoint(with: articles) else { return columns }
        func isGiven(_ wanted: String) -> Bool {
            columns.contains { field, names in
                field == wanted && ([field] + names).contains { given.contains($0) && !articles.contains($0) }
            }
        }
        let areNames = isGiven("id") && !isGiven("name")
        let lettered = row.filter { $0.value.contains(where: \.isLetter) }.keys.map(ColumnNames.folded)
        return columns.map { field, names in
            switch field {
            case "id" where areNames: (field, names.filter { !articles.contains($0) })
            case "name" where areNames: (field, names + articles.intersection(lettered).sorted())
            case "name" where hasItem: (field, names.filter { $0 != "item" })
            default: (field, names)
            }
        }
    }
}
