/// An area bounded by straight lines in the plane of longitude and latitude, as in GeoJSON (RFC 7946, 3.1.1).
///
/// The border belongs to the area, including the borders of holes. An area across the 180° meridian is cut there into
/// two polygons (RFC 7946, 3.1.9); an area that holds a pole has an edge along it. Containment is exact: it uses
/// integer arithmetic.
public struct Polygon: Hashable, Sendable {
    typealias Vertex = Outline.Vertex

    let outer: Outline
    let holes: [Outline]
    private let holeBoxes: BoxTree
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
        self.init(Outline(checked[0]), holes: checked.dropFirst().map(Outline.init))
        let extent = self.outer.extent
        guard extent.west < extent.east, extent.south < extent.north else {
            throw .ring(0, vertex: outer.count - 1, .noArea)
        }
    }

    private init(_ outer: Outline, holes: [Outline]) {
        (self.outer, self.holes) = (outer, holes)
        holeBoxes = BoxTree(holes.map(\.extent))
        let extent = outer.extent
        boundingBox = Box(
            southE7: extent.south, westE7: extent.west, northE7: extent.north, eastE7: extent.east)
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

    /// The outer ring, then the holes, in 1e-7 degrees; the last position of each equals its first.
    public var rings: [[(longitudeE7: Int32, latitudeE7: Int32)]] {
        ([outer] + holes).map { $0.vertices.map { (Int32($0.x), Int32($0.y)) } }
    }

    /// The first vertex of a hole that lies outside of the outer ring, and the number of its ring; nil if there is
    /// none.
    ///
    /// - Complexity: O(vertices of holes * log vertices), plus the edge tests of ``contains(_:)``.
    public var strayVertex: (ring: Int, vertex: Int)? {
        var looked = 0
        for (ring, hole) in holes.enumerated() {
            if let vertex = hole.vertices.firstIndex(where: { outer.side(of: $0, looked: &looked) == .outside }) {
                return (ring + 1, vertex)
            }
        }
        return nil
    }

    /// The number of vertices of all rings.
    public var vertexCount: Int { holes.reduce(outer.vertices.count) { $0 + $1.vertices.count } }

    /// Whether the place lies in the area or on its border.
    ///
    /// - Complexity: O(log vertices + edges whose own box holds the place); O(1) outside the bounding box.
    public func contains(_ place: Coordinate) -> Bool {
        var looked = 0
        return contains(place, looked: &looked)
    }

    /// Whether the place lies in the area or on its border; `looked` grows by the number of boxes and edges visited.
    func contains(_ place: Coordinate, looked: inout Int) -> Bool {
        guard boundingBox.contains(place) else { return false }
        // Only a vertex at a pole makes the box reach the pole.
        guard abs(place.latitudeE7) != Coordinate.quarterTurn else { return true }
        let point = Vertex(x: Int64(place.longitudeE7), y: Int64(place.latitudeE7))
        if holds(point, &looked) { return true }
        return place.longitudeE7 == Coordinate.halfTurn && holds(Vertex(x: -point.x, y: point.y), &looked)
    }

    private func holds(_ point: Vertex, _ looked: inout Int) -> Bool {
        switch outer.side(of: point, looked: &looked) {
        case .border: return true
        case .outside: return false
        case .inside: break
        }
        var isHeld = true
        var edges = 0
        holeBoxes.visit(point.x, point.y, looked: &looked) { some in
            for hole in some {
                switch holes[hole].side(of: point, looked: &edges) {
                case .border: return false
                case .inside:
                    isHeld = false
                    return false
                case .outside: continue
                }
            }
            return true
        }
        looked += edges
        return isHeld
    }
}

/// Coding: a list of rings, each the numbers of its vertices in 1e-7 degrees, longitude before latitude, separated by
/// spaces.
extension Polygon: Codable {
    /// Decodes rings that were validated before they were encoded.
    public init(from decoder: any Decoder) throws {
        let rings = try Self.numbers(from: decoder)
        guard let outer = rings.first, rings.allSatisfy({ $0.count >= 8 && $0.count.isMultiple(of: 2) }) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "the rings of no polygon"))
        }
        func outline(_ ring: [Int64]) -> Outline {
            Outline(stride(from: 0, to: ring.count, by: 2).map { Vertex(x: ring[$0], y: ring[$0 + 1]) })
        }
        self.init(outline(outer), holes: rings.dropFirst().map(outline))
    }

    /// The numbers of each ring; in older files a ring is a list of numbers.
    private static func numbers(from decoder: any Decoder) throws -> [[Int64]] {
        guard let texts = try? [String](from: decoder) else { return try [[Int64]](from: decoder) }
        return try texts.map { text in
            try text.utf8.split(separator: UInt8(ascii: " ")).map { word in
                guard let number = Int64(Substring(word)) else {
                    throw DecodingError.dataCorrupted(
                        .init(codingPath: decoder.codingPath, debugDescription: "no number of a ring"))
                }
                return number
            }
        }
    }

    /// Encodes the rings as strings, because a list of numbers takes an encoder ten times as long.
    public func encode(to encoder: any Encoder) throws {
        try ([outer] + holes).map { ring in
            var text: [UInt8] = []
            text.reserveCapacity(ring.vertices.count * 22)
            for vertex in ring.vertices {
                if !text.isEmpty { text.append(UInt8(ascii: " ")) }
                text.append(decimal: vertex.x)
                text.append(UInt8(ascii: " "))
                text.append(decimal: vertex.y)
            }
            return String(decoding: text, as: UTF8.self)
        }.encode(to: encoder)
    }
}

extension [UInt8] {
    /// Appends the digits of an integer.
    fileprivate mutating func append(decimal number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        let start = count
        var rest = number.magnitude
        repeat {
            append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
    }
}

/// The reason why a list of rings is not a polygon.
public enum PolygonError: Error, Hashable {
    /// The fault of a ring.
    public enum Fault: Hashable, Sendable {
        /// The position is not a place on Earth.
        case coordinate(CoordinateError)
        /// A ring needs four positions, the last of which closes it.
        case fewerThanFour
        /// The last position differs from the first.
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
