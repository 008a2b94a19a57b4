public import Geo

/// A row of refused positions of one person that agree with each other and contradict the same stored ones.
public struct OutlierRun: Codable, Hashable, Sendable {
    /// The stored positions that none of the row can be reconciled with.
    public var accused: Set<PingKey>
    /// The newest position of the row.
    public var last: Fix
    /// How many positions the row has.
    public var count: Int

    /// A row that ends with a position.
    public init(accused: Set<PingKey>, last: Fix, count: Int = 1) {
        self.accused = accused
        self.last = last
        self.count = count
    }

    /// Writes the accused in one order: a set has another in each process.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(accused.sorted(), forKey: .accused)
        try container.encode(last, forKey: .last)
        try container.encode(count, forKey: .count)
    }
}

/// Where somebody is said to have been, when, and how well that is known.
public struct Fix: Codable, Hashable, Sendable {
    /// The instant.
    public var time: Timestamp
    /// The place.
    public var place: Coordinate
    /// In meters; 0 if the device did not say.
    public var accuracy: Float

    /// A place at an instant, known to so many meters.
    public init(time: Timestamp, place: Coordinate, accuracy: Float) {
        self.time = time
        self.place = place
        self.accuracy = accuracy
    }
}
