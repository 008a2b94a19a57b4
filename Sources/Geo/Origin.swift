/// A place from which many distances are told.
public struct Origin: Sendable {
    /// The place itself.
    public let place: Coordinate
    private let point: EarthCentred

    /// Works out once what all distances from a place need.
    public init(_ place: Coordinate) {
        self.place = place
        point = EarthCentred(place)
    }

    /// The geodesic distance rounded to tenths of a metre, in tenths of a metre.
    ///
    /// Karney's algorithm runs only when the chord leaves open to which tenth the distance is rounded.
    public func decimetres(to other: Coordinate) -> Int64 {
        let chord = point.chord(to: EarthCentred(other))
        let low = (ChordBounds.lower(chord) * 10).rounded()
        let high = (ChordBounds.upper(chord) * 10).rounded()
        return Int64(low == high ? low : (Geodesic.distance(from: place, to: other) * 10).rounded())
    }

    /// The initial direction of the geodesic in whole degrees clockwise from north, 0...359.
    public func bearing(to other: Coordinate) -> Int {
        Int(Geodesic.bearing(from: place, to: other).rounded()) % 360
    }
}
