public import Geo

/// The location of a person: a believed fix newer than the stored positions.
public struct LiveFix: Codable, Hashable, Sendable {
    /// The time of the fix.
    public var time: Timestamp
    /// The place of the fix.
    public var place: Coordinate
    /// The accuracy radius in meters; nil if the device sent none.
    public var accuracy: Float?
    /// Whether it was in a privacy zone of the person when it was received.
    public var isInPrivacyZone = false

    /// Creates a fix of a place at an instant.
    public init(_ time: Timestamp, _ place: Coordinate, accuracy: Float? = nil) {
        (self.time, self.place, self.accuracy) = (time, place, accuracy)
    }
}

extension Optional: HasDefault where Wrapped == LiveFix {
    package static var usual: LiveFix? { nil }
}
