import API
import Testing

/// Filters and search words as people type them.
@Suite struct TypedFilterTests {
    private static let products = """
        id,brand,name,category,gender,colors,materials,sizes,price,currency
        a,Nike,Zoom,sneaker,male,red;black,mesh,EU:40,9000,EUR
        b,New Balance,Luz,sneaker,female,Crimson,leather,EU:37,5000,EUR
        c,Adidas,Samba,boot,female,azul,,EU:37,5000,EUR
        d,Brinquesa,Zapato de fiesta,pump,,navy,leather,EU:37,7000,EUR
        """
    private static let stores = """
        id,kind,name,lat,lon,category
        sol,store,Zapatería Sol,39.47,-0.37,shoes
        bar,bar,Bar Luz,39.47,-0.37,
        """

    private func withCatalogue(_ body: (TestServer) async throws -> Void) async throws {
        try await withServer { server in
            for (kind, table) in [("products", Self.products), ("places", Self.stores)] {
                let reply = try await server.send("POST /v1/imports/\(kind)", table, type: "text/csv")
                #expect(reply.text.contains(#""refused_count":0"#))
            }
            for product in ["a", "b", "c", "d"] {
                _ = try await server.send("PUT /v1/stores/sol/stock/\(product)", #"{"sizes":{"EU:37":1}}"#)
            }
            try await body(server)
        }
    }

    private func list(_ path: String, _ ids: String) -> Exchange {
        let items = ids.split(separator: " ").map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        return Exchange("GET \(path)\(path.contains("?") ? "&" : "?")fields=id", nil, #"200 {"items":[\#(items)]}"#)
    }

    @Test("Values without products are interpreted, others are matched exactly") func values() async throws {
        try await withCatalogue { server in
            try await expect(
                [
                    // Red exists, so its shade, which exists too, is another value.
                    list("/v1/products?color=red", "a"), list("/v1/products?color=Rojo", "a b"),
                    list("/v1/products?color=crimson", "b"), list("/v1/products?color=scarlet", "a"),
                    list("/v1/products?color=blue", "c"), list("/v1/products?color=azul,navy", "c d"),
                    list("/v1/products?category=zapatillas", "a b"), list("/v1/products?category=tacones", "d"),
                    list("/v1/products?gender=mujer", "b c"), list("/v1/products?material=piel", "b d"),
                    // One typo.
                    list("/v1/products?color=rojjo", "a b"), list("/v1/products?category=sneker", "a b"),
                    list("/v1/products?brand=adiddas", "c"), list("/v1/products?brand=adidaz", "c"),
                    list("/v1/products?brand=newbalance", "b"), list("/v1/products?brand=Nikee,adidsa", "a c"),
                    // Unknown values find nothing, and short words are not corrected.
                    list("/v1/products?color=transparent", ""), list("/v1/products?brand=nkie", ""),
                    list("/v1/products?brand=xnike,xdidas,ydidas,zdidas,adidaz", "a c"),
                    list("/v1/products?brand=abcdefghijkl,bcdefghijklm,hgfedcba,abcdef,adidaz", ""),
                ], of: server)
            let facets = try await server.send("GET /v1/products/facets?color=Rojo&facet=brand", nil)
            #expect(facets.text.contains(#""count":2"#))
            let stores = try await server.send(
                "GET /v1/stores/nearest?lat=39.47&lon=-0.37&color=rojo&size=37&fields=id,products", nil)
            #expect(stores.text.contains(#""id":"a""#) && stores.text.contains(#""id":"b""#))
            #expect(!stores.text.contains(#""id":"c""#))
        }
    }

    @Test("Words are found by synonyms, inflections, and with one typo") func words() async throws {
        try await withCatalogue { server in
            try await expect(
                [
                    list("/v1/products?q=zapatillas", "a b"), list("/v1/products?q=zapatillas+rojas", "a"),
                    list("/v1/products?q=zapatos+fiesta", "d"), list("/v1/products?q=snaeker+zoom", "a"),
                    list("/v1/products?q=luces", "b"), list("/v1/products?q=piel", "b d"),
                    list("/v1/places?q=zapatria", "sol"), list("/v1/places?q=shoe+shop", "sol"),
                    list("/v1/places?q=zapatos", "sol"), list("/v1/places?q=luces", "bar"),
                    list("/v1/places?q=pharmacy", ""),
                ], of: server)
        }
    }
}
