/// Hours by the clock of a zone.
public struct ZonedHours: Codable, Hashable, Sendable {
    /// Hours as OpenStreetMap writes opening hours.
    public var hours: String
    /// The IANA name of the zone.
    public var timezone: String

    /// Hours by the clock of a zone.
    public init(hours: String, timezone: String) {
        self.hours = hours
        self.timezone = timezone
    }
}
