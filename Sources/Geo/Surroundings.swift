internal import Glibc

/// A box of latitudes and longitudes around a place that leaves out nothing within a distance of it.
struct Surroundings {
    private let south, north, west, east: Int64
    /// What of the box lies past the 180° meridian, as longitudes from its other side.
    private var beyond: (west: Int64, east: Int64)?

    /// A metre along a meridian is at most 1/r of latitude, with the smallest radius of curvature; one along a parallel is at
    /// most 1/(a cos φ) of longitude, and most where the box is nearest to a pole.
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
    }

    /// Whether the two have a place in common.
    @inline(__always)
    func touches(_ extent: BoxTree.Extent) -> Bool {
        guard south <= Int64(extent.north), Int64(extent.south) <= north else { return false }
        let (first, last) = (Int64(extent.west), Int64(extent.east))
        if west <= last, first <= east { return true }
        guard let beyond else { return false }
        return beyond.west <= last && first <= beyond.east
    }

    /// Of an angle in radians, generously; of none more than a turn.
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
