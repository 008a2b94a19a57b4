import API
import Crypto
import Discovery
import Foundation
import NIOHTTP1
import Storage
import Testing

/// People and places with random ids.
@Suite struct MakingTests {
    private func make(
        _ path: String, _ body: String, _ token: String, key: String? = nil, _ server: TestServer
    ) async throws -> TestServer.Reply {
        var headers = ["authorization": "Bearer \(token)"]
        headers["idempotency-key"] = key
        return try await server.send("POST \(path)", body, headers: headers)
    }

    @Test(
        "A thing is made once per key, at the returned location",
        arguments: [
            ("/v1/people", #"{"name":"Ana","sharing":{"precision":"exact"}}"#, #"{"name":"Eva"}"#),
            ("/v1/places", #"{"kind":"topic","name":"Tea"}"#, #"{"kind":"topic","name":"Coffee"}"#),
        ])
    func madeOnce(path: String, body: String, other: String) async throws {
        try await withKeys { server, keys, _ in
            let service = keys.service
            let made = try await make(path, body, service, server)
            let location = try #require(made.headers.first(name: "location"))
            #expect(made.status == 201 && location.wholeMatch(of: #/\/v1\/[a-z]+\/[-_A-Za-z0-9]{22}/#) != nil)
            let reported = try await server.send("GET \(location)", token: service)
            #expect(reported.body == made.body && reported.headers["etag"] == made.headers["etag"])
            #expect(try await make(path, body, service, server).headers["location"] != [location], "each is another")
            let first = try await make(path, body, service, key: "k", server)
            let again = try await make(path, body, service, key: "k", server)
            #expect(first.status == 201 && again.status == 200 && again.body == first.body)
            for header in ["location", "etag"] { #expect(again.headers[header] == first.headers[header]) }
            let reused = try await make(path, other, service, key: "k", server)
            #expect(reused.status == 422 && reused.body.contains("idempotency_key_reused"), "\(reused.body)")
            #expect(try await make(path, other, service, key: "l", server).status == 201)
        }
    }

    /// The former ids, which did not depend on a secret.
    private static func guessed(_ caller: String, _ kind: String, _ key: String) -> String {
        id(of: SHA256.hash(data: Data("\(caller)\n\(kind)\n\(key)".utf8)))
    }

    private static func id(of digest: some Sequence<UInt8>) -> String {
        let text = Data(digest.prefix(16)).base64EncodedString()
        return text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    @Test("The id of an Idempotency-Key depends on a secret of the database and cannot be guessed without it")
    func secretIDs() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", nil)])
            let body = #"{"kind":"topic","name":"Tea","owner":"ana"}"#
            let made = try await make("/v1/places", body, keys.person("ana"), key: "k", server)
            let id = try #require(made.headers.first(name: "location")?.split(separator: "/").last)
            #expect(id != Self.guessed("person(ana)", "place", "k")[...])
            // So it is equal after a restart, in a restored file, and on each node of a cluster.
            let key = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: try server.store.secret(.cursor)),
                info: Data("ids of idempotency keys".utf8), outputByteCount: 32)
            let code = HMAC<SHA256>.authenticationCode(for: Data("person(ana)\nplace\nk".utf8), using: key)
            #expect(id == Self.id(of: code)[...])
        }
    }

    @Test("A request that an earlier version answered is recognized by its key")
    func keysOfEarlierVersions() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", nil), ("eva", nil)])
            for (path, caller, kind, body, token) in [
                ("places", "person(ana)", "place", #"{"kind":"topic","name":"Tea","owner":"ana"}"#, keys.person("ana")),
                ("places", "service", "place", #"{"kind":"topic","name":"Tea"}"#, keys.service),
                ("people", "service", "person", #"{"name":"Luis"}"#, keys.service),
            ] {
                let former = Self.guessed(caller, kind, "k")
                let put = try await server.send("PUT /v1/\(path)/\(former)", body, token: keys.service)
                #expect(put.status == 201, "\(put.text)")
                let again = try await make("/v1/\(path)", body, token, key: "k", server)
                #expect(again.status == 200 && again.headers["location"] == ["/v1/\(path)/\(former)"], "\(again.text)")
            }
            let group = #"{"id":"\#(Self.guessed("person(ana)", "group", "k"))","name":"G","owner":"ana"}"#
            #expect(try await server.send("POST /v1/groups", group, token: keys.service).status == 201)
            let again = try await make("/v1/groups", #"{"name":"G"}"#, keys.person("ana"), key: "k", server)
            #expect(again.status == 200, "\(again.text)")
        }
    }

    @Test("A place that another person made under a guessed id blocks no request") func guessedIDs() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", nil), ("eva", nil)])
            func body(_ owner: String) -> String { #"{"kind":"topic","name":"Tea","owner":"\#(owner)"}"# }
            let guessed = Self.guessed("person(ana)", "place", "k")
            let taken = try await server.send("PUT /v1/places/\(guessed)", body("eva"), token: keys.person("eva"))
            #expect(taken.status == 201)
            let made = try await make("/v1/places", body("ana"), keys.person("ana"), key: "k", server)
            #expect(made.status == 201, "\(made.text)")
        }
    }

    @Test("A repeated key returns the present state of a place") func changedPlace() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", nil), ("luis", nil)])
            let (ana, body) = (keys.person("ana"), #"{"kind":"topic","name":"Tea","owner":"ana"}"#)
            let made = try await make("/v1/places", body, ana, key: "k", server)
            #expect(made.status == 201, "\(made.body)")
            let path = try #require(made.headers.first(name: "location"))
            #expect(try await server.send("PATCH \(path)", #"{"name":"Mate"}"#, token: ana).status == 200)
            let again = try await make("/v1/places", body, ana, key: "k", server)
            #expect(again.status == 200 && again.body.contains(#""name":"Mate""#), "\(again.body)")
            // A key belongs to its caller.
            let luis = body.replacing("ana", with: "luis")
            #expect(try await make("/v1/places", luis, keys.person("luis"), key: "k", server).status == 201)
        }
    }

    @Test("A person can make by POST what they can make by PUT") func permissions() async throws {
        try await withKeys { server, keys, _ in
            try await server.add([("ana", nil)])
            let ana = keys.person("ana")
            for body in [#"{"kind":"store","name":"Sol","owner":"ana"}"#, #"{"kind":"topic","name":"Tea"}"#] {
                let made = try await make("/v1/places", body, ana, server)
                let put = try await server.send("PUT /v1/places/new", body, token: ana)
                #expect(made.text == put.text && made.status == 403, "\(made.text)")
            }
            #expect(try await make("/v1/people", "{}", ana, server).text == CallerRows.servicesOnly)
            #expect(server.engine.read { $0.counts.people } == 1)
        }
    }

    @Test("Only a PUT chooses an id", arguments: ["/v1/people", "/v1/places"])
    func chosenID(path: String) async throws {
        try await withServer { server in
            let detail = "is generated; PUT to '\(path)/{id}' chooses one"
            let reply = try await server.send("POST \(path)", #"{"id":"mine","kind":"topic","name":"T"}"#)
            #expect(
                reply.text
                    == problem(
                        400, "Bad Request", "invalid_body", "/id: \(detail)",
                        #"{"pointer":"/id","code":"refused","detail":"\#(detail)"}"#))
            #expect(server.engine.read { $0.counts.people + $0.counts.places } == 0)
        }
    }
}
