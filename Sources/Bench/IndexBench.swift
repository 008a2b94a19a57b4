internal import ArgumentParser
internal import Foundation
internal import Geo
internal import Laws

/// `tools/bench index`: the index in memory, on one thread.
struct IndexBench: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "index", abstract: "Measure the index in memory.")

    @Option(help: "How many entities, one table each.") var sizes: [Int] = [10_000, 100_000, 1_000_000]
    @Option(help: "How many queries of each kind.") var queries = 20_000
    @Option(help: "What the work is made from.") var seed: UInt64 = 1

    func run() throws {
        print("index on \(Machine.description), one thread, \(queries) queries of each kind, seed \(seed)")
        for size in sizes { try measure(size) }
    }

    private func measure(_ size: Int) throws {
        var work = try Work(seed: seed)
        let places = (0..<size).map { _ in work.place() }
        let origins = (0..<queries).map { _ in work.place() }
        var ids = Identifiers()
        for number in 0..<size { _ = ids.insert("e\(number)") }
        var grid = Grid()
        print("\n\(size) entities")
        let build = ContinuousClock().measure {
            for (handle, place) in places.enumerated() {
                grid.upsert(Int32(handle), at: place, signature: signature(handle))
            }
        }
        row("build", "\(short(build.seconds * 1e9 / Double(size), 0)) ns each", "\(grid.bytes / size) bytes each")
        for limit in [1, 10, 100] { search("nearest \(limit)", grid, origins, ids, NearestQuery(limit: limit)) }
        for metres in [1e3, 1e4, 1e5] {
            var query = NearestQuery(limit: 100)
            query.within = metres
            search("100 within \(Int(metres / 1000)) km", grid, origins, ids, query)
        }
        for (name, bit) in [("50 %", 0), ("10 %", 1), ("1 %", 2), ("0.1 %", 3)] {
            var query = NearestQuery(limit: 10)
            query.filter.demand(anyOf: 1 << UInt64(bit))
            search("nearest 10 of \(name)", grid, origins, ids, query)
        }
        let scan = try scan(places, origins, ids, grid)
        row("nearest 10 by scan of all", "\(short(scan * 1e6, 0)) µs")
        move(&grid, places, &work)
    }

    /// Bits 0 to 3 are carried by every 2nd, 10th, 100th and 1000th entity.
    private func signature(_ handle: Int) -> UInt64 {
        [2, 10, 100, 1000].enumerated().reduce(1 << 63) { $0 | (handle % $1.element == 0 ? 1 << UInt64($1.offset) : 0) }
    }

    private func search(
        _ name: String, _ grid: borrowing Grid, _ origins: [Coordinate], _ ids: Identifiers, _ query: NearestQuery
    ) {
        var found = 0
        for origin in origins.prefix(origins.count / 10) {
            found += grid.nearest(query, to: origin, ids: ids).neighbours.count
        }
        found = 0
        let time = ContinuousClock().measure {
            for origin in origins { found += grid.nearest(query, to: origin, ids: ids).neighbours.count }
        }
        row(
            name, "\(short(time.seconds * 1e6 / Double(origins.count))) µs",
            "\(short(Double(found) / Double(origins.count), 1)) found")
    }

    /// The naive rival, whose answers the index must give too.
    private func scan(_ places: [Coordinate], _ origins: [Coordinate], _ ids: Identifiers, _ grid: borrowing Grid)
        throws -> Double
    {
        let all = places.enumerated().map { Neighbour(handle: Int32($0.offset), place: $0.element) }
        let some = origins.prefix(max(2, 2_000_000 / places.count))
        var answers: [[Neighbour]] = []
        let time = ContinuousClock().measure {
            for origin in some {
                answers.append(Scan.nearest(NearestQuery(limit: 10), to: origin, among: all, ids: ids))
            }
        }
        for (origin, answer) in zip(some, answers) {
            guard grid.nearest(NearestQuery(limit: 10), to: origin, ids: ids).neighbours == answer else {
                throw CleanExit.message("the index and the scan disagree at \(origin)")
            }
        }
        return time.seconds / Double(some.count)
    }

    private func move(_ grid: inout Grid, _ places: [Coordinate], _ work: inout Work) {
        let moving = min(200_000, places.count)
        var dice = work.dice
        let moves = places.prefix(moving).map { dice.jittered($0, metres: 500) }
        let time = ContinuousClock().measure {
            for (handle, place) in moves.enumerated() {
                grid.upsert(Int32(handle), at: place, signature: signature(handle))
            }
        }
        row("move by up to 500 m", "\(short(time.seconds * 1e9 / Double(moving), 0)) ns")
    }
}
