extension CubeCell {
    /// The range of ids of this cell and of all cells within it.
    public var family: ClosedRange<UInt64> {
        let below = (id & (0 &- id)) - 1
        return id - below...id + below
    }

    /// The four cells of the next level that make up this cell.
    ///
    /// - Precondition: the level is below 30.
    public var children: [CubeCell] {
        precondition(level < CubePoint.bits, "the smallest cells have no children")
        let quarter = (id & (0 &- id)) / 4
        return [id - 3 * quarter, id - quarter, id + quarter, id + 3 * quarter].map(CubeCell.init(unchecked:))
    }

    /// Cells of one level that together hold every place of a circle.
    ///
    /// - Parameters:
    ///   - place: the center of the circle.
    ///   - metres: the radius in meters, 0 or more.
    ///   - level: the finest level; it is coarser if there would be too many cells.
    ///   - count: the maximum number of cells, but at least the six faces.
    ///   - overhang: how far beyond its border a cell counts as holding a place, in sides of the cell.
    /// - Returns: the cells; few of them hold no such place.
    /// - Complexity: O(`count` * levels).
    public static func cover(
        around place: Coordinate, within metres: Double, level: Int, count: Int, overhang: Double = 0
    ) -> [CubeCell] {
        let circle = Circle(place, metres)
        var cells = CubeCell.faces
        cells = cells.filter { circle.mayTouch($0, overhang) }
        while let first = cells.first, first.level < level {
            let finer = cells.flatMap(\.children).filter { circle.mayTouch($0, overhang) }
            if finer.count > count { break }
            cells = finer
        }
        return cells
    }
}

/// A circle: all places within a geodesic distance of a center.
public struct Circle: Codable, Hashable, Sendable {
    /// The center.
    public let centre: Coordinate
    /// The radius in meters.
    public let radius: Double
    private let point: EarthCentred
    private let chord: Double

    /// Creates a circle with a radius in meters.
    public init(_ centre: Coordinate, _ radius: Double) {
        self.centre = centre
        self.radius = radius
        point = EarthCentred(centre)
        chord = ChordBounds.longestChord(within: radius)
    }

    /// Whether a place lies within the circle or exactly on it.
    public func contains(_ place: Coordinate) -> Bool {
        let chord = point.chord(to: EarthCentred(place))
        if ChordBounds.lower(chord) > radius { return false }
        return ChordBounds.upper(chord) <= radius || Geodesic.distance(from: centre, to: place) <= radius
    }

    /// Whether a cell, extended by `overhang` of its sides, may intersect the circle; false is certain.
    ///
    /// A ball around the middle of a cell that reaches to its corners holds the whole cell. One percent is added
    /// because that is exact only on a sphere.
    public func mayTouch(_ cell: CubeCell, _ overhang: Double) -> Bool {
        let (face, i, j, side) = cell.extent
        let (near, far) = (-overhang * side, (1 + overhang) * side)
        let middle = face.surface(i + side / 2, j + side / 2)
        let corners = [(near, near), (near, far), (far, near), (far, far)].map { face.surface(i + $0.0, j + $0.1) }
        let reach = corners.reduce(0) { max($0, middle.chord(to: $1)) } * 1.01
        return point.chord(to: middle) <= chord + reach + ChordBounds.margin
    }
}
