import API
import Foundation
import Testing

/// Columns of products that become attributes, and the summary of columns in a dry run.
@Suite struct AttributeImportTests {
    private static let bicycles = """
        sku;nombre;precio;Cuadro;peso;coste
        b1;Alta;899,00 €;M;9.4;410,00 €
        b2;Baja;1.099,00 €;L;8.9;
        b3;Corta;nada;S;12;
        """
    private static let messy = "POST /v1/imports/products?normalise=true"

    private func attributes(_ server: TestServer, _ id: String) async throws -> String {
        try await server.send("GET /v1/products/\(id)?fields=attributes").text
    }

    @Test("A column without a field is kept only on request") func request() async throws {
        try await withServer { server in
            let rows: [(String, String)] = [
                ("", "200 {}"), ("&attributes=cuadro", #"200 {"attributes":{"cuadro":"M"}}"#),
                ("&attributes=Cuadro,%20peso", #"200 {"attributes":{"Cuadro":"M","peso":"9.4"}}"#),
                ("&attributes=all", #"200 {"attributes":{"coste":"410,00 €","cuadro":"M","peso":"9.4"}}"#),
                // A requested column is an attribute, even if its name looks like a price.
                ("&attributes=precio", #"200 {"attributes":{"precio":"899,00 €"}}"#),
            ]
            for (query, expected) in rows {
                let reply = try await server.send(Self.messy + query, Self.bicycles, type: "text/csv")
                #expect(reply.status == 200 && reply.body.contains(#""refused_count":0"#), "\(query): \(reply.text)")
                #expect(try await attributes(server, "b1") == expected, "\(query)")
            }
        }
    }

    @Test("A column that is not kept is reported, and a dry run proposes it") func proposal() async throws {
        try await withServer { server in
            let read = try await server.send(Self.messy, Self.bicycles, type: "text/csv")
            #expect(read.body.contains("column 'cuadro' matches no field: it was searched for words, and not kept"))
            #expect(!read.body.contains("--attributes"), "\(read.text)")
            let dry = try await server.send("\(Self.messy)&dry_run=true", Self.bicycles, type: "text/csv")
            let proposal = "use 'attributes' (--attributes) to keep columns that all callers may read: cuadro,peso"
            #expect(dry.body.contains("\"\(proposal)\""), "\(dry.text)")
            let kept = try await server.send(
                "\(Self.messy)&dry_run=true&attributes=cuadro,wieght", Self.bicycles, type: "text/csv")
            #expect(kept.body.contains(#"may read: peso""#), "\(kept.text)")
            #expect(kept.body.contains("warning: no row has a value for the attribute 'wieght'"), "\(kept.text)")
            #expect(!kept.body.contains("column 'cuadro' matches"), "\(kept.text)")
        }
    }

    @Test("A row that is not normalized is refused for other columns, unless they are requested")
    func wellFormed() async throws {
        try await withServer { server in
            let table = "id,name,frame,tires\nb1,Alta,M,a;b\nb2,Baja,,\n"
            let refused = try await server.send("POST /v1/imports/products", table, type: "text/csv")
            #expect(refused.body.contains("is not a field here"), "\(refused.text)")
            #expect(refused.body.contains("may read: frame,tires"), "\(refused.text)")
            let path = "POST /v1/imports/products?attributes=frame,tires"
            let read = try await server.send(path, table, type: "text/csv")
            #expect(read.text == #"200 {"rows":2,"created":1,"updated":1,"refused":[],"refused_count":0}"#)
            #expect(try await attributes(server, "b1") == #"200 {"attributes":{"frame":"M","tires":["a","b"]}}"#)
            #expect(try await attributes(server, "b2") == "200 {}")
            let line = #"{"id":"b3","name":"C","frame":"S","attributes":{"weight":9.5,"disc":true}}"#
            let lines = try await server.send(path, line, type: "application/x-ndjson")
            #expect(lines.body.contains(#""created":1"#), "\(lines.text)")
            let kept = #"200 {"attributes":{"disc":true,"frame":"S","weight":9.5}}"#
            #expect(try await attributes(server, "b3") == kept)
            let twice = #"{"id":"b3","name":"C","frame":"S","attributes":{"frame":"M"}}"#
            let doubled = try await server.send(path, twice, type: "application/x-ndjson")
            #expect(doubled.body.contains("is the attribute 'frame', which the row has twice"), "\(doubled.text)")
            let nested = #"{"id":"b4","name":"D","frame":{"a":1}}"#
            let refusal = try await server.send(path, nested, type: "application/x-ndjson")
            #expect(refusal.body.contains(#""pointer":"/attributes/frame","code":"type""#), "\(refusal.text)")
        }
    }

    @Test("An exported table of products is imported without a request") func roundTrip() async throws {
        try await withServer { server in
            let put = #"{"name":"A","attributes":{"frame":"M","weight":9.4,"name":"x","gears":["11","12"]}}"#
            try await server.send("PUT /v1/products/a", put)
            try await server.send("PUT /v1/products/b", #"{"name":"B"}"#)
            let export = "GET /v1/exports/products"
            let table = try await server.send(export, headers: ["accept": "text/csv"]).body
            let header =
                "id,brand,name,category,gender,colors,materials,sizes,price,currency,description,url,photo,attr.frame,attr.gears,attr.name,attr.weight"
            #expect(table.hasPrefix(header + "\na,,A,,,,,,,,,,,M,11;12,x,9.4\n"), "\(table)")
            for id in ["a", "b"] { try await server.send("DELETE /v1/products/\(id)") }
            for query in ["", "?attributes=all", "?normalise=true"] {
                let read = try await server.send("POST /v1/imports/products\(query)", table, type: "text/csv")
                #expect(read.body.contains(#""refused_count":0"#), "\(read.text)")
                #expect(try await server.send(export, headers: ["accept": "text/csv"]).body == table, "\(query)")
            }
            let lines = try await server.send("GET /v1/exports/products", headers: ["accept": "application/x-ndjson"])
                .body
            #expect(lines.contains(#""attributes":{"frame":"M","#), "\(lines)")
        }
    }

    @Test("A dry run reports how each column was read") func columns() async throws {
        try await withServer { server in
            let dry = try await server.send(
                "\(Self.messy)&dry_run=true&attributes=cuadro", Self.bicycles, type: "text/csv")
            let columns = #"""
                "columns":[{"name":"sku","read_as":"id","values":3,"not_read":0},{"name":"nombre","read_as":"name","values":3,"not_read":0},{"name":"precio","read_as":"price","values":3,"not_read":1,"doubts":[{"row":4,"detail":"'nada' is not a price"}]},{"name":"Cuadro","read_as":"attr.cuadro","values":3,"not_read":0},{"name":"peso","values":3,"not_read":3},{"name":"coste","values":1,"not_read":1}],
                """#
            #expect(dry.body.contains(columns), "\(dry.text)")
            let stored = try await server.send(Self.messy, Self.bicycles, type: "text/csv")
            #expect(!stored.body.contains(#""columns""#), "\(stored.text)")
        }
    }

    @Test("The summary of a column has three doubts, and names columns as the file does") func doubts() async throws {
        try await withServer { server in
            let products = "ID,Name,Colour,price\n" + (1...5).map { "p\($0),P,red,cheap\n" }.joined()
            let plain = try await server.send(
                "POST /v1/imports/products?dry_run=true", products, type: "text/csv")
            #expect(
                plain.body.contains(#"{"name":"Colour","read_as":"colors","values":5,"not_read":0}"#), "\(plain.text)")
            #expect(
                plain.body.contains(#"{"name":"price","read_as":"price","values":5,"not_read":5,"doubts":["#),
                "\(plain.text)")
            #expect(plain.body.contains(#"{"row":4,"detail":"is 'cheap'; must be a number"}]}"#), "\(plain.text)")
            let places = """
                name,lunes,martes,brand,lat,lon,hours_text
                A,10:00-14:00,N/A,Sol,39.47,-0.37,x
                """
            let week = try await server.send(
                "POST /v1/imports/places?dry_run=true&normalise=true", places, type: "text/csv")
            #expect(week.body.contains(#"{"name":"lunes","read_as":"hours","values":1"#), "\(week.text)")
            #expect(week.body.contains(#"{"name":"brand","read_as":"brand","values":1"#), "\(week.text)")
            #expect(week.body.contains(#"{"name":"hours_text","read_as":"attr.hours_text","values":1"#), "\(week.text)")
            let stock = "tienda,sku,existencias,sitio\ns,p,agotado,7\n"
            let items = try await server.send(
                "POST /v1/imports/stock?dry_run=true&normalise=true", stock, type: "text/csv")
            #expect(items.body.contains(#"{"name":"existencias","read_as":"quantity","values":1"#), "\(items.text)")
            #expect(items.body.contains(#"{"name":"sitio","values":1,"not_read":1}"#), "\(items.text)")
        }
    }

    @Test("Invalid requests for attributes are refused") func refusals() async throws {
        try await withServer { server in
            let rows: [(String, String)] = [
                ("places?attributes=all", "'attributes' is for products."),
                ("products?attributes=", "'attributes' must be all, or names of columns separated by commas"),
                ("products?attributes=frame,,", "'attributes' must be all, or names of columns"),
                ("products?attributes=frame,Brand", "'attributes' has 'brand', which is a field of products"),
            ]
            for (path, detail) in rows {
                let reply = try await server.send("POST /v1/imports/\(path)", "id,name\n", type: "text/csv")
                #expect(reply.status == 400 && reply.body.contains(detail), "\(path): \(reply.text)")
            }
        }
    }
}
