public import Geo

/// The id of a link to somebody's position, unique among those of its person.
public typealias ShareID = ID<Share>
/// The number of such a link.
public typealias ShareNumber = Number<Share>

/// A link by which whoever has it sees where a person is, for a while.
public struct Share: Codable, Hashable, Sendable {
    /// Where the link ends when the person comes there.
    public struct Arrival: Codable, Hashable, Sendable {
        /// The place that was named.
        public var place: PlaceID
        /// Where that was when the link was made.
        public var centre: Coordinate
        /// How near the person comes, in meters.
        public var metres: Double

        /// So near to a place, which is there.
        public init(_ place: PlaceID, at centre: Coordinate, within metres: Double) {
            (self.place, self.centre, self.metres) = (place, centre, metres)
        }
    }

    /// The id, which is no secret.
    public var id: ShareID
    /// What is kept of the token that the link has.
    public var token: TokenHash
    /// How exactly the place is shown at most.
    public var precision: Precision
    /// When it was made.
    public var since: Timestamp
    /// From when on it shows nothing.
    public var expires: Timestamp
    /// Where it ends before that; nil for nowhere.
    public var arrival: Arrival?
    /// Whether the way since it was made is shown.
    public var showsTrail = false
    /// What it is called, for those who see it too.
    public var label: String?

    /// A link with a token, between two instants.
    public init(id: ShareID, token: TokenHash, _ precision: Precision, since: Timestamp, until expires: Timestamp) {
        (self.id, self.token, self.precision) = (id, token, precision)
        (self.since, self.expires) = (since, expires)
    }
}

/// A change of links.
public enum ShareChange: Sendable {
    /// A person made a link.
    case opened(ShareNumber, of: PersonNumber, Share)
    /// A link was opened by so many more.
    case viewed(ShareNumber, times: Int64)
    /// A link is gone.
    case ended(ShareNumber)
}
