import Foundation
import Testing

@Suite struct NormalisedImportTests {
    @Test("Messy products are corrected, reported, and never duplicated") func messyProducts() async throws {
        try await withServer { server in
            let csv = """
                brand,model_name,material,available_sizes,price_range,shape
                Sansha,Rojo 1,"Piel, Satén","3, 5, 3, 6",$79-80,round
                Sansha,Dos,,,49.95,
                Sansha,rojo 1,,,,
                ,,,,,
                """
            let report = #"""
                "refused":[{"row":4,"errors":[{"pointer":"/id","code":"required","detail":"is required: row 2 has the same brand and name"}]}],"refused_count":1,"normalised":[{"row":2,"remarks":[{"pointer":"/colors","code":"guessed","detail":"red is in the name"},{"pointer":"/materials","code":"changed","detail":"'Piel, Satén' was read as leather, satin"},{"pointer":"/sizes","code":"guessed","detail":"the broken list '3, 5, 3, 6' was read as 35, 36"},{"pointer":"/price","code":"guessed","detail":"'$79-80' was read as 7900 USD in minor units, the minimum of a range up to 8000; other currencies also have this sign"},{"pointer":"/id","code":"guessed","detail":"'sansha-rojo-1' was made from brand and name"}]},{"row":3,"remarks":[{"pointer":"/price","code":"dropped","detail":"'49.95' names no currency: give one with 'currency' (--currency)"},{"pointer":"/id","code":"guessed","detail":"'sansha-dos' was made from brand and name"}]}],"normalised_count":2,"notes":["column 'material' was read as 'materials'","column 'shape' matches no field: it was searched for words, and not kept"]}
                """#
            let path = "POST /v1/imports/products?normalise=true"
            let dry = try await server.send("\(path)&dry_run=true", csv, type: "text/csv")
            // A dry run has further notes, about columns that may become attributes.
            let remarks = report.prefix(upTo: report.range(of: #""notes""#)?.lowerBound ?? report.endIndex)
            #expect(dry.withoutColumns.hasPrefix(#"200 {"rows":3,"created":0,"updated":0,"# + remarks), "\(dry.text)")
            let first = try await server.send(path, csv, type: "text/csv")
            #expect(first.text == #"200 {"rows":3,"created":2,"updated":0,"# + report)
            let again = try await server.send(path, csv, type: "text/csv")
            #expect(again.text == #"200 {"rows":3,"created":0,"updated":2,"# + report)
            try await expect(
                [
                    Exchange(
                        "GET /v1/products/sansha-rojo-1", nil,
                        #"200 {"id":"sansha-rojo-1","brand":"Sansha","name":"Rojo 1","colors":["red"],"materials":["leather","satin"],"sizes":["35","36"],"price":7900,"currency":"USD"}"#
                    )
                ], of: server)
            let euros = try await server.send("\(path)&currency=EUR", csv, type: "text/csv")
            #expect(euros.body.contains("'49.95' was read as 4995 EUR in minor units"))
        }
    }

    @Test("Headers in other languages are understood") func foreignHeaders() async throws {
        try await withServer { server in
            let stores = """
                Código;Nombre de la tienda;Dirección;Población;C.P.;Latitud;Longitud
                001;Zapatos Sol;C/ Mayor 3;Valencia;46001;39,4702;-0,3768
                """
            let reply = try await server.send("POST /v1/imports/places?normalise=true", stores, type: "text/csv")
            #expect(reply.text.contains(#""created":1"#), "\(reply.text)")
            let shoes = "Artikel;Marke;Farbe;Kategorie\nPumps Lina;Rieker;rot;Pumps\n;Rieker;rot;Pumps\n"
            let products = try await server.send("POST /v1/imports/products?normalise=true", shoes, type: "text/csv")
            #expect(
                products.text.contains(
                    #""refused":[{"row":3,"errors":[{"pointer":"/name","code":"required","#), "\(products.text)")
            try await expect(
                [
                    Exchange(
                        "GET /v1/places/001?fields=name,address", nil,
                        #"200 {"name":"Zapatos Sol","address":"C/ Mayor 3, Valencia, 46001"}"#),
                    Exchange("GET /v1/products/rieker-pumps-lina?fields=name", nil, #"200 {"name":"Pumps Lina"}"#),
                ], of: server)
        }
    }

    @Test("A hemisphere in a column of its own is read, or refused without normalizing") func hemispheres() async throws
    {
        try await withServer { server in
            let csv = "id,kind,name,latitude,N/S,longitude,E/W\na,store,A,33.87,S,58.38,W\n"
            let plain = try await server.send("POST /v1/imports/places", csv, type: "text/csv")
            #expect(plain.body.contains(#""pointer":"/l"#) && plain.body.contains("use 'normalise'"), "\(plain.text)")
            let read = try await server.send("POST /v1/imports/places?normalise=true", csv, type: "text/csv")
            #expect(read.body.contains(#""created":1"#), "\(read.text)")
            try await expect(
                [Exchange("GET /v1/places/a?fields=lat,lon", nil, #"200 {"lat":-33.87,"lon":-58.38}"#)], of: server)
            let nameless = "Rótulo;Latitud;Longitud\nSol;39,47;-0,37\n"
            let refused = try await server.send("POST /v1/imports/places?normalise=true", nameless, type: "text/csv")
            #expect(refused.body.contains("columns that match no field: Rótulo"), "\(refused.text)")
            let area = "id,kind,name,area\nb,store,B,\"POLYGON((0 0,1 0,1 1,0 0))\"\n"
            let reply = try await server.send("POST /v1/imports/places", area, type: "text/csv")
            #expect(reply.body.contains("1 place has no position"), "\(reply.text)")
            let russian = try await server.send("POST /v1/imports/places", area, type: "text/csv; charset=windows-1251")
            #expect(russian.status == 415 && russian.body.contains("iconv"), "\(russian.text)")
        }
    }

    @Test("Messy positions are corrected or refused") func messyPositions() async throws {
        try await withServer { server in
            let csv = """
                id,kind,name,lat,lon,city,country
                a,store,A,-97.7431,30.2672,Austin,US
                b,store,B,0,0,Austin,US
                c,store,C,-97.7431,30.2672,Madrid,ES
                d,store,D,40.4168,-3.7038,Austin,US
                """
            let reply = try await server.send("POST /v1/imports/places?normalise=true", csv, type: "text/csv")
            #expect(
                reply.text == #"""
                    200 {"rows":4,"created":3,"updated":0,"refused":[{"row":4,"errors":[{"pointer":"/lat","code":"exchanged","detail":"is -97.7431; must be from -90 to 90; are lat and lon swapped?"}]}],"refused_count":1,"normalised":[{"row":2,"remarks":[{"pointer":"/lat","code":"guessed","detail":"was swapped with lon: only then it is valid, and agrees with the address"}]},{"row":3,"remarks":[{"pointer":"/lat","code":"dropped","detail":"0, 0 is in the sea: the place is kept without a position"}]}],"normalised_count":2,"doubted":[{"row":5,"remarks":[{"pointer":"/lat","code":"doubted","detail":"is near Madrid, ES, unlike the address; kept"}]}],"doubted_count":1,"notes":["warning: 1 place has no position","addresses were combined from their parts"]}
                    """#)
            try await expect(
                [
                    Exchange("GET /v1/places/a?fields=lat,lon", nil, #"200 {"lat":30.2672,"lon":-97.7431}"#),
                    Exchange("GET /v1/places/b?fields=lat,lon", nil, "200 {}"),
                ], of: server)
            let refused: [(String, String)] = [
                ("friends?normalise=true", "'normalise' is for products, places and stock."),
                ("products?currency=EUR", "'currency' is for 'normalise=true'."),
                (
                    "products?normalise=true&currency=E",
                    "'currency' is 'E'; must be an ISO 4217 code such as EUR."
                ),
            ]
            for (path, detail) in refused {
                let reply = try await server.send("POST /v1/imports/\(path)", "id\n", type: "text/csv")
                #expect(reply.status == 400 && reply.body.contains(detail), "\(reply.text)")
            }
        }
    }

    @Test("Shopify's rows are products by their variants, and further pictures are none", arguments: [false, true])
    func shopify(isCurrent: Bool) async throws {
        try await withServer { server in
            let earlier = """
                Handle,Title,Vendor,Option1 Name,Option1 Value,Variant SKU,Variant Price,Image Src,Status
                cera,Crema,Brin,Title,Default Title,CER-1,9.95,https://a.b/1.jpg,active
                cera,,,,,,,https://a.b/2.jpg,
                bota,Bota,Brin,Size,36,B-1,59.95,https://a.b/1.jpg,active
                bota,,,,37,B-2,59.95,,

                """
            let current = """
                Title,URL handle,Vendor,SKU,Option1 name,Option1 value,Price,Product image URL,Image position
                Crema,cera,Brin,CER-1,Title,Default Title,9.95,https://a.b/1.jpg,1
                ,cera,,,,,,https://a.b/2.jpg,2
                Bota,bota,Brin,B-1,Size,36,59.95,https://a.b/1.jpg,1
                ,bota,,B-2,Size,37,59.95,,

                """
            let reply = try await server.send(
                "POST /v1/imports/products?normalise=true&currency=EUR&prune=true", isCurrent ? current : earlier,
                type: "text/csv")
            #expect(reply.text.contains(#""rows":3,"created":3,"updated":0,"pruned":0,"refused":[]"#), "\(reply.text)")
            #expect(
                reply.text.contains("rows with only a further picture of a product, which were not read: 1"),
                "\(reply.text)")
            for (id, product) in [
                ("CER-1", #"{"name":"Crema","price":995}"#), ("B-2", #"{"name":"Bota","price":5995}"#),
            ] {
                let read = try await server.send("GET /v1/products/\(id)?fields=name,price")
                #expect(read.text == "200 \(product)")
            }
        }
    }

    @Test("Stock without pieces has a zero for each size, and sizes that are not understood refuse their row")
    func emptySizes() async throws {
        try await withServer { server in
            try await server.send("PUT /v1/products/pump", #"{"name":"P"}"#)
            try await server.send("PUT /v1/products/boot", #"{"name":"B"}"#)
            try await server.send("PUT /v1/places/sol", #"{"kind":"store","name":"S","lat":0,"lon":0}"#)
            let csv = "store,product,sizes,in_stock\nsol,pump,37;38,false\nsol,boot,37x3;38x0,\n"
            let reply = try await server.send("POST /v1/imports/stock?normalise=true", csv, type: "text/csv")
            let fault =
                #"{"row":3,"errors":[{"pointer":"/sizes","code":"format","detail":"'37x3;38x0' is not a size"}]}"#
            #expect(reply.text.contains(fault), "\(reply.text)")
            let stock = try await server.send("GET /v1/exports/stock").body
            #expect(stock.contains(#""product":"pump","sizes":{"37":0,"38":0}"#), "\(stock)")
        }
    }
}
