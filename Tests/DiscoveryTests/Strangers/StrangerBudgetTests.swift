import Discovery
import Geo
import Laws
import Model
import TestSupport
import Testing

@Suite struct StrangerBudgetTests {
    /// People in thousands of cells of one ring, as around a metropolis.
    @Test func aRingOfManyCellsIsLookedAtInParts() async throws {
        let gauge = Gauge()
        try await withLive(gauge: gauge) { live in
            var dice = Dice(seed: 1)
            let names = (0..<4000).map { "p\($0)" }
            try await live.perform(PutPeople((["ana"] + names).map { Write(person($0)) }))
            let reports = names.map { name in
                let (bearing, metres) = (dice.integer(0...359), dice.integer(51_000...98_000))
                let place = Geodesic.destination(from: valencia, bearing: Double(bearing), metres: Double(metres))
                return ping(0, place, of: name)
            }
            try await live.perform(Record([ping(0, valencia)] + reports), at: morning + .seconds(86_400))
            gauge.setBack()
            var query = StrangerQuery(viewer: id("ana"), limit: 1500)
            var found: [String] = []
            repeat {
                let page = try live.live.strangers(query, at: morning)
                found += page.strangers.map(\.id.text)
                query.after = page.next
            } while query.after != nil
            #expect(gauge.longest(.reading) <= Effort.reading && gauge.longest(.reading) > 0)
            #expect(found.count == 4000 && Set(found) == Set(names), "everybody once")
        }
    }
}
