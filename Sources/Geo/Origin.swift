internal import Glibc

/// A place from which many distances and directions are told.
public struct Origin: Sendable {
    /// The place itself.
    public let place: Coordinate
    private let point: EarthCentred
    /// Unit vectors along the surface.
    private let east, north: SIMD3<Double>

    /// Works out once what all distances and directions from a place need.
    public init(_ place: Coordinate) {
        self.place = place
        point = EarthCentred(place)
        let (φ, λ) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
        east = SIMD3(-sin(λ), cos(λ), 0)
        north = SIMD3(-sin(φ) * cos(λ), -sin(φ) * sin(λ), cos(φ))
    }

    /// The geodesic distance rounded to tenths of a metre, in tenths of a metre.
    ///
    /// Karney's algorithm runs only when the chord leaves open to which tenth the distance is rounded.
    public func decimetres(to other: Coordinate) -> Int64 {
        Self.decimetres(ofChord: point.chord(to: EarthCentred(other)))
            ?? Self.decimetres(Geodesic.distance(from: place, to: other))
    }

    /// The distance as ``decimetres(to:)`` tells it, and the initial direction of the geodesic in whole degrees clockwise from north,
    /// 0...359.
    ///
    /// Karney's algorithm runs, once, only when chord and normal section leave open to what one of the two is rounded.
    public func course(to other: Coordinate) -> (decimetres: Int64, bearing: Int) {
        let there = EarthCentred(other)
        let chord = point.chord(to: there)
        if let decimetres = Self.decimetres(ofChord: chord), let bearing = bearing(ofSectionTo: there, chord) {
            return (decimetres, bearing)
        }
        let course = Geodesic.course(from: place, to: other)
        return (Self.decimetres(course.metres), Int(course.bearing.rounded()) % 360)
    }

    private static func decimetres(_ metres: Double) -> Int64 { Int64((metres * 10).rounded()) }

    /// Nil if the chord leaves it open.
    private static func decimetres(ofChord chord: Double) -> Int64? {
        let low = decimetres(ChordBounds.lower(chord))
        return low == decimetres(ChordBounds.upper(chord)) ? low : nil
    }

    /// Up to this chord the geodesic keeps to the normal section as ``bearing(ofSectionTo:_:)`` needs it, in metres.
    private static let longestSection = 1e6

    /// The direction in which a vertical plane here has the other point; nil if that leaves the geodesic's open.
    ///
    /// The geodesic's direction differs by e² (s/N)² cos² φ sin 2α / 12 and terms of higher order (G. Bomford, "Geodesy", 1980, 2.13),
    /// for which twelve times as much is allowed. Each end is known to within 4 nm.
    private func bearing(ofSectionTo there: EarthCentred, _ chord: Double) -> Int? {
        guard chord < Self.longestSection else { return nil }
        let way = there.vector - point.vector
        let degrees = atan2((way * east).sum(), (way * north).sum()) * 180 / .pi
        let arc = chord / Geodesic.equatorialRadius
        let error = (2e-8 / chord + EarthCentred.eccentricity² * arc * arc) * 180 / .pi + 1e-9
        let nearest = degrees.rounded()
        guard abs(degrees - nearest) < 0.5 - error else { return nil }
        return (Int(nearest) + 360) % 360
    }
}
