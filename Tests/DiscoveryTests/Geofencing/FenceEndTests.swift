import Discovery
import Geo
import Model
import TestSupport
import Testing

/// The end of a fence in which many people are.
@Suite struct FenceEndTests {
    private let eve: PersonID = id("eve")
    private let friends: [PersonID] = (0..<2_200).map { id("f\($0)") }

    private func fence(within metres: Double) -> PutFence {
        var fence = Fence(id: id("near"), .person(eve, metres: metres), watching: .friends)
        fence.owner = eve
        return PutFence(Write(fence))
    }

    @Test("Its turns stay short, and no visit remains", arguments: ["replaced", "deleted", "deleted with its owner"])
    func end(kind: String) async throws {
        let monitor = WorkMonitor()
        try await withEngine(monitor: monitor) { engine in
            let people = ([eve] + friends).map { name in person(name.text) { $0.sharing.alerts = .friends } }
            try await engine.perform(PutPeople(people.map { Write($0) }))
            try await engine.perform(Batch(friends.map { MakeFriends(eve, $0) }))
            try await engine.perform(fence(within: 500), by: .person(eve))
            try await engine.perform(Record([ping(0, valencia, of: "eve")]))
            try await engine.perform(Record(friends.map { ping(0, valencia, of: $0.text) }))
            #expect(engine.canonicalDump.count { $0.hasPrefix("visit") } == friends.count)
            monitor.reset()
            switch kind {
            case "replaced": try await engine.perform(fence(within: 900), by: .person(eve))
            case "deleted": try await engine.perform(DeleteFence(id("near"), of: eve), by: .person(eve))
            default: try await engine.perform(DeletePerson(eve), by: .person(eve))
            }
            #expect(monitor.longest(.turn) <= WorkBudget.stepsPerTurn, "\(monitor.longest(.turn))")
            #expect(engine.canonicalDump.count { $0.hasPrefix("visit") } == 0)
            #expect(engine.canonicalDump.count { $0.hasPrefix("fence") } == (kind == "replaced" ? 1 : 0))
        }
    }
}
