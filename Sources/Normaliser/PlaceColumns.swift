extension PlaceNormaliser {
    /// The fields of places and parts of addresses, with alternative column names.
    package static let columns: [(field: String, names: [String])] = [
        ("id", ["place_id", "stop_id", "fsq_place_id", "codigo", "filiale", "code_magasin", "source_code"]),
        ("kind", []),
        (
            "name",
            [
                "store_name", "stop_name", "shop_name", "business_name", "title", "nombre", "nombre_de_la_tienda",
                "nombre_tienda",
                "tienda", "filialname", "nom", "nom_du_magasin",
                "nom_de_la_boutique", "nome", "nome_negozio", "nome_del_negozio", "nome_da_loja", "naam", "winkelnaam",
                "nazwa", "nom_de_la_botiga", "razon_social", "nombre_comercial", "denominazione", "punto_vendita",
                "punto_de_venta", "point_de_vente", "etablissement", "filiale_name", "shop_title", "store", "magasin",
                "boutique", "geschaft", "laden", "negozio", "loja", "botiga", "winkel", "sklep",
            ]
        ),
        (
            "lat",
            [
                "latitude", "latitud", "breitengrad", "latitudine", "breite", "geo_lat", "gps_lat", "store_lat",
                "stop_lat",
                "lat_wgs84",
            ]
        ),
        (
            "lon",
            [
                "longitude", "longitud", "langengrad", "longitudine", "lange", "lng", "long", "geo_lon", "geo_lng",
                "gps_lon", "gps_lng", "store_lng", "store_lon", "stop_lon", "lon_wgs84",
            ]
        ),
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
