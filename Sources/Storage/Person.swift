/// A person as others may come to know them; who sees what is decided elsewhere.
public struct Person: Hashable, Sendable {
    public var id: EntityID
    public var name: String?
    public var surname: String?
    /// The name of a city, as the person wrote it.
    public var city: String?
    public var born: CalendarDate?
    public var sex: Sex?
    public var relationship: Relationship?
    public var email: String?
    public var phone: String?
    /// An address (URL) of a picture.
    public var photo: String?
    public var about: String?
    public var attributes: [String: AttributeValue] = [:]
    /// Whether strangers may find this person by distance. Nobody is found who did not choose to be.
    public var isDiscoverable = false
    public var throttle = ThrottleOverride()

    public init(id: EntityID) { self.id = id }
}

/// What a person gives as sex.
public enum Sex: String, Hashable, Sendable, CaseIterable { case female, male, other }

/// What a person gives as relationship status.
public enum Relationship: String, Hashable, Sendable, CaseIterable {
    case single, partnered, married, separated, divorced, widowed, open, complicated
}

/// A person's own thresholds for storing positions; nil leaves the service's.
public struct ThrottleOverride: Hashable, Sendable {
    /// The least distance between stored positions, in metres.
    public var distance: Double?
    /// The least time between stored positions.
    public var interval: Duration?

    public init(distance: Double? = nil, interval: Duration? = nil) {
        self.distance = distance
        self.interval = interval
    }
}

/// A value of the free attributes that people and places carry.
public enum AttributeValue: Hashable, Sendable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case list([String])
}
