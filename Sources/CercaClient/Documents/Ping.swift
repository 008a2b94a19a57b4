public import Foundation

extension CercaClient {
    /// A position of a person, as a phone sends it.
    public struct Ping: Encodable, Hashable, Sendable {
        /// Whose position it is.
        public var person: String
        /// When the receiver measured it.
        public var t: Date
        /// In degrees.
        public var lat: Double
        /// In degrees.
        public var lon: Double
        /// Which of the person's devices sends it.
        public var device: String?
        /// The error radius, in metres.
        public var accuracyM: Double?
        /// In metres.
        public var altitudeM: Double?
        /// In metres a second.
        public var speedMps: Double?
        /// In degrees from north, clockwise.
        public var heading: Double?
        /// From 0 to 1.
        public var battery: Double?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case person, t, lat, lon, device, heading, battery
            case accuracyM = "accuracy_m"
            case altitudeM = "altitude_m"
            case speedMps = "speed_mps"
        }

        /// A position; without a time it is that of now.
        public init(person: String, lat: Double, lon: Double, t: Date = .now) {
            self.person = person
            self.t = t
            self.lat = lat
            self.lon = lon
        }
    }

    /// What became of pings.
    public struct PingReport: Decodable, Hashable, Sendable {
        /// How many are stored.
        public var stored: Int
        /// How many the throttle left out.
        public var throttled: Int
        /// How many were stored before; nil for none.
        public var duplicate: Int?
        /// How many of all others there are; nil for none.
        public var refused: Int?
        /// For each ping, in their order, such as `stored`; an unknown one is not stored.
        public var verdicts: [String]
        /// What is wrong with pings of the verdict `invalid:<field>`.
        public var errors: [CercaError.FieldError]?
        /// When and where the next position can be stored, if all pings are of one person.
        public var hint: Hint?
        /// The same by the ids of people, if they are of several.
        public var hints: [String: Hint]?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case stored, throttled, duplicate, refused, verdicts, errors, hint, hints
        }
    }

    /// When and where the next position can be stored.
    public struct Hint: Decodable, Hashable, Sendable {
        /// The position from which distances count.
        public var from: Coordinate
        /// Nothing nearer than so many metres is stored until then.
        public var beyondM: Double
        /// Nothing before this time is stored.
        public var notBefore: Date
        /// Until when the distance counts.
        public var until: Date?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case from, until
            case beyondM = "beyond_m"
            case notBefore = "not_before"
        }

        /// A place on the Earth.
        public struct Coordinate: Decodable, Hashable, Sendable {
            /// In degrees.
            public var lat: Double
            /// In degrees.
            public var lon: Double

            package enum CodingKeys: String, CodingKey, CaseIterable { case lat, lon }
        }
    }

    /// A stored position.
    public struct StoredPing: Decodable, Hashable, Sendable {
        /// When the receiver measured it.
        public var t: Date
        /// In degrees.
        public var lat: Double
        /// In degrees.
        public var lon: Double
        /// Which device sent it.
        public var device: String?
        /// The error radius, in metres.
        public var accuracyM: Double?
        /// In metres.
        public var altitudeM: Double?
        /// In metres a second.
        public var speedMps: Double?
        /// In degrees from north, clockwise.
        public var heading: Double?
        /// From 0 to 1.
        public var battery: Double?
        /// Until when later pings confirmed it.
        public var seenUntil: Date?
        /// Whether later positions contradict it.
        public var suspect: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case t, lat, lon, device, heading, battery, suspect
            case accuracyM = "accuracy_m"
            case altitudeM = "altitude_m"
            case speedMps = "speed_mps"
            case seenUntil = "seen_until"
        }
    }
}
