/// Opening hours in a time zone.
public struct ZonedHours: Codable, Hashable, Sendable {
    /// Hours in the syntax of OpenStreetMap's `opening_hours`.
    public var hours: String
    /// The IANA name of the zone.
    public var timezone: String

    /// Creates hours in a time zone.
    public init(hours: String, timezone: String) {
        self.hours = hours
        self.timezone = timezone
    }
}
