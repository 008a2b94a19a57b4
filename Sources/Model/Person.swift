/// A person's profile and settings; visibility is decided elsewhere.
///
/// Properties that most people leave out take memory only if they are given.
public struct Person: Codable, Hashable, Sendable {
    /// The id, unique among people.
    public var id: PersonID
    /// The given name, also visible to strangers; nil if not given.
    public var name: String?
    /// The name of a city, as the person entered it.
    public var city: String?
    /// The date of birth; without it a person neither finds strangers nor is found by them.
    public var born: CalendarDate?
    /// The stated sex; nil if not given.
    public var sex: Sex?
    /// The stated relationship status; nil if not given.
    public var relationship: Relationship?
    /// Whether strangers may find this person by distance.
    ///
    /// It is off by default: being found requires the person's choice.
    public var isDiscoverable = false
    /// Whether others can find this person by name.
    public var isSearchable = true
    /// Whether people who know the e-mail address can find this person by it.
    public var isSearchableByEmail = false
    @BoxedIfNonDefault private var details: Details
    @BoxedIfNonDefault private var choices: Choices

    /// Creates a person with an id only, whom strangers cannot find.
    public init(id: PersonID) { self.id = id }
}

extension Person {
    private struct Details: Codable, Hashable, HasDefault {
        static let usual = Details()
        var surname, email, phone, photo, about: String?
        var attributes: [String: AttributeValue] = [:]
    }

    private struct Choices: Codable, Hashable, HasDefault {
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

    /// An unverified e-mail address; nil if not given.
    public var email: String? {
        get { details.email }
        set { details.email = newValue }
    }

    /// A telephone number as entered; nil if not given.
    public var phone: String? {
        get { details.phone }
        set { details.phone = newValue }
    }

    /// The URL of a picture.
    public var photo: String? {
        get { details.photo }
        set { details.photo = newValue }
    }

    /// A self-description in free text; nil if not given.
    public var about: String? {
        get { details.about }
        set { details.about = newValue }
    }

    /// Other attributes by name; empty if there are none.
    public var attributes: [String: AttributeValue] {
        get { details.attributes }
        set { details.attributes = newValue }
    }

    /// The location sharing settings.
    public var sharing: Sharing {
        get { choices.sharing }
        set { choices.sharing = newValue }
    }

    /// The person's own thresholds for storing positions; initially none.
    public var throttle: ThrottleOverride {
        get { choices.throttle }
        set { choices.throttle = newValue }
    }

    /// The age after which positions are deleted, if the service does not delete them earlier.
    ///
    /// nil uses the service's setting.
    public var retention: Duration? {
        get { choices.retention }
        set { choices.retention = newValue }
    }

    /// The earliest issue time of valid tokens of the person, in whole seconds; nil for no limit except expiry.
    public var tokensNotBefore: Timestamp? {
        get { choices.tokensNotBefore }
        set { choices.tokensNotBefore = newValue }
    }

    /// The additional bytes of memory, except the bytes of long texts.
    package var bytes: Int { _details.bytes + _choices.bytes }
}

/// The stated sex.
public enum Sex: String, Codable, Hashable, Sendable, CaseIterable { case female, male, other }

/// The stated relationship status.
public enum Relationship: String, Codable, Hashable, Sendable, CaseIterable {
    case single, partnered, married, separated, divorced, widowed, open, complicated
}

/// A person's own thresholds for storing positions; nil uses the service's.
public struct ThrottleOverride: Codable, Hashable, Sendable {
    /// The least distance between stored positions, in meters.
    public var distance: Double?
    /// The least time between stored positions.
    public var interval: Duration?

    /// Creates thresholds; nil values use the service's.
    public init(distance: Double? = nil, interval: Duration? = nil) {
        self.distance = distance
        self.interval = interval
    }
}

/// A value of the free attributes of people, places and products.
public enum AttributeValue: Hashable, Sendable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case list([String])
}

extension AttributeValue: Codable {
    /// Decodes a string, a number, a Boolean or a list of strings.
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

    /// Encodes the value as plain JSON.
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
