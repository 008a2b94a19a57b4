/// The area of a fence: a circle, polygons, or a corridor along a line.
///
/// The border belongs to the area. There is no special case at the poles or at the 180° meridian, where GeoJSON cuts an
/// area in two (RFC 7946, 3.1.9): the cut is not a border.
public struct FencedArea: Codable, Hashable, Sendable {
    private indirect enum Shape: Codable, Hashable, Sendable {
        case circle(Circle)
        case polygons(Region, PolygonBorder)
        case corridor(Corridor)
    }

    private let shape: Shape
    /// The number of positions in the area's description, including those that close a ring.
    public let vertexCount: Int

    private init(_ shape: Shape, _ vertexCount: Int) {
        self.shape = shape
        self.vertexCount = vertexCount
    }

    /// Creates a circle: all places at a geodesic distance of at most `metres` meters, exactly.
    public static func circle(_ centre: Coordinate, metres: Double) -> FencedArea {
        FencedArea(.circle(Circle(centre, metres)), 1)
    }

    /// Creates the union of polygons whose edges are straight in longitude and latitude, exactly.
    ///
    /// Each edge is a border, even an edge between two of the polygons. A hole must not reach out of its polygon.
    ///
    /// - Complexity: O(n log n).
    public static func polygons(_ polygons: [Polygon]) -> FencedArea {
        FencedArea(
            .polygons(.polygons(polygons), PolygonBorder(polygons)), polygons.reduce(0) { $0 + $1.vertexCount })
    }

    /// Creates a corridor: all places within `metres` meters of a line of geodesics, to 4 mm, and to 2 cm at 100 km.
    ///
    /// A line of one position is that place; an empty line has no places near it.
    ///
    /// - Complexity: O(n log n).
    public static func corridor(_ line: [Coordinate], metres: Double) -> FencedArea {
        FencedArea(.corridor(Corridor(line, metres: metres)), line.count)
    }

    /// Whether a place lies in the area or on its border; `steps` grows by the work done, as `WorkBudget` counts it.
    ///
    /// - Complexity: O(log n + edges near the place).
    public func contains(_ place: Coordinate, steps: inout Int) -> Bool {
        steps += 2
        switch shape {
        case .circle(let circle): return circle.contains(place)
        case .polygons(let region, _): return region.contains(place, steps: &steps)
        case .corridor(let corridor):
            var looked = 0
            defer { steps += looked / 10 }
            return corridor.contains(place, looked: &looked)
        }
    }

    /// A lower bound of the distance from a place to the area's border, in meters, inside or outside; at most the
    /// limit.
    ///
    /// It is at least 0.99 of the distance less 2 cm, up to 10,000 km. In a corridor it is the width less the distance
    /// to the line, although the border may be farther away where the line bends or crosses itself.
    ///
    /// - Complexity: O(log n + edges within the limit).
    public func distanceToBorder(from place: Coordinate, upTo limit: Double, steps: inout Int) -> Double {
        distance(from: place, upTo: limit, isTest: false, steps: &steps)
    }

    /// Whether a place is certainly outside of the area and more than `metres` meters from it.
    ///
    /// - Complexity: the cost of ``contains(_:steps:)``, and O(edges within the distance).
    public func isOutside(_ place: Coordinate, by metres: Double, steps: inout Int) -> Bool {
        !contains(place, steps: &steps) && isBorderBeyond(metres.nextUp, of: place, steps: &steps)
    }

    /// Whether the border is certainly at least `metres` meters from a place.
    func isBorderBeyond(_ metres: Double, of place: Coordinate, steps: inout Int) -> Bool {
        distance(from: place, upTo: metres, isTest: true, steps: &steps) >= metres
    }

    private func distance(from place: Coordinate, upTo limit: Double, isTest: Bool, steps: inout Int) -> Double {
        steps += 2
        var looked = 0
        defer { steps += looked / 10 }
        switch shape {
        case .circle(let circle): return circle.distanceToBorder(from: place, upTo: limit, steps: &steps)
        case .polygons(_, let border):
            let chord = ChordBounds.longestChord(within: limit)
            var approach = Approach(place, within: chord, isTest: isTest)
            border.visit(&approach, looked: &looked)
            steps += approach.looked
            return approach.chord < chord ? min(limit, ChordBounds.lower(approach.chord)) : limit
        case .corridor(let corridor):
            return corridor.distanceToBorder(from: place, upTo: limit, isTest: isTest, looked: &looked)
        }
    }

    /// The chord length from a point, in meters, free of places of the area; negative if none is known.
    ///
    /// - Complexity: O(polygons).
    public func clearance(of point: EarthCentred) -> Double {
        caps.map { $0.reduce(.infinity) { min($0, $1.clearance(of: point)) } } ?? -1
    }

    /// Caps that together hold the area; nil if it may reach around the Earth.
    var caps: [Cap]? {
        switch shape {
        case .circle(let circle): [circle.cap]
        case .polygons(let region, _): region.caps
        case .corridor(let corridor): corridor.line.isEmpty ? [] : corridor.cap.map { [$0] }
        }
    }
}

extension Circle {
    fileprivate var cap: Cap { Cap(around: centre, metres: radius) }

    /// A lower bound of the distance to the circle's border, in meters.
    fileprivate func distanceToBorder(from place: Coordinate, upTo limit: Double, steps: inout Int) -> Double {
        let chord = EarthCentred(centre).chord(to: EarthCentred(place))
        let least = max(0, ChordBounds.lower(chord) - radius, radius - ChordBounds.upper(chord))
        // Below 100 km the chord determines the distance to 2 cm.
        if least >= limit || chord < 100_000 { return min(limit, least) }
        steps += 10
        let distance = Geodesic.distance(from: centre, to: place)
        return min(limit, max(0, abs(distance - radius) - ChordBounds.margin))
    }
}
