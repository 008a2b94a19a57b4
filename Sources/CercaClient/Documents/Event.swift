public import Foundation

extension CercaClient {
    /// An event.
    public struct Event: Decodable, Hashable, Sendable {
        /// The event's id, increasing for services and in a pseudorandom order for people.
        public var id: Int
        /// The type, such as `fence.enter`.
        public var type: String
        /// When it happened.
        public var at: Date
        /// The person who acted or moved.
        public var person: String?
        /// The other person involved.
        public var other: String?
        /// The place of the event.
        public var place: String?
        /// The product of the event.
        public var product: String?
        /// The group of the event.
        public var group: String?
        /// The fence of the event.
        public var fence: String?
        /// The link of the event.
        public var share: String?
        /// Whether the person crossed a fence completely between two fixes.
        public var through: Bool?
        /// A note for people.
        public var note: String?
        /// For a friend who crossed a fence: the precision with which their position was visible.
        public var precision: String?
        /// The person's current position; nil if none is visible.
        public var position: LivePosition?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case id, type, at, person, other, place, product, group, fence, share, through, note, precision, position
        }

        /// A person's current position.
        public struct LivePosition: Decodable, Hashable, Sendable {
            /// Latitude in degrees, as precise as visible to the caller.
            public var lat: Double
            /// Longitude in degrees, as precise as visible to the caller.
            public var lon: Double
            /// The fix time, rounded down at a coarse precision.
            public var at: Date
            /// The start of the stay near this position; nil if it is not earlier than ``at``.
            public var since: Date?
            /// The last time at which the person was known to be near this position; nil if it is not later than
            /// ``at``.
            public var seenUntil: Date?
            /// The error radius in meters.
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
