import Discovery
import Geo
import Laws
import Model
import Storage
import Structures
import TestSupport
import Testing

/// In random worlds every viewer sees what a direct evaluation of the rules allows, and never more.
@Suite struct SharingLawTests {
    @Test("Friends see the coarsest of all choices", arguments: RandomCases.seeds(0..<12))
    func coarsestChoice(seed: UInt64) async throws {
        var rules = PingRules()
        rules.distance = 100
        try await withEngine(rules: rules) { engine in
            var world = SharingWorld(seed: seed, engine)
            for _ in 0..<150 { try await world.step() }
            try await world.check()
            let account = world.engine.canonicalDump
            world.engine = try await world.engine.restarted()
            #expect(world.engine.canonicalDump == account, "seed \(seed)")
            try await world.check()
            try world.engine.store.close()
        }
    }
}
