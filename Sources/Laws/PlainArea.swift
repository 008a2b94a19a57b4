internal import Geo

/// The reference for areas: checks every edge of every polygon.
///
/// It takes no shortcuts.
package struct PlainArea {
    package typealias Vertex = (longitude: Double, latitude: Double)

    /// Polygons, each with its outer ring and its holes.
    package var polygons: [[[Vertex]]] = []

    /// The index's form of the area; nil if it is invalid.
    var region: Region? {
        let made = polygons.compactMap { try? Polygon(rings: $0) }
        return made.count == polygons.count ? .polygons(made) : nil
    }

    func contains(_ place: Coordinate) -> Bool { polygons.contains { Self.holds($0, place) } }

    private static func holds(_ rings: [[Vertex]], _ place: Coordinate) -> Bool {
        let lattice = rings.map { $0.map { (x: units($0.longitude), y: units($0.latitude)) } }
        let (x, y) = (units(place.longitude), units(place.latitude))
        if abs(y) == 900_000_000 { return lattice[0].contains { $0.y == y } }
        // 180° is both edges of the plane.
        return holds(lattice, x, y) || x == 1_800_000_000 && holds(lattice, -x, y)
    }

    private static func units(_ degrees: Double) -> Int64 { Int64((degrees * 1e7).rounded()) }

    private static func holds(_ rings: [[(x: Int64, y: Int64)]], _ x: Int64, _ y: Int64) -> Bool {
        for (number, ring) in rings.enumerated() {
            var isInside = false
            for (a, b) in zip(ring, ring.dropFirst()) {
                let (left, right) = ((b.x - a.x) * (y - a.y), (x - a.x) * (b.y - a.y))
                let isBeside = x < min(a.x, b.x) || x > max(a.x, b.x) || y < min(a.y, b.y) || y > max(a.y, b.y)
                if left == right, !isBeside { return true }
                if (a.y > y) != (b.y > y), (right < left) == (b.y > a.y) { isInside.toggle() }
            }
            if isInside != (number == 0) { return false }
        }
        return true
    }
}

extension SeededGenerator {
    /// Polygons of any shape; some are self-intersecting, overlap each other, or reach 180° or a pole.
    mutating func area() -> PlainArea {
        let step = pick([1, 0.25, 0.000_000_1])
        return PlainArea(
            polygons: (0..<pick([1, 1, 2, 40])).map { _ in
                let middle = (integer(-200...200), integer(-100...100))
                return (0..<pick([1, 1, 2, 20])).map { _ in ring(around: middle, step: step) }
            })
    }

    private mutating func ring(around middle: (Int, Int), step: Double) -> [PlainArea.Vertex] {
        let reach = pick([2, 10, 60])
        let count = pick([3, 4, 9, 40, 300])
        let isComb = chance(0.3)
        // Random places would rarely hit the border of a thin area.
        var ring = (0..<count).map { number -> PlainArea.Vertex in
            let across = isComb ? number * reach / count : integer(-reach...reach)
            let along = isComb ? (number.isMultiple(of: 2) ? -reach : reach) : integer(-reach...reach)
            return (
                max(-180, min(180, Double(middle.0 + across) * step)),
                max(-90, min(90, Double(middle.1 + along) * step))
            )
        }
        ring.append(ring[0])
        return ring
    }

    /// A place in an area, on its border, near it or anywhere.
    mutating func place(of area: PlainArea) -> Coordinate {
        let ring = pick(pick(area.polygons))
        let (a, b) = (pick(ring), pick(ring))
        let (longitude, latitude) = pick([
            a, ((a.longitude + b.longitude) / 2, (a.latitude + b.latitude) / 2), (a.longitude, b.latitude),
            (pick([180, -180]), a.latitude), (a.longitude, pick([90, -90])),
        ])
        let place = try? Coordinate(latitude: latitude, longitude: longitude)
        return chance(0.1) ? self.place() : place ?? self.place()
    }
}
