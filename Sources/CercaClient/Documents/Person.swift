public import Foundation

extension CercaClient {
    /// A person's document, as far as the caller may know it.
    public struct Person: Codable, Hashable, Sendable {
        /// Names the person.
        public var id: String
        /// The first name.
        public var name: String?
        /// The surname.
        public var surname: String?
        /// Where the person says that they live.
        public var city: String?
        /// The day of birth, such as `1996-05-01`.
        public var born: String?
        /// `female`, `male` or `other`.
        public var sex: String?
        /// Such as `single`.
        public var relationship: String?
        /// The e-mail address.
        public var email: String?
        /// The telephone number.
        public var phone: String?
        /// The address of a picture.
        public var photo: String?
        /// What the person says of themselves.
        public var about: String?
        /// Anything else.
        public var attributes: [String: Attribute]?
        /// Whether strangers may find the person nearby.
        public var discoverable: Bool?
        /// Whether people find the person by name.
        public var searchable: Bool?
        /// Whether people find the person by e-mail address.
        public var searchableByEmail: Bool?
        /// What friends see of where the person is.
        public var sharing: Sharing?
        /// Which positions are kept, if not those of the settings.
        public var throttle: Throttle?
        /// The age above which positions are deleted, in seconds.
        public var retentionS: Double?
        /// Tokens of the person that were issued before are not good.
        public var tokensNotBefore: Date?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case id, name, surname, city, born, sex, relationship, email, phone, photo, about, attributes, discoverable,
                searchable, sharing, throttle
            case searchableByEmail = "searchable_by_email"
            case retentionS = "retention_s"
            case tokensNotBefore = "tokens_not_before"
        }

        /// With what is required; the rest is set afterwards.
        public init(id: String) {
            self.id = id
        }
    }

    /// What friends see of where a person is.
    public struct Sharing: Codable, Hashable, Sendable {
        /// `exact`, `approximate`, `city` or `hidden`.
        public var precision: String?
        /// Until when nobody sees where the person is.
        public var pausedUntil: Date?
        /// When friends see where the person is; else always.
        public var timetable: Timetable?
        /// Circles in which others see the public cell.
        public var zones: [Zone]?
        /// Whose fences may tell of the person: `nobody`, `asked` or `friends`.
        public var alerts: String?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case precision, timetable, zones, alerts
            case pausedUntil = "paused_until"
        }

        /// With what is required; the rest is set afterwards.
        public init() {
        }
    }

    /// Hours of the week.
    public struct Timetable: Codable, Hashable, Sendable {
        /// As OpenStreetMap writes opening hours, such as `Mo-Fr 09:00-18:00`.
        public var hours: String
        /// Such as `Europe/Madrid`.
        public var timezone: String

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case hours, timezone
        }

        /// With what is required; the rest is set afterwards.
        public init(hours: String, timezone: String) {
            self.hours = hours
            self.timezone = timezone
        }
    }

    /// A circle in which others see the public cell.
    public struct Zone: Codable, Hashable, Sendable {
        /// Names the zone among those of the person.
        public var id: String
        /// The middle, in degrees.
        public var lat: Double
        /// The middle, in degrees.
        public var lon: Double
        /// In metres.
        public var radiusM: Double

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case id, lat, lon
            case radiusM = "radius_m"
        }

        /// With what is required; the rest is set afterwards.
        public init(id: String, lat: Double, lon: Double, radiusM: Double) {
            self.id = id
            self.lat = lat
            self.lon = lon
            self.radiusM = radiusM
        }
    }

    /// Which positions are kept.
    public struct Throttle: Codable, Hashable, Sendable {
        /// Metres from the stored position before.
        public var distanceM: Double?
        /// Seconds from the stored positions before and after.
        public var intervalS: Double?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case distanceM = "distance_m"
            case intervalS = "interval_s"
        }

        /// With what is required; the rest is set afterwards.
        public init() {
        }
    }
}
