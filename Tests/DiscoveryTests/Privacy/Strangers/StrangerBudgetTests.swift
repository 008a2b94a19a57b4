import Discovery
import Geo
import Laws
import Model
import TestSupport
import Testing

@Suite struct StrangerBudgetTests {
    /// People in thousands of cells of one ring, as around a metropolis.
    @Test("A ring of many cells is searched in parts") func manyCells() async throws {
        let monitor = WorkMonitor()
        try await withEngine(monitor: monitor) { engine in
            var random = SeededGenerator(seed: 1)
            let names = (0..<4000).map { "p\($0)" }
            try await engine.perform(PutPeople((["ana"] + names).map { Write(person($0)) }))
            let reports = names.map { name in
                let (bearing, metres) = (random.integer(0...359), random.integer(51_000...98_000))
                let place = Geodesic.destination(from: valencia, bearing: Double(bearing), metres: Double(metres))
                return ping(0, place, of: name)
            }
            try await engine.perform(Record([ping(0, valencia)] + reports), at: morning + .seconds(86_400))
            monitor.reset()
            var query = StrangerQuery(viewer: id("ana"), limit: 1500)
            var found: [String] = []
            repeat {
                let page = try engine.engine.strangers(query, at: morning)
                found += page.strangers.map(\.id.text)
                query.after = page.next
            } while query.after != nil
            #expect(monitor.longest(.reading) <= WorkBudget.stepsPerRead && monitor.longest(.reading) > 0)
            #expect(found.count == 4000 && Set(found) == Set(names), "everybody once")
        }
    }

    /// The charge to a viewer for a search that finds one person, and maybe another whom `change` affects.
    private func charge(_ change: (TestEngine) async throws -> Void) async throws -> Int {
        var charge = 0
        try await withEngine { engine in
            try await engine.perform(PutPeople(["ana", "plain", "other"].map { Write(person($0)) }))
            for name in ["ana", "plain", "other"] { _ = try await engine.send(ping(0, east(100), of: name)) }
            try await change(engine)
            let bill = WorkCounter.charging()
            let page = try WorkCounter.$current.withValue(bill) {
                try engine.engine.strangers(StrangerQuery(viewer: id("ana"), limit: 10), at: morning + .seconds(60))
            }
            #expect(page.strangers.contains { $0.id == id("plain") })
            charge = bill.total
        }
        return charge
    }

    @Test("A search charges the viewer nothing for people who are not visible") func unseen() async throws {
        let gone = try await charge { _ = try await $0.perform(DeletePerson(id("other"))) }
        let hidden = try await charge { try await $0.add(person("other") { $0.sharing.precision = .hidden }) }
        let young = try await charge {
            try await $0.add(person("other") { $0.born = CalendarDate(year: 2015, month: 1, day: 1) })
        }
        let blocker = try await charge { _ = try await $0.perform(Block(id("other"), id("ana"))) }
        #expect(gone > 0 && hidden == gone && young == gone && blocker == gone)
        #expect(try await charge { _ in } > gone, "who is shown is charged for")
    }
}
