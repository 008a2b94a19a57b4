/// A closed range of latitudes and longitudes; it crosses the 180° meridian if west is above east (RFC 7946, 5.2).
///
/// A box that reaches a pole holds it, at any longitudes; a box that reaches 180° holds that meridian from both sides.
public struct Box: Codable, Hashable, Sendable {
    let southE7, westE7, northE7, eastE7: Int32

    /// The southwest corner.
    public var southWest: Coordinate? { Coordinate(latitudeE7: southE7, longitudeE7: westE7) }

    /// - Throws: ``BoxError`` for an impossible corner, or a south above the north.
    public init(west: Double, south: Double, east: Double, north: Double) throws(BoxError) {
        let southWest: Coordinate
        let northEast: Coordinate
        do {
            southWest = try Coordinate(latitude: south, longitude: west)
            northEast = try Coordinate(latitude: north, longitude: east)
        } catch { throw .corner(error) }
        guard southWest.latitudeE7 <= northEast.latitudeE7 else { throw .southAboveNorth }
        self.init(
            southE7: southWest.latitudeE7, westE7: Int32((west * Coordinate.unitsPerDegree).rounded()),
            northE7: northEast.latitudeE7, eastE7: Int32((east * Coordinate.unitsPerDegree).rounded()))
    }

    init(southE7: Int32, westE7: Int32, northE7: Int32, eastE7: Int32) {
        self.southE7 = southE7
        self.westE7 = westE7
        self.northE7 = northE7
        self.eastE7 = eastE7
    }

    /// Whether the place lies in the box or on its border.
    public func contains(_ place: Coordinate) -> Bool {
        guard (southE7...northE7).contains(place.latitudeE7) else { return false }
        guard abs(place.latitudeE7) != Coordinate.quarterTurn else { return true }
        return holds(longitude: place.longitudeE7)
            || (place.longitudeE7 == Coordinate.halfTurn && holds(longitude: -Coordinate.halfTurn))
    }

    private func holds(longitude: Int32) -> Bool {
        westE7 <= eastE7 ? westE7 <= longitude && longitude <= eastE7 : longitude >= westE7 || longitude <= eastE7
    }
}

/// The reason why four numbers are not a box.
public enum BoxError: Error, Hashable {
    /// A corner is not a place on Earth.
    case corner(CoordinateError)
    /// The southern latitude is greater than the northern one.
    case southAboveNorth
}
