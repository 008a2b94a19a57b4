/// Cells around a circle.
extension CubeCell {
    /// The numbers of this cell and of all cells within it.
    public var family: ClosedRange<UInt64> {
        let below = (id & (0 &- id)) - 1
        return id - below...id + below
    }

    /// The four cells of the next level that make up this one.
    ///
    /// - Precondition: the level is below 30.
    public var children: [CubeCell] {
        precondition(level < CubePoint.bits, "the smallest cells have no children")
        let quarter = (id & (0 &- id)) / 4
        return [id - 3 * quarter, id - quarter, id + quarter, id + 3 * quarter].map(CubeCell.init(unchecked:))
    }

    /// Cells of one level that together hold every place within a distance of another.
    ///
    /// - Parameters:
    ///   - place: the centre of the circle.
    ///   - metres: its radius, 0 or more.
    ///   - level: the finest level; it is coarser when there would be too many cells.
    ///   - count: how many cells there are at most, but six faces at least.
    ///   - overhang: how far past its border a cell counts as holding a place, in sides of the cell.
    /// - Returns: cells, few of which hold no such place.
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

/// All places within a distance of one.
public struct Circle: Codable, Hashable, Sendable {
    /// The middle.
    public let centre: Coordinate
    /// The radius in metres.
    public let radius: Double
    private let point: EarthCentred
    private let chord: Double

    /// The places within a distance, in metres, of one.
    public init(_ centre: Coordinate, _ radius: Double) {
        self.centre = centre
        self.radius = radius
        point = EarthCentred(centre)
        chord = ChordBounds.longestChord(within: radius)
    }

    /// Whether a place lies within; exactly the radius counts.
    public func contains(_ place: Coordinate) -> Bool {
        let chord = point.chord(to: EarthCentred(place))
        if ChordBounds.lower(chord) > radius { return false }
        return ChordBounds.upper(chord) <= radius || Geodesic.distance(from: centre, to: place) <= radius
    }

    /// Whether a cell, with so many of its sides around it, may have a place in common with the circle; it has none if not.
    ///
    /// A ball around the middle of a cell that reaches to its corners holds all of it. (The hundredth covers that the ellipsoid
    /// is no sphere, on which that is exact.)
    public func mayTouch(_ cell: CubeCell, _ overhang: Double) -> Bool {
        let (face, i, j, side) = cell.extent
        let (near, far) = (-overhang * side, (1 + overhang) * side)
        let middle = face.surface(i + side / 2, j + side / 2)
        let corners = [(near, near), (near, far), (far, near), (far, far)].map { face.surface(i + $0.0, j + $0.1) }
        let reach = corners.reduce(0) { max($0, middle.chord(to: $1)) } * 1.01
        return point.chord(to: middle) <= chord + reach + ChordBounds.margin
    }
}
