package import Geo

/// The reference for fenced areas: walks along every edge, and measures every distance with Karney's geodesic.
///
/// It takes no shortcuts.
package struct PlainFence {
    package enum Shape {
        case circle(Coordinate, Double)
        case polygons(PlainArea)
        case corridor([Coordinate], Double)
    }

    typealias Degrees = (latitude: Double, longitude: Double)

    package var shape: Shape

    /// The index's form of the area; nil if it is invalid.
    var area: FencedArea? {
        switch shape {
        case .circle(let centre, let metres): return .circle(centre, metres: metres)
        case .corridor(let line, let metres): return .corridor(line, metres: metres)
        case .polygons(let plain):
            let made = plain.polygons.compactMap { try? Polygon(rings: $0) }
            return made.count == plain.polygons.count ? .polygons(made) : nil
        }
    }

    /// Whether the area contains a place; nil if it is too near a corridor's border to decide.
    package func contains(_ place: Coordinate) -> Bool? {
        switch shape {
        case .circle(let centre, let metres): return Geodesic.distance(from: centre, to: place) <= metres
        case .polygons(let plain): return plain.contains(place)
        case .corridor(let line, let metres):
            let distance = Self.distance(from: place, to: line)
            return abs(distance - metres) < 0.006 ? nil : distance < metres
        }
    }

    /// Lower and upper bound of the distance to the border, in meters.
    func distanceToBorder(from place: Coordinate) -> ClosedRange<Double> {
        switch shape {
        case .circle(let centre, let metres): return exactly(abs(Geodesic.distance(from: centre, to: place) - metres))
        case .corridor(let line, let metres): return exactly(abs(Self.distance(from: place, to: line) - metres))
        case .polygons(let plain):
            var (least, most) = (Double.infinity, Double.infinity)
            for ring in plain.polygons.joined() {
                for (a, b) in zip(ring, ring.dropFirst()) {
                    let (metres, slack) = Self.distance(from: place, toEdge: a, b, of: plain)
                    (least, most) = (min(least, max(0, metres - slack)), min(most, metres))
                }
            }
            return least...most
        }
    }

    private func exactly(_ metres: Double) -> ClosedRange<Double> { metres...metres }

    private static func distance(
        from place: Coordinate, toEdge a: PlainArea.Vertex, _ b: PlainArea.Vertex, of plain: PlainArea
    ) -> (metres: Double, slack: Double) {
        func point(_ share: Double) -> Degrees {
            (a.latitude + share * (b.latitude - a.latitude), a.longitude + share * (b.longitude - a.longitude))
        }
        if abs(a.latitude) == 90, a.latitude == b.latitude { return (.infinity, 0) }
        guard abs(a.longitude) == 180, a.longitude == b.longitude else { return (shortest(from: place, to: point), 0) }
        // Parts of the 180° meridian with the area on both sides are not a border.
        let shares = (0...200).map { Double($0) / 200 }
        let border = shares.filter { share in
            let sides = [179.999_999_9, -179.999_999_9].map {
                (try? Coordinate(latitude: point(share).latitude, longitude: $0)).map(plain.contains) ?? false
            }
            return !sides[0] || !sides[1]
        }
        let step = abs(b.latitude - a.latitude) / 200 * 112_000
        return (border.map { distance(from: place, to: point($0)) }.min() ?? .infinity, step)
    }

    /// The distance in meters of a place from a line of geodesics.
    private static func distance(from place: Coordinate, to line: [Coordinate]) -> Double {
        let alone = line.map { Geodesic.distance(from: place, to: $0) }.min() ?? .infinity
        return zip(line, line.dropFirst()).reduce(alone) { nearest, ends in
            let length = Geodesic.distance(from: ends.0, to: ends.1)
            let bearing = Geodesic.bearing(from: ends.0, to: ends.1)
            return min(
                nearest,
                shortest(from: place) { share in
                    let place = Geodesic.destination(from: ends.0, bearing: bearing, metres: share * length)
                    return (place.latitude, place.longitude)
                })
        }
    }

    /// The distance of a place from a curve, by sampling and ternary search.
    private static func shortest(from place: Coordinate, to point: (Double) -> Degrees) -> Double {
        let count = 40
        let tries = (0...count).map { distance(from: place, to: point(Double($0) / Double(count))) }
        // Both ends of a parallel may be the same place.
        let nearest = tries.indices.sorted { tries[$0] < tries[$1] }.prefix(2)
        return nearest.reduce(.infinity) { shortest, nearest in
            var (low, high) = (Double(max(0, nearest - 1)) / 40, Double(min(count, nearest + 1)) / 40)
            for _ in 0..<50 {
                let (a, b) = (low + (high - low) / 3, high - (high - low) / 3)
                if distance(from: place, to: point(a)) < distance(from: place, to: point(b)) {
                    high = b
                } else {
                    low = a
                }
            }
            return min(shortest, tries[nearest], distance(from: place, to: point((low + high) / 2)))
        }
    }

    private static func distance(from place: Coordinate, to point: Degrees) -> Double {
        Geodesic.inverse(place.latitude, place.longitude, point.latitude, point.longitude).distance
    }
}

extension SeededGenerator {
    /// An area of any kind and size, often at the 180° meridian or around a pole.
    package mutating func fence() -> PlainFence {
        switch integer(0...4) {
        case 0: return PlainFence(shape: .circle(place(), pick([0, 1, 100, 5000, 1e6, 9e6])))
        case 1: return PlainFence(shape: .corridor(line(), pick([0.5, 50, 2000, 50_000])))
        case 2: return PlainFence(shape: .polygons(PlainArea(polygons: cut())))
        case 3: return PlainFence(shape: .polygons(PlainArea(polygons: [stars(around: place())])))
        default:
            // A hole outside of its polygon has a border that does not separate anything.
            let area = PlainArea(polygons: area().polygons.map { [$0[0]] })
            let count = area.polygons.joined().reduce(0) { $0 + $1.count }
            return count > 60 ? fence() : PlainFence(shape: .polygons(area))
        }
    }

    /// A line that may cross itself, reverse, have zero length, or cross a pole or 180°.
    private mutating func line() -> [Coordinate] {
        var place = place()
        let step = pick([0, 30, 1000, 50_000, 2e6])
        return (0..<integer(1...6)).map { _ in
            defer { place = jittered(place, metres: step) }
            return place
        }
    }

    /// Polygons as GeoJSON cuts a box at the 180° meridian or a cap around a pole, and variants with unequal parts.
    private mutating func cut() -> [[[PlainArea.Vertex]]] {
        func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> [PlainArea.Vertex] {
            [(west, south), (east, south), (east, north), (west, north), (west, south)]
        }
        let (south, height, width) = (Double(integer(-80...70)), pick([0.001, 1, 10]), pick([0.001, 1, 10]))
        let more = pick([0, 0, height / 2])
        switch integer(0...3) {
        case 0: return [[box(-180, 90 - height * 3, 180, 90)]]
        case 1: return [[box(-180, -90, 180, -90 + height)], [box(170, -90 + height, 180, 20)]]
        case 2: return [[box(180 - width, south, 180, south + height), box(180 - width / 2, south, 180, south + more)]]
        default:
            return [
                [box(180 - width, south, 180, south + height)], [box(-180, south + more, -180 + width, south + height)],
            ]
        }
    }

    /// A ring around a place, sometimes with a hole.
    private mutating func stars(around middle: Coordinate) -> [[PlainArea.Vertex]] {
        let size = pick([0.000_01, 0.001, 0.1, 5])
        return [star(around: middle, size)] + (chance(0.3) ? [star(around: middle, size * 0.05)] : [])
    }

    /// A ring around a place with some distant corners.
    private mutating func star(around middle: Coordinate, _ size: Double) -> [PlainArea.Vertex] {
        let count = integer(3...24)
        var ring = (0..<count).map { corner -> PlainArea.Vertex in
            let angle = 2 * Double.pi * Double(corner) / Double(count)
            let out = size * number(0.2..<1)
            let (x, y) = (middle.longitude + out * .cos(angle), middle.latitude + out * .cos(angle - .pi / 2))
            return (max(-180, min(180, x)), max(-90, min(90, y)))
        }
        ring.append(ring[0])
        return ring
    }

    /// A place in an area, on its border, near it or anywhere.
    package mutating func place(of fence: PlainFence) -> Coordinate {
        let near = pick([0, 0.02, 3, 100, 5000, 1e6])
        switch fence.shape {
        case .circle(let centre, let metres):
            let out = pick([0, metres / 2, metres, metres + near])
            return Geodesic.destination(from: centre, bearing: number(0..<360), metres: out)
        case .corridor(let line, let metres): return jittered(pick(line), metres: pick([metres * 1.5, near]))
        case .polygons(let area): return jittered(place(of: area), metres: near)
        }
    }
}
