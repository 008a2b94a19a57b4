internal import Glibc

/// A box of latitudes and longitudes that holds everything within a distance of a place.
struct Surroundings {
    private let south, north, west, east: Int64
    /// The part of the box beyond the 180° meridian, as longitudes of the other side.
    private var beyond: (west: Int64, east: Int64)?
    /// The place, and lower bounds of the meters per unit of longitude and latitude; nil if the box is too large for a
    /// plane.
    private var plane: (place: SIMD2<Double>, scale: SIMD2<Double>)?

    /// Creates a box that holds everything within a distance of a place.
    ///
    /// A meter along a meridian is at most 1/r of latitude, with the smallest radius of curvature. A meter along a
    /// parallel is at most 1/(a cos φ) of longitude, which is greatest where the box is nearest to a pole.
    init(_ place: Coordinate, within metres: Double) {
        let height = metres / ChordBounds.smallestRadius
        let steepest = abs(place.latitude) * .pi / 180 + height
        let width =
            steepest < .pi / 2 - 1e-9 ? metres / (Geodesic.equatorialRadius * cos(steepest)) : Double.infinity
        let (x, y) = (Int64(place.longitudeE7), Int64(place.latitudeE7))
        (south, north) = (y - Self.units(height), y + Self.units(height))
        (west, east) = (x - Self.units(width), x + Self.units(width))
        let (half, turn) = (Int64(Coordinate.halfTurn), 2 * Int64(Coordinate.halfTurn))
        if west <= -half { beyond = (west + turn, half) } else if east >= half { beyond = (-half, east - turn) }
        guard beyond == nil, height < 0.01, width < 0.1 else { return }
        let unit = 0.999 * .pi / 180 / Coordinate.unitsPerDegree
        plane = (
            SIMD2(Double(x), Double(y)),
            unit * SIMD2(Geodesic.equatorialRadius * cos(steepest), ChordBounds.smallestRadius)
        )
    }

    /// A lower bound of the distance to an edge that is straight in longitude and latitude, in meters; 0 if none is
    /// known.
    ///
    /// It holds for the part of the edge in the box. A chord is composed of the chord along the meridian and the chord
    /// along the parallel, at right angles. Each is at least the smallest radius times the angle, less the angle's
    /// square over 24.
    @inline(__always)
    func flatDistance(to a: Outline.Vertex, _ b: Outline.Vertex) -> Double {
        guard let (place, scale) = plane else { return 0 }
        let start = (SIMD2(Double(a.x), Double(a.y)) - place) * scale
        let line = (SIMD2(Double(b.x), Double(b.y)) - place) * scale - start
        let square = (line * line).sum()
        let share = square > 0 ? min(max(-(line * start).sum() / square, 0), 1) : 0
        let nearest = start + share * line
        return (nearest * nearest).sum().squareRoot()
    }

    /// A lower bound of the distance to a box, in meters; 0 if none is known.
    @inline(__always)
    func flatDistance(to extent: BoxTree.Extent) -> Double {
        guard let (place, scale) = plane else { return 0 }
        let low = (SIMD2(Double(extent.west), Double(extent.south)) - place) * scale
        let high = (SIMD2(Double(extent.east), Double(extent.north)) - place) * scale
        let nearest = pointwiseMax(pointwiseMax(low, -high), .zero)
        return (nearest * nearest).sum().squareRoot()
    }

    /// Whether two boxes intersect.
    @inline(__always)
    func touches(_ extent: BoxTree.Extent) -> Bool {
        guard south <= Int64(extent.north), Int64(extent.south) <= north else { return false }
        let (first, last) = (Int64(extent.west), Int64(extent.east))
        if west <= last, first <= east { return true }
        guard let beyond else { return false }
        return beyond.west <= last && first <= beyond.east
    }

    /// An angle in radians as lattice units, rounded up; at most a full turn.
    private static func units(_ angle: Double) -> Int64 {
        Int64(min(angle * 180 / .pi, 360) * Coordinate.unitsPerDegree) + 2
    }

    /// The box as ranges of the plane; all longitudes if it crosses the 180° meridian.
    var extent: BoxTree.Extent {
        let (quarter, half) = (Int64(Coordinate.quarterTurn), Int64(Coordinate.halfTurn))
        return BoxTree.Extent(
            west: Int32(beyond == nil ? west : -half), south: Int32(max(south, -quarter)),
            east: Int32(beyond == nil ? east : half), north: Int32(min(north, quarter)))
    }
}
