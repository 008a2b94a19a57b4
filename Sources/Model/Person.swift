/// A person as others may come to know them; who sees what is decided elsewhere.
public struct Person: Codable, Hashable, Sendable {
    /// The id, unique among people.
    public var id: PersonID
    /// The given name, which strangers see too; nil if not given.
    public var name: String?
    /// The family name, which discovery does not show; nil if not given.
    public var surname: String?
    /// The name of a city, as the person wrote it.
    public var city: String?
    /// The day of birth; who gives none neither finds strangers nor is found by them.
    public var born: CalendarDate?
    /// What the person gives as sex; nil for nothing.
    public var sex: Sex?
    /// What the person gives as relationship status; nil for nothing.
    public var relationship: Relationship?
    /// An e-mail address that nobody has confirmed; nil if not given.
    public var email: String?
    /// A telephone number as the person wrote it; nil if not given.
    public var phone: String?
    /// An address (URL) of a picture.
    public var photo: String?
    /// What people say about themselves, in free text; nil for nothing.
    public var about: String?
    /// Whatever else is known, by its name; empty for nothing.
    public var attributes: [String: AttributeValue] = [:]
    /// Whether strangers may find this person by distance.
    ///
    /// Nobody is found who did not choose to be.
    public var isDiscoverable = false
    /// Whether people find this person by name.
    public var isSearchable = true
    /// Whether people who know the e-mail address find this person by it.
    public var isSearchableByEmail = false
    /// What others may know of where the person is.
    public var sharing = Sharing()
    /// The person's own thresholds for storing positions, none at first.
    public var throttle = ThrottleOverride()
    /// The age beyond which positions are not kept, where the service does not keep them for a shorter time anyway.
    ///
    /// nil leaves it to the service.
    public var retention: Duration?

    /// A person of whom nothing but the id is known, and whom no stranger may find.
    public init(id: PersonID) { self.id = id }
}

/// What a person gives as sex.
public enum Sex: String, Codable, Hashable, Sendable, CaseIterable { case female, male, other }

/// What a person gives as relationship status.
public enum Relationship: String, Codable, Hashable, Sendable, CaseIterable {
    case single, partnered, married, separated, divorced, widowed, open, complicated
}

/// A person's own thresholds for storing positions; nil leaves the service's.
public struct ThrottleOverride: Codable, Hashable, Sendable {
    /// The least distance between stored positions, in metres.
    public var distance: Double?
    /// The least time between stored positions.
    public var interval: Duration?

    /// Thresholds of which those left nil stay the service's.
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

extension AttributeValue: Codable {
    /// Reads a text, a number, a truth value or a list of texts.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let list = try? container.decode([String].self) {
            self = .list(list)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    /// Writes the value as plain JSON.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .list(let list): try container.encode(list)
        }
    }
}
