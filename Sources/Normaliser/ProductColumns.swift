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

    /// The names of columns for a field of a row; an `Item` beside a `Name` is the kind of a row, as in BigCommerce.
    static func names(for field: String, _ names: [String], in row: [String: String]) -> [String] {
        guard field == "name", row.keys.contains(where: { $0.lowercased() == "item" }),
            row.keys.contains(where: { $0.lowercased() == "name" })
        else { return [field] + names }
        return [field] + names.filter { $0 != "item" }
    }
}
