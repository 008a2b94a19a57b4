import API
import Crypto
import Discovery
import Foundation
import Geo
import Model
import NIOHTTP1
import TestSupport
import Testing

/// Every endpoint, requested by every kind of caller.
@Suite struct CallerTableTests {
    /// Ana and Luis are friends, Eva is a stranger, Bea has blocked Ana.
    private func populate(_ server: TestServer) async throws {
        func perform(_ action: some Action) async throws {
            try await server.engine.perform(action, by: .service, at: morning)
        }
        try await server.add(["ana", "luis", "eva", "bea"].map { ($0, try place(39.47, -0.376)) })
        let people = try server.engine.read { state throws(Refusal) in
            try ["ana", "luis", "eva", "bea"].map { name throws(Refusal) in
                guard let id = try? PersonID(name), case .whole(let record) = try state.person(id, for: .service)
                else {
                    throw Refusal.notAllowed
                }
                var person = record.value
                person.city = "Gandia"
                if name == "ana" { person.email = "ana@example.com" }
                return Write(person)
            }
        }
        try await perform(PutPeople(people))
        let (ana, bea) = (try PersonID("ana"), try PersonID("bea"))
        try await perform(MakeFriends(ana, try ID("luis")))
        try await perform(Block(bea, ana))
        try await perform(CreateGroup(Group(id: try ID("g"), name: "G", owner: ana)))
        try await perform(CreateGroup(Group(id: try ID("h"), name: "H", owner: try ID("luis"))))
        try await perform(Invite(ana, to: try ID("h")))
    }

    @Test("Every endpoint has a row, and every row an endpoint") func rowsAndEndpoints() async throws {
        try await withServer { server in
            #expect(CallerRows.all.map(\.endpoint).sorted() == server.endpoints.sorted())
        }
    }

    func withPeople(_ body: (TestServer, TestKeys) async throws -> Void) async throws {
        try await withKeys { server, keys, _ in
            try await populate(server)
            for (line, body) in [
                ("PUT /v1/places/sol", CallerRows.sol), ("PUT /v1/products/pump", CallerRows.pump),
                ("PUT /v1/stores/sol/stock/pump", #"{"quantity":2}"#),
            ] { #expect(try await server.send(line, body, token: keys.service).status == 201) }
            let comment = PostComment(
                id: try ID("c1"), place: try ID("sol"), author: try ID("ana"), text: "Warm")
            try await server.engine.perform(comment, by: .service, at: morning)
            try await body(server, keys)
        }
    }

    func send(_ row: CallerRow, _ server: TestServer, _ headers: [String: String]) async throws
        -> TestServer.Reply
    {
        // Public endpoints answer with a page unless data is requested.
        let accept = row.isForAnyone ? ["accept": "application/json"] : [:]
        return try await server.send(
            row.request, row.body, type: row.type, headers: headers.merging(accept) { own, _ in own })
    }

    @Test("Invalid credentials give access to nothing") func invalidCredentials() async throws {
        try await withPeople { server, keys in
            let revoked = try await token(of: "lost", of: "ana", server, keys)
            #expect(try await server.send("DELETE /v1/people/ana/devices/lost", token: keys.service).status == 204)
            let before = server.engine.read { $0.canonicalDump }
            for (name, header, detail) in try callersWhoProveNothing(keys) + [
                ("revoked device", "Bearer \(revoked)", "The device token is unknown, replaced or revoked.")
            ] {
                let code = header == nil ? "token_required" : "invalid_token"
                let challenge =
                    #"Bearer realm="cerca""#
                    + (header == nil ? "" : #", error="invalid_token", error_description="\#(detail)""#)
                for row in CallerRows.all {
                    let reply = try await send(row, server, header.map { ["authorization": $0] } ?? [:])
                    if row.isForPhones {
                        #expect(reply.text == CallerRows.refusal(header), "\(name): \(row.request)")
                        continue
                    }
                    guard !row.isForAnyone else {
                        #expect(reply.text == row.friend, "\(name): \(row.request)")
                        continue
                    }
                    #expect(reply.text == problem(401, "Unauthorized", code, detail), "\(name): \(row.request)")
                    let isForMaps = ["GET /ogc", "GET /v1/tiles"].contains(where: row.endpoint.hasPrefix)
                    let password = isForMaps ? [CallerRows.password] : []
                    #expect(reply.headers["www-authenticate"] == [challenge] + password, "\(name): \(row.request)")
                }
            }
            #expect(server.engine.read { $0.canonicalDump } == before, "nothing of it was done")
        }
    }

    private func callersWhoProveNothing(_ keys: TestKeys) throws -> [(String, String?, String)] {
        let now = TestKeys.now
        let claims = #""iss":"https://id.example","aud":"cerca","exp":\#(now + 60),"user":"ana""#
        let good = keys.service.split(separator: ".")
        let tampered = "\(good[0]).\(keys.person("ana").split(separator: ".")[1]).\(good[2])"
        let neither = "The token is neither a JSON Web Token nor a device token."
        let scheme = "The header 'Authorization' must be 'Bearer', a space and the token."
        let other = "The token is not signed with the algorithm of its key."
        return [
            ("none", nil, "A token is required: 'Authorization: Bearer ...'."),
            ("malformed", "Bearer abc", neither), ("no token", "Bearer", scheme), ("no scheme", keys.service, scheme),
            ("two tokens", "Bearer \(keys.service) \(keys.service)", neither),
            ("another scheme", "Basic \(keys.service)", scheme),
            ("too long", "Bearer \(keys.own("\"x\":\"\(String(repeating: "y", count: 9000))\""))", neither),
            ("expired", "Bearer \(keys.own(#""scope":"service""#, exp: now))", "The token has expired."),
            (
                "never expires", "Bearer \(keys.signed(#"{"alg":"HS256"}"#, #"{"iss":"cerca","aud":"cerca"}"#))",
                "The token never expires: its 'exp' is missing or invalid."
            ),
            (
                "not yet valid", "Bearer \(keys.own(#""scope":"service","nbf":\#(now + 31)"#))",
                "The token is not valid yet."
            ),
            (
                "wrong audience",
                "Bearer \(try keys.provided("es", "ES256", claims.replacing("cerca", with: "else")))",
                "The token is meant for another service: its 'aud' must contain 'cerca'."
            ),
            (
                "no audience",
                "Bearer \(try keys.provided("es", "ES256", claims.replacing(#""aud":"cerca","#, with: "")))",
                "The token is meant for another service: its 'aud' must contain 'cerca'."
            ),
            (
                "wrong issuer", "Bearer \(try keys.provided("es", "ES256", claims.replacing("id.", with: "no.")))",
                "The token has another issuer than its key: its 'iss' must be 'https://id.example'."
            ),
            ("alg:none", "Bearer \(keys.signed(#"{"alg":"none","kid":"own"}"#, "{\(claims)}") { _ in Data() })", other),
            (
                "alg:none without a key", "Bearer \(keys.signed(#"{"alg":"none"}"#, "{\(claims)}") { _ in Data() })",
                "The token names an unknown key."
            ),
            (
                "HMAC with a public key",
                "Bearer \(keys.hmac(#"{"alg":"HS256","kid":"ed"}"#, "{\(claims)}", key: keys.ed.publicKey.rawRepresentation))",
                other
            ),
            (
                "another key's algorithm", "Bearer \(try keys.provided("ed", "ES256", claims))", other
            ),
            (
                "unknown key", "Bearer \(keys.signed(#"{"alg":"HS256","kid":"old"}"#, "{\(claims)}"))",
                "The token names an unknown key."
            ),
            (
                "another key",
                "Bearer \(keys.hmac(#"{"alg":"HS256","kid":"own"}"#, "{\(claims)}", key: Data(repeating: 8, count: 32)))",
                "The token is not signed by the key that it names."
            ),
            (
                "tampered", "Bearer \(tampered)", "The token is not signed by the key that it names."
            ),
            ("no signature", "Bearer \(good[0]).\(good[1]).", "The token is not signed by the key that it names."),
            (
                "critical extension",
                "Bearer \(keys.signed(#"{"alg":"HS256","kid":"own","crit":["b64"]}"#, "{\(claims)}"))",
                neither
            ),
            (
                "a provider's token for services",
                "Bearer \(try keys.provided("ed", "EdDSA", claims + #","scope":"openid service""#))",
                "The token has no scope that its key may grant."
            ),
            ("no scope", "Bearer \(keys.own(#""sub":"ana""#))", "The token has no scope that its key may grant."),
            (
                "two scopes", "Bearer \(keys.own(#""sub":"ana","scope":"person service""#))",
                "The token has no scope that its key may grant."
            ),
            ("nobody", "Bearer \(keys.own(#""scope":"person""#))", "The token names no person."),
            ("no id", "Bearer \(keys.own(#""scope":"person","sub":"a b""#))", "The token names no person."),
            (
                "a device's, made up", "Bearer cercadevice.0.\(keys.encode(Data(count: 32)))",
                "The device token is unknown, replaced or revoked."
            ),
        ]
    }

    private func token(of device: String, of person: String, _ server: TestServer, _ keys: TestKeys) async throws
        -> String
    {
        let reply = try await server.send(
            "POST /v1/people/\(person)/devices", #"{"id":"\#(device)"}"#, token: keys.service)
        return String(try #require(reply.body.firstMatch(of: #/"token":"([^"]+)"/#)?.1))
    }

    /// A person's own token, or a service that acts as the person; all answers are equal.
    enum Way: CaseIterable {
        case ownToken, service

        func headers(_ name: String, _ keys: TestKeys) -> [String: String] {
            switch self {
            case .ownToken: ["authorization": "Bearer \(keys.person(name))"]
            case .service: ["authorization": "Bearer \(keys.service)", "cerca-acting-as": name]
            }
        }
    }

    @Test("Friends, strangers, and devices get the answers of the table", arguments: Way.allCases)
    func otherCallers(by way: Way) async throws {
        try await withPeople { server, keys in
            let device = try await token(of: "phone", of: "luis", server, keys)
            let before = server.engine.read { $0.canonicalDump }
            for row in CallerRows.all {
                for (name, answer) in [("luis", row.friend), ("eva", row.stranger ?? row.friend)] {
                    let reply = try await send(row, server, way.headers(name, keys))
                    #expect(reply.text == answer, "\(name): \(row.request)")
                    #expect(
                        (reply.status == 403 && answer == CallerRows.servicesOnly)
                            == (reply.headers["www-authenticate"]
                                == [#"Bearer realm="cerca", error="insufficient_scope", scope="service""#]))
                }
                let answer = row.endpoint == "POST /v1/pings" ? row.friend : row.device
                #expect(
                    try await send(row, server, ["authorization": "Bearer \(device)"]).text == answer,
                    "\(row.request)")
            }
            #expect(server.engine.read { $0.canonicalDump } == before, "nothing of it was done")
        }
    }

    /// Bea has blocked Ana, and to each of them answers about the other equal those about an unknown id.
    @Test("A blocked person appears not to exist") func blockedPeople() async throws {
        try await withPeople { server, keys in
            let others = CallerRows.all.filter {
                ["eva", "/ana", "=ana"].contains(where: $0.request.contains) || $0.body?.contains("ana") ?? false
            }
            #expect(others.count > 20)
            for row in others {
                for (viewer, hidden) in [("bea", "ana"), ("ana", "bea")] {
                    func asked(about name: String) async throws -> String {
                        var line = row.request.replacing("/eva", with: "/\(name)").replacing("=ana", with: "=\(name)")
                        if line == row.request {
                            line = line.replacing("/ana", with: "/\(name)")
                        } else {
                            line = line.replacing("/v1/people/ana", with: "/v1/people/\(viewer)")
                        }
                        let body = row.body?.replacing("\"ana\"", with: "\"\(name)\"")
                        return try await server.send(line, body, token: keys.person(viewer), type: row.type).text
                            .replacing(name, with: "…")
                    }
                    // Her own block is visible to her, and she can undo it.
                    if viewer == "bea", row.endpoint.contains("/blocks/{other}") { continue }
                    if row.request.contains("/places/") { continue }
                    let (answer, nothing) = (try await asked(about: hidden), try await asked(about: "ghost"))
                    #expect(answer == nothing, "\(viewer): \(row.request)")
                }
            }
        }
    }

    @Test("Persons get the answers of the table about themselves", arguments: Way.allCases)
    func ownData(by way: Way) async throws {
        try await withPeople { server, keys in
            let device = try await token(of: "phone", of: "ana", server, keys)
            for row in CallerRows.all {
                let reply = try await send(row, server, way.headers("ana", keys))
                #expect(reply.text == row.own ?? CallerRows.servicesOnly, "\(row.request)")
                if row.endpoint == "POST /v1/pings" {
                    let reply = try await server.send(row.request, row.body, token: device)
                    #expect(reply.text == row.device)
                }
            }
            #expect(
                try await server.send("POST /v1/pings", "[]", token: device).status == 401,
                "it was deleted with its person")
        }
    }

    @Test("A person can make only places that they own") func ownPlaces() async throws {
        try await withPeople { server, keys in
            for (place, status) in [
                (#"{"kind":"topic","name":"T","owner":"eva"}"#, 201),
                (#"{"kind":"topic","name":"T","owner":"ana"}"#, 403),
                (#"{"kind":"topic","name":"T"}"#, 403), (#"{"kind":"topic","name":"U","owner":"eva"}"#, 200),
            ] {
                let reply = try await server.send("PUT /v1/places/new", place, token: keys.person("eva"))
                #expect(reply.status == status, "\(place)")
            }
        }
    }

    @Test("Services have access to everything") func services() async throws {
        try await withPeople { server, keys in
            for row in CallerRows.all where !row.isForPhones {
                let reply = try await server.send(row.request, row.body, token: keys.service, type: row.type)
                #expect(![401, 403].contains(reply.status), "\(row.request): \(reply.text)")
            }
        }
    }
}
