/// The area that a query is limited to: a box, or one or several polygons.
public enum Region: Hashable, Sendable {
    case box(Box)
    case polygons([Polygon])

    /// Whether the place lies in the area or on its border.
    public func contains(_ place: Coordinate) -> Bool {
        switch self {
        case .box(let box): box.contains(place)
        case .polygons(let polygons): polygons.contains { $0.contains(place) }
        }
    }

    /// Caps that together hold the whole area; nil when it may reach around the Earth.
    var caps: [Cap]? {
        switch self {
        case .box(let box): box.cap.map { [$0] }
        case .polygons(let polygons):
            polygons.map(\.boundingBox.cap).reduce([Cap]?([])) { caps, cap in
                guard let caps, let cap else { return nil }
                return caps + [cap]
            }
        }
    }
}

extension Region {
    /// The caps as places and radii, in metres of chord.
    package var circles: [(centre: Coordinate, radius: Double)]? {
        caps.map { caps in caps.map { (Coordinate($0.centre), $0.radius) } }
    }
}

/// All points within a chord's length of a point.
struct Cap {
    var centre: EarthCentred
    /// In metres.
    var radius: Double
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
