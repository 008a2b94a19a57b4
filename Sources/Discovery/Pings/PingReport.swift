public import Geo
public import Model

/// A position that a device reports.
public struct PingReport: Codable, Hashable, Sendable {
    /// The id of the person who was there.
    public var person: PersonID
    /// At most 255 bytes.
    public var device: String
    /// When the position was fixed; nil for the time of receipt.
    public var time: Timestamp?
    /// Where the person was.
    public var place: Coordinate
    /// What the device said beyond where and when.
    public var details = PingDetails()

    /// A position without details.
    ///
    /// - Precondition: `device` has at most 255 bytes.
    public init(person: PersonID, device: String = "", time: Timestamp?, place: Coordinate) {
        precondition(device.utf8.count <= 255, "a device's name has at most 255 bytes")
        self.person = person
        self.device = device
        self.time = time
        self.place = place
    }
}

/// From where, how far and until when nothing of a person's positions can be stored: a fix before ``notBefore``, or before
/// ``until`` and nearer than ``beyond``.
public struct Hint: Hashable, Sendable {
    /// The id of the person.
    public var person: PersonID
    /// The person's newest stored position.
    public var from: Coordinate
    /// In metres.
    public var beyond: Double
    /// The earliest fix time at which a position after that one can be stored.
    public var notBefore: Timestamp
    /// From when on it no longer holds, because a position is stored then wherever it is, or because the person is hidden then
    /// and is shown again only when heard of; nil for nothing that is known.
    public var until: Timestamp?
}
