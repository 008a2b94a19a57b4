public import Geo

/// A fix of a person that is believed, and newer than what is stored: where the person is.
public struct LiveFix: Codable, Hashable, Sendable {
    /// When it was fixed.
    public var time: Timestamp
    /// Where that was.
    public var place: Coordinate
    /// The radius, in meters, that the device trusts the place to; nil if it did not say.
    public var accuracy: Float?
    /// Whether it lay in a privacy zone of the person when it was received.
    public var isInPrivacyZone = false

    /// A place at an instant.
    public init(_ time: Timestamp, _ place: Coordinate, accuracy: Float? = nil) {
        (self.time, self.place, self.accuracy) = (time, place, accuracy)
    }
}

extension Optional: Usual where Wrapped == LiveFix {
    package static var usual: LiveFix? { nil }
}
