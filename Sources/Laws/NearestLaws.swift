import Geo

extension Law {
    /// The laws of the index.
    public static let index: [Law] = [
        Law("nearest finds what a scan finds, in the same order") { random in
            let world = try World(&random, upTo: random.chance(0.1) ? 1500 : 250)
            for _ in 0..<4 {
                let origin = world.origin(&random)
                let query = random.query(around: origin, in: world)
                try world.compare(query, origin)
            }
        },
        Law("the grid's invariants hold after every change") { random in
            let world = try World(&random, upTo: random.chance(0.005) ? 2000 : 150, isChecked: true)
            try world.compare(random.query(around: world.origin(&random), in: world), world.origin(&random))
        },
        Law("no bound of a cell exceeds the chord to anything in it") { random in
            let world = try World(&random, upTo: random.chance(0.01) ? 2000 : 200)
            for _ in 0..<4 {
                if let fault = world.grid.brokenBound(from: world.origin(&random)) { throw Broken(fault) }
            }
        },
        Law("a scan of candidates finds what the index finds") { random in
            let world = try World(&random, upTo: 200)
            let origin = world.origin(&random)
            var query = random.query(around: origin, in: world)
            query.filter = SignatureFilter()
            let all = world.reference.places.map { Neighbour(handle: $0.key, place: $0.value) }
            let scanned = Scan.nearest(query, to: origin, among: all, ids: world.ids)
            let expected = world.reference.nearest(query, to: origin, ids: world.ids)
            try demand(scanned == expected, "\(query) from \(origin): \(scanned) instead of \(expected)")
            let modulus = Int32(random.integer(1...3))
            var points = Points()
            for entity in all { points.put(entity.handle, at: entity.place) }
            // Handles without an entity are skipped.
            let some = points.nearest(
                query, to: origin, among: 0..<Int32(world.ids.handleLimit) + 9, of: world.grid, ids: world.ids
            ) { handle, _ in handle % modulus == 0 }.neighbours
            let wanted = world.reference.nearest(query, to: origin, ids: world.ids) { $0 % modulus == 0 }
            try demand(some == wanted, "\(query) from \(origin), known: \(some) instead of \(wanted)")
        },
        Law("a final filter is applied to every candidate, and loses no result") { random in
            let world = try World(&random, upTo: 250)
            let origin = world.origin(&random)
            let query = random.query(around: origin, in: world)
            let modulus = Int32(random.integer(1...20))
            let answer = world.grid.nearest(query, to: origin, ids: world.ids) { handle, _ in
                handle % modulus == 0
            }.neighbours
            let expected = world.reference.nearest(query, to: origin, ids: world.ids) { $0 % modulus == 0 }
            try demand(answer == expected, "\(query) from \(origin): \(answer) instead of \(expected)")
        },
        Law("clusters contain each entity of an area once, in its cell, although others change between the parts") {
            random in
            var world = try World(&random, upTo: 250)
            let region = random.region(around: world.origin(&random))
            var filter = SignatureFilter()
            if random.chance(0.5) { filter.demand(anyOf: random.next()) }
            let level = random.integer(0...30)
            var expected: [CubeCell: Int] = [:]
            for (handle, place) in world.reference.places where region.contains(place) {
                guard let signature = world.grid.signature(of: handle), filter.matches(signature) else { continue }
                expected[CubeCell(containing: place, level: level), default: 0] += 1
            }
            // Leaves are split and merged again where entities come and go.
            let (others, spots) = (Int32(10_000), world.reference.places.sorted { $0.key < $1.key }.map(\.value))
            var clusters = GridClusters(in: region, filter, level: level)
            var (steps, parts) = (0, 0)
            while !clusters.walk(world.grid, steps: &steps, most: 0, where: { handle, _ in handle < others }) {
                let areComing = random.chance(0.5)
                for other in 0..<Int32(spots.isEmpty ? 0 : 200) {
                    if areComing {
                        world.grid.upsert(
                            others + other, at: random.jittered(random.pick(spots), metres: 100), signature: .max)
                    } else {
                        world.grid.remove(others + other)
                    }
                }
                (steps, parts) = (random.integer(-50...(-15)), parts + 1)
                try demand(parts < 10_000, "the walk does not end")
            }
            try demand(
                clusters.clusters.mapValues(\.count) == expected, "\(clusters.clusters) instead of \(expected)")
        },
        Law("a search that exceeds its budget resumes to the same answer, and ends") { random in
            let world = try World(&random, upTo: 250)
            let origin = world.origin(&random)
            var query = random.query(around: origin, in: world)
            query.limit = min(query.limit, 100)
            let modulus = Int32(random.integer(1...20))
            let expected = world.reference.nearest(query, to: origin, ids: world.ids) { $0 % modulus == 0 }
            query.maxSteps = random.integer(0...300)
            var found: [Neighbour] = []
            while true {
                let answer = world.grid.nearest(query, to: origin, ids: world.ids) { handle, steps in
                    steps += 7
                    return handle % modulus == 0
                }
                try demand(answer.steps <= query.maxSteps + 40, "\(answer.steps) of \(query.maxSteps) steps")
                found += answer.neighbours
                query.limit -= answer.neighbours.count
                guard let next = answer.cutOff, query.limit > 0 else { break }
                // The step limit may be too small to decide anything.
                if next == query.after { query.maxSteps *= 2 }
                query.maxSteps += 1
                query.after = next
            }
            try demand(found == expected, "\(query) from \(origin): \(found) instead of \(expected)")
        },
        Law("a radius includes a place one millimeter within it, and not one a millimeter outside") { random in
            let world = try World(&random, upTo: 100)
            let origin = world.origin(&random)
            for (handle, place) in world.reference.places.sorted(by: { $0.key < $1.key }).prefix(20) {
                let distance = Geodesic.distance(from: origin, to: place)
                var query = NearestQuery(limit: .max)
                query.within = distance + 0.001
                let found = world.grid.nearest(query, to: origin, ids: world.ids).neighbours
                try demand(found.contains { $0.handle == handle }, "\(place) not within \(query.within) of \(origin)")
                guard distance > 0.001 else { continue }
                query.within = distance - 0.001
                let less = world.grid.nearest(query, to: origin, ids: world.ids).neighbours
                try demand(!less.contains { $0.handle == handle }, "\(place) within \(query.within) of \(origin)")
            }
        },
        Law("moving away and back restores every answer") { random in
            var world = try World(&random, upTo: 200)
            let origin = world.origin(&random)
            let query = random.query(around: origin, in: world)
            let before = world.grid.nearest(query, to: origin, ids: world.ids).neighbours
            let homes = world.reference.places.sorted { $0.key < $1.key }
            for (handle, _) in homes {
                try world.put(handle, at: random.place(), signature: world.reference.signatures[handle] ?? 0)
            }
            for (handle, place) in homes {
                try world.put(handle, at: place, signature: world.reference.signatures[handle] ?? 0)
            }
            let after = world.grid.nearest(query, to: origin, ids: world.ids).neighbours
            try demand(before == after, "\(query) from \(origin): \(after) instead of \(before)")
        },
        Law("a copy gives the same answers and is independent") { random in
            var world = try World(&random, upTo: 200)
            let copy = world.grid.copy()
            let origin = world.origin(&random)
            let query = random.query(around: origin, in: world)
            let before = world.grid.nearest(query, to: origin, ids: world.ids).neighbours
            for handle in world.reference.places.keys.sorted().prefix(50) { try world.remove(handle) }
            let kept = copy.nearest(query, to: origin, ids: world.ids).neighbours
            try demand(kept == before, "the copy changed with the original")
            try world.compare(query, origin)
        },
        Law("all pages together are the whole list, although others move in the meantime") { random in
            var world = try World(&random, upTo: 300)
            let origin = world.origin(&random)
            var query = random.query(around: origin, in: world)
            query.limit = random.integer(1...40)
            query.after = nil
            query.maxScan = random.pick([1, 20, 200, .max])
            let moving = Set(world.reference.places.keys.filter { _ in random.chance(0.2) })
            var whole = query
            whole.limit = .max
            let expected = world.reference.nearest(whole, to: origin, ids: world.ids).filter {
                !moving.contains($0.handle)
            }
            var found: [Neighbour] = []
            for _ in 0..<10_000 {
                let answer = world.grid.nearest(query, to: origin, ids: world.ids)
                found += answer.neighbours.filter { !moving.contains($0.handle) }
                guard let next = world.next(after: answer, query, origin) else {
                    return try demand(found == expected, "\(query) from \(origin): \(found) instead of \(expected)")
                }
                query.after = next
                for handle in moving where random.chance(0.3) {
                    try world.put(handle, at: random.place(), signature: .max)
                }
            }
            throw Broken("the pages never end: \(query) from \(origin)")
        },
        Law("an answer that was cut off contains only results that no unseen one can precede") { random in
            let world = try World(&random, upTo: 400)
            let origin = world.origin(&random)
            var query = random.query(around: origin, in: world)
            query.maxScan = random.integer(0...60)
            let answer = world.grid.nearest(query, to: origin, ids: world.ids)
            let expected = world.reference.nearest(query, to: origin, ids: world.ids)
            try demand(answer.neighbours == Array(expected.prefix(answer.neighbours.count)), "not the first of all")
            guard let end = answer.cutOff else {
                return try demand(answer.neighbours == expected, "not cut off, but incomplete")
            }
            let missed = expected.dropFirst(answer.neighbours.count).first
            let nearest = missed.map { Geodesic.micrometres(from: origin, to: $0.place) } ?? .max
            try demand(nearest >= end.micrometres, "\(nearest) µm was left out before the cut at \(end.micrometres) µm")
        },
    ]
}

extension World {
    func compare(_ query: NearestQuery, _ origin: Coordinate) throws {
        let answer = grid.nearest(query, to: origin, ids: ids)
        let expected = reference.nearest(query, to: origin, ids: ids)
        try demand(
            answer.neighbours == expected && answer.cutOff == nil,
            "\(query) from \(origin) among \(reference.places.count): \(answer.neighbours) instead of \(expected)")
    }

    func next(after answer: NearestAnswer, _ query: NearestQuery, _ origin: Coordinate) -> KeysetPosition? {
        if let cutOff = answer.cutOff { return cutOff }
        guard answer.neighbours.count == query.limit, let last = answer.neighbours.last else { return nil }
        return KeysetPosition(
            micrometres: Geodesic.micrometres(from: origin, to: last.place), id: ids.id(of: last.handle))
    }
}

extension SeededGenerator {
    /// A query with a random selection of all conditions.
    mutating func query(around origin: Coordinate, in world: borrowing World) -> NearestQuery {
        var query = NearestQuery(limit: pick([1, 2, 10, 100, max(1, world.reference.places.count), 1_000_000]))
        let distances = world.reference.places.values.map { Geodesic.distance(from: origin, to: $0) }
        let known = distances.isEmpty ? 1000 : pick(distances.sorted())
        if chance(0.3) { query.within = pick([0, known, known * 1.5, 1000, 1e5, 2e7, 2.1e7]) }
        if chance(0.2) { query.beyond = pick([known, known / 2, 1, 1e5]) }
        if chance(0.2) { query.after = KeysetPosition(micrometres: Int64(known * 1e6), id: pick(["", "5", "999-1"])) }
        for _ in 0..<integer(0...2) { query.filter.demand(anyOf: pick([1, next(), next() & next() & next()])) }
        if chance(0.3) { query.region = region(around: chance(0.5) ? origin : place()) }
        return query
    }

    /// A box or a polygon, often one across the 180° meridian or around a pole.
    mutating func region(around centre: Coordinate) -> Region {
        let height = pick([0.01, 1, 30, 100])
        let width = pick([0.01, 1, 30, 200, 359])
        let south = max(-90, centre.latitude - height * number(0..<1))
        let north = min(90, south + height)
        let west = centre.longitude - width * number(0..<1)
        let east = west + width
        func wrapped(_ longitude: Double) -> Double {
            longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
        }
        if chance(0.5), west >= -180, east <= 180, width < 180,
            let polygon = try? Polygon(rings: [
                [(west, south), (east, south), ((west + east) / 2, north), (west, north), (west, south)]
            ])
        {
            return .polygons([polygon])
        }
        guard let box = try? Box(west: wrapped(west), south: south, east: wrapped(east), north: north) else {
            preconditionFailure("\(west) \(south) \(east) \(north) is a box")
        }
        return .box(box)
    }
}
