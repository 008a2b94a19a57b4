import API
import Discovery
import Geo
import Laws
import Testing

/// Bounds on the writer's turns and the stored data, in steps, rows, and bytes but never in time, for all requests
/// within a person's limits.
@Suite(.serialized, .timeLimit(.minutes(60))) struct BoundedTurnTests {
    @Test("No turn, kept event, or row grows with what a person can send") func everyWritingRoute() async throws {
        let gauge = Gauge()
        let keys = try TestKeys()
        defer { keys.remove() }
        try await withServer(
            {
                $0.rates.address.perSecond = 0; $0.rates.person.perSecond = 0
            }, keys: try await keys.ring(), gauge: gauge
        ) { server in
            var besieger = try await TurnBesieger(server, keys, gauge)
            let before = try besieger.held()
            try await besieger.walkEveryRoute()
            try await besieger.fillFences()
            try await besieger.askFriends(RandomCases.count(6, all: 200))
            try await besieger.travel(RandomCases.count(40, all: 10_000))
            try await besieger.walkEveryRoute()
            let after = try besieger.held()
            for (person, count) in try besieger.countedEvents(after: before.lastEvent) {
                // The events of an hour, and a notice to the person and to the owner of each fence about the person.
                #expect(count <= 1_000 + 101, "events of \(person)")
            }
            // Two rows per position, the requests of each fence about friends, and the events of four people.
            let rows = 2 * besieger.pings + 10 * besieger.requests + 300 + 4 * 1_101
            #expect(after.rows - before.rows <= rows, "\(after.rows - before.rows) rows")
            let bytes = 500 * rows + 3 * besieger.bytes
            #expect(after.bytes - before.bytes <= bytes, "\(after.bytes - before.bytes) bytes")
            try await besieger.deletePerson()
        }
    }
}
