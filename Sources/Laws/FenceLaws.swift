import Geo

extension Law {
    /// The laws of fenced areas and of their index.
    public static let fences: [Law] = [
        Law("a fenced area contains a place exactly if a test of all edges does") { random in
            let fence = random.fence()
            guard let area = fence.area else { return }
            for _ in 0..<4 {
                let place = random.place(of: fence)
                var steps = 0
                let got = area.contains(place, steps: &steps)
                if let isHeld = fence.contains(place) { try demand(got == isHeld, "\(fence) and \(place): \(got)") }
                try demand(steps > 0, "\(steps) steps")
            }
        },
        Law("the distance to a border is never too large, and at most a hundredth too small") { random in
            let fence = random.fence()
            guard let area = fence.area else { return }
            for _ in 0..<2 {
                let place = random.place(of: fence)
                let distance = fence.distanceToBorder(from: place)
                let (least, most) = (distance.lowerBound * 0.99 - 0.02, distance.upperBound + 0.02)
                var steps = 0
                let got = area.distanceToBorder(from: place, upTo: .infinity, steps: &steps)
                try demand(got <= most && (got >= least || most > 1e7), "\(got) not \(distance): \(place) \(fence)")
                let limit = random.pick([0, got / 2, got * 1.5, 500])
                guard limit.isFinite else { continue }
                let limited = area.distanceToBorder(from: place, upTo: limit, steps: &steps)
                try demand(
                    limited <= min(most, limit) && limited >= min(limit, 0.995 * got - 0.02),
                    "\(limited) up to \(limit), \(got) without limit: \(place) \(fence)")
                let isOutside = area.isOutside(place, by: limit, steps: &steps)
                let isHeld = area.contains(place, steps: &steps)
                try demand(
                    isOutside ? !isHeld && limit <= most : isHeld || limit >= least || most > 1e7,
                    "outside by \(limit) is \(isOutside), not \(distance): \(place) \(fence)")
            }
        },
        Law("the parts of a segment within an area agree with points sampled along it") { random in
            let fence = random.fence()
            guard let area = fence.area else { return }
            let start = random.place(of: fence)
            let end =
                random.chance(0.7)
                ? random.place(of: fence) : random.jittered(start, metres: random.pick([0, 100, 1e5]))
            let length = Geodesic.distance(from: start, to: end)
            let tolerance = max(0.5, length / 300)
            var steps = 0
            let parts = area.passages(from: start, to: end, tolerance: tolerance, steps: &steps)
            for (part, next) in zip(parts, parts.dropFirst()) {
                try demand(part.upperBound < next.lowerBound, "\(parts)")
            }
            try demand(parts.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= 1 }, "\(parts)")
            let bearing = Geodesic.bearing(from: start, to: end)
            for _ in 0..<30 {
                let metres = random.number(0..<1) * length
                let place = Geodesic.destination(from: start, bearing: bearing, metres: metres)
                let got = parts.contains { $0.contains(metres / max(length, 1e-9)) }
                guard got != area.contains(place, steps: &steps) else { continue }
                // Only near the border may a part begin too early or be too short.
                let border = area.distanceToBorder(from: place, upTo: .infinity, steps: &steps)
                try demand(
                    border <= tolerance + 0.1, "from \(start) to \(end) at \(metres) of \(length): \(parts) \(fence)")
            }
        },
        Law("a place inside polygons is in them") { random in
            guard case .polygons(let plain) = random.fence().shape else { return }
            let polygons = plain.polygons.compactMap { try? Polygon(rings: $0) }
            guard let place = polygons.placeInside else { return }
            try demand(plain.contains(place), "\(place) is not in \(plain)")
        },
        Law("an index of areas finds what a scan finds") { random in
            var world = FenceWorld(&random)
            let kept = world
            try world.check(&random)
            try world.walk(&random)
            world.change(&random)
            try world.check(&random)
            try world.walk(&random)
            try kept.check(&random)
            for number in world.areas.keys { world.index.remove(number) }
            var (steps, none) = (0, 0)
            let place = random.place()
            let found = world.index.containing(place, steps: &steps)
            _ = AreaIndex().containing(place, steps: &none)
            try demand(found.isEmpty && world.index.count == 0 && steps == none, "\(found) in \(steps) steps")
        },
    ]
}

/// An index of areas, and the same areas in a table.
private struct FenceWorld {
    var index = AreaIndex()
    var areas: [UInt32: FencedArea] = [:]
    private var fences: [PlainFence] = []
    private var near: NearAreas?

    init(_ random: inout SeededGenerator) {
        for _ in 0..<random.integer(1...3) { change(&random) }
    }

    mutating func change(_ random: inout SeededGenerator) {
        for _ in 0..<random.integer(0...8) {
            let number = UInt32(random.integer(0...20))
            let fence = random.fence()
            if random.chance(0.3) {
                if let area = areas[number], random.chance(0.5) {
                    index.remove(number, coveredBy: CoveredArea(area))
                } else {
                    index.remove(number)
                }
                areas[number] = nil
            } else if let area = fence.area {
                index.insert(area, as: number)
                areas[number] = area
                fences.append(fence)
            }
        }
    }

    func check(_ random: inout SeededGenerator) throws {
        let numbers = areas.keys.sorted()
        try demand(index.count == numbers.count, "\(index.count) of \(numbers.count)")
        let other = areas.sorted { $0.key < $1.key }.reduce(into: AreaIndex()) { $0.insert($1.value, as: $1.key) }
        for _ in 0..<4 {
            let place = place(&random)
            var steps = 0
            let held = numbers.filter { areas[$0]?.contains(place, steps: &steps) ?? false }
            let found = index.containing(place, steps: &steps)
            try demand(found == held, "\(found) instead of \(held) contain \(place): \(fences)")
            let near = index.covering(place, atMost: held.count + 21, steps: &steps) ?? []
            try demand(Set(near).isSuperset(of: held), "\(near) may contain \(place), but \(held) do: \(fences)")
            let tooMany = index.covering(place, atMost: near.count - 1, steps: &steps)
            try demand(near.isEmpty || tooMany == nil, "\(near.count) are not more than \(near.count - 1)")
            let even = index.containing(place, steps: &steps) { $0.isMultiple(of: 2) }
            try demand(even == held.filter { $0.isMultiple(of: 2) }, "\(even) of \(held) contain \(place): \(fences)")
            let limit = random.pick([100, 10_000, 1e6, 1e7])
            let next = index.distanceToNextBorder(from: place, upTo: limit, steps: &steps)
            let nearest = areas.values.reduce(limit) {
                min($0, $1.distanceToBorder(from: place, upTo: limit, steps: &steps))
            }
            try demand(
                abs(next - nearest) <= 0.01 * nearest + 0.05,
                "\(next), not \(nearest) up to \(limit) from \(place): \(fences)")
            let end = random.jittered(place, metres: random.pick([0, 100, 1e4, 1e6, 1e7]))
            let margin = random.pick([0, 50, 1e4])
            let touched = index.mayTouch(from: place, to: end, margin: margin, steps: &steps)
            try checkWay(from: place, to: end, margin, touched)
            try checkBound(from: place, to: end, margin, touched, other, &random)
        }
    }

    /// Checks that a search ends at its limit of steps, and takes equal steps in an index built in another order.
    private func checkBound(
        from start: Coordinate, to end: Coordinate, _ margin: Double, _ touched: [UInt32], _ other: AreaIndex,
        _ random: inout SeededGenerator
    ) throws {
        var (steps, others, spent) = (0, 0, 0)
        let whole = index.mayTouch(from: start, to: end, margin: margin, atMost: nil, steps: &steps)
        let same = other.mayTouch(from: start, to: end, margin: margin, atMost: nil, steps: &others)
        try demand(
            whole == touched && same == touched && steps == others, "\(others), not \(steps) steps: \(fences)")
        let most = random.integer(0...steps)
        let found = index.mayTouch(from: start, to: end, margin: margin, atMost: most, steps: &spent)
        try demand(found == nil ? most < steps : found == touched, "\(most) of \(steps) steps suffice: \(fences)")
        try demand(spent <= most + 1_000, "\(spent) steps, not \(most)")
    }

    /// Walks along random legs, while cached nearby areas are reused.
    mutating func walk(_ random: inout SeededGenerator) throws {
        var place = place(&random)
        for _ in 0..<random.integer(1...8) {
            let end = random.jittered(place, metres: random.pick([0, 10, 500, 2000, 1e5]))
            var steps = 0
            try checkWay(from: place, to: end, 0, index.mayTouch(from: place, to: end, keeping: &near, steps: &steps))
            place = end
            let limit = random.pick([100, 500, 1400, 1e5])
            let next = index.distanceToNextBorder(from: place, upTo: limit, steps: &steps)
            let got = index.distanceToNextBorder(from: place, upTo: limit, keeping: &near, steps: &steps) { _ in true }
            try demand(abs(next - got) <= 0.01 * next + 0.05, "\(got), not \(next) from \(place): \(fences)")
            let cap = Cap(around: place, metres: limit)
            try checkClear(around: cap, place, index.clearance(about: cap, keeping: &near, steps: &steps))
            for area in areas.values { try checkClear(around: cap, place, area.clearance(of: cap.centre), [area]) }
        }
    }

    /// Demands that no area is closer than the clearance, and that an empty index has twice the searched radius, which a
    /// cache reaches at least.
    private func checkClear(
        around cap: Cap, _ place: Coordinate, _ clear: Double, _ some: [FencedArea]? = nil
    ) throws {
        try demand(!areas.isEmpty || clear >= 1.99 * cap.radius || cap.radius > 1_500, "\(clear) where nothing is")
        for area in some ?? Array(areas.values) where clear >= 0 {
            var steps = 0
            let isInside = area.contains(place, steps: &steps)
            let border = area.distanceToBorder(from: place, upTo: 1e7, steps: &steps)
            let isClear = !isInside && border >= 0.98 * min(clear, 1e7) - 0.1
            try demand(isClear, "\(border) is less than \(clear): \(fences)")
        }
    }

    private func checkWay(from start: Coordinate, to end: Coordinate, _ margin: Double, _ touched: [UInt32]) throws {
        var steps = 0
        try demand(touched == Set(touched).sorted(), "\(touched)")
        let length = Geodesic.distance(from: start, to: end)
        let bearing = Geodesic.bearing(from: start, to: end)
        for share in [0, 0.2, 0.5, 0.9, 1] {
            let place = Geodesic.destination(from: start, bearing: bearing, metres: share * length)
            for (number, area) in areas
            where area.contains(place, steps: &steps)
                || area.distanceToBorder(from: place, upTo: margin, steps: &steps) < margin * 0.98 - 0.1
            {
                try demand(
                    touched.contains(number), "\(number) is on the way from \(start) to \(end), \(margin): \(fences)")
            }
        }
    }

    private func place(_ random: inout SeededGenerator) -> Coordinate {
        guard !fences.isEmpty, random.chance(0.8) else { return random.place() }
        return random.place(of: random.pick(fences))
    }
}
