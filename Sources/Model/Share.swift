public import Geo

/// The id of a link to a person's location, unique among the links of that person.
public typealias ShareID = ID<Share>
/// The number of a link.
public typealias ShareNumber = Number<Share>

/// A temporary link that shows a person's location to anyone who has it.
public struct Share: Codable, Hashable, Sendable {
    /// An arrival that ends the link.
    public struct Arrival: Codable, Hashable, Sendable {
        /// The destination.
        public var place: PlaceID
        /// The position of the destination when the link was created.
        public var centre: Coordinate
        /// The arrival distance in meters.
        public var metres: Double

        /// Creates an arrival within a distance of a place.
        public init(_ place: PlaceID, at centre: Coordinate, within metres: Double) {
            (self.place, self.centre, self.metres) = (place, centre, metres)
        }
    }

    /// The id, which is not secret.
    public var id: ShareID
    /// The stored hash of the link's token.
    public var token: TokenHash
    /// The maximum precision of the location shown.
    public var precision: Precision
    /// When it was created.
    public var since: Timestamp
    /// When it expires.
    public var expires: Timestamp
    /// The arrival that ends it earlier; nil for none.
    public var arrival: Arrival?
    /// Whether the track since its creation is shown.
    public var showsTrail = false
    /// The label, which is also visible to viewers.
    public var label: String?

    /// Creates a link that is valid between two instants.
    public init(id: ShareID, token: TokenHash, _ precision: Precision, since: Timestamp, until expires: Timestamp) {
        (self.id, self.token, self.precision) = (id, token, precision)
        (self.since, self.expires) = (since, expires)
    }
}

/// A change of links.
public enum ShareChange: Sendable {
    /// A person created a link.
    case opened(ShareNumber, of: PersonNumber, Share)
    /// A link was opened `times` more times.
    case viewed(ShareNumber, times: Int64)
    /// A link was removed.
    case ended(ShareNumber)
}
