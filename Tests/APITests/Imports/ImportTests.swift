import API
import Discovery
import Foundation
import NIOHTTP1
import Testing

/// Imports over HTTP: every format, and every kind of invalid row.
@Suite struct ImportTests {
    @Test("Valid rows are stored, and invalid ones are reported") func refusedRows() async throws {
        try await withServer { server in
            let csv = """
                \u{FEFF}ID,Kind,Name,Latitude,lng,tags,floors
                a,store,"Zapatos ""Sol"", S.A.",39.47,-0.3763,new;big,2
                b,store,Luna,91,0,,
                c,store,Mar,x,0,,

                ,store,Nobody,1,1,,
                d,topic,"two
                lines",,,,3
                e,store,Short,1
                nearest,store,Reserved,1,1,,
                f,store,"Quote"d,1,1,,
                g,store,Last,-17.8,180,,yes
                """.replacing("\n", with: "\r\n")
            let reply = try await server.send("POST /v1/imports/places", csv, type: "text/csv")
            #expect(
                reply.text == """
                    200 {"rows":9,"created":3,"updated":0,"refused":[\
                    {"row":3,"errors":[{"pointer":"/lat","code":"exchanged","detail":"is 91.0; must be from -90 to 90; are lat and lon swapped?"}]},\
                    {"row":4,"errors":[{"pointer":"/lat","code":"type","detail":"is 'x'; must be a number"}]},\
                    {"row":6,"errors":[{"pointer":"/id","code":"required","detail":"is required"}]},\
                    {"row":8,"errors":[{"pointer":"","code":"format","detail":"has 4 fields; the header has 7"}]},\
                    {"row":9,"errors":[{"pointer":"/id","code":"format","detail":"is 'nearest', which is a path of its own"}]},\
                    {"row":10,"errors":[{"pointer":"","code":"format","detail":"has text after a closing quote"}]}],"refused_count":6,\
                    "notes":["column 'Latitude' was read as 'lat'","column 'lng' was read as 'lon'"]}
                    """)
            #expect(
                try await server.send("GET /v1/places/a").body
                    == #"{"id":"a","kind":"store","name":"Zapatos \"Sol\", S.A.","lat":39.47,"lon":-0.3763,"tags":["new","big"],"attributes":{"floors":"2"}}"#
            )
            #expect(
                try await server.send("GET /v1/places/d").body
                    == #"{"id":"d","kind":"topic","name":"two\u000d\u000alines","attributes":{"floors":"3"}}"#)
            let again = try await server.send("POST /v1/imports/places", csv, type: "text/csv")
            #expect(again.body.hasPrefix(#"{"rows":9,"created":0,"updated":3"#))
        }
    }

    /// Files of programs that were not made for this: semicolons, Windows-1252, compression.
    @Test("Files with other delimiters, encodings, and compression are read") func foreignFiles() async throws {
        try await withServer {
            $0.limits.importBody = 1 << 20
        } _: { server in
            let table = Data("id;name\r\n1;Mu".utf8) + [0xf1] + Data("oz\r\n2;Ana\r\n".utf8)
            let report =
                #"200 {"rows":2,"created":2,"updated":0,"refused":[],"refused_count":0,"notes":["columns were read as separated by semicolons","row 2 is not UTF-8: texts were read as Windows-1252 from there on"]}"#
            #expect(try await server.send("POST /v1/imports/people", bytes: table, type: "text/csv").text == report)
            #expect(try await server.send("GET /v1/people/1").body.contains(#""name":"Muñoz""#))
            let gzip = ["content-encoding": "gzip", "content-type": "text/csv"]
            // Two concatenated files are one.
            let packed = try gzipped(table.prefix(20)) + gzipped(table.dropFirst(20))
            let again = try await server.send("POST /v1/imports/people", bytes: packed, headers: gzip)
            #expect(again.text == report.replacing(#""created":2,"updated":0"#, with: #""created":0,"updated":2"#))
            for (bytes, detail) in [
                (packed.dropLast(9), "is not gzip, although its 'Content-Encoding' is"), (table, "is not gzip"),
                (Data(), "is not gzip"),
                (try gzipped(Data(repeating: 32, count: 2 << 20)), "The body may have at most 1048576 bytes here."),
            ] {
                let reply = try await server.send("POST /v1/imports/people?dry_run=true", bytes: bytes, headers: gzip)
                #expect([400, 413].contains(reply.status) && reply.body.contains(detail), "\(reply)")
            }
            for (coding, line, detail) in [
                (
                    "br", "POST /v1/imports/people",
                    "may be compressed only by gzip here; its 'Content-Encoding' is 'br'"
                ),
                ("gzip", "POST /v1/people/x/devices", "must not be compressed here; its 'Content-Encoding' is 'gzip'"),
            ] {
                let headers = [
                    "content-encoding": coding,
                    "content-type": line.hasSuffix("s/people") ? "text/csv" : "application/json",
                ]
                let reply = try await server.send(line, bytes: table, headers: headers)
                #expect(reply.status == 415 && reply.body.contains(detail), "\(reply)")
                #expect(reply.headers["accept-encoding"] == [coding == "br" ? "gzip, identity" : "identity"])
            }
        }
    }

    private func gzipped(_ bytes: Data) throws -> Data {
        let file = FileManager.default.temporaryDirectory.appending(path: "cerca-test-\(UUID().uuidString)")
        try bytes.write(to: file)
        let packed = file.appendingPathExtension("gz")
        defer { try? FileManager.default.removeItem(at: packed) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "gzip -n \(file.path)"]
        try process.run()
        process.waitUntilExit()
        return try Data(contentsOf: packed)
    }

    @Test("Every kind is imported in every format") func everyKindInEveryFormat() async throws {
        try await withServer { server in
            let files: [(String, String, String, String)] = [
                (
                    "people", "application/x-ndjson",
                    #"{"id":"ana","name":"Ana","discoverable":true,"shoe_size":"EU:37"}"# + "\n\n"
                        + #"{"id":"luis","sex":"male","throttle":{"distance_m":5}}"#,
                    #""created":2,"updated":0,"refused":[]"#
                ),
                (
                    "friends", "text/csv", "a,b\nana,luis\nana,nobody\nana,ana\n",
                    #""created":1,"updated":0,"refused":[{"row":3,"errors":[{"pointer":"","code":"unknown_reference","detail":"there is no person 'nobody'"}]},{"row":4,"errors":[{"pointer":"","code":"refused","detail":"the two must be different people"}]}]"#
                ),
                (
                    "places", "application/geo+json",
                    #"{"type":"FeatureCollection","name":"features","features":[{"type":"Feature","id":7,"geometry":{"type":"Point","coordinates":[-0.3763,39.47]},"properties":{"kind":"store","name":"So\"l {","floors":2,"website":null,"fax":null}},{"type":"Feature","geometry":{"type":"LineString","coordinates":[]},"properties":{}},{"type":"Feature","geometry":null,"properties":{"id":"r","kind":"recipe","name":"Paella"}}]}"#,
                    #""created":2,"updated":0,"refused":[{"row":2,"errors":[{"pointer":"/geometry","code":"type","detail":"is not a Point, Polygon or MultiPolygon"}]}]"#
                ),
                (
                    "products", "text/csv",
                    "id,name,colour,sizes,price,currency\nshoe,Pump,red;black,EU:37;EU:38,5990,EUR\nbad,Boot,,,59.90,EUR\n",
                    #""created":1,"updated":0,"refused":[{"row":3,"errors":[{"pointer":"/price","code":"type","detail":"is 59.9; must be a whole number of minor units, such as cents"}]}],"refused_count":1,"notes":["column 'colour' was read as 'colors'","use 'normalise' for prices with decimals or a currency"]"#
                ),
                (
                    "stock", "text/csv",
                    "store,product,price,currency,sizes\n7,shoe,4950,EUR,EU:37=2;EU:38\n7,boot,1,EUR,M\n",
                    #""created":1,"updated":0,"refused":[{"row":3,"errors":[{"pointer":"","code":"unknown_reference","detail":"there is no product 'boot'"}]}]"#
                ),
                (
                    "pings", "text/csv",
                    "person,timestamp,lat,long\nana,2026-11-20T08:00:00Z,39.47,-0.3763\nana,1795161660,39.48,-0.3763\nnobody,2026-11-20T08:00:00Z,1,1\nana,,10,10\n",
                    #""verdicts":{"stored":1,"throttled:interval":1,"unknown_person":1},"refused":[{"row":4,"errors":[{"pointer":"/person","code":"unknown_reference","detail":"is not a known person"}]},{"row":5,"errors":[{"pointer":"/t","code":"required","detail":"is empty; leave the column out for the present time"}]}]"#
                ),
            ]
            for (kind, type, body, expected) in files {
                let reply = try await server.send("POST /v1/imports/\(kind)", body, type: type)
                #expect(reply.status == 200)
                #expect(reply.body.contains(expected), "\(kind): \(reply.body)")
            }
            #expect(
                try await server.send("GET /v1/people/ana").body
                    == #"{"id":"ana","name":"Ana","attributes":{"shoe_size":"EU:37"},"discoverable":true}"#)
            #expect(try await server.send("GET /v1/people/ana/friends").body == #"{"items":[{"id":"luis"}]}"#)
            #expect(
                try await server.send("GET /v1/places/7").body
                    == #"{"id":"7","kind":"store","name":"So\"l {","lat":39.47,"lon":-0.3763,"attributes":{"floors":2}}"#
            )
            #expect(
                try await server.send("GET /v1/stores/7/stock").body
                    == #"{"items":[{"product":"shoe","price":4950,"currency":"EUR","sizes":{"EU:37":2,"EU:38":1}}]}"#)
        }
    }

    /// Imported friendships are not reported as events unless requested, and existing ones never are.
    @Test("Imported friendships are events only if requested") func friendshipEvents() async throws {
        try await withServer { server in
            try await server.add(["ana", "luis", "eva", "zoe"])
            let made = #"{"id":…,"type":"friend.made","at":"2026-11-20T10:00:00Z","person":"eva","other":"luis"}"#
            let files = [
                ("friends", "a,b\nana,luis\n", ""), ("friends?events=false", "a,b\neva,zoe\n", ""),
                ("friends?events=true&dry_run=true", "a,b\neva,luis\n", ""),
                ("friends?events=true", "a,b\nluis,ana\neva,luis\n", made),
            ]
            for (path, csv, events) in files {
                let reply = try await server.send("POST /v1/imports/\(path)", csv, type: "text/csv")
                let created = path.contains("dry_run") ? 0 : 1
                #expect(reply.body.contains(#""created":\#(created),"#), "\(path): \(reply.text)")
                #expect(reply.body.contains(#""refused_count":0"#), "\(path): \(reply.text)")
                let reported = try await server.send("GET /v1/events?type=friend.made").text
                #expect(reported == #"200 {"items":[\#(events)],"cursor":"…"}"#, "\(path)")
            }
        }
    }

    @Test("Opening hours that are not understood are reported") func unreadableHours() async throws {
        try await withServer { server in
            let csv =
                "id,kind,name,hours\na,store,A,cuando quiera\nb,store,B,L-S 10:00-20:30\nc,store,C,\nd e,store,D,x\n"
            let reported =
                #""refused_count":1,"hours_not_understood":[{"row":2,"remarks":[{"pointer":"/hours","code":"doubted","detail":"'cuando quiera' is not understood: 'cuando' is not expected there"}]}],"hours_not_understood_count":1}"#
            for dry in ["?dry_run=true", ""] {
                let reply = try await server.send("POST /v1/imports/places\(dry)", csv, type: "text/csv")
                #expect(reply.status == 200 && reply.body.hasSuffix(reported), "\(reply.text)")
            }
            let place = try await server.send("GET /v1/places/a").body
            #expect(place.contains(#""hours":"cuando quiera","hours_understood":false"#), "\(place)")
            let many = "id,kind,name,hours\n" + (0..<10_500).map { "p\($0),store,P,?\n" }.joined()
            let long = try await server.send("POST /v1/imports/places?dry_run=true", many, type: "text/csv")
            #expect(
                long.body.hasSuffix(#""hours_not_understood_count":10500,"hours_not_understood_truncated":true}"#))
            #expect(long.withoutColumns.matches(of: #/"row":/#).count == 10_000)
        }
    }

    @Test("A row that replaces an earlier one with its id is doubted") func repeatedIDs() async throws {
        try await withServer { server in
            for (kind, columns) in [("products", "id,name"), ("people", "id,name"), ("places", "id,kind,name")] {
                let cells = kind == "places" ? "store,X" : "X"
                let table = columns + "\n" + ["a", "b", "a", "A", "a"].map { "\($0),\(cells)\n" }.joined()
                for query in ["", "?normalise=true"] where kind != "people" || query.isEmpty {
                    let path = "POST /v1/imports/\(kind)\(query)"
                    let reply = try await server.send(path, table, type: "text/csv")
                    let doubts = [(4, 2), (6, 4)].map { row, first in
                        #"{"row":\#(row),"remarks":[{"pointer":"/id","code":"doubted","#
                            + #""detail":"'a' is also the id of row \#(first), which this row replaces"}]}"#
                    }
                    let expected = #""doubted":[\#(doubts.joined(separator: ","))],"doubted_count":2"#
                    #expect(reply.body.contains(expected), "\(path) \(reply.text)")
                    #expect(reply.body.contains("warning: 2 rows replace an earlier row with the same id"))
                }
            }
        }
    }

    @Test("Doubts about opening hours that are understood are reported") func doubtedHours() async throws {
        try await withServer { server in
            let csv =
                "id,kind,name,hours\na,store,A,Mo-Fr 09:00-13:00; Mo-Fr 16:00-20:00\nb,store,B,L-S 10:00-20:30; PH off\n"
            let reported =
                #""refused_count":0,"doubted":[{"row":2,"remarks":[{"pointer":"/hours","code":"doubted","detail":"'Mo-Fr 09:00-13:00; Mo-Fr 16:00-20:00': 'Mo-Fr 16:00-20:00' replaces other times of its days, as ';' means; ',' would add to them"}]}],"doubted_count":1}"#
            let reply = try await server.send("POST /v1/imports/places", csv, type: "text/csv")
            #expect(reply.status == 200 && reply.body.hasSuffix(reported), "\(reply.text)")
        }
    }

    @Test("A dry run changes nothing") func dryRun() async throws {
        try await withServer { server in
            let reply = try await server.send(
                "POST /v1/imports/people?dry_run=true", "id\nana\n\"a b\"\n", type: "text/csv")
            #expect(
                reply.withoutColumns
                    == #"200 {"rows":2,"created":0,"updated":0,"refused":[{"row":3,"errors":[{"pointer":"/id","code":"format","detail":"has a space or a character that is not printable ASCII"}]}],"refused_count":1}"#
            )
            #expect(server.engine.read { $0.counts.people } == 0)
        }
    }

    @Test("A file that cannot be read is refused after its readable part") func unreadableFile() async throws {
        try await withServer { server in
            let cut = try await server.send(
                "POST /v1/imports/places",
                #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"id":"#,
                type: "application/geo+json")
            #expect(cut.status == 400 && cut.body.contains("ends within feature 1"))
            let wrong = try await server.send(
                "POST /v1/imports/places", #"{"type":"Topology"}"#, type: "application/geo+json")
            #expect(wrong.status == 400 && wrong.body.contains("has no 'features'"))
            let twice = try await server.send("POST /v1/imports/people", "id,ID\n", type: "text/csv")
            #expect(twice.status == 400 && twice.body.contains("The header has 'id' twice."))
            #expect(try await server.send("POST /v1/imports/people", "id\n", type: "text/plain").status == 415)
            let open = try await server.send("POST /v1/imports/people", "id,name\nana,\"Ana", type: "text/csv")
            #expect(
                open.body.contains(
                    #"{"row":2,"errors":[{"pointer":"","code":"format","detail":"ends within quotes"}]}"#))
        }
    }

    @Test("A large file is streamed") func largeFile() async throws {
        try await withServer { server in
            var csv = "id,name\n"
            for number in 0..<30_000 { csv += "p\(number),\"Person, number \(number)\"\n" }
            let reply = try await server.send("POST /v1/imports/people", csv, type: "text/csv")
            #expect(reply.body == #"{"rows":30000,"created":30000,"updated":0,"refused":[],"refused_count":0}"#)
            #expect(server.engine.read { $0.counts.people } == 30_000)
        }
    }
}
