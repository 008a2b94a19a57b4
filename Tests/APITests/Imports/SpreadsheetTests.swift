import Foundation
import Testing

/// Tables as spreadsheets write and read them.
@Suite struct SpreadsheetTests {
    @Test(
        "A table of Excel is read",
        arguments: [
            "sep=;\r\nid;kind;name;lat;lon\r\ns1;store;Sol;39.47;-0.37\r\n", "sep=|\nid|kind|name\ns1|store|Sol\n",
            "\u{feff}sep=,\nid,kind,name\ns1,store,Sol\n", "\"sep=;\"\nid;kind;name\ns1;store;Sol\n",
            "SEP=\t\nid\tkind\tname\ns1\tstore\tSol\n", "id;kind;name;;\ns1;store;Sol;;\n",
            ",id,kind,name\n,s1,store,Sol\n",
            "id,kind,name\ns1,store,Sol,,\n", "id,kind,name\ns1,store,Sol\n,,\n,,\n",
            ",,\n,,\nid,kind,name\ns1,store,Sol\n",
            "id;kind;name\n;;\ns1;store;Sol\n\" \";\"\";\n", "id,kind,name\ns1,store,Sol\n,,,,\n",
        ])
    func tables(_ table: String) async throws {
        try await withServer { server in
            let reply = try await server.send("POST /v1/imports/places?prune=true", table, type: "text/csv")
            #expect(
                reply.body.hasPrefix(#"{"rows":1,"created":1,"updated":0,"pruned":0,"refused":[]"#), "\(reply.text)")
            #expect(!reply.body.contains("warning"))
            #expect(try await server.send("GET /v1/places/s1?fields=name").text == #"200 {"name":"Sol"}"#)
        }
    }

    @Test(
        "UTF-16 is read with and without a byte order mark",
        arguments: [(true, true), (true, false), (false, true), (false, false)])
    func unicode(hasMark: Bool, isLittle: Bool) async throws {
        try await withServer { server in
            let text = (hasMark ? "\u{feff}" : "") + "id\tkind\tname\nu1\tstore\tZapatería 👠 Sol\n"
            let bytes = text.utf16.flatMap {
                isLittle ? [UInt8($0 & 0xff), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xff)]
            }
            let reply = try await server.send("POST /v1/imports/places", bytes: Data(bytes), type: "text/csv")
            #expect(reply.body.contains("texts were read as UTF-16"), "\(reply.text)")
            #expect(try await server.send("GET /v1/places/u1?fields=name").text == #"200 {"name":"Zapatería 👠 Sol"}"#)
        }
    }

    @Test("Excel's text formulas, repeated headers and errors are no values") func cells() async throws {
        try await withServer { server in
            let table = "id,kind,name,address\n=\"001\",store,Sol,=\"08001\"\nid,kind,name,address\ns2,store,#N/A,\n"
            let reply = try await server.send("POST /v1/imports/places", table, type: "text/csv")
            #expect(reply.body.contains(#""rows":2,"created":1,"#), "\(reply.text)")
            #expect(
                reply.body.contains(
                    #"{"pointer":"/name","code":"format","detail":"is '#N/A', an error of a spreadsheet"}"#),
                "\(reply.text)")
            #expect(reply.body.contains("rows that repeat the header, which were not read: 1"), "\(reply.text)")
            let place = try await server.send("GET /v1/places/001?fields=address")
            #expect(place.text == #"200 {"address":"08001"}"#)
        }
    }

    @Test("A text in a column without a name is reported") func unnamed() async throws {
        try await withServer { server in
            let table = "id,kind,name,\ns1,store,Sol,open\ns2,store,Luna,shut\n"
            let reply = try await server.send("POST /v1/imports/places", table, type: "text/csv")
            #expect(
                reply.body.contains(#""notes":["warning: column 4 has no name and was not read"]"#), "\(reply.text)")
        }
    }

    @Test("Tab-separated values have their own media type") func mediaType() async throws {
        try await withServer { server in
            let reply = try await server.send(
                "POST /v1/imports/places", "id\tkind\tname\ns1\tstore\tSol\n", type: "text/tab-separated-values")
            #expect(reply.body.contains(#""created":1"#), "\(reply.text)")
        }
    }

    @Test("Texts that a spreadsheet would run are quoted on request, and an import undoes it") func formulas()
        async throws
    {
        let names = [
            "=1+1", "+34 600", "-2+3", "@SUM(1)", "'=1", "''@x", "'Sol'", "Sol", "-5", "＝1", "=\u{301}1", "+\u{fe0f}1",
        ]
        let quoted = [
            "'=1+1", "'+34 600", "'-2+3", "'@SUM(1)", "''=1", "''" + "'@x", "'Sol'", "Sol", "-5", "'＝1",
            "'=\u{301}1", "'+\u{fe0f}1",
        ]
        try await withServer { server in
            for (index, name) in names.enumerated() {
                _ = try await server.send("PUT /v1/products/p\(index)", #"{"name":"\#(name)"}"#)
            }
            let headers = ["accept": "text/csv"]
            let before = try await server.send("GET /v1/exports/products").body
            for query in ["", "?spreadsheet=true", "?spreadsheet=true&delimiter=tab"] {
                let table = try await server.send("GET /v1/exports/products\(query)", headers: headers).body
                if query == "?spreadsheet=true" {
                    #expect(
                        table.split(separator: "\n").dropFirst().map { $0.split(separator: ",")[1] }
                            == quoted.map { $0[...] })
                } else if query == "" {
                    #expect(table.contains("\np0,=1+1,") || table.contains(",=1+1,"))
                }
                let reply = try await server.send("POST /v1/imports/products", table, type: "text/csv")
                #expect(reply.body.contains(#""updated":\#(names.count),"refused":[]"#), "\(reply.text)")
                #expect(try await server.send("GET /v1/exports/products").body == before)
            }
            let plain = try await server.send("GET /v1/exports/products?spreadsheet=true")
            #expect(plain.status == 400 && plain.body.contains("'spreadsheet' is for text/csv"))
        }
    }

    @Test("Stock that names shops by name or address is joined where it is one place's") func stockByName() async throws
    {
        try await withServer { server in
            let places = """
                id,kind,name,address
                s1,store,Zapatería Sol,Calle Mayor 1
                s2,store,Luna,Calle Colón 2
                s3,store,Luna,Calle Paz 3

                """
            _ = try await server.send("POST /v1/imports/places", places, type: "text/csv")
            _ = try await server.send("PUT /v1/products/p", #"{"name":"P"}"#)
            let stock = """
                tienda;sku;cantidad
                zapateria sol;p;1
                CALLE COLON, 2;p;2
                Luna Calle Paz 3;p;3
                s1;p;4
                Luna;p;5
                Zapatería Estrella;p;6

                """
            let reply = try await server.send(
                "POST /v1/imports/stock?normalise=true&dry_run=true", stock, type: "text/csv")
            #expect(
                reply.body.contains(
                    #""detail":"'Luna' is the name or address of 2 places: give an id, such as s2, s3""#),
                "\(reply.text)")
            #expect(
                reply.body.contains("'Zapatería Estrella' is not the id, name or address of a place"), "\(reply.text)")
            #expect(reply.body.contains("'zapateria sol' was read as 's1', the only such place"), "\(reply.text)")
            _ = try await server.send("POST /v1/imports/stock?normalise=true", stock, type: "text/csv")
            #expect(
                try await server.send("GET /v1/exports/stock").body == """
                    {"store":"s1","product":"p","quantity":4}
                    {"store":"s2","product":"p","quantity":2}
                    {"store":"s3","product":"p","quantity":3}

                    """)
        }
    }

    @Test(
        "A column that looks like a price, an amount, hours, a time or a position and was not read is a warning, once")
    func warnings() async throws {
        try await withServer { server in
            let table =
                "id,name,wholesale price,stock level,created at,box\n1,A,79.90,3,2026-01-01,big\n2,B,9.90,1,2026-01-01,\n"
            let reply = try await server.send("POST /v1/imports/products?normalise=true", table, type: "text/csv")
            for (column, look) in [("wholesale price", "a price"), ("stock level", "an amount")] {
                let note = "warning: column '\(column)' looks like \(look) and matches no field"
                #expect(reply.body.ranges(of: note).count == 1, "\(reply.text)")
            }
            #expect(reply.body.contains("\"column 'box' matches no field"))
            let places = "name,address,coordinates,Horario especial\nSol,Calle Mayor 1,\"[39.47, -0.37]\",9-14\n"
            let reported = try await server.send("POST /v1/imports/places?normalise=true", places, type: "text/csv")
            for note in [
                "1 place has no position", "column 'coordinates' looks like a position",
                "column 'horario especial' looks like hours",
            ] {
                #expect(reported.body.ranges(of: "warning: \(note)").count == 1, "\(reported.text)")
            }
        }
    }
}
