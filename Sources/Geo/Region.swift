/// The area that a query is limited to: a box, or one or several polygons.
public struct Region: Codable, Hashable, Sendable {
    private enum Shape: Codable, Hashable, Sendable {
        case box(Box)
        case polygons([Polygon], BoxTree)
        /// Whatever the caps hold.
        case caps
    }

    private let shape: Shape
    /// Caps that together hold the whole area; nil when it may reach around the Earth.
    let caps: [Cap]?

    private init(_ shape: Shape, _ caps: [Cap]?) {
        self.shape = shape
        self.caps = caps
    }

    /// The area of a box.
    public static func box(_ box: Box) -> Region { Region(.box(box), box.cap.map { [$0] }) }

    /// The area of some polygons together.
    ///
    /// - Complexity: O(n log n).
    public static func polygons(_ polygons: [Polygon]) -> Region {
        let extents = polygons.map(\.outer.extent)
        return Region(.polygons(polygons, BoxTree(extents)), caps(around: extents))
    }

    /// More than the area, whose ``contains(_:)`` costs nothing: for narrowing a search of which each entity found is asked
    /// afterwards whether it lies in the area.
    package var surroundings: Region { Region(.caps, caps) }

    /// Whether it costs something to ask of a place if it lies in the area.
    package var isCostly: Bool { if case .polygons = shape { true } else { false } }

    /// Whether the place lies in the area or on its border.
    ///
    /// - Complexity: that of a polygon, and O(log polygons).
    public func contains(_ place: Coordinate) -> Bool {
        var steps = 0
        return contains(place, steps: &steps)
    }

    /// The same; `steps` grows by what it took, as ``Effort`` counts.
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

    /// How many caps a search compares each cell with at most.
    private static let mostCaps = 16

    /// Of many polygons those that begin side by side share a cap.
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
    /// The caps as places and radii, in metres of chord.
    package var circles: [(centre: Coordinate, radius: Double)]? {
        caps.map { caps in caps.map { (Coordinate($0.centre), $0.radius) } }
    }
}

/// All points within a chord's length of a point.
public struct Cap: Codable, Hashable, Sendable {
    /// The middle.
    public let centre: EarthCentred
    /// In metres of chord; infinite for all points, negative for none.
    public let radius: Double

    /// No points.
    public static let empty = Cap(centre: EarthCentred(x: 0, y: 0, z: 0), radius: -1)
    /// All points.
    static let all = Cap(centre: EarthCentred(x: 0, y: 0, z: 0), radius: .infinity)

    /// All places within a geodesic distance, in metres, of a place, and some others.
    public init(around place: Coordinate, metres: Double) {
        self.init(centre: EarthCentred(place), radius: ChordBounds.longestChord(within: metres))
    }

    /// All places of the shortest way between two places, and some others.
    public init(from start: Coordinate, to end: Coordinate) {
        self = StraightPieces(from: start, to: end, margin: 0).cap
    }

    /// All points within a chord's length of a point.
    public init(centre: EarthCentred, radius: Double) { (self.centre, self.radius) = (centre, radius) }

    /// Whether all points of another cap are surely points of this one.
    public func holds(_ other: Cap) -> Bool { centre.chord(to: other.centre) + other.radius <= radius }

    /// The length of a chord from a point within which no point of the cap is; negative within the cap.
    func clearance(of point: EarthCentred) -> Double { centre.chord(to: point) - radius - 0.01 }
}

extension Box {
    /// A cap that holds the box; nil when the box is more than half a turn wide.
    ///
    /// On a sphere the point of such a box that is farthest from its middle is a corner: the distance grows with the
    /// longitude's difference along a parallel, and from one nearest latitude along a meridian. The ellipsoid is within
    /// 0.6 % of a sphere, so the farthest corner with 2 % added holds the box.
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
