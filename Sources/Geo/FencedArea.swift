/// Where a fence is: a circle, some polygons, or all places within a distance of a line.
///
/// The border belongs to the area. There is no special case at the poles or at the 180° meridian, where GeoJSON cuts an area
/// in two (RFC 7946, 3.1.9): the cut is no border.
public struct FencedArea: Codable, Hashable, Sendable {
    private indirect enum Shape: Codable, Hashable, Sendable {
        case circle(Circle)
        case polygons(Region, PolygonBorder)
        case corridor(Corridor)
    }

    private let shape: Shape
    /// The number of places by which the area was given, those that close a ring too.
    public let vertexCount: Int

    private init(_ shape: Shape, _ vertexCount: Int) {
        self.shape = shape
        self.vertexCount = vertexCount
    }

    /// All places whose geodesic distance from one is at most so many metres, exactly.
    public static func circle(_ centre: Coordinate, metres: Double) -> FencedArea {
        FencedArea(.circle(Circle(centre, metres)), 1)
    }

    /// What lies in any of some polygons, whose edges are straight in longitude and latitude; exactly.
    ///
    /// Each line that is drawn is a border, also one between two of the polygons. A hole reaches nowhere out of its polygon.
    ///
    /// - Complexity: O(n log n).
    public static func polygons(_ polygons: [Polygon]) -> FencedArea {
        FencedArea(
            .polygons(.polygons(polygons), PolygonBorder(polygons)), polygons.reduce(0) { $0 + $1.vertexCount })
    }

    /// All places within a distance, in metres, of a line whose edges are geodesics; to 4 mm, and 2 cm at 100 km.
    ///
    /// A line of one place is that place, and nothing is near an empty one.
    ///
    /// - Complexity: O(n log n).
    public static func corridor(_ line: [Coordinate], metres: Double) -> FencedArea {
        FencedArea(.corridor(Corridor(line, metres: metres)), line.count)
    }

    /// Whether a place lies in the area or on its border; `steps` grows by what it took, as `Effort` counts.
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

    /// Metres from a place, within the area or outside, to the area's border: at most the geodesic distance, and at most the
    /// limit.
    ///
    /// It is at least 0.99 of the distance less 2 cm, up to 10,000 km. In a corridor it is the width less the distance to the
    /// line, though the border may be farther away where the line bends or crosses itself.
    ///
    /// - Complexity: O(log n + edges within the limit).
    public func distanceToBorder(from place: Coordinate, upTo limit: Double, steps: inout Int) -> Double {
        distance(from: place, upTo: limit, isTest: false, steps: &steps)
    }

    /// Whether a place is outside of the area and surely farther than so many metres from it.
    ///
    /// - Complexity: that of ``contains(_:steps:)``, and O(edges within the distance).
    public func isOutside(_ place: Coordinate, by metres: Double, steps: inout Int) -> Bool {
        !contains(place, steps: &steps) && isBorderBeyond(metres.nextUp, of: place, steps: &steps)
    }

    /// Whether the border is surely at least so many metres from a place.
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

    /// The length of a chord from a point, in metres, within which no place of the area is; negative where none is known.
    ///
    /// - Complexity: O(polygons).
    public func clearance(of point: EarthCentred) -> Double {
        caps.map { $0.reduce(.infinity) { min($0, $1.clearance(of: point)) } } ?? -1
    }

    /// Caps that together hold the area; nil when it may reach around the Earth.
    var caps: [Cap]? {
        switch shape {
        case .circle(let circle): [circle.cap]
        case .polygons(let region, _): region.caps
        case .corridor(let corridor): corridor.line.isEmpty ? [] : corridor.cap.map { [$0] }
        }
    }
}

extension Circle {
    /// The same as a cap.
    fileprivate var cap: Cap { Cap(around: centre, metres: radius) }

    /// A lower bound of the distance to the places that are just so far away, in metres.
    fileprivate func distanceToBorder(from place: Coordinate, upTo limit: Double, steps: inout Int) -> Double {
        let chord = EarthCentred(centre).chord(to: EarthCentred(place))
        let least = max(0, ChordBounds.lower(chord) - radius, radius - ChordBounds.upper(chord))
        // Of less than 100 km the chord tells the distance to 2 cm.
        if least >= limit || chord < 100_000 { return min(limit, least) }
        steps += 10
        let distance = Geodesic.distance(from: centre, to: place)
        return min(limit, max(0, abs(distance - radius) - ChordBounds.margin))
    }
}
