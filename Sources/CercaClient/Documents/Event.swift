public import Foundation

extension CercaClient {
    /// Something that happened.
    public struct Event: Decodable, Hashable, Sendable {
        /// Greater than that of every event before.
        public var id: Int
        /// Such as `fence.enter`.
        public var type: String
        /// When it happened.
        public var at: Date
        /// Who did it, or who moved.
        public var person: String?
        /// To whom it was done, or with whom.
        public var other: String?
        /// The place that it is about.
        public var place: String?
        /// The product that it is about.
        public var product: String?
        /// The group that it is about.
        public var group: String?
        /// The fence that it is about.
        public var fence: String?
        /// The link that it is about.
        public var share: String?
        /// Whether the person went through a fence between two fixes.
        public var through: Bool?
        /// More about it, for people.
        public var note: String?
        /// Of a friend who crossed a fence: how exactly their place was shown then.
        public var precision: String?
        /// Where the person is now; nil for nowhere that may be known.
        public var position: LivePosition?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case id, type, at, person, other, place, product, group, fence, share, through, note, precision, position
        }

        /// Where a person is.
        public struct LivePosition: Decodable, Hashable, Sendable {
            /// In degrees, as exactly as the caller may know.
            public var lat: Double
            /// In degrees, as exactly as the caller may know.
            public var lon: Double
            /// When the position was fixed; rounded down at a coarse precision.
            public var at: Date
            /// Since when they have stayed near there; nil if it is not earlier than ``at``.
            public var since: Date?
            /// When they were last known to be near there; nil if it is not later than ``at``.
            public var seenUntil: Date?
            /// The error radius, in metres.
            public var accuracyM: Double?
            /// `exact`, `approximate` or `city`.
            public var precision: String

            package enum CodingKeys: String, CodingKey, CaseIterable {
                case lat, lon, at, since, precision
                case seenUntil = "seen_until"
                case accuracyM = "accuracy_m"
            }
        }
    }
}
