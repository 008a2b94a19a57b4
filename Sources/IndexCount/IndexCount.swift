internal import Geo
internal import Laws

/// The deterministic workload of `Geo` alone whose instructions `tools/bench count` counts.
///
/// usage: IndexCount draw|nearest|within|filtered|move|build TIMES
@main
struct IndexCount: ~Copyable {
    static func main() {
        guard CommandLine.arguments.count == 3, let times = Int(CommandLine.arguments[2]) else {
            return print("usage: IndexCount draw|nearest|within|filtered|move|build TIMES")
        }
        var work = Self()
        for _ in 0..<times { work.once(CommandLine.arguments[1]) }
        print(work.found)
    }

    private static let size = 50_000

    private var random = SeededGenerator(seed: 7)
    private let centres: [Coordinate]
    private var grid = Grid()
    private var ids = Identifiers()
    private var found = 0

    private init() {
        var random = SeededGenerator(seed: 1)
        centres = (0..<50).map { _ in random.evenPlace() }
        for handle in 0..<Self.size {
            _ = ids.insert("e\(handle)")
            grid.upsert(Int32(handle), at: place(), signature: handle.isMultiple(of: 100) ? 3 : 1)
        }
    }

    private mutating func place() -> Coordinate {
        random.chance(0.3) ? random.evenPlace() : random.jittered(random.pick(centres), metres: 20_000)
    }

    private mutating func once(_ work: String) {
        // Everything is drawn for each workload, so that the cost of `draw` alone can be subtracted.
        let origin = place()
        let handle = Int32(random.integer(0...Self.size - 1))
        let moved = random.jittered(grid.place(of: handle) ?? origin, metres: 500)
        var query = NearestQuery(limit: 10)
        switch work {
        case "nearest": break
        case "within": query.within = 5000
        case "filtered": query.filter.demand(anyOf: 2)
        case "move": return grid.upsert(handle, at: moved, signature: 1)
        case "build":
            found += 1
            return grid.upsert(Int32(Self.size + found), at: origin, signature: 1)
        default: return
        }
        found += grid.nearest(query, to: origin, ids: ids).neighbours.count
    }
}
