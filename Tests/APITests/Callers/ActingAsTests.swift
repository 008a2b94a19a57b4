import API
import NIOHTTP1
import Testing

/// A service that acts as a person; `CallerTableTests` compares the answers.
@Suite struct ActingAsTests {
    private static let header = "cerca-acting-as"

    private func withAna(_ body: (TestServer, TestKeys) async throws -> Void) async throws {
        try await withKeys { server, keys, _ in
            try await server.add(["ana", "luis"].map { ($0, nil) })
            try await body(server, keys)
        }
    }

    @Test("Only services can act as others") func servicesOnly() async throws {
        try await withAna { server, keys in
            let made = try await server.send("POST /v1/people/ana/devices", #"{"id":"phone"}"#, token: keys.service)
            let device = String(try #require(made.body.firstMatch(of: #/"token":"([^"]+)"/#)?.1))
            let refused = problem(403, "Forbidden", "insufficient_scope", "'Cerca-Acting-As' is for services only.")
            for (line, body, token) in [
                ("GET /v1/people/ana", nil, keys.person("luis")), ("GET /v1/people/ana", nil, keys.person("ana")),
                ("GET /v1/products", nil, keys.person("luis")), ("GET /livez", nil, keys.person("luis")),
                ("POST /v1/pings", "[]", device), ("GET /ingest/osmand", nil, device),
            ] {
                let headers = ["authorization": "Bearer \(token)", Self.header: "ana"]
                let reply = try await server.send(line, body, headers: headers)
                #expect(reply.text == refused, "\(line)")
                #expect(
                    reply.headers["www-authenticate"]
                        == [#"Bearer realm="cerca", error="insufficient_scope", scope="service""#])
            }
            let nobody = try await server.send("GET /v1/people/ana", headers: [Self.header: "ana"])
            #expect(nobody.status == 401)
        }
    }

    @Test("Acting as an unknown person is refused") func unknownPerson() async throws {
        try await withAna { server, keys in
            for (name, detail) in [
                ("ghost", "'Cerca-Acting-As' is 'ghost', a person who does not exist."),
                ("a b", "'Cerca-Acting-As' is 'a b', which is not the id of a person."),
                ("", "'Cerca-Acting-As' is '', which is not the id of a person."),
                ("ana, luis", "'Cerca-Acting-As' is 'ana, luis', which is not the id of a person."),
            ] {
                for line in ["GET /v1/people/ana", "PUT /v1/people/ghost", "GET /livez"] {
                    let headers = ["authorization": "Bearer \(keys.service)", Self.header: name]
                    let reply = try await server.send(line, line.hasPrefix("PUT") ? "{}" : nil, headers: headers)
                    #expect(
                        reply.text == problem(400, "Bad Request", "invalid_parameter", detail), "\(line) as \(name)")
                }
            }
        }
    }

    @Test("Without keys any caller can act as a person") func withoutKeys() async throws {
        try await withServer { server in
            try await server.add(["ana", "luis"].map { ($0, nil) })
            let whole = try await server.send("GET /v1/people/ana")
            let asLuis = try await server.send("GET /v1/people/ana", headers: [Self.header: "luis"])
            let asAna = try await server.send("GET /v1/people/ana", headers: [Self.header: "ana"])
            #expect(asLuis.text == #"200 {"id":"ana","name":"Ana"}"# && asAna.text == whole.text)
            let foreign = try await server.send("PATCH /v1/people/ana", "{}", headers: [Self.header: "luis"])
            #expect(foreign.text == CallerRows.notAllowed)
        }
    }

    @Test("Requests of a service that acts as a person count against the service's limits") func limits() async throws {
        try await withKeys {
            $0.rates.person = Rate(perSecond: 1, saved: .seconds(1))
            $0.rates.service.perSecond = 0
            $0.limits.streamsOfPerson = 0
        } _: { server, keys, _ in
            try await server.add([("ana", nil)])
            let headers = ["authorization": "Bearer \(keys.service)", Self.header: "ana"]
            let batch = #"{"queries":[\#(Array(repeating: #"{"person":"ana"}"#, count: 20).joined(separator: ","))]}"#
            for _ in 0..<5 {
                #expect(try await server.send("GET /v1/people/ana", headers: headers).status == 200)
                let reply = try await server.send("POST /v1/query", batch, headers: headers)
                #expect(reply.status == 200 && !reply.body.contains("too_many_requests"))
            }
            #expect(try await server.send("GET /v1/people/ana/export", headers: headers).status == 200)
            #expect(
                try await server.send("GET /v1/people/ana", token: keys.person("ana")).status == 200,
                "nothing of it was Ana's")
            #expect(try await server.send("GET /v1/people/ana", token: keys.person("ana")).status == 429)
        }
    }
}
