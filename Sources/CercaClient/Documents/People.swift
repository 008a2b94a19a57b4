public import Foundation

extension CercaClient {
    /// A person at a distance.
    public struct PersonNearby: Decodable, Hashable, Sendable {
        /// Names the person.
        public var id: String
        /// The first name.
        public var name: String?
        /// The address of a picture.
        public var photo: String?
        /// In degrees, as exactly as the caller may know.
        public var lat: Double
        /// In degrees, as exactly as the caller may know.
        public var lon: Double
        /// How far they are, in metres.
        public var distanceM: Double
        /// The direction in which they are, in degrees from north, clockwise.
        public var bearing: Int
        /// When the position was fixed; rounded down at a coarse precision.
        public var at: Date
        /// Since when they have stayed near there; nil if it is not earlier than ``at``.
        public var since: Date?
        /// When they were last known to be near there; nil if it is not later than ``at``.
        public var seenUntil: Date?
        /// `exact`, `approximate` or `city`.
        public var precision: String
        /// The caller's own word for a friend.
        public var label: String?
        /// What the caller allows a friend's fences at most: `nobody` or `asked`; nil for what holds for all friends.
        public var alerts: String?
        /// Of the past: when the next position was.
        public var nextAt: Date?
        /// Of the past: how old the position was, in seconds.
        public var ageS: Double?
        /// Of the past: `seen` or `reach`.
        public var basis: String?
        /// Of the past: `last` or `interpolated`.
        public var method: String?
        /// Of the past: how far away they may have been, in metres.
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

    /// A person whom the caller does not know yet.
    public struct Stranger: Decodable, Hashable, Sendable {
        /// Names the person.
        public var id: String
        /// The first name.
        public var name: String?
        /// Where the person says that they live.
        public var city: String?
        /// A bucket, such as `<2km`.
        public var distance: String
        /// The address of a picture.
        public var photo: String?
        /// In years.
        public var age: Int?
        /// `female`, `male` or `other`.
        public var sex: String?
        /// Such as `single`.
        public var relationship: String?
        /// What they say of themselves.
        public var about: String?
        /// `now`, `today` or `this week`.
        public var seen: String?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case id, name, city, distance, photo, age, sex, relationship, about, seen
        }
    }
}
