public import Geo

/// A position of a person that was kept.
public struct StoredPing: Hashable, Sendable {
    /// The person's number.
    public var person: PersonNumber
    /// When the position was fixed.
    public var time: Timestamp
    /// Tells stored points of the same person and time apart, counted from 0.
    public var sequence: UInt8 = 0
    /// When the ping arrived.
    public var received: Timestamp
    /// The position itself.
    public var place: Coordinate
    /// The cell that strangers may know, as it was when the ping was stored.
    public var publicCell: CubeCell
    /// The device that sent it, empty if it did not say.
    public var device = ""
    /// What the device said beyond where and when.
    public var details = PingDetails()
    /// The latest fix time of a ping that was throttled for being near; nil if there was none.
    public var seenUntil: Timestamp?
    /// When between the fix and that time nothing tells that the person was near.
    public var gaps: [Stay.Gap] = []
    /// Whether it lay in a privacy zone of the person when it was stored.
    public var isInPrivacyZone = false
    /// Whether three later positions that agree with each other contradicted it.
    public var isSuspect = false

    /// A position without details, the first of its person and time.
    public init(person: PersonNumber, time: Timestamp, received: Timestamp, place: Coordinate, publicCell: CubeCell) {
        self.person = person
        self.time = time
        self.received = received
        self.place = place
        self.publicCell = publicCell
    }
}

/// Tells the stored positions of one person apart; their order is that of fix times.
public struct PingKey: Codable, Hashable, Comparable, Sendable {
    /// When the position was fixed.
    public var time: Timestamp
    /// Tells positions of the same time apart.
    public var sequence: UInt8

    /// The key of the position of a time with a sequence.
    public init(time: Timestamp, sequence: UInt8) {
        self.time = time
        self.sequence = sequence
    }

    /// Whether one position comes before another.
    public static func < (a: PingKey, b: PingKey) -> Bool { (a.time, a.sequence) < (b.time, b.sequence) }
}

extension StoredPing {
    /// How long the person is known to have been near it.
    public var stay: Stay {
        get { Stay(since: time, until: seenUntil, gaps: gaps) }
        set {
            seenUntil = newValue.until > time ? newValue.until : nil
            gaps = newValue.gaps
        }
    }

    /// What tells it apart from others of the same person.
    public var key: PingKey { PingKey(time: time, sequence: sequence) }
}

/// What a device may say beyond where and when.
public struct PingDetails: Codable, Hashable, Sendable {
    /// The radius, in meters, that the device trusts the position to.
    public var accuracy: Float?
    /// Height above the ellipsoid, in meters.
    public var altitude: Float?
    /// In meters a second.
    public var speed: Float?
    /// Direction of travel, in degrees clockwise from north.
    public var heading: Float?
    /// Charge of the battery, 0...1.
    public var battery: Float?

    /// Details of which the device said none.
    public init() {}
}
