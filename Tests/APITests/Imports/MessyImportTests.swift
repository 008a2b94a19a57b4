import API
import Testing

/// Imports of files from other programs.
@Suite struct MessyImportTests {
    private func report(
        _ server: TestServer, _ path: String, _ body: String, type: String = "text/csv"
    ) async throws -> String {
        try await server.send("POST /v1/imports/\(path)", body, type: type).text
    }

    @Test("Whole prices among decimals are read as decimals, with a remark") func wholePrices() async throws {
        try await withServer { server in
            let csv = "id,name,price\na,A,105\nb,B,89.50\nc,C,49.00\n"
            let lines = """
                {"id":"a","name":"A","price":105}
                {"id":"b","name":"B","price":89.5}
                {"id":"c","name":"C","price":49.0}
                """
            let path = "products?normalise=true&currency=EUR"
            for (body, type) in [(csv, "text/csv"), (lines, "application/x-ndjson")] {
                let text = try await report(server, path, body, type: type)
                #expect(
                    text.contains(
                        #"{"pointer":"/price","code":"guessed","detail":"'105' was read as 10500 EUR in minor units, because the column has decimals"}"#
                    ), "\(text)")
                #expect(
                    text.contains(
                        "column 'price' has prices with decimals or a currency: whole numbers in it were read alike"
                    ))
                for (id, price) in [("a", 10500), ("b", 8950), ("c", 4900)] {
                    let product = try await server.send("GET /v1/products/\(id)?fields=price")
                    #expect(product.text == #"200 {"price":\#(price)}"#)
                }
            }
            // A column of whole numbers is still in minor units, and so is every import without the normalizer.
            let whole = try await report(server, path, "id,name,price\na,A,105\nb,B,8950\n")
            #expect(whole.contains(#""normalised_count":0"#) && !whole.contains("notes"), "\(whole)")
            #expect(try await server.send("GET /v1/products/a?fields=price").text == #"200 {"price":105}"#)
        }
    }

    @Test("Decimals that appear too late in a column are reported") func lateDecimals() async throws {
        try await withServer { server in
            let rows = (0..<1500).map { "p\($0),P,\(100 + $0)" } + ["q,Q,89.50", "r,R,105"]
            let csv = "id,name,price\n" + rows.joined(separator: "\n") + "\n"
            let text = try await report(server, "products?normalise=true&currency=EUR", csv)
            #expect(
                text.contains(
                    "whole numbers up to row 1501 were read as minor units, but row 1502 has decimals or a currency: check them"
                ),
                "\(text.suffix(600))")
            #expect(try await server.send("GET /v1/products/r?fields=price").text == #"200 {"price":10500}"#)
        }
    }

    @Test("A number with three decimals is not a group of thousands") func threeDecimals() async throws {
        try await withServer { server in
            let line = #"{"id":"a","name":"A","price":1.299,"currency":"EUR"}"#
            let text = try await report(server, "products?normalise=true", line, type: "application/x-ndjson")
            #expect(text.contains("is not a price"), "\(text)")
            let mills = #"{"id":"b","name":"B","price":1.525,"currency":"KWD"}"#
            _ = try await report(server, "products?normalise=true", mills, type: "application/x-ndjson")
            #expect(try await server.send("GET /v1/products/b?fields=price").text == #"200 {"price":1525}"#)
        }
    }

    @Test("Invalid positions are refused, not dropped") func invalidPositions() async throws {
        try await withServer { server in
            for broken in [#"{"x":1}"#, "[1,2]", "true"] {
                let line = #"{"id":"a","kind":"store","name":"A","lat":\#(broken),"lon":2}"#
                let text = try await report(server, "places?normalise=true", line, type: "application/x-ndjson")
                #expect(text.contains(#""refused_count":1"#), "\(text)")
            }
        }
    }

    @Test("Columns keep their names where these mean something else") func columnNames() async throws {
        try await withServer { server in
            let places = "id,kind,name,color,size,time,speed,latitude,longitude\na,topic,A,red,big,noon,fast,1,2\n"
            let text = try await report(server, "places", places)
            #expect(
                text.contains(
                    #""notes":["column 'latitude' was read as 'lat'","column 'longitude' was read as 'lon'"]"#),
                "\(text)")
            #expect(
                try await server.send("GET /v1/places/a").text
                    == #"200 {"id":"a","kind":"topic","name":"A","lat":1,"lon":2,"attributes":{"color":"red","size":"big","speed":"fast","time":"noon"}}"#
            )
            let line = #"{"id":"b","kind":"topic","name":"B","material":"ideas"}"#
            _ = try await report(server, "places", line, type: "application/x-ndjson")
            #expect(
                try await server.send("GET /v1/places/b?fields=attributes").text
                    == #"200 {"attributes":{"material":"ideas"}}"#)
            _ = try await report(server, "people", "id,size,time\nana,EU:37,late\n")
            #expect(
                try await server.send("GET /v1/people/ana?fields=attributes").text
                    == #"200 {"attributes":{"size":"EU:37","time":"late"}}"#)
        }
    }

    @Test("Rows of single sizes are one stock") func rowsOfSizes() async throws {
        try await withServer { server in
            try await server.send("PUT /v1/products/pump", #"{"name":"P"}"#)
            try await server.send("PUT /v1/products/boot", #"{"name":"B"}"#)
            try await server.send("PUT /v1/places/sol", #"{"kind":"store","name":"S","lat":0,"lon":0}"#)
            let csv = """
                store,product,size,quantity,price,currency
                sol,pump,37,2,4950,EUR
                sol,pump,38,0,,
                sol,pump,37,1,,
                sol,pump,39,1,5000,EUR
                sol,boot,40,3,,
                sol,pump,41,1,,
                """
            let text = try await report(server, "stock", csv)
            #expect(text.contains(#""rows":6,"created":2,"updated":1,"#), "\(text)")
            for fault in [
                #"{"row":4,"errors":[{"pointer":"/sizes","code":"mismatch","detail":"has '37', like an earlier row"}]}"#,
                #"{"row":5,"errors":[{"pointer":"/price","code":"mismatch","#,
                #"{"row":7,"errors":[{"pointer":"/product","code":"mismatch","#,
            ] { #expect(text.contains(fault), "\(text)") }
            let doubled = try await report(server, "stock", "store,product,sizes,quantity\nsol,boot,41=1,2\n")
            #expect(doubled.contains(#""pointer":"/quantity","code":"mismatch""#), "\(doubled)")
            let stock = try await server.send("GET /v1/stores/sol/stock").body
            #expect(stock.contains(#"{"product":"boot","sizes":{"40":3}}"#), "\(stock)")
            let pump = #"{"product":"pump","price":4950,"currency":"EUR","sizes":{"37":2,"38":0}}"#
            #expect(stock.contains(pump), "\(stock)")
        }
    }

    @Test("An empty cell of sizes is refused") func emptySizes() async throws {
        try await withServer { server in
            try await server.send("PUT /v1/products/pump", #"{"name":"P"}"#)
            try await server.send("PUT /v1/places/sol", #"{"kind":"store","name":"S","lat":0,"lon":0}"#)
            let refusal =
                #"{"pointer":"/sizes","code":"required","detail":"is empty: give a quantity for each size, or 'quantity' for a product without sizes"}"#
            let text = try await report(server, "stock", "store,product,sizes\nsol,pump,\n")
            #expect(text.contains(#""refused":[{"row":2,"errors":[\#(refusal)]}]"#), "\(text)")
            let line = #"{"store":"sol","product":"pump","sizes":""}"#
            #expect(try await report(server, "stock", line, type: "application/x-ndjson").contains(refusal))
            for csv in ["store,product,sizes,quantity\nsol,pump,,3\n", "store,product\nsol,pump\n"] {
                #expect(try await report(server, "stock", csv).contains(#""refused_count":0"#))
            }
        }
    }

    @Test("Prices of stock are read like prices of products") func stockPrices() async throws {
        try await withServer { server in
            for id in ["a", "b", "c", "d"] { try await server.send("PUT /v1/products/\(id)", #"{"name":"P"}"#) }
            try await server.send("PUT /v1/places/sol", #"{"kind":"store","name":"S"}"#)
            let csv =
                "Tienda;Ref;Price;Cantidad;Nota\nsol;a;79,95;3;x\nsol;b;105;-1;\nsol;c;1.299,00 EUR;2,00;\nsol;d;caro;1;\n"
            #expect(
                try await report(server, "stock?normalise=true&currency=EUR", csv) == """
                    200 {"rows":4,"created":4,"updated":0,"refused":[],"refused_count":0,"normalised":[\
                    {"row":2,"remarks":[{"pointer":"/price","code":"changed","detail":"'79,95' was read as 7995 EUR in minor units"}]},\
                    {"row":3,"remarks":[{"pointer":"/price","code":"guessed","detail":"'105' was read as 10500 EUR in minor units, because the column has decimals"},\
                    {"pointer":"/quantity","code":"changed","detail":"'-1' was read as 0"}]},\
                    {"row":4,"remarks":[{"pointer":"/price","code":"changed","detail":"'1.299,00 EUR' was read as 129900 EUR in minor units"},\
                    {"pointer":"/quantity","code":"changed","detail":"'2,00' was read as 2"}]},\
                    {"row":5,"remarks":[{"pointer":"/price","code":"dropped","detail":"'caro' is not a price"}]}],"normalised_count":4,\
                    "notes":["columns were read as separated by semicolons","column 'nota' matches no field, and was not kept",\
                    "column 'cantidad' was read as 'quantity'","column 'ref' was read as 'product'","column 'tienda' was read as 'store'",\
                    "column 'price' has prices with decimals or a currency: whole numbers in it were read alike"]}
                    """)
            #expect(
                try await server.send("GET /v1/stores/sol/stock").body == """
                    {"items":[{"product":"a","price":7995,"currency":"EUR","quantity":3},{"product":"b","price":10500,"currency":"EUR","quantity":0},\
                    {"product":"c","price":129900,"currency":"EUR","quantity":2},{"product":"d","quantity":1}]}
                    """)
            let plain = try await report(server, "stock", "store,product,price,currency\nsol,a,79.95,EUR\n")
            #expect(
                plain.hasSuffix(#""notes":["use 'normalise' for prices with decimals or a currency"]}"#),
                "\(plain)")
            // Whole numbers alone are still minor units, and objects of sizes are not changed.
            let whole = #"{"store":"sol","product":"a","price":4950,"currency":"EUR","sizes":{"EU:37":2}}"#
            _ = try await report(server, "stock?normalise=true", whole, type: "application/x-ndjson")
            #expect(
                try await server.send("GET /v1/stores/sol/stock").body
                    .contains(#"{"product":"a","price":4950,"currency":"EUR","sizes":{"EU:37":2}}"#))
        }
    }

    private func ids(_ server: TestServer) async throws -> [String: String] {
        let all = try await server.send("GET /v1/places?limit=100&fields=id,address,lat").body
        return Dictionary(
            all.matches(of: #/"id":"([^"]*)"[^}]*"lat":([0-9.]+)/#).map { (String($0.output.2), String($0.output.1)) },
            uniquingKeysWith: { $1 })
    }

    /// A shop has its id, whatever other rows a file has.
    @Test(
        "A generated id stays with its shop in the next file",
        arguments: [
            (["store_id,name,lat,lng", "1,Starbucks,1.5,2", "2,Starbucks,2.5,2", "3,Starbucks,3.5,2"], "starbucks-2"),
            (["name,lat,lng", "Starbucks,1.5,2", "Starbucks,2.5,2", "Starbucks,3.5,2"], nil),
            (["code,brand,lat,lng", "9,Sol,1.5,2", "12,Sol,2.5,2", ",Sol,3.5,2"], "sol-12"),
            (["branch,brand,lat,lng", "7,KFC,1.5,2", "7,KFC,2.5,2", "7,KFC,3.5,2"], nil),
        ])
    func stableIDs(_ rows: [String], _ second: String?) async throws {
        try await withServer { server in
            let first = try await report(server, "places?normalise=true", rows.joined(separator: "\n"))
            #expect(first.contains(#""created":3,"updated":0,"refused":[]"#), "\(first)")
            let before = try await ids(server)
            #expect(before.count == 3 && (second == nil || before["2.5"] == second), "\(before)")
            for left in [[rows[0], rows[2], rows[3]], [rows[0], rows[3], rows[2]]] {
                let next = try await report(server, "places?normalise=true", left.joined(separator: "\n"))
                #expect(next.contains(#""created":0,"updated":2,"refused":[]"#), "\(next)")
            }
            #expect(try await ids(server) == before)
        }
    }

    @Test("Stores of chains get ids, kinds, names, and addresses") func chains() async throws {
        try await withServer { server in
            let csv = #"""
                brand,category,store_id,name,street,city,state,zip,country,lat,lon,timezone,opened,extra
                Aldi,discount,, ,1 Main St,Omak,WA,98841,,48.41,-119.5,-4,,"{""tags"":""['Parking Lot', 'Delivery']"",""city"":""x""}"
                KFC,fast_food,7,KFC 7,2 High St,Carmel, IN ,46032,,-1.0,-1.0,America/New_York,2006-10-01,
                KFC,fast_food,7,KFC 7,3 High St,Tamuning,GU,96913,,13.49,144.79,,,
                KFC,fast_food,7,KFC 7,3 High St,Tamuning,GU,96913,,13.49,144.79,,,

                """#
            let text = try await report(server, "places?normalise=true", csv)
            let expected = #"""
                200 {"rows":4,"created":3,"updated":0,"refused":[{"row":5,"errors":[{"pointer":"/id","code":"required","detail":"is required: row 4 has the same brand and number, or name and address"}]}],"refused_count":1,"normalised":[{"row":2,"remarks":[{"pointer":"/timezone","code":"dropped","detail":"'-4' is not an IANA time zone"}]}],"normalised_count":1,"doubted":[{"row":3,"remarks":[{"pointer":"/lat","code":"doubted","detail":"is near Takoradi, GH, unlike the address; kept"}]}],"doubted_count":1,"notes":["a place without a name got its brand as the name","addresses were combined from their parts","column 'kind' is missing or empty: 'store' was used","ids were made from 'brand' and 'store_id', with a hash of name, address and position: stores share numbers","ids were made from names and addresses where none is given"]}
                """#
            #expect(text == expected)
            #expect(
                try await server.send("GET /v1/places/aldi-1-main-st-omak-98841").text
                    == #"200 {"id":"aldi-1-main-st-omak-98841","kind":"store","name":"Aldi","lat":48.41,"lon":-119.5,"address":"1 Main St, Omak, WA 98841","category":"discount","tags":["Parking Lot","Delivery","Aldi"],"attributes":{"brand":"Aldi","city":"Omak","extra_city":"x","state":"WA","zip":"98841"}}"#
            )
            let near = try await server.send("GET /v1/places/nearest?lat=13.5&lon=144.8&tag=kfc&fields=id,address")
            #expect(near.body.hasPrefix(#"{"items":[{"id":"kfc-7-"#), "\(near.body)")
            #expect(near.body.contains(#/"id":"kfc-7-[0-9a-f]{15}","address":"2 High St, Carmel, IN 46032"/#))
            #expect(try await report(server, "places?normalise=true", csv).contains(#""created":0,"updated":3"#))
        }
    }
}
