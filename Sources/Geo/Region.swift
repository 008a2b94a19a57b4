/// The area of a query: a box or polygons.
public struct Region: Codable, Hashable, Sendable {
    private enum Shape: Codable, Hashable, Sendable {
        case box(Box)
        case polygons([Polygon], BoxTree)
        /// Everything in the caps.
        case caps
    }

    private let shape: Shape
    /// Caps that together hold the area; nil if it may reach around the Earth.
    let caps: [Cap]?

    private init(_ shape: Shape, _ caps: [Cap]?) {
        self.shape = shape
        self.caps = caps
    }

    /// Creates the area of a box.
    public static func box(_ box: Box) -> Region { Region(.box(box), box.cap.map { [$0] }) }

    /// Creates the union of polygons.
    ///
    /// - Complexity: O(n log n).
    public static func polygons(_ polygons: [Polygon]) -> Region {
        let extents = polygons.map(\.outer.extent)
        return Region(.polygons(polygons, BoxTree(extents)), caps(around: extents))
    }

    /// A superset of the area with a free ``contains(_:)``, for a search whose results are tested against the area
    /// afterward.
    package var surroundings: Region { Region(.caps, caps) }

    /// Whether testing a place against the area is expensive.
    package var isCostly: Bool { if case .polygons = shape { true } else { false } }

    /// Whether the place lies in the area or on its border.
    ///
    /// - Complexity: the cost of a polygon, and O(log polygons).
    public func contains(_ place: Coordinate) -> Bool {
        var steps = 0
        return contains(place, steps: &steps)
    }

    /// Whether the place lies in the area or on its border; `steps` grows by the work done, as ``WorkBudget`` counts it.
    package func contains(_ place: Coordinate, steps: inout Int) -> Bool {
        switch shape {
        case .caps: return true
        case .box(let box): return box.contains(place)
        case .polygons(let polygons, let boxes):
            var looked = 0
            defer { steps += looked / 10 }
            guard abs(place.latitudeE7) != Coordinate.quarterTurn else {
                looked += polygons.count
                return polygons.contains { $0.contains(place) }
            }
            let (x, y) = (Int64(place.longitudeE7), Int64(place.latitudeE7))
            if Self.hold(polygons, boxes, place, x, y, &looked) { return true }
            return place.longitudeE7 == Coordinate.halfTurn && Self.hold(polygons, boxes, place, -x, y, &looked)
        }
    }

    private static func hold(
        _ polygons: [Polygon], _ boxes: BoxTree, _ place: Coordinate, _ x: Int64, _ y: Int64, _ looked: inout Int
    ) -> Bool {
        var edges = 0
        var isHeld = false
        boxes.visit(x, y, looked: &looked) { some in
            isHeld = some.contains { polygons[$0].contains(place, looked: &edges) }
            return !isHeld
        }
        looked += edges
        return isHeld
    }

    /// The maximum number of caps that a search compares each cell with.
    private static let mostCaps = 16

    /// Neighbors among many polygons, in the order of their western ends, share a cap.
    private static func caps(around extents: [BoxTree.Extent]) -> [Cap]? {
        let sorted = extents.count > mostCaps ? extents.sorted { $0.west < $1.west } : extents
        let share = (sorted.count + mostCaps - 1) / mostCaps
        var caps: [Cap] = []
        for start in stride(from: 0, to: sorted.count, by: max(1, share)) {
            let some = sorted[start..<min(start + share, sorted.count)]
            let joined = some.dropFirst().reduce(some[start]) { $0.joined($1) }
            let box = Box(southE7: joined.south, westE7: joined.west, northE7: joined.north, eastE7: joined.east)
            guard let cap = box.cap else { return nil }
            caps.append(cap)
        }
        return caps
    }
}

extension Region {
    /// The caps as places and radii, in meters of chord.
    package var circles: [(centre: Coordinate, radius: Double)]? {
        caps.map { caps in caps.map { (Coordinate($0.centre), $0.radius) } }
    }
}

/// A ball: all points within a chord's length of a center.
public struct Cap: Codable, Hashable, Sendable {
    /// The center.
    public let centre: EarthCentred
    /// The radius in meters of chord; infinite for all points, negative for none.
    public let radius: Double

    /// The cap without points.
    public static let empty = Cap(centre: EarthCentred(x: 0, y: 0, z: 0), radius: -1)
    static let all = Cap(centre: EarthCentred(x: 0, y: 0, z: 0), radius: .infinity)

    /// Creates a cap that holds all places within a geodesic distance, in meters, of a place.
    public init(around place: Coordinate, metres: Double) {
        self.init(centre: EarthCentred(place), radius: ChordBounds.longestChord(within: metres))
    }

    /// Creates a cap that holds the geodesic between two places.
    public init(from start: Coordinate, to end: Coordinate) {
        self = StraightPieces(from: start, to: end, margin: 0).cap
    }

    /// Creates a cap with a radius in meters of chord.
    public init(centre: EarthCentred, radius: Double) { (self.centre, self.radius) = (centre, radius) }

    /// Whether all points of another cap are certainly points of this one.
    public func holds(_ other: Cap) -> Bool { centre.chord(to: other.centre) + other.radius <= radius }

    /// The chord length from a point that is free of points of the cap; negative within the cap.
    func clearance(of point: EarthCentred) -> Double { centre.chord(to: point) - radius - 0.01 }
}

extension Box {
    /// A cap that holds the box; nil if the box is more than half a turn wide.
    ///
    /// On a sphere the point of such a box that is farthest from its middle is a corner. Along a parallel the distance
    /// grows with the difference of longitude, and along a meridian it grows from a nearest latitude to both sides. The
    /// ellipsoid is within 0.6 % of a sphere, so the distance of the farthest corner plus 2 % holds the box.
    var cap: Cap? {
        let turn = 2 * Int64(Coordinate.halfTurn)
        let width = (Int64(eastE7) - Int64(westE7) + turn) % turn
        guard width <= Int64(Coordinate.halfTurn), width > 0 || westE7 == eastE7 else { return nil }
        let latitude = Double(Int64(southE7) + Int64(northE7)) / 2 / Coordinate.unitsPerDegree
        let longitude = Double(westE7) + Double(width) / 2
        let halfTurn = Double(Coordinate.halfTurn)
        let middle = Coordinate(
            clamping: latitude,
            (longitude > halfTurn ? longitude - 2 * halfTurn : longitude) / Coordinate.unitsPerDegree)
        let centre = EarthCentred(middle)
        let corners = [southE7, northE7].flatMap { φ in
            [westE7, eastE7].compactMap { λ in Coordinate(latitudeE7: φ, longitudeE7: λ) }
        }
        let farthest = corners.map { centre.chord(to: EarthCentred($0)) }.max() ?? 0
        return Cap(centre: centre, radius: farthest * 1.02 + 1)
    }
}
