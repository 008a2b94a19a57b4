public import Geo

/// A run of rejected positions of one person that agree with each other and contradict the same stored positions.
public struct OutlierRun: Codable, Hashable, Sendable {
    /// The stored positions that contradict every position of the run.
    public var accused: Set<PingKey>
    /// The newest position of the run.
    public var last: Fix
    /// The number of positions in the run.
    public var count: Int

    /// Creates a run that ends with a position.
    public init(accused: Set<PingKey>, last: Fix, count: Int = 1) {
        self.accused = accused
        self.last = last
        self.count = count
    }

    /// Encodes the accused in sorted order, because the order of a set differs between processes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(accused.sorted(), forKey: .accused)
        try container.encode(last, forKey: .last)
        try container.encode(count, forKey: .count)
    }
}

/// A reported position at a time, with its accuracy.
public struct Fix: Codable, Hashable, Sendable {
    /// The instant.
    public var time: Timestamp
    /// The place.
    public var place: Coordinate
    /// The accuracy radius in meters; 0 if the device sent none.
    public var accuracy: Float

    /// Creates a fix with an accuracy in meters.
    public init(time: Timestamp, place: Coordinate, accuracy: Float) {
        self.time = time
        self.place = place
        self.accuracy = accuracy
    }
}
