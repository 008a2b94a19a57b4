public import Geo

/// How exactly somebody's place is told to others; the greater is the coarser.
public enum Precision: String, Codable, CaseIterable, Comparable, Sendable {
    /// As it was stored.
    case exact
    /// The middle of the public cell.
    case approximate
    /// A city.
    case city
    /// Not at all.
    case hidden

    /// Whether one tells more than another.
    public static func < (a: Precision, b: Precision) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .exact: 0
        case .approximate: 1
        case .city: 2
        case .hidden: 3
        }
    }
}

/// Whose fences may tell of a person, as far as their places are shared.
public enum Alerts: String, Codable, CaseIterable, Comparable, Sendable {
    /// Nobody's but the person's own and those of services.
    case nobody
    /// Those of friends that the person accepted.
    case asked
    /// Those of all friends.
    case friends

    /// Whether the one allows less than the other.
    public static func < (a: Alerts, b: Alerts) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .nobody: 0
        case .asked: 1
        case .friends: 2
        }
    }
}

/// What a person chose that others may know of where the person is.
public struct Sharing: Codable, Hashable, Sendable {
    /// What friends are told at most.
    public var precision: Precision
    /// Until when nothing is told to anybody; nil for no pause.
    public var pausedUntil: Timestamp?
    /// When something is told at all; nil for at any time.
    public var timetable: ZonedHours?
    /// Where nothing exact is told, in the order in which they were given.
    public var zones: [PrivacyZone] = []
    /// Whether friends may have fences about the person.
    public var alerts = Alerts.nobody

    /// At any time and everywhere at a precision: for who states nothing, the public cell.
    public init(_ precision: Precision = .approximate) { self.precision = precision }

    /// What is agreed with others, which is kept with its dates; zones are known by the positions stored in them, and alerts
    /// tell of no past.
    public var dated: Sharing {
        var sharing = self
        (sharing.zones, sharing.alerts) = ([], .nobody)
        return sharing
    }
}

/// A circle in which nobody is told exactly where the person is, such as around the home.
public struct PrivacyZone: Codable, Hashable, Sendable {
    /// Tells the zones of a person apart.
    public var id: ID<PrivacyZone>
    /// The true middle, which is for the person only.
    public var centre: Coordinate
    /// In meters.
    public var radius: Double

    /// The radii that are possible, in meters: at least what the circle that is used may be displaced by, and more.
    public static let radii = 300.0...5000.0
    /// How many zones a person may have.
    public static let most = 20

    /// A zone around a place.
    public init(id: ID<PrivacyZone>, centre: Coordinate, radius: Double) {
        self.id = id
        self.centre = centre
        self.radius = radius
    }
}
