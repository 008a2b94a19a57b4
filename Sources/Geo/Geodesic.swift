private import CGeodesic

/// Distances and directions on the WGS 84 ellipsoid by Karney's algorithms, as PROJ's `geodesic.h` implements them.
///
/// The error is below 15 nm for any pair of points, nearly antipodal ones included (C. F. F. Karney, "Algorithms for
/// geodesics", J. Geodesy 87, 43-55, 2013, https://doi.org/10.1007/s00190-012-0578-z). One call costs about 1 µs.
public enum Geodesic {
    /// Equatorial radius a, in meters (WGS 84, NGA.STND.0036).
    public static let equatorialRadius = 6_378_137.0
    /// Flattening f of the ellipsoid.
    public static let flattening = 1 / 298.257223563
    /// Half the meridian circumference: no two places on Earth are farther apart than this, in meters.
    public static let longestDistance = 20_003_931.458_625_5

    /// The length of the shortest geodesic between two places, in meters.
    public static func distance(from origin: Coordinate, to destination: Coordinate) -> Double {
        inverse(origin.latitude, origin.longitude, destination.latitude, destination.longitude).distance
    }

    /// The initial direction of the shortest geodesic, in degrees clockwise from north, 0..<360; 0 for equal places.
    public static func bearing(from origin: Coordinate, to destination: Coordinate) -> Double {
        course(from: origin, to: destination).bearing
    }

    /// The length of the shortest geodesic, in meters, and its initial direction as in ``bearing(from:to:)``.
    static func course(
        from origin: Coordinate, to destination: Coordinate
    ) -> (metres: Double, bearing: Double) {
        guard origin != destination else { return (0, 0) }
        let (metres, azimuth) = inverse(
            origin.latitude, origin.longitude, destination.latitude, destination.longitude)
        return (metres, azimuth < 0 ? azimuth + 360 : azimuth + 0)
    }

    /// The place at a distance of `metres` meters from `origin` in the direction `bearing` (degrees clockwise from
    /// north).
    ///
    /// - Precondition: both numbers are finite.
    public static func destination(from origin: Coordinate, bearing: Double, metres: Double) -> Coordinate {
        precondition(bearing.isFinite && metres.isFinite, "a direction and a length are finite numbers")
        var latitude = 0.0
        var longitude = 0.0
        geod_direct(wgs84, origin.latitude, origin.longitude, bearing, metres, &latitude, &longitude, nil)
        return Coordinate(clamping: latitude, longitude)
    }

    /// Distance in meters and initial azimuth in degrees, -180...180, between two pairs of degrees that need not be on
    /// the lattice of ``Coordinate``.
    package static func inverse(
        _ φ1: Double, _ λ1: Double, _ φ2: Double, _ λ2: Double
    ) -> (distance: Double, azimuth: Double) {
        var distance = 0.0
        var azimuth = 0.0
        geod_inverse(wgs84, φ1, λ1, φ2, λ2, &distance, &azimuth, nil)
        return (distance, azimuth)
    }

    /// PROJ's constants of the ellipsoid.
    ///
    /// They are never freed or written again, so every thread may read them.
    fileprivate nonisolated(unsafe) static let wgs84: UnsafePointer<geod_geodesic> = {  // never written again
        let ellipsoid = UnsafeMutablePointer<geod_geodesic>.allocate(capacity: 1)
        geod_init(ellipsoid, equatorialRadius, flattening)
        return UnsafePointer(ellipsoid)
    }()
}

extension Coordinate {
    /// The lattice place nearest to a computed pair, whose error may have moved it just beyond ±90° or ±180°.
    init(clamping latitude: Double, _ longitude: Double) {
        let latitude = min(max(latitude, -90), 90)
        let longitude = min(max(longitude, -180), 180)
        guard
            let place = Coordinate(
                latitudeE7: Int32((latitude * Self.unitsPerDegree).rounded()),
                longitudeE7: Int32((longitude * Self.unitsPerDegree).rounded()))
        else { preconditionFailure("a clamped pair of finite numbers is a place") }
        self = place
    }
}

extension Geodesic {
    /// Whether two places are less than `limit` meters apart; Karney's algorithm runs only if the chord cannot decide.
    public static func isCloser(_ a: Coordinate, _ b: Coordinate, than limit: Double) -> Bool {
        // No path between two parallels is shorter than a meridian arc of the smallest radius of curvature.
        let apart = abs(a.latitude - b.latitude) * .pi / 180 * ChordBounds.smallestRadius
        if apart - ChordBounds.margin >= limit { return false }
        let chord = EarthCentred(a).chord(to: EarthCentred(b))
        if ChordBounds.lower(chord) >= limit { return false }
        if ChordBounds.upper(chord) < limit { return true }
        return distance(from: a, to: b) < limit
    }
}

/// The shortest geodesic between two places, for computing many of its points.
///
/// Creating a line costs about 2 µs, a point less than half of that.
struct GeodesicLine {
    /// The length in meters.
    var length: Double { line.s13 }
    private let line: geod_geodesicline

    init(from start: Coordinate, to end: Coordinate) {
        var line = geod_geodesicline()
        geod_inverseline(
            &line, Geodesic.wgs84, start.latitude, start.longitude, end.latitude, end.longitude, 0)
        self.line = line
    }

    /// Latitude and longitude of the point at a fraction of the length, 0 for the start and 1 for the end.
    func degrees(at share: Double) -> (latitude: Double, longitude: Double) {
        var (latitude, longitude) = (0.0, 0.0)
        withUnsafePointer(to: line) { geod_position($0, share * line.s13, &latitude, &longitude, nil) }
        return (latitude, longitude)
    }
}
