import API
import Discovery
import Geo
import Testing

/// No request blocks others, whatever an ordinary person may have stored: neither in a read of the live state nor in a
/// turn of the writer.
@Suite(.serialized, .timeLimit(.minutes(60))) struct EffortTests {
    @Test("Every endpoint has a row, and every row an endpoint") func rowsAndEndpoints() async throws {
        try await withServer { server in
            #expect(Set(EffortRow.all.map(\.endpoint)).sorted() == server.endpoints.sorted())
        }
    }

    /// The kinds are those that the refusal of an empty query lists.
    @Test("Every kind of query of a batch has a row") func kindsOfQueries() async throws {
        try await withServer { server in
            let reply = try await server.send("POST /v1/query", #"{"queries":[{}]}"#)
            let kinds = reply.body.matches(of: #/\\"(\w+)\\":(?:\\"(\w+)\\"|<id>)/#).map { match in
                match.2.map { #""\#(match.1)":"\#($0)""# } ?? #""\#(match.1)":"#
            }
            #expect(kinds.count > 10)
            for kind in kinds { #expect(EffortRow.queries.contains { $0.hasPrefix("{\(kind)") }, "\(kind)") }
        }
    }

    @Test("The work of every request is bounded between two yields") func boundedWork() async throws {
        let gauge = Gauge()
        let keys = try TestKeys()
        defer { keys.remove() }
        try await withServer(
            {
                $0.rates.address.perSecond = 0; $0.rates.person.perSecond = 0
            }, keys: try await keys.ring(), gauge: gauge
        ) { server in
            try await HeavyWorld(server).build()
            var bearers = [
                EffortRow.Caller.ana: keys.person("ana"), .luis: keys.person("luis"), .service: keys.service,
            ]
            let device = try await server.send(
                "POST /v1/people/ana/devices", #"{"id":"phone"}"#, token: keys.person("ana"))
            bearers[.phone] = String(try #require(device.body.firstMatch(of: #/"token":"([^"]+)"/#)?.1))
            for row in EffortRow.all {
                gauge.setBack()
                let reply = try await server.send(
                    row.request, row.body, type: row.type,
                    headers: [
                        "authorization": "Bearer \(try #require(bearers[row.caller]))", "accept": row.accept,
                        // Uniform data is compressed so well that a client takes it for an attack.
                        "accept-encoding": "identity",
                    ])
                #expect(row.statuses.contains(reply.status), "\(row.name): \(reply.text.prefix(500))")
                #expect(gauge.longest(.reading) <= WorkBudget.reading, "\(row.name)")
                #expect(gauge.longest(.turn) <= WorkBudget.turn, "\(row.name)")
            }
        }
    }
}
