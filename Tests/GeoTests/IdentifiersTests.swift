import Geo
import Laws
import Testing

@Suite struct IdentifiersTests {
    @Test("Inserted and removed ids have the handles that a dictionary holds") func dictionary() {
        for seed in 0..<1000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var (ids, model): (Identifiers, [String: Int32]) = (Identifiers(), [:])
            if random.chance(0.3) { ids.reserveCapacity(random.integer(0...60)) }
            var limit: Int32 = 0
            for _ in 0..<random.integer(1...200) {
                let id = "id \(random.integer(0...60))"
                switch random.integer(0...3) {
                case 0:
                    #expect(ids.remove(id) == model.removeValue(forKey: id), "seed \(seed)")
                case 1 where model[id] == nil:
                    limit += Int32(random.integer(0...2))
                    ids.insert(id, as: limit)
                    model[id] = limit
                    limit += 1
                default:
                    if model[id] == nil {
                        model[id] = limit
                        limit += 1
                    }
                    #expect(ids.insert(id) == model[id], "seed \(seed)")
                }
                #expect(ids.count == model.count && ids.handleLimit == Int(limit), "seed \(seed)")
            }
            for number in 0...60 { #expect(ids["id \(number)"] == model["id \(number)"], "seed \(seed)") }
            for (id, handle) in model { #expect(ids.id(of: handle) == id, "seed \(seed)") }
        }
    }
}
