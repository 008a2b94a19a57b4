import API
import Discovery
import Geo
import Laws
import Testing

/// Bounds on the writer's turns and the stored data, in steps, rows, and bytes but never in time, for all requests
/// within a person's limits.
@Suite(.serialized, .timeLimit(.minutes(60))) struct BoundedTurnTests {
    @Test("No turn, kept event, or row grows with what a person can send") func everyWritingRoute() async throws {
        let monitor = WorkMonitor()
        let keys = try TestKeys()
        defer { keys.remove() }
        try await withServer(
            {
                $0.rates.address.perSecond = 0; $0.rates.person.perSecond = 0
            }, keys: try await keys.ring(), monitor: monitor
        ) { server in
            var client = try await TurnAttackClient(server, keys, monitor)
            let before = try client.held()
            try await client.walkEveryRoute()
            try await client.fillFences()
            try await client.askFriends(RandomCases.count(6, all: 200))
            try await client.travel(RandomCases.count(40, all: 10_000))
            try await client.walkEveryRoute()
            let after = try client.held()
            for (person, count) in try client.countedEvents(after: before.lastEvent) {
                // The events of an hour, and a notice to the person and to the owner of each fence about the person.
                #expect(count <= 1_000 + 101, "events of \(person)")
            }
            // Two rows per position, the requests of each fence about friends, and the events of four people.
            let rows = 2 * client.pings + 10 * client.requests + 300 + 4 * 1_101
            #expect(after.rows - before.rows <= rows, "\(after.rows - before.rows) rows")
            let bytes = 500 * rows + 3 * client.bytes
            #expect(after.bytes - before.bytes <= bytes, "\(after.bytes - before.bytes) bytes")
            try await client.deletePerson()
        }
    }
}
