public import Geo
public import Model

/// A position reported by a device.
public struct PingReport: Codable, Hashable, Sendable {
    /// The ID of the person.
    public var person: PersonID
    /// At most 255 bytes.
    public var device: String
    /// The fix time; nil for the time of receipt.
    public var time: Timestamp?
    /// The reported coordinate.
    public var place: Coordinate
    /// Optional measurements of the device.
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

/// An upload hint: no fix can be stored before ``notBefore``, or before ``until`` and nearer than ``beyond``.
public struct Hint: Hashable, Sendable {
    /// The ID of the person.
    public var person: PersonID
    /// The center of the circle: the newest stored position, or the last fix if a border or a subscriber is near.
    public var from: Coordinate
    /// The radius in meters.
    public var beyond: Double
    /// The earliest fix time at which a later position can be stored.
    public var notBefore: Timestamp
    /// The end of the hint, from when a fix anywhere is stored, or the person is hidden and the next contact makes them
    /// visible; nil if none is known.
    public var until: Timestamp?
}
