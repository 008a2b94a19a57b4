/// A place on the WGS 84 ellipsoid, in ten-millionths of a degree (1.1 cm of latitude).
///
/// Everything that Cerca evaluates, stores, indexes and prints is on this lattice, so that rounding cannot cause a
/// disagreement. Each place has one value: -180° is 180°, a pole has longitude 0, and there is no negative zero.
public struct Coordinate: Codable, Hashable, Sendable {
    /// Latitude in 1e-7 degrees, -900,000,000...900,000,000.
    public let latitudeE7: Int32
    /// Longitude in 1e-7 degrees, -1,799,999,999...1,800,000,000.
    public let longitudeE7: Int32

    /// Rounds a pair of degrees to the lattice.
    ///
    /// - Throws: ``CoordinateError`` for a value that is not finite, a latitude beyond ±90° or a longitude beyond
    ///   ±180°.
    public init(latitude: Double, longitude: Double) throws(CoordinateError) {
        guard latitude.isFinite else { throw CoordinateError(axis: .latitude, value: latitude, fitsExchanged: false) }
        guard longitude.isFinite else {
            throw CoordinateError(axis: .longitude, value: longitude, fitsExchanged: false)
        }
        let fitsExchanged = abs(longitude) <= 90 && abs(latitude) <= 180
        guard abs(latitude) <= 90 else {
            throw CoordinateError(axis: .latitude, value: latitude, fitsExchanged: fitsExchanged)
        }
        guard abs(longitude) <= 180 else {
            throw CoordinateError(axis: .longitude, value: longitude, fitsExchanged: fitsExchanged)
        }
        self.init(
            latticeLatitude: Int32((latitude * Self.unitsPerDegree).rounded()),
            longitude: Int32((longitude * Self.unitsPerDegree).rounded()))
    }

    /// The place with the given ``latitudeE7`` and ``longitudeE7``; nil if they are out of range.
    public init?(latitudeE7: Int32, longitudeE7: Int32) {
        guard (-Self.quarterTurn...Self.quarterTurn).contains(latitudeE7),
            (-Self.halfTurn...Self.halfTurn).contains(longitudeE7)
        else { return nil }
        self.init(latticeLatitude: latitudeE7, longitude: longitudeE7)
    }

    private init(latticeLatitude latitude: Int32, longitude: Int32) {
        latitudeE7 = latitude
        longitudeE7 =
            if abs(latitude) == Self.quarterTurn { 0 } else if longitude == -Self.halfTurn { Self.halfTurn } else {
                longitude
            }
    }

    /// Creates a place from the lattice values of an existing place, unchecked.
    init(stored latitudeE7: Int32, _ longitudeE7: Int32) {
        self.latitudeE7 = latitudeE7
        self.longitudeE7 = longitudeE7
    }

    /// Degrees north, -90...90.
    public var latitude: Double { Double(latitudeE7) / Self.unitsPerDegree }
    /// Degrees east, above -180 and up to 180.
    public var longitude: Double { Double(longitudeE7) / Self.unitsPerDegree }

    static let unitsPerDegree = 1e7
    static let quarterTurn: Int32 = 900_000_000
    package static let halfTurn: Int32 = 1_800_000_000
}

/// The reason why a pair of numbers is not a place on Earth.
public struct CoordinateError: Error, Hashable {
    /// The axis of a coordinate.
    public enum Axis: String, Sendable { case latitude, longitude }

    /// The first invalid axis.
    public let axis: Axis
    /// The rejected value, in degrees.
    public let value: Double
    /// Whether the pair would be valid with latitude and longitude exchanged.
    public let fitsExchanged: Bool
}
