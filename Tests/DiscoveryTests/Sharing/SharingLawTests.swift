import Discovery
import Geo
import Laws
import Model
import Storage
import Structures
import TestSupport
import Testing

/// In random worlds everybody is shown what a plain reading of the rules tells, and never more.
@Suite struct SharingLawTests {
    @Test(arguments: RandomCases.seeds(0..<12)) func friendsSeeTheCoarsestOfAllChoices(seed: UInt64) async throws {
        var rules = PingRules()
        rules.distance = 100
        try await withLive(rules: rules) { live in
            var world = SharingWorld(seed: seed, live)
            for _ in 0..<150 { try await world.step() }
            try await world.check()
            let account = world.live.account
            world.live = try await world.live.restarted()
            #expect(world.live.account == account, "seed \(seed)")
            try await world.check()
            try world.live.store.close()
        }
    }
}
