import API
import Discovery
import NIOHTTP1
import Testing

/// Limits of the data that an ordinary person can store.
@Suite struct AllowanceTests {
    private func withAllowance(_ body: (TestServer, TestKeys) async throws -> Void) async throws {
        var rules = PingRules()
        rules.allowance = Allowance()
        rules.allowance.places = 2
        rules.allowance.comments = 2
        rules.allowance.friends = 2
        rules.allowance.blocks = 2
        rules.allowance.decisions = 2
        rules.allowance.favourites = 2
        try await withKeys(rules: rules) { server, keys, _ in
            try await server.add(["ana", "luis", "eva", "tom", "zoe"])
            for id in ["bar", "inn", "pub"] {
                try await server.send("PUT /v1/places/\(id)", #"{"kind":"bar","name":"B"}"#, token: keys.service)
            }
            try await body(server, keys)
        }
    }

    /// Each row has one thing more than the limit of two.
    @Test(
        "The number of things per person is limited, except for services",
        arguments: [
            (
                "places",
                (0..<3).map {
                    ("PUT /v1/places/mine\($0)", #"{"kind":"spot","name":"S","owner":"ana"}"#) as (String, String?)
                }
            ),
            (
                "comments",
                (0..<3).map { _ in ("POST /v1/places/bar/comments", #"{"text":"Good."}"#) as (String, String?) }
            ),
            ("friends", ["luis", "eva", "tom"].map { ("PUT /v1/people/ana/friends/\($0)", nil) as (String, String?) }),
            ("blocks", ["luis", "eva", "tom"].map { ("PUT /v1/people/ana/blocks/\($0)", nil) as (String, String?) }),
            (
                "decisions",
                ["luis", "eva", "tom"].map {
                    ("PUT /v1/people/ana/decisions/\($0)", #"{"like":true}"#) as (String, String?)
                }
            ),
            (
                "favourites",
                ["bar", "inn", "pub"].map { ("PUT /v1/people/ana/favourites/places/\($0)", nil) as (String, String?) }
            ),
        ])
    func numberOfThings(kind: String, requests: [(String, String?)]) async throws {
        try await withAllowance { server, keys in
            for (line, body) in requests.prefix(2) {
                let reply = try await server.send(line, body, token: keys.person("ana"))
                #expect((200..<300).contains(reply.status), "\(reply.text)")
            }
            let (line, body) = requests[2]
            let refused = try await server.send(line, body, token: keys.person("ana"))
            #expect(refused.status == 409)
            #expect(refused.body.contains("\"code\":\"too_many_\(kind)\",\"detail\":\"A person has at most 2 "))
            let again = try await server.send(requests[0].0, requests[0].1, token: keys.person("ana"))
            #expect(again.status < 300 || kind == "comments", "what is there may be written again: \(again.text)")
            let byService = try await server.send(
                line, body?.replacing("{\"text\"", with: "{\"author\":\"ana\",\"text\""), token: keys.service)
            #expect((200..<300).contains(byService.status), "\(byService.text)")
        }
    }

    @Test("A favourite person who blocked the caller takes no room") func hiddenFavourites() async throws {
        try await withAllowance { server, keys in
            var statuses: [Int] = []
            for (person, path) in [
                ("ana", "ana/favourites/people/luis"), ("ana", "ana/favourites/people/eva"),
                ("ana", "ana/favourites/people/tom"), ("luis", "luis/blocks/ana"),
                ("ana", "ana/favourites/people/tom"), ("ana", "ana/favourites/people/zoe"),
            ] {
                statuses.append(try await server.send("PUT /v1/people/\(path)", token: keys.person(person)).status)
            }
            #expect(statuses == [204, 204, 409, 204, 204, 409])
        }
    }

    @Test(
        "A person's documents are short, and longer ones can become shorter",
        arguments: [
            ("PUT /v1/people/ana", #"{"attributes":{"a":["#, "]}}"),
            ("PUT /v1/places/mine", #"{"kind":"spot","name":"S","owner":"ana","attributes":{"a":["#, "]}}"),
        ])
    func documentSize(line: String, beginning: String, end: String) async throws {
        try await withAllowance { server, keys in
            func document(_ count: Int) -> String {
                let text = "\"\(String(repeating: "x", count: 195))\""
                return beginning + Array(repeating: text, count: count).joined(separator: ",") + end
            }
            let long = try await server.send(line, document(90), token: keys.person("ana"))
            #expect(long.status == 413)
            #expect(long.body.contains(#""code":"document_too_large","detail":"The document has 1"#))
            #expect(try await server.send(line, document(80), token: keys.person("ana")).status < 300)
            #expect(try await server.send(line, document(99), token: keys.service).status == 200)
            for (count, status) in [(100, 413), (98, 200), (97, 200), (98, 413), (10, 200), (84, 413)] {
                let reply = try await server.send(line, document(count), token: keys.person("ana"))
                #expect(reply.status == status, "\(count)")
            }
            let patch = line.replacing("PUT", with: "PATCH")
            for (count, status) in [(84, 413), (80, 200)] {
                let reply = try await server.send(patch, document(count), token: keys.person("ana"))
                #expect(reply.status == status, "patched to \(count)")
            }
        }
    }

    @Test("An answer that is too long explains how to request less") func answerSize() async throws {
        try await withServer { configuration in
            configuration.limits.answers = 2000
        } _: { server in
            for number in 0..<9 {
                let tags = (0..<20).map { "\"\(String(repeating: "t", count: 20))\($0)\"" }.joined(separator: ",")
                try await server.send(
                    "PUT /v1/places/p\(number)",
                    "{\"kind\":\"bar\",\"name\":\"B\",\"lat\":1,\"lon\":1,\"tags\":[\(tags)]}")
            }
            let long = try await server.send("GET /v1/places/nearest?lat=1&lon=1")
            #expect(long.status == 413)
            #expect(long.body.contains("answer_too_large"))
            #expect(try await server.send("GET /v1/places/nearest?lat=1&lon=1&limit=2").status == 200)
            #expect(try await server.send("GET /v1/places/nearest?lat=1&lon=1&fields=id").status == 200)
        }
    }
}
