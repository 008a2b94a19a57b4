import API
import Discovery
import Geo
import Testing

/// No request blocks others, whatever an ordinary person may have stored: neither in a read of the live state nor in a
/// turn of the writer.
@Suite(.serialized, .timeLimit(.minutes(60))) struct WorkBudgetTests {
    @Test("Every endpoint has a row, and every row an endpoint") func rowsAndEndpoints() async throws {
        try await withServer { server in
            #expect(Set(BudgetRow.all.map(\.endpoint)).sorted() == server.endpoints.sorted())
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
            for kind in kinds { #expect(BudgetRow.queries.contains { $0.hasPrefix("{\(kind)") }, "\(kind)") }
        }
    }

    @Test("The work of every request is bounded between two yields") func boundedWork() async throws {
        let monitor = WorkMonitor()
        let keys = try TestKeys()
        defer { keys.remove() }
        try await withServer(
            {
                $0.rates.address.perSecond = 0; $0.rates.person.perSecond = 0
            }, keys: try await keys.ring(), monitor: monitor
        ) { server in
            try await HeavyWorld(server).build()
            var bearers = [
                BudgetRow.Caller.ana: keys.person("ana"), .luis: keys.person("luis"), .service: keys.service,
            ]
            let device = try await server.send(
                "POST /v1/people/ana/devices", #"{"id":"phone"}"#, token: keys.person("ana"))
            bearers[.phone] = String(try #require(device.body.firstMatch(of: #/"token":"([^"]+)"/#)?.1))
            for row in BudgetRow.all {
                monitor.reset()
                let reply = try await server.send(
                    row.request, row.body, type: row.type,
                    headers: [
                        "authorization": "Bearer \(try #require(bearers[row.caller]))", "accept": row.accept,
                        // Uniform data is compressed so well that a client takes it for an attack.
                        "accept-encoding": "identity",
                    ])
                #expect(row.statuses.contains(reply.status), "\(row.name): \(reply.text.prefix(500))")
                #expect(monitor.longest(.reading) <= WorkBudget.stepsPerRead, "\(row.name)")
                #expect(monitor.longest(.turn) <= WorkBudget.stepsPerTurn, "\(row.name)")
            }
        }
    }
}
