import Discovery
import Geo
import Model
import TestSupport
import Testing

/// The cost of an event for each of its subscribers.
@Suite struct StreamCostTests {
    private let eve: PersonID = id("eve")
    private let luis: PersonID = id("luis")
    private let friends: [PersonID] = (0..<1_500).map { id("f\($0)") }

    /// Runs the body with Eve, who has many friends, of whom only Luis shares exactly.
    private func withFriends(_ body: (TestEngine) async throws -> Void) async throws {
        try await withEngine { engine in
            let exact = [eve, luis].map { name in person(name.text) { $0.sharing.precision = .exact } }
            let coarse = friends.map { name in person(name.text) { $0.sharing.precision = .city } }
            try await engine.perform(PutPeople((exact + coarse).map { Write($0) }))
            try await engine.perform(Batch((friends + [luis]).map { MakeFriends(eve, $0) }))
            try await engine.perform(Record(([eve, luis] + friends).map { ping(0, valencia, of: $0.text) }))
            try await body(engine)
        }
    }

    @Test("A move between two stored positions costs a stream nothing for friends who did not move")
    func move() async throws {
        try await withFriends { engine in
            var reader = EventReader(for: .person(eve), EventFilter(), of: engine.engine)
            let now = morning + .seconds(3_600)
            let first = try await reader.next(from: engine.engine, at: now)
            #expect(first.events.count == friends.count + 2)
            let verdicts = try await engine.perform(Record([ping(20, east(60), of: "luis")])).verdicts
            #expect(verdicts == [.throttledByInterval])
            let bill = WorkCounter.charging()
            let next = try await WorkCounter.$current.withValue(bill) {
                try await reader.next(from: engine.engine, at: now)
            }
            #expect(next.events.map(\.person) == [luis])
            #expect(bill.total < 500, "\(bill.total)")
        }
    }
}
