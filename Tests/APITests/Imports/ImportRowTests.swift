import API
import Discovery
import Testing

/// Invalid rows, which do not affect others.
@Suite struct ImportRowTests {
    private let csv = "text/csv"
    private let ndjson = "application/x-ndjson"
    private let geojson = "application/geo+json"

    private func collection(_ features: String) -> String {
        #"{"type":"FeatureCollection","features":[\#(features)]}"#
    }

    private func feature(_ id: String, _ properties: String = "") -> String {
        #"{"type":"Feature","properties":{"id":"\#(id)","kind":"store","name":"X"\#(properties)}}"#
    }

    private func line(_ id: String, _ members: String = "") -> String {
        #"{"id":"\#(id)","kind":"store","name":"X"\#(members)}"# + "\n"
    }

    /// The answer of an import, with the number of rows that were made.
    private func report(_ rows: Int, created: Int, _ refused: [String], notes: [String] = []) -> String {
        let notes = notes.isEmpty ? "" : #","notes":[\#(notes.map { "\"\($0)\"" }.joined(separator: ","))]"#
        return #"200 {"rows":\#(rows),"created":\#(created),"updated":0,"refused":["#
            + refused.joined(separator: ",") + #"],"refused_count":\#(refused.count)\#(notes)}"#
    }

    private func refusal(_ row: Int, _ detail: String, at pointer: String = "", _ code: String = "format") -> String {
        #"{"row":\#(row),"errors":[{"pointer":"\#(pointer)","code":"\#(code)","detail":"\#(detail)"}]}"#
    }

    @Test("Synonyms of fields are understood in JSON lines and GeoJSON") func synonyms() async throws {
        let notes = ["field 'latitude' was read as 'lat'", "field 'longitude' was read as 'lon'"]
        let twice = refusal(2, "is given twice, as 'lat' and as 'latitude'", at: "/lat", "mismatch")
        let good = #","latitude":39.5,"Longitude":-0.4,"Lat":null"#
        let bad = #","lat":1,"lon":2,"latitude":3"#
        for (type, file) in [
            (ndjson, line("a", good) + line("b", bad)),
            (geojson, collection(feature("a", good) + "," + feature("b", bad))),
        ] {
            try await withServer { server in
                let reply = try await server.send("POST /v1/imports/places", file, type: type)
                #expect(reply.text == report(2, created: 1, [twice], notes: notes))
                #expect(
                    try await server.send("GET /v1/places/a").body
                        == #"{"id":"a","kind":"store","name":"X","lat":39.5,"lon":-0.4}"#)
            }
        }
    }

    @Test("A row that is too long is refused, and reading continues") func longRow() async throws {
        let long = String(repeating: "x", count: 5 << 20)
        let detail = "has more than 4194304 bytes"
        for (type, file, row) in [
            (csv, "id,kind,name\na,store,X\nb,store,\(long)\nc,store,X\n", 3),
            (csv, "id,kind,name\na,store,X\nb,store,\"\(long)\"\nc,store,X\n", 3),
            (ndjson, line("a") + line("b", #","about":"\#(long)""#) + line("c"), 2),
            (
                geojson,
                collection([feature("a"), feature("b", #","x":"\#(long)""#), feature("c")].joined(separator: ",")), 2
            ),
        ] {
            try await withServer { server in
                let reply = try await server.send("POST /v1/imports/places", file, type: type)
                #expect(reply.text == report(3, created: 2, [refusal(row, detail)]))
            }
        }
    }

    @Test("An open quote loses only its own line") func openQuote() async throws {
        let name = String(repeating: "x", count: 150)
        let many = (0..<30_000).map { "p\($0),\(name)\n" }.joined()
        let over = "has a quote that is not closed within 4194304 bytes"
        for (file, rows, created, refused) in [
            ("id,name\na,\"Ana\nb,B\nc,C\n", 3, 2, [refusal(2, "ends within quotes")]),
            ("id,name\r\na,A\r\nb,\"\r\n", 2, 1, [refusal(3, "ends within quotes")]),
            ("id,name\na,\"Ana\n" + many, 30_001, 30_000, [refusal(2, over)]),
        ] {
            try await withServer { server in
                let reply = try await server.send("POST /v1/imports/people", file, type: csv)
                #expect(reply.text == report(rows, created: created, refused))
            }
        }
    }

    @Test("A new open quote in every line takes bounded work", .timeLimit(.minutes(60)))
    func repeatedOpenQuotes() async throws {
        try await withServer { server in
            let file = "id,name\n" + String(repeating: "\"x\",\"y\n", count: 1 << 20)
            let reply = try await server.send("POST /v1/imports/people", file, type: csv)
            #expect(reply.status == 200 && reply.body.contains(#""created":0"#))
        }
    }

    @Test("Invalid features are refused rows") func invalidFeatures() async throws {
        try await withServer { server in
            let features = ["\"{\"", feature("a"), "5", "null", "[{\"type\":\"Feature\"}]", feature("b"), "{]"]
            let reply = try await server.send(
                "POST /v1/imports/places", collection(features.joined(separator: " , ")), type: geojson)
            #expect(reply.text.contains(#""rows":7,"created":2"#))
            for row in [1, 3, 4, 5] {
                #expect(reply.text.contains(refusal(row, "is not a GeoJSON Feature", "type")))
            }
            #expect(reply.text.contains(#"{"row":7,"#))
        }
    }

    @Test("The error of a truncated file reports the rows that were done") func truncatedFile() async throws {
        try await withServer { server in
            let cut = #"{"type":"FeatureCollection","features":["# + feature("a") + ",5," + feature("b") + ","
            let reply = try await server.send("POST /v1/imports/places", cut, type: geojson)
            #expect(reply.status == 400)
            #expect(
                reply.body.contains(
                    "The file ends within feature 4 or before its end. Before that 2 rows were done and 1 refused."))
            #expect(server.engine.read { $0.counts.places } == 2)
        }
        try await withServer { server in
            let broken = collection(feature("a")) + "]"
            let reply = try await server.send("POST /v1/imports/places", broken, type: geojson)
            #expect(reply.status == 400 && reply.body.contains(#""code":"invalid_json""#))
            #expect(
                reply.body.contains(
                    "The file cannot be read past byte \(broken.utf8.count - 1): a bracket closes nothing. Before"
                ))
        }
        try await withServer { configuration in
            configuration.limits.importBody = 1000
        } _: { server in
            let reply = try await server.send(
                "POST /v1/imports/places", (0..<2000).map { line("p\($0)") }.joined(), type: ndjson)
            #expect(reply.status == 413)
            let done = server.engine.read { $0.counts.places }
            #expect(reply.body.contains("Before that \(done) rows were done and 0 refused."))
        }
    }

    @Test("Refused rows are counted, and the first ones are kept") func refusalLimit() async throws {
        try await withServer { server in
            let file = "id\n" + String(repeating: "a b\n", count: 10_500)
            let reply = try await server.send("POST /v1/imports/people", file, type: csv)
            #expect(reply.body.hasSuffix(#""refused_count":10500,"refused_truncated":true}"#))
            #expect(reply.body.matches(of: #/"row":/#).count == 10_000)
            let wide = String(
                repeating: line("a", #","attributes":{"\#(String(repeating: "k", count: 1 << 20))":{}}"#), count: 20)
            let large = try await server.send("POST /v1/imports/places", wide, type: ndjson)
            #expect(large.body.hasSuffix(#""refused_count":20,"refused_truncated":true}"#))
            #expect(large.body.utf8.count < 20 << 20)
        }
    }

    /// A thousand rows are written while the next ones are read.
    @Test("Refused rows are in the order of lines", arguments: ["text/csv", "application/x-ndjson"])
    func orderOfRefusals(type: String) async throws {
        let (header, first) = type == csv ? ("id,kind,name\n", 2) : ("", 1)
        let bad = [5, 999, 1001, 1002, 2003, 2500]
        let rows = (first..<first + 2600).map { row in
            let id = bad.contains(row) ? "p \(row)" : "p\(row)"
            return type == csv ? "\(id),store,X\n" : line(id)
        }
        let detail = "has a space or a character that is not printable ASCII"
        let refused = bad.map { refusal($0, detail, at: "/id") }
        try await withServer { server in
            for dry in ["?dry_run=true", ""] {
                let reply = try await server.send(
                    "POST /v1/imports/places\(dry)", header + rows.joined(), type: type)
                #expect(reply.withoutColumns == report(2600, created: dry.isEmpty ? 2594 : 0, refused))
            }
            #expect(server.engine.read { $0.counts.places } == 2594)
        }
    }

    /// Some rows cannot be read, and some are refused when they are written.
    @Test("Unreadable and refused rows are in the order of lines") func orderOfUnreadableRows() async throws {
        try await withServer { server in
            try await server.add(["ana"] + (2..<2602).map { "p\($0)" })
            let (unreadable, unknown) = ([700, 1500, 2400], [5, 999, 1001, 1600, 2500])
            let lines = (2..<2602).map { row in
                unreadable.contains(row) ? "a b,ana\n" : unknown.contains(row) ? "ana,nobody\n" : "ana,p\(row)\n"
            }
            let reply = try await server.send("POST /v1/imports/friends", "a,b\n" + lines.joined(), type: csv)
            #expect(reply.body.hasPrefix(#"{"rows":2600,"created":2592,"updated":0,"#), "\(reply.text)")
            #expect(reply.body.hasSuffix(#""refused_count":8}"#), "\(reply.text)")
            for row in unreadable {
                let detail = "has a space or a character that is not printable ASCII"
                #expect(reply.body.contains(refusal(row, detail, at: "/a")), "\(reply.text)")
            }
            for row in unknown {
                let detail = "there is no person 'nobody'"
                #expect(reply.body.contains(refusal(row, detail, "unknown_reference")), "\(reply.text)")
            }
            let rows = reply.body.matches(of: #/"row":(\d+)/#).compactMap { Int($0.1) }
            #expect(rows == [5, 700, 999, 1001, 1500, 1600, 2400, 2500])
        }
    }

    @Test("A table without a valid header is refused") func invalidHeaders() async throws {
        try await withServer { server in
            for (file, detail) in [
                ("", "The file has no header."), ("\n\r\n", "The file has no header."),
                ("\"id,name\na,b\n", "The header ends within quotes."),
                ("\"id\"x,name\na,b\n", "The header has text after a closing quote."),
                ((0...1000).map { "c\($0)" }.joined(separator: ",") + "\n", "The header has more than 1000 columns."),
                ("id," + String(repeating: "x", count: 5 << 20) + "\n", "The header has more than 4194304 bytes."),
                ("id,Latitude,LAT\n", "The header has 'lat' twice."),
            ] {
                let reply = try await server.send("POST /v1/imports/places", file, type: csv)
                #expect(reply.status == 400)
                #expect(reply.body.contains(detail), "\(reply.body)")
            }
        }
    }

    @Test("Every kind of line end ends a row", arguments: ["\r", "\n", "\r\n"])
    func lineEnds(end: String) async throws {
        try await withServer { server in
            let file = ["id,name", "a,\"A\"", "", "b,B"].joined(separator: end)
            for text in [file, file + end] {
                let reply = try await server.send("POST /v1/imports/people?dry_run=true", text, type: csv)
                #expect(reply.withoutColumns == report(2, created: 0, []))
            }
        }
    }

    @Test("Only cells of CSV are split at semicolons") func semicolons() async throws {
        try await withServer { server in
            let members = #","tags":"new;big","cuisine":"pizza;kebab""#
            for (type, file) in [(ndjson, line("a", members)), (geojson, collection(feature("a", members)))] {
                try await server.send("POST /v1/imports/places", file, type: type)
                #expect(
                    try await server.send("GET /v1/places/a").body
                        == #"{"id":"a","kind":"store","name":"X","tags":["new;big"],"attributes":{"cuisine":"pizza;kebab"}}"#
                )
            }
            let cells = "id,kind,name,tags,cuisine,sep\na,store,X,new; ;big,pizza; ;kebab,;\n"
            try await server.send("POST /v1/imports/places", cells, type: csv)
            #expect(
                try await server.send("GET /v1/places/a").body
                    == #"{"id":"a","kind":"store","name":"X","tags":["new","big"],"attributes":{"cuisine":["pizza","kebab"],"sep":";"}}"#
            )
            try await server.send("PUT /v1/products/shoe", #"{"name":"Pump"}"#)
            let stock = #"{"store":"a","product":"shoe","sizes":{"EU:37":2}}"#
            try await server.send("POST /v1/imports/stock", stock, type: ndjson)
            #expect(
                try await server.send("GET /v1/stores/a/stock").body
                    == #"{"items":[{"product":"shoe","sizes":{"EU:37":2}}]}"#)
        }
    }

    @Test("Rows have the limits of documents") func documentLimits() async throws {
        try await withServer { server in
            let long = String(repeating: "x", count: 201)
            let attributes = (0..<40).map { "\"a\($0)\":1" }.joined(separator: ",")
            let others = (0..<25).map { ",\"b\($0)\":1" }.joined()
            let item = "is a string; \(attributeRule)"
            for (type, file, refused) in [
                (csv, "id,kind,name,tags\na,store,X,ok;\(long)\n", refusal(2, textRule, at: "/tags", "type")),
                (
                    csv, "id,kind,name,tags\na,store,X,\(String(repeating: "x;", count: 101))\n",
                    refusal(2, "has 101 entries; at most 100 are allowed", at: "/tags", "too_many")
                ),
                (csv, "id,kind,name,tags\na,store,X,a\u{1};b\n", refusal(2, textRule, at: "/tags", "type")),
                (csv, "id,kind,name,x\na,store,X,ok;\(long)\n", refusal(2, item, at: "/x", "type")),
                (
                    csv, "id,kind,name,x\na,store,X,\(String(repeating: "x;", count: 101))\n",
                    refusal(2, item, at: "/x", "type")
                ),
                (
                    csv, "id,kind,name,x\na,store,X,a\u{7f}\n",
                    refusal(2, "is a string; \(attributeRule)", at: "/x", "type")
                ),
                (ndjson, line("a", #","x":"a\u0001""#), refusal(1, "is a string; \(attributeRule)", at: "/x", "type")),
                (
                    ndjson, line("a", #","attributes":{\#(attributes)}\#(others)"#),
                    refusal(1, "has 65 attributes; at most 64 are allowed", at: "/attributes", "too_many")
                ),
            ] {
                let reply = try await server.send("POST /v1/imports/places", file, type: type)
                #expect(reply.text == report(1, created: 0, [refused]))
            }
        }
    }
}
