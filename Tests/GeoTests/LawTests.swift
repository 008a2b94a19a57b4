import Laws
import Testing

/// Every law of the geometry and the index on 1,000 random cases; `tools/bench laws --seeds N` checks more.
@Suite struct LawTests {
    private static let seeds = RandomCases.seeds(0..<1000)

    @Test("Laws of geometry hold", arguments: Law.geometry.indices) func geometryHolds(_ law: Int) throws {
        for seed in Self.seeds { try Law.geometry[law].check(seed: seed) }
    }

    @Test("Laws of the index hold", arguments: Law.index.indices) func indexHolds(_ law: Int) throws {
        for seed in Self.seeds { try Law.index[law].check(seed: seed) }
    }

    @Test("Laws of travel hold", arguments: Law.travel.indices) func travelHolds(_ law: Int) throws {
        for seed in Self.seeds { try Law.travel[law].check(seed: seed) }
    }

    @Test("Laws of fences hold", arguments: Law.fences.indices) func fencesHold(_ law: Int) throws {
        for seed in Self.seeds { try Law.fences[law].check(seed: seed) }
    }

    /// Failures that a run of a million seeds found.
    @Test(
        "Seeds that once broke a law pass",
        arguments: [
            ("nearest finds what a scan finds", 7294 as UInt64), ("all pages together are", 53_282),
            ("no place reachable", 6079),
        ])
    func regressions(_ law: String, _ seed: UInt64) throws {
        let known = try #require((Law.index + Law.travel).first { $0.name.hasPrefix(law) })
        try known.check(seed: seed)
    }
}
