extension PlaceNormaliser {
    /// The names of an axis, with the words that others put before or behind them.
    private static func axis(_ names: [String]) -> [String] {
        let before = ["geo", "gps", "store", "stop", "shop", "map", "location", "position", "place"]
        let behind = ["wgs84", "deg", "degrees", "dd", "decimal", "gps", "grados"]
        return names + names.flatMap { name in before.map { "\($0)_\(name)" } + behind.map { "\(name)_\($0)" } }
    }

    /// The fields of places and parts of addresses, with alternative column names.
    package static let columns: [(field: String, names: [String])] = [
        ("id", ["place_id", "stop_id", "fsq_place_id", "codigo", "code_magasin", "source_code"]),
        ("kind", []),
        (
            "name",
            [
                "store_name", "stop_name", "shop_name", "business_name", "location_name", "branch_name", "title",
                "nombre", "nombre_de_la_tienda", "nombre_de_tienda", "nombre_tienda", "nombre_del_establecimiento",
                "tienda", "filialname", "nom", "nom_du_magasin",
                "nom_magasin", "nom_de_magasin", "nom_boutique", "nom_de_l_etablissement", "raison_sociale",
                "nom_de_la_boutique", "nome", "nome_negozio", "nome_del_negozio", "nome_da_loja", "naam", "winkelnaam",
                "nazwa", "nom_de_la_botiga", "razon_social", "ragione_sociale", "nombre_comercial", "denominazione",
                "punto_vendita",
                "punto_de_venta", "point_de_vente", "etablissement", "establecimiento", "estabelecimento",
                "filiale_name", "firma", "shop_title", "store", "magasin",
                "boutique", "geschaft", "laden", "negozio", "loja", "botiga", "winkel", "sklep",
            ]
        ),
        ("lat", axis(["latitude", "latitud", "breitengrad", "latitudine", "breite", "lat"])),
        ("lon", axis(["longitude", "longitud", "langengrad", "longitudine", "lange", "lng", "long", "lon"])),
        (
            "address",
            [
                "direccion", "full_address", "addr_full", "domicilio", "adresse", "indirizzo", "endereco", "adres",
                "adreca", "morada",
            ]
        ),
        ("category", ["categoria", "primary_category", "kategorie", "categorie", "shop", "amenity"]),
        (
            "hours",
            [
                "horario", "horarios", "schedule", "offnungszeiten", "horaires", "orari", "orario", "orari_di_apertura",
                "orario_di_apertura", "openingstijden", "business_hours", "store_hours", "horario_de_apertura",
                "horario_de_funcionamento", "horaires_d_ouverture", "horari",
            ]
        ), ("timezone", ["zona_horaria", "stop_timezone"]),
        ("brand", ["chain", "marca", "cadena", "marke", "marque", "enseigne", "marchio", "insegna", "merk"]),
        (
            "store_id",
            [
                "store_number", "store_no", "store_code", "shop_id", "branch_id", "ref", "branch", "sucursal", "code",
                "sku",
            ]
        ),
        (
            "street",
            [
                "calle", "strasse", "addr_street", "addr_street_address", "address_line_1", "address1", "address_1",
                "street_address", "rue", "via", "rua", "straat", "carrer",
            ]
        ), ("house_number", ["addr_housenumber", "housenumber", "hausnummer"]),
        (
            "city",
            [
                "ciudad", "localidad", "municipio", "poblacion", "town", "locality", "ort", "stadt", "ville",
                "addr_city", "citta", "comune", "cidade", "stad", "woonplaats", "ciutat", "commune", "gemeinde",
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
                "addr_postcode", "cap", "cep", "codice_postale", "codi_postal", "postleitzahl",
            ]
        ),
        ("country", ["pais", "land", "pays", "country_region", "country_id", "addr_country", "paese", "nazione"]),
    ]
}
