/// A person as others may come to know them; who sees what is decided elsewhere.
///
/// Held as many give it: what most leave out takes room only where it is given.
public struct Person: Codable, Hashable, Sendable {
    /// The id, unique among people.
    public var id: PersonID
    /// The given name, which strangers see too; nil if not given.
    public var name: String?
    /// The name of a city, as the person wrote it.
    public var city: String?
    /// The day of birth; who gives none neither finds strangers nor is found by them.
    public var born: CalendarDate?
    /// What the person gives as sex; nil for nothing.
    public var sex: Sex?
    /// What the person gives as relationship status; nil for nothing.
    public var relationship: Relationship?
    /// Whether strangers may find this person by distance.
    ///
    /// Nobody is found who did not choose to be.
    public var isDiscoverable = false
    /// Whether people find this person by name.
    public var isSearchable = true
    /// Whether people who know the e-mail address find this person by it.
    public var isSearchableByEmail = false
    @Seldom private var details: Details
    @Seldom private var choices: Choices

    /// A person of whom nothing but the id is known, and whom no stranger may find.
    public init(id: PersonID) { self.id = id }
}

extension Person {
    private struct Details: Codable, Hashable, Usual {
        static let usual = Details()
        var surname, email, phone, photo, about: String?
        var attributes: [String: AttributeValue] = [:]
    }

    private struct Choices: Codable, Hashable, Usual {
        static let usual = Choices()
        var sharing = Sharing()
        var throttle = ThrottleOverride()
        var retention: Duration?
        var tokensNotBefore: Timestamp?
    }

    /// The family name, which discovery does not show; nil if not given.
    public var surname: String? {
        get { details.surname }
        set { details.surname = newValue }
    }

    /// An e-mail address that nobody has confirmed; nil if not given.
    public var email: String? {
        get { details.email }
        set { details.email = newValue }
    }

    /// A telephone number as the person wrote it; nil if not given.
    public var phone: String? {
        get { details.phone }
        set { details.phone = newValue }
    }

    /// An address (URL) of a picture.
    public var photo: String? {
        get { details.photo }
        set { details.photo = newValue }
    }

    /// What people say about themselves, in free text; nil for nothing.
    public var about: String? {
        get { details.about }
        set { details.about = newValue }
    }

    /// Whatever else is known, by its name; empty for nothing.
    public var attributes: [String: AttributeValue] {
        get { details.attributes }
        set { details.attributes = newValue }
    }

    /// What others may know of where the person is.
    public var sharing: Sharing {
        get { choices.sharing }
        set { choices.sharing = newValue }
    }

    /// The person's own thresholds for storing positions, none at first.
    public var throttle: ThrottleOverride {
        get { choices.throttle }
        set { choices.throttle = newValue }
    }

    /// The age beyond which positions are not kept, where the service does not keep them for a shorter time anyway.
    ///
    /// nil leaves it to the service.
    public var retention: Duration? {
        get { choices.retention }
        set { choices.retention = newValue }
    }

    /// From when on tokens of the person are good, in whole seconds; nil for all that have not expired.
    public var tokensNotBefore: Timestamp? {
        get { choices.tokensNotBefore }
        set { choices.tokensNotBefore = newValue }
    }

    /// The bytes of memory beside itself, but for those of long texts.
    package var bytes: Int { _details.bytes + _choices.bytes }
}

/// What a person gives as sex.
public enum Sex: String, Codable, Hashable, Sendable, CaseIterable { case female, male, other }

/// What a person gives as relationship status.
public enum Relationship: String, Codable, Hashable, Sendable, CaseIterable {
    case single, partnered, married, separated, divorced, widowed, open, complicated
}

/// A person's own thresholds for storing positions; nil leaves the service's.
public struct ThrottleOverride: Codable, Hashable, Sendable {
    /// The least distance between stored positions, in meters.
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
