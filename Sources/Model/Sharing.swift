public import Geo

/// The precision with which a person's location is shown to others; a greater value is coarser.
public enum Precision: String, Codable, CaseIterable, Comparable, Sendable {
    /// The stored position.
    case exact
    /// The center of the public cell.
    case approximate
    /// The city.
    case city
    /// No location.
    case hidden

    /// Whether one shows more than another.
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

/// The owners whose fences may report a person, within the limits of location sharing.
public enum Alerts: String, Codable, CaseIterable, Comparable, Sendable {
    /// Only the person and services.
    case nobody
    /// Friends whose request the person accepted.
    case asked
    /// All friends.
    case friends

    /// Whether one allows less than another.
    public static func < (a: Alerts, b: Alerts) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .nobody: 0
        case .asked: 1
        case .friends: 2
        }
    }
}

/// A person's location sharing settings.
public struct Sharing: Codable, Hashable, Sendable {
    /// The maximum precision for friends.
    public var precision: Precision
    /// The end of a pause during which nothing is shown; nil for no pause.
    public var pausedUntil: Timestamp?
    /// When the location is shown; nil for always.
    public var timetable: ZonedHours?
    /// The zones without an exact location, in the given order.
    public var zones: [PrivacyZone] = []
    /// The friends whose fences may watch the person.
    public var alerts = Alerts.nobody

    /// Creates settings that share always and everywhere with a precision; the default is the public cell.
    public init(_ precision: Precision = .approximate) { self.precision = precision }

    /// The part of the settings that is stored with its dates, because it was agreed with others.
    ///
    /// Zones are marked on the positions stored in them, and alerts do not concern the past.
    public var dated: Sharing {
        var sharing = self
        (sharing.zones, sharing.alerts) = ([], .nobody)
        return sharing
    }
}

/// A circle, such as around the home, within which the exact location is hidden from others.
public struct PrivacyZone: Codable, Hashable, Sendable {
    /// The id, unique among the person's zones.
    public var id: ID<PrivacyZone>
    /// The true center, visible only to the person.
    public var centre: Coordinate
    /// The radius in meters.
    public var radius: Double

    /// The allowed radii, in meters: greater than the displacement of the circle that is applied.
    public static let radii = 300.0...5000.0
    /// The maximum number of zones of a person.
    public static let most = 20

    /// Creates a zone around a place.
    public init(id: ID<PrivacyZone>, centre: Coordinate, radius: Double) {
        self.id = id
        self.centre = centre
        self.radius = radius
    }
}
