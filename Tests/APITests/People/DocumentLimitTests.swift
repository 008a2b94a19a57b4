import API
import NIOHTTP1
import Testing

/// The rule for attributes in refusals.
let attributeRule =
    "an attribute must be a string of up to 2000 bytes, a number, a boolean, or an array of up to 100 strings of up to 200 bytes, "
    + "without control characters, also in its name"

/// The rule for entries of lists in refusals.
let textRule = "has a string; must have only strings of 1 to 200 bytes without control characters"

/// Limits of documents, and pointers of faults.
@Suite struct DocumentLimitTests {
    private struct Fault: Hashable {
        var pointer: String
        var code: String
    }

    private func faults(_ reply: TestServer.Reply) -> [Fault] {
        reply.body.matches(of: #/"pointer":"([^"]*)","code":"([^"]*)"/#).map {
            Fault(pointer: String($0.1), code: String($0.2))
        }
    }

    @Test(
        "Faults have pointers",
        arguments: [
            ("PUT /v1/stores/sol/stock/pump", #"{"sizes":{"EU:37":"x"}}"#, "/sizes/EU:37", "type"),
            ("PUT /v1/stores/sol/stock/pump", #"{"sizes":{"37/38~":"x"}}"#, "/sizes/37~138~0", "type"),
            ("PUT /v1/stores/sol/stock/pump", #"{"sizes":{"m":1,"M":2}}"#, "/sizes", "mismatch"),
            ("PUT /v1/people/ana", #"{"attributes":{"a/b~c":{}}}"#, "/attributes/a~1b~0c", "type"),
            ("PUT /v1/people/ana", #"{"attributes":{"a":"\u0001"}}"#, "/attributes/a", "type"),
            ("PUT /v1/people/ana", #"{"attributes":{"a":["\u007f"]}}"#, "/attributes/a", "type"),
            ("PUT /v1/people/ana", #"{"attributes":{"\u0001":"a"}}"#, "/attributes/\\u0001", "type"),
            (
                "PUT /v1/people/ana", #"{"attributes":{"\#(String(repeating: "é", count: 33))":1}}"#,
                "/attributes/\(String(repeating: "é", count: 33))", "too_long"
            ),
            ("PUT /v1/places/sol", #"{"kind":"store","name":"Sol","tags":["\u0001"]}"#, "/tags", "type"),
            ("PUT /v1/people/ana", #"{"a/b":1}"#, "/a~1b", "unknown"),
        ])
    func pointers(request: String, body: String, pointer: String, code: String) async throws {
        try await withServer { server in
            let reply = try await server.send(request, body)
            #expect(faults(reply) == [Fault(pointer: pointer, code: code)])
        }
    }

    @Test("At most 100 faults of a document are reported") func faultLimit() async throws {
        try await withServer { server in
            let members = (0..<500).map { "\"x\($0)\":1" }.joined(separator: ",")
            let document = try await server.send("PUT /v1/people/ana", "{\(members)}")
            #expect(faults(document).count == 100)
            let attributes = (0..<500).map { "\"x\($0)\":{}" }.joined(separator: ",")
            let rich = try await server.send("PUT /v1/people/ana", "{\"attributes\":{\(attributes)}}")
            #expect(faults(rich) == [Fault(pointer: "/attributes", code: "too_many")])
            let pings = (0..<3).map { _ in "{\(members)}" }.joined(separator: ",")
            let batch = try await server.send("POST /v1/pings", "[\(pings)]")
            #expect(faults(batch).count == 30)
        }
    }

    @Test("A product has at most 200 sizes in stock") func sizesInStock() async throws {
        try await withServer { server in
            try await server.send("PUT /v1/places/sol", #"{"kind":"store","name":"Sol"}"#)
            try await server.send("PUT /v1/products/pump", #"{"name":"Pump"}"#)
            for (count, status) in [(200, 201), (201, 400)] {
                let sizes = (0..<count).map { "\"S\($0)\":1" }.joined(separator: ",")
                let reply = try await server.send("PUT /v1/stores/sol/stock/pump", "{\"sizes\":{\(sizes)}}")
                #expect(reply.status == status)
                #expect(faults(reply) == (status == 400 ? [Fault(pointer: "/sizes", code: "too_many")] : []))
            }
        }
    }

    @Test("A batch is read only up to its limit") func longBatch() async throws {
        try await withServer { configuration in
            configuration.limits.batch = 2
        } _: { server in
            for (lines, status) in [("{}\n\r\n{}\n\n", 200), ("{}\n{}\n{}", 413)] {
                let reply = try await server.send("POST /v1/pings", lines, type: "application/x-ndjson")
                #expect(reply.status == status)
            }
            let endless = String(repeating: "{\"lat\":1,\n", count: 800_000)
            let reply = try await server.send("POST /v1/pings", endless, type: "application/x-ndjson")
            #expect(reply.status == 413, "what is wrong with the lines is not even looked for")
        }
    }
}
