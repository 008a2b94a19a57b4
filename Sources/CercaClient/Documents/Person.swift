public import Foundation

extension CercaClient {
    /// A person's document, as visible to the caller.
    public struct Person: Codable, Hashable, Sendable {
        /// The person's id.
        public var id: String
        /// The first name.
        public var name: String?
        /// The surname.
        public var surname: String?
        /// The stated home city.
        public var city: String?
        /// The date of birth, such as `1996-05-01`.
        public var born: String?
        /// `female`, `male` or `other`.
        public var sex: String?
        /// The relationship status, such as `single`.
        public var relationship: String?
        /// The e-mail address.
        public var email: String?
        /// The telephone number.
        public var phone: String?
        /// The URL of a picture.
        public var photo: String?
        /// The person's description of themselves.
        public var about: String?
        /// Free attributes.
        public var attributes: [String: Attribute]?
        /// Whether strangers can discover the person nearby.
        public var discoverable: Bool?
        /// Whether others find the person by name.
        public var searchable: Bool?
        /// Whether others find the person by e-mail address.
        public var searchableByEmail: Bool?
        /// The visibility of the person's position to friends.
        public var sharing: Sharing?
        /// Which positions are stored, if different from the settings.
        public var throttle: Throttle?
        /// The maximum age of stored positions in seconds.
        public var retentionS: Double?
        /// Tokens of the person issued before this time are invalid.
        public var tokensNotBefore: Date?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case id, name, surname, city, born, sex, relationship, email, phone, photo, about, attributes, discoverable,
                searchable, sharing, throttle
            case searchableByEmail = "searchable_by_email"
            case retentionS = "retention_s"
            case tokensNotBefore = "tokens_not_before"
        }

        /// Creates a document with the required members.
        public init(id: String) {
            self.id = id
        }
    }

    /// The visibility of a person's position to friends.
    public struct Sharing: Codable, Hashable, Sendable {
        /// `exact`, `approximate`, `city` or `hidden`.
        public var precision: String?
        /// Until when the position is hidden.
        public var pausedUntil: Date?
        /// When the position is visible to friends; nil for always.
        public var timetable: Timetable?
        /// Circles in which others see only the public cell.
        public var zones: [Zone]?
        /// The friends whose fences may report the person: `nobody`, `asked` or `friends`.
        public var alerts: String?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case precision, timetable, zones, alerts
            case pausedUntil = "paused_until"
        }

        /// Creates a document with the required members.
        public init() {
        }
    }

    /// Weekly hours in a time zone.
    public struct Timetable: Codable, Hashable, Sendable {
        /// The hours in OpenStreetMap's format of opening hours, such as `Mo-Fr 09:00-18:00`.
        public var hours: String
        /// The IANA time zone, such as `Europe/Madrid`.
        public var timezone: String

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case hours, timezone
        }

        /// Creates a document with the required members.
        public init(hours: String, timezone: String) {
            self.hours = hours
            self.timezone = timezone
        }
    }

    /// A circle in which others see only the public cell.
    public struct Zone: Codable, Hashable, Sendable {
        /// The zone's id, unique for the person.
        public var id: String
        /// Latitude of the center in degrees.
        public var lat: Double
        /// Longitude of the center in degrees.
        public var lon: Double
        /// The radius in meters.
        public var radiusM: Double

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case id, lat, lon
            case radiusM = "radius_m"
        }

        /// Creates a document with the required members.
        public init(id: String, lat: Double, lon: Double, radiusM: Double) {
            self.id = id
            self.lat = lat
            self.lon = lon
            self.radiusM = radiusM
        }
    }

    /// Which positions are stored.
    public struct Throttle: Codable, Hashable, Sendable {
        /// Minimum distance from the previous stored position, in meters.
        public var distanceM: Double?
        /// Minimum interval to the previous and next stored position, in seconds.
        public var intervalS: Double?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case distanceM = "distance_m"
            case intervalS = "interval_s"
        }

        /// Creates a document with the required members.
        public init() {
        }
    }
}
