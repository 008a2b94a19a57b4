public import Geo

/// A stored position of a person.
public struct StoredPing: Hashable, Sendable {
    /// The person's number.
    public var person: PersonNumber
    /// When the position was fixed.
    public var time: Timestamp
    /// Distinguishes stored positions of the same person and time, counted from 0.
    public var sequence: UInt8 = 0
    /// When the ping arrived.
    public var received: Timestamp
    /// The position itself.
    public var place: Coordinate
    /// The public cell at the time of storing.
    public var publicCell: CubeCell
    /// The device that sent it; empty if it is unknown.
    public var device = ""
    /// Further values sent by the device.
    public var details = PingDetails()
    /// The latest fix time of a nearby ping that was throttled; nil if there was none.
    public var seenUntil: Timestamp?
    /// The intervals between the fix and that time for which the person is not known to have been near.
    public var gaps: [Stay.Gap] = []
    /// Whether it was in a privacy zone of the person when it was stored.
    public var isInPrivacyZone = false
    /// Whether three later positions that agree with each other contradict it.
    public var isSuspect = false

    /// Creates a position without details, the first of its person and time.
    public init(person: PersonNumber, time: Timestamp, received: Timestamp, place: Coordinate, publicCell: CubeCell) {
        self.person = person
        self.time = time
        self.received = received
        self.place = place
        self.publicCell = publicCell
    }
}

/// The key of a stored position among one person's, ordered by fix time.
public struct PingKey: Codable, Hashable, Comparable, Sendable {
    /// When the position was fixed.
    public var time: Timestamp
    /// Distinguishes positions of the same time.
    public var sequence: UInt8

    /// Creates a key from a time and a sequence.
    public init(time: Timestamp, sequence: UInt8) {
        self.time = time
        self.sequence = sequence
    }

    /// Whether one position comes before another.
    public static func < (a: PingKey, b: PingKey) -> Bool { (a.time, a.sequence) < (b.time, b.sequence) }
}

extension StoredPing {
    /// The known stay near the position.
    public var stay: Stay {
        get { Stay(since: time, until: seenUntil, gaps: gaps) }
        set {
            seenUntil = newValue.until > time ? newValue.until : nil
            gaps = newValue.gaps
        }
    }

    /// The key among the same person's positions.
    public var key: PingKey { PingKey(time: time, sequence: sequence) }
}

/// Optional values of a ping beyond place and time.
public struct PingDetails: Codable, Hashable, Sendable {
    /// The accuracy radius, in meters.
    public var accuracy: Float?
    /// Height above the ellipsoid, in meters.
    public var altitude: Float?
    /// Meters per second.
    public var speed: Float?
    /// Direction of travel, in degrees clockwise from north.
    public var heading: Float?
    /// Battery charge, 0...1.
    public var battery: Float?

    /// Creates details without values.
    public init() {}
}
