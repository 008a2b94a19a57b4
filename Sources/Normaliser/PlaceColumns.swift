extension PlaceNormaliser {
    /// The fields of places and parts of addresses, with alternative column names.
    static let columns: [(field: String, names: [String])] = [
        ("id", ["place_id", "codigo", "filiale", "code_magasin", "source_code"]), ("kind", []),
        (
            "name",
            [
                "store_name", "shop_name", "business_name", "title", "nombre", "nombre_de_la_tienda", "nombre_tienda",
                "tienda", "filialname", "nom", "nom_du_magasin",
            ]
        ),
        ("lat", ["latitud", "breitengrad"]), ("lon", ["longitud", "langengrad"]),
        ("address", ["direccion", "full_address", "addr_full", "domicilio", "adresse"]),
        ("category", ["categoria", "primary_category", "kategorie", "categorie", "shop", "amenity"]),
        ("hours", ["horario", "horarios", "schedule", "offnungszeiten", "horaires"]), ("timezone", ["zona_horaria"]),
        ("brand", ["chain", "marca", "cadena", "marke", "marque", "enseigne"]),
        (
            "store_id",
            [
                "store_number", "store_no", "store_code", "shop_id", "branch_id", "ref", "branch", "sucursal", "code",
                "sku",
            ]
        ),
        (
            "street",
            ["calle", "strasse", "addr_street", "addr_street_address", "address_line_1", "address1", "address_1"]
        ), ("house_number", ["addr_housenumber", "housenumber", "hausnummer"]),
        (
            "city",
            [
                "ciudad", "localidad", "municipio", "poblacion", "town", "locality", "ort", "stadt", "ville",
                "addr_city",
            ]
        ),
        (
            "state",
            [
                "provincia", "province", "estado", "region", "state_province", "administrative_area", "bundesland",
                "addr_state",
            ]
        ),
        (
            "zip",
            [
                "postcode", "postal_code", "zipcode", "cp", "c_p", "codigo_postal", "plz", "code_postal",
                "addr_postcode",
            ]
        ),
        ("country", ["pais", "land", "pays", "country_region", "country_id", "addr_country"]),
    ]
}
