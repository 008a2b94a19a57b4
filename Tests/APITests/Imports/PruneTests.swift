import API
import Interchange
import Model
import TestSupport
import Testing

/// Pruning: an import can delete the rows that a full file no longer has.
@Suite struct PruneTests {
    private func load(_ server: TestServer, _ path: String, _ body: String) async throws -> String {
        try await server.send("POST /v1/imports/\(path)", body, type: "text/csv").withoutColumns
    }

    /// Loads the data that exist before a file is pruned.
    private func put(_ server: TestServer, _ kind: ImportKind, _ csv: String) async throws {
        var session = ImportSession(kind, .csv, into: server.engine, now: { morning - .seconds(60) })
        try await session.read(csv.utf8)
        let report = try await session.finish().json
        #expect(report.contains(#""refused_count":0"#), "\(report)")
    }

    private func fill(_ server: TestServer) async throws {
        try await put(server, .people, "id\nana\n")
        let places = "id,kind,name,owner\na,store,A,\nb,store,B,\nc,store,C,ana\nt,topic,T,\n"
        try await put(server, .places, places)
        try await put(server, .products, "id,name\np,P\nq,Q\nr,R\n")
        try await put(server, .stock, "store,product\na,p\na,q\nb,p\nb,q\n")
    }

    /// The ids of all places and products, and the stock of stores.
    private func all(_ server: TestServer) async throws -> String {
        var all: [String] = []
        for kind in ["places", "products", "stock"] {
            let lines = try await server.send("GET /v1/exports/\(kind)").body
            all += lines.matches(of: #/"(?:id":"|store":"\w","product":")(\w)"/#).map { String($0.1) }
            all.append("|")
        }
        return all.joined()
    }

    @Test("A response of Overpass that broke off deletes nothing") func brokenResponse() async throws {
        try await withServer { server in
            try await fill(server)
            let before = try await all(server)
            let response = #"{"version":0.6,"elements":[],"remark":"runtime error: Query timed out in \"query\""}"#
            for path in ["places?prune=true&dry_run=true", "places?prune=true"] {
                let reply = try await server.send("POST /v1/imports/\(path)", response, type: "application/json")
                #expect(reply.status == 400 && reply.body.contains("runtime error: Query timed out"), "\(reply.text)")
            }
            #expect(try await all(server) == before)
        }
    }

    @Test(
        "Rows that are not in the file are deleted",
        arguments: [
            // Prunes places without an owner, of the kinds in the file, with their stock.
            ("places", "id,kind,name\na,store,A\n", 1, "act|pqr|pq|"),
            ("places", "id,kind,name\nx,recipe,X\n", 0, "abctx|pqr|pqpq|"),
            ("places", "id,kind,name\n", 0, "abct|pqr|pqpq|"),
            ("products", "id,name\nq,Q\ns,S\n", 2, "abct|qs|qq|"), ("products", "id,name\n", 0, "abct|pqr|pqpq|"),
            ("stock", "store,product\na,q\n", 1, "abct|pqr|qpq|"),
            ("stock", "store,product\na,r\nb,p\n", 3, "abct|pqr|rp|"),
        ])
    func pruning(kind: String, csv: String, pruned: Int, left: String) async throws {
        try await withServer { server in
            try await fill(server)
            let before = try await all(server)
            let dry = try await load(server, "\(kind)?prune=true&dry_run=true", csv)
            #expect(dry.contains(#""updated":0,"pruned":\#(pruned),"refused""#), "\(dry)")
            #expect(try await all(server) == before)
            let report = try await load(server, "\(kind)?prune=true", csv)
            #expect(report.contains(#","pruned":\#(pruned),"refused""#), "\(report)")
            #expect(try await all(server) == left)
            #expect(try await load(server, "\(kind)?prune=true", csv).contains(#","pruned":0,"#))
            #expect(!(try await load(server, kind, csv).contains("pruned")))
        }
    }

    @Test("Nothing is deleted unless the file is complete and valid") func incompleteFile() async throws {
        try await withServer { server in
            try await fill(server)
            let before = try await all(server)
            let note = #""pruned":0,"refused":[{"row":3"#
            for csv in ["id,kind,name\na,store,A\nb c,store,B\n", "id,kind,name,owner\na,store,A,\nb,store,B\n"] {
                for dry in ["", "&dry_run=true"] {
                    let report = try await load(server, "places?prune=true\(dry)", csv)
                    #expect(
                        report.contains(note) && report.contains("nothing was pruned because rows were refused"),
                        "\(report)")
                }
            }
            let unknown = try await load(server, "stock?prune=true", "store,product\na,p\na,nothing\n")
            #expect(unknown.contains(note), "\(unknown)")
            let cut =
                #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"id":"a","kind":"store","name":"A"}},"#
            let broken = try await server.send(
                "POST /v1/imports/places?prune=true", cut, type: "application/geo+json")
            #expect(broken.status == 400)
            #expect(try await all(server) == before)
            for kind in ["people", "friends", "pings"] {
                let refused = try await load(server, "\(kind)?prune=true", "id\n")
                #expect(refused.contains("'prune' is for places, products and stock."), "\(refused)")
            }
        }
    }

    /// More than fits into one read, and into one turn of the writer.
    @Test("Many rows are deleted in parts") func manyRows() async throws {
        try await withServer { server in
            try await fill(server)
            let places = "id,kind,name\n" + (0..<1_500).map { "s\($0),store,S\n" }.joined()
            let products = "id,name\n" + (0..<1_500).map { "m\($0),M\n" }.joined()
            let stock = "store,product\n" + (0..<1_500).map { "a,m\($0)\n" }.joined()
            try await put(server, .places, places)
            try await put(server, .products, products)
            try await put(server, .stock, stock)
            let shelves = try await load(server, "stock?prune=true", "store,product\na,m7\n")
            #expect(shelves.contains(#""pruned":1501,"#), "\(shelves)")
            try await put(server, .stock, stock)
            let stores = try await load(server, "places?prune=true", "id,kind,name\nb,store,B\n")
            #expect(stores.contains(#""pruned":1501,"#), "\(stores)")
            let goods = try await load(server, "products?prune=true", "id,name\np,P\n")
            #expect(goods.contains(#""pruned":1502,"#), "\(goods)")
            #expect(try await all(server) == "bct|p|p|")
        }
    }

    @Test("Rows that were made in the meantime are kept") func concurrentRows() async throws {
        try await withServer { server in
            try await fill(server)
            var session = ImportSession(
                .places, .csv, into: server.engine, pruning: server.engine, now: { morning })
            try await session.read("id,kind,name\na,store,A\n".utf8)
            try await server.send("PUT /v1/places/new", #"{"kind":"store","name":"N"}"#)
            #expect(try await session.finish().json.contains(#""pruned":1,"#))
            #expect(try await server.send("GET /v1/places/new").status == 200)
            #expect(try await server.send("GET /v1/places/b").status == 404)
        }
    }
}
