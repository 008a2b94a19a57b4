internal import Glibc

/// An origin from which many distances and directions are computed.
public struct Origin: Sendable {
    /// The place itself.
    public let place: Coordinate
    private let point: EarthCentred
    /// Unit vectors along the surface.
    private let east, north: SIMD3<Double>

    /// Precomputes what all distances and directions from a place share.
    public init(_ place: Coordinate) {
        self.place = place
        point = EarthCentred(place)
        let (φ, λ) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
        east = SIMD3(-sin(λ), cos(λ), 0)
        north = SIMD3(-sin(φ) * cos(λ), -sin(φ) * sin(λ), cos(φ))
    }

    /// The geodesic distance in tenths of a meter, rounded.
    ///
    /// Karney's algorithm runs only if the chord does not determine the rounded value.
    public func decimetres(to other: Coordinate) -> Int64 {
        Self.decimetres(ofChord: point.chord(to: EarthCentred(other)))
            ?? Self.decimetres(Geodesic.distance(from: place, to: other))
    }

    /// The distance as in ``decimetres(to:)``, and the geodesic's initial direction in whole degrees clockwise from
    /// north, 0...359.
    ///
    /// Karney's algorithm runs, once, only if chord and normal section do not determine both rounded values.
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

    /// nil if the chord does not determine it.
    private static func decimetres(ofChord chord: Double) -> Int64? {
        let low = decimetres(ChordBounds.lower(chord))
        return low == decimetres(ChordBounds.upper(chord)) ? low : nil
    }

    /// The longest chord, in meters, for which the geodesic is close enough to the normal section for
    /// ``bearing(ofSectionTo:_:)``.
    private static let longestSection = 1e6

    /// The direction of the normal section toward the other point; nil if it does not determine the geodesic's rounded
    /// direction.
    ///
    /// The geodesic's direction differs by e² (s/N)² cos² φ sin 2α / 12 and terms of higher order (G. Bomford,
    /// "Geodesy", 1980, 2.13), for which twelve times this is allowed. Each end is known to within 4 nm.
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
