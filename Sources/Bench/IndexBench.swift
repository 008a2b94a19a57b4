internal import ArgumentParser
internal import Cities
internal import Geo
internal import Laws

/// `tools/bench index`: measures the index in memory, on one thread.
struct IndexBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "index", abstract: "Measure the index in memory.")

    @Option(help: "The numbers of entities, one table each.") var sizes: [Int] = [10_000, 100_000, 1_000_000]
    @Option(help: "The number of queries of each kind.") var queries = 20_000
    @Option(help: "The seed of the workload.") var seed: UInt64 = 1

    func run() async throws {
        print("index on \(Machine.description), one thread, \(queries) queries of each kind, seed \(seed)")
        for size in sizes {
            var work = try Work(seed: seed)
            let places = (0..<size).map { _ in work.place() }
            let origins = (0..<queries).map { _ in work.place() }
            print("\n\(size) entities")
            try await measure(places, origins, &work)
        }
        let cities = Gazetteer().all.map(\.coordinate)
        var work = try Work(seed: seed)
        print("\n\(cities.count) cities of GeoNames, queried from places near them")
        let origins = (0..<queries).map { _ in work.jittered(cities, metres: 5000) }
        try await measure(cities, origins, &work)
    }

    private func measure(_ places: [Coordinate], _ origins: [Coordinate], _ work: inout Work) async throws {
        let size = places.count
        var ids = Identifiers()
        for number in 0..<size { _ = ids.insert("e\(number)") }
        var grid = Grid()
        let build = ContinuousClock().measure {
            for (handle, place) in places.enumerated() {
                grid.upsert(Int32(handle), at: place, signature: signature(handle, place))
            }
        }
        row("build", "\(short(build.seconds * 1e9 / Double(size), 0)) ns each", "\(grid.bytes / size) bytes each")
        let baseline = try await StaticBaseline(places: places, origins: origins)
        if baseline == nil { print("(python3 has no scipy here: without its cKDTree)") }
        for (index, limit) in [1, 10, 100].enumerated() {
            let baselines = baseline.map { "cKDTree \(short($0.microseconds[index]))" }
            search("nearest \(limit)", grid, origins, ids, NearestQuery(limit: limit), baselines ?? "")
        }
        if let baseline { compare(baseline, grid, origins, ids) }
        for metres in [1e3, 1e4, 1e5] {
            var query = NearestQuery(limit: 100)
            query.within = metres
            search("100 within \(Int(metres / 1000)) km", grid, origins, ids, query)
        }
        for (name, bit) in [("50 %", 0), ("10 %", 1), ("1 %", 2), ("0.1 %", 3), ("only far away", 4)] {
            var query = NearestQuery(limit: 10)
            query.filter.demand(anyOf: 1 << UInt64(bit))
            search("nearest 10 of \(name)", grid, bit == 4 ? origins.filter { !isFar($0) } : origins, ids, query)
        }
        let scan = try scan(places, origins, ids, grid)
        row("nearest 10 by scan of all", "\(short(scan * 1e6, 0)) µs")
        move(&grid, places, &work)
    }

    /// Counts the queries whose ten nearest on a sphere differ, or are ordered differently, from those on the
    /// ellipsoid.
    private func compare(
        _ baseline: StaticBaseline, _ grid: borrowing Grid, _ origins: [Coordinate], _ ids: Identifiers
    ) {
        var others = 0
        for (origin, nearest) in zip(origins, baseline.nearest) {
            let exact = grid.nearest(NearestQuery(limit: 10), to: origin, ids: ids).neighbours.map(\.handle)
            if exact != nearest { others += 1 }
        }
        row("the sphere's ten differ", "\(others) of \(baseline.nearest.count)")
    }

    private func isFar(_ place: Coordinate) -> Bool { place.longitude > 100 && place.latitude > 0 }

    /// Bits 0 to 3 are set for every 2nd, 10th, 100th and 1000th entity, bit 4 for every tenth remote one.
    private func signature(_ handle: Int, _ place: Coordinate) -> UInt64 {
        let often = [2, 10, 100, 1000].enumerated().filter { handle % $0.element == 0 }
        let far: UInt64 = handle % 10 == 0 && isFar(place) ? 1 << 4 : 0
        return often.reduce(1 << 63 | far) { $0 | 1 << UInt64($1.offset) }
    }

    private func search(
        _ name: String, _ grid: borrowing Grid, _ origins: [Coordinate], _ ids: Identifiers, _ query: NearestQuery,
        _ baseline: String = ""
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
            "\(short(Double(found) / Double(origins.count), 1)) found", baseline)
    }

    /// The brute-force baseline, whose results the index must equal.
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
        var random = work.random
        let moves = places.prefix(moving).map { random.jittered($0, metres: 500) }
        let time = ContinuousClock().measure {
            for (handle, place) in moves.enumerated() {
                grid.upsert(Int32(handle), at: place, signature: signature(handle, place))
            }
        }
        row("move by up to 500 m", "\(short(time.seconds * 1e9 / Double(moving), 0)) ns")
    }
}
