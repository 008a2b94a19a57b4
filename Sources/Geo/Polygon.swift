/// An area bounded by straight lines in the plane of longitude and latitude, as GeoJSON means it (RFC 7946, 3.1.1).
///
/// The border belongs to the area, that of holes too. An area across the 180° meridian is cut there and given as two
/// polygons (RFC 7946, 3.1.9); one that holds a pole has an edge along it. Containment is exact: integer arithmetic.
public struct Polygon: Hashable, Sendable {
    /// A vertex in 1e-7 degrees; unlike in ``Coordinate``, -180° and 180° are the two ends of the plane.
    struct Vertex: Hashable, Sendable {
        var x, y: Int64
    }

    let rings: [[Vertex]]
    /// The smallest box around the outer ring.
    public let boundingBox: Box

    /// - Parameter rings: the outer ring, then the holes; each a list of (longitude, latitude) in degrees whose last
    ///   position equals its first.
    /// - Throws: ``PolygonError``.
    public init(rings: [[(longitude: Double, latitude: Double)]]) throws(PolygonError) {
        guard let outer = rings.first else { throw .noRing }
        var checked: [[Vertex]] = []
        for (number, ring) in rings.enumerated() {
            checked.append(try Self.check(ring, number))
        }
        self.rings = checked
        let x = checked[0].map(\.x)
        let y = checked[0].map(\.y)
        guard let west = x.min(), let east = x.max(), let south = y.min(), let north = y.max(), west < east,
            south < north
        else { throw .ring(0, vertex: outer.count - 1, .noArea) }
        boundingBox = Box(southE7: Int32(south), westE7: Int32(west), northE7: Int32(north), eastE7: Int32(east))
    }

    private static func check(
        _ ring: [(longitude: Double, latitude: Double)], _ number: Int
    ) throws(PolygonError) -> [Vertex] {
        guard ring.count >= 4 else { throw .ring(number, vertex: max(0, ring.count - 1), .fewerThanFour) }
        var vertices: [Vertex] = []
        for (position, vertex) in ring.enumerated() {
            do { _ = try Coordinate(latitude: vertex.latitude, longitude: vertex.longitude) } catch {
                throw .ring(number, vertex: position, .coordinate(error))
            }
            let next = Vertex(
                x: Int64((vertex.longitude * Coordinate.unitsPerDegree).rounded()),
                y: Int64((vertex.latitude * Coordinate.unitsPerDegree).rounded()))
            if let last = vertices.last {
                let width = abs(next.x - last.x)
                guard width <= Int64(Coordinate.halfTurn) || width == 2 * Int64(Coordinate.halfTurn) else {
                    throw .ring(number, vertex: position, .edgeWiderThanHalfTurn)
                }
            }
            vertices.append(next)
        }
        guard vertices.first == vertices.last else { throw .ring(number, vertex: ring.count - 1, .notClosed) }
        return vertices
    }

    /// The number of vertices of all rings.
    public var vertexCount: Int { rings.reduce(0) { $0 + $1.count } }

    /// Whether the place lies in the area or on its border.
    ///
    /// - Complexity: O(vertices) inside the bounding box, O(1) outside.
    public func contains(_ place: Coordinate) -> Bool {
        guard boundingBox.contains(place) else { return false }
        let point = Vertex(x: Int64(place.longitudeE7), y: Int64(place.latitudeE7))
        if abs(place.latitudeE7) == Coordinate.quarterTurn { return rings[0].contains { $0.y == point.y } }
        if holds(point) { return true }
        return place.longitudeE7 == Coordinate.halfTurn && holds(Vertex(x: -point.x, y: point.y))
    }

    private func holds(_ point: Vertex) -> Bool {
        for (number, ring) in rings.enumerated() {
            switch Self.side(of: ring, point) {
            case .border: return true
            case .outside where number == 0: return false
            case .inside where number > 0: return false
            case .inside, .outside: continue
            }
        }
        return true
    }

    private enum Side { case inside, outside, border }

    /// Even-odd rule: counts the edges that a ray to the east crosses.
    ///
    /// Products of lattice numbers stay below 6.5e18.
    private static func side(of ring: [Vertex], _ point: Vertex) -> Side {
        var inside = false
        for (a, b) in zip(ring, ring.dropFirst()) {
            let left = (b.x - a.x) * (point.y - a.y)
            let right = (point.x - a.x) * (b.y - a.y)
            if left == right, (min(a.x, b.x)...max(a.x, b.x)).contains(point.x),
                (min(a.y, b.y)...max(a.y, b.y)).contains(point.y)
            {
                return .border
            }
            if (a.y > point.y) != (b.y > point.y), (right < left) == (b.y > a.y) { inside.toggle() }
        }
        return inside ? .inside : .outside
    }
}

/// Why a list of rings is not a polygon.
public enum PolygonError: Error, Hashable {
    /// What is wrong with a ring.
    public enum Fault: Hashable, Sendable {
        /// The position is no place on Earth.
        case coordinate(CoordinateError)
        /// A ring needs four positions, the last of which closes it.
        case fewerThanFour
        /// The last position is not the first.
        case notClosed
        /// All positions have the same latitude or the same longitude.
        case noArea
        /// An edge of more than 180° of longitude is ambiguous: cut the polygon at the 180° meridian.
        case edgeWiderThanHalfTurn
    }

    /// The list is empty.
    case noRing
    /// The number of the ring, 0 for the outer one, and of the vertex in it, counted from 0.
    case ring(Int, vertex: Int, Fault)
}
