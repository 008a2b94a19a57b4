import Laws
import Testing

/// Every law of the geometry and the index, a thousand times; `tools/bench laws --seeds N` goes on.
@Suite struct LawTests {
    @Test(arguments: Law.geometry.indices) func geometryHolds(_ law: Int) throws {
        for seed in 0..<1000 { try Law.geometry[law].check(seed: UInt64(seed)) }
    }

    @Test(arguments: Law.index.indices) func indexHolds(_ law: Int) throws {
        for seed in 0..<1000 { try Law.index[law].check(seed: UInt64(seed)) }
    }

    @Test(arguments: Law.travel.indices) func travelHolds(_ law: Int) throws {
        for seed in 0..<1000 { try Law.travel[law].check(seed: UInt64(seed)) }
    }

    @Test(arguments: Law.fences.indices) func fencesHold(_ law: Int) throws {
        for seed in 0..<1000 { try Law.fences[law].check(seed: UInt64(seed)) }
    }

    /// Cases that a million seeds brought to light.
    @Test(arguments: [
        ("nearest finds what a scan finds", 7294 as UInt64), ("all pages together are", 53_282),
        ("nothing within reach", 6079),
    ])
    func onceBrokenStaysMended(_ law: String, _ seed: UInt64) throws {
        let known = try #require((Law.index + Law.travel).first { $0.name.hasPrefix(law) })
        try known.check(seed: seed)
    }
}
