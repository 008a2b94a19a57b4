public import Foundation

extension CercaClient {
    /// A person with a distance.
    public struct PersonNearby: Decodable, Hashable, Sendable {
        /// The person's id.
        public var id: String
        /// The first name.
        public var name: String?
        /// The URL of a picture.
        public var photo: String?
        /// Latitude in degrees, as precise as visible to the caller.
        public var lat: Double
        /// Longitude in degrees, as precise as visible to the caller.
        public var lon: Double
        /// The distance in meters.
        public var distanceM: Double
        /// The bearing in degrees, clockwise from north.
        public var bearing: Int
        /// The fix time, rounded down at a coarse precision.
        public var at: Date
        /// The start of the stay near this position; nil if it is not earlier than ``at``.
        public var since: Date?
        /// The last time at which the person was known to be near this position; nil if it is not later than ``at``.
        public var seenUntil: Date?
        /// `exact`, `approximate` or `city`.
        public var precision: String
        /// The caller's own label for a friend.
        public var label: String?
        /// The caller's limit for this friend's fences, `nobody` or `asked`; nil for the caller's general setting.
        public var alerts: String?
        /// For a past instant: the time of the next position.
        public var nextAt: Date?
        /// For a past instant: the age of the position in seconds.
        public var ageS: Double?
        /// For a past instant: `seen` or `reach`.
        public var basis: String?
        /// For a past instant: `last` or `interpolated`.
        public var method: String?
        /// For a past instant: the uncertainty of the position in meters.
        public var uncertaintyM: Double?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case id, name, photo, lat, lon, bearing, at, since, precision, label, alerts, basis, method
            case distanceM = "distance_m"
            case seenUntil = "seen_until"
            case nextAt = "next_at"
            case ageS = "age_s"
            case uncertaintyM = "uncertainty_m"
        }
    }

    /// A person unknown to the caller.
    public struct Stranger: Decodable, Hashable, Sendable {
        /// The person's id.
        public var id: String
        /// The first name.
        public var name: String?
        /// The stated home city.
        public var city: String?
        /// A distance bucket such as `<2km`.
        public var distance: String
        /// The URL of a picture.
        public var photo: String?
        /// The age in years.
        public var age: Int?
        /// `female`, `male` or `other`.
        public var sex: String?
        /// The relationship status, such as `single`.
        public var relationship: String?
        /// The person's description of themselves.
        public var about: String?
        /// `now`, `today` or `this week`.
        public var seen: String?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case id, name, city, distance, photo, age, sex, relationship, about, seen
        }
    }
}
