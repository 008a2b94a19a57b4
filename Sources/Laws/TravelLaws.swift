import Geo

extension Law {
    /// The laws of reachable places between two fixes, and of cells that cover a circle.
    public static let travel: [Law] = [
        Law("no place reachable from both ends is farther from their segment than the bound") { random in
            let start = random.place()
            let end = random.pick([
                random.place(), random.jittered(start, metres: random.pick([1, 1000, 1e5, 1e6])), start,
            ])
            let length = Geodesic.distance(from: start, to: end)
            let along = length * random.pick([0, 1, random.number(0..<1), random.number(0..<1)])
            let between = Geodesic.destination(
                from: start, bearing: Geodesic.bearing(from: start, to: end), metres: along)
            let near = random.pick([start, end, between])
            let place = random.jittered(near, metres: random.pick([10, length + 1, 1e6, 1.9e7]))
            let reach = (Geodesic.distance(from: start, to: place), Geodesic.distance(from: end, to: place))
            let more = random.pick([0, 0, 10, 1e4])
            let bound = Reach.farthest(from: along, ofGeodesic: length, within: reach.0, and: reach.1 + more)
            let found = Geodesic.distance(from: between, to: place)
            try demand(
                found <= bound + 0.03, "\(start) \(end) at \(along) of \(length), \(place): \(found), bound \(bound)")
            try demand(bound <= min(along + reach.0, length - along + reach.1 + more) + 1e-6, "worse than adding up")
        },
        Law("the bound of reach is tight: on a line, beside it, and where one end does not limit it") { random in
            let start = random.place()
            let bearing = random.number(0..<360)
            let length = random.number(1..<20_000)
            let end = Geodesic.destination(from: start, bearing: bearing, metres: length)
            let middle = Geodesic.destination(from: start, bearing: bearing, metres: length / 2)
            let aside = random.number(1..<20_000)
            let place = Geodesic.destination(
                from: middle, bearing: Geodesic.bearing(from: middle, to: end) + 90, metres: aside)
            let bound = Reach.farthest(
                from: length / 2, ofGeodesic: length, within: Geodesic.distance(from: start, to: place),
                and: Geodesic.distance(from: end, to: place))
            // A centimeter along the sides is more across them.
            let slack = 0.02 * (1 + length / aside) + aside * 1e-4
            try demand(abs(bound - aside) < slack, "\(aside) m beside the middle of \(length): \(bound)")
            let exact = Reach.farthest(from: length / 3, ofGeodesic: length, within: length / 3, and: length * 2 / 3)
            try demand(exact < 1, "there is only one place, not \(exact) m")
            let alone = Reach.farthest(from: length / 3, ofGeodesic: length, within: 5, and: .infinity)
            try demand(abs(alone - length / 3 - 5) < 1e-6, "\(alone) of \(length)")
        },
        Law("a cover contains every place of its circle, and public cells of people beyond the border") { random in
            let centre = random.place()
            let radius = random.pick([0, 1, 500, 10_000, 1e6, 1.2e7, 2.01e7])
            let (level, count) = (random.integer(0...14), random.pick([6, 16, 64, 300]))
            let overhang = random.pick([0, 0.15])
            let cover = CubeCell.cover(
                around: centre, within: radius, level: level, count: count, overhang: overhang)
            try demand(cover.count <= max(6, count) && Set(cover).count == cover.count, "\(cover.count) cells")
            let circle = Circle(centre, radius)
            for _ in 0..<8 {
                let place = random.jittered(centre, metres: radius)
                guard circle.contains(place) else {
                    try demand(Geodesic.distance(from: centre, to: place) > radius, "\(place) \(radius) of \(centre)")
                    continue
                }
                try demand(cover.contains { $0.contains(place) }, "\(place) within \(radius) of \(centre)")
                // A cell beyond whose border the place lies by at most the overhang.
                let other = CubeCell(containing: random.jittered(place, metres: 1500), level: 13)
                guard overhang > 0, level <= 13, other.overshoot(of: place) <= overhang else { continue }
                try demand(
                    cover.contains { $0.family.contains(other.id) }, "\(other.id) of \(place) near \(centre) \(radius)")
                try demand(circle.mayTouch(other, overhang), "\(other.id) of \(place) near \(centre) \(radius)")
            }
            if let first = cover.first, first.level < level {
                try demand(
                    CubeCell.cover(
                        around: centre, within: radius, level: first.level + 1, count: .max, overhang: overhang
                    ).count > count, "\(first.level) could be finer")
            }
        },
        Law("a family contains the cell, its children and theirs, and no others") { random in
            let cell = CubeCell(containing: random.place(), level: random.integer(0...28))
            let children = cell.children
            try demand(
                Set(children).count == 4 && children.allSatisfy { $0.ancestor(cell.level) == cell }, "\(cell.id)")
            for child in children + children.flatMap(\.children) + [cell] {
                try demand(cell.family.contains(child.id), "\(child.id) of \(cell.id)")
            }
            let other = CubeCell(containing: random.place(), level: random.integer(cell.level...30))
            try demand(
                cell.family.contains(other.id) == (other.ancestor(cell.level) == cell), "\(other.id) and \(cell.id)")
        },
    ]
}
