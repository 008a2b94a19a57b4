public import Foundation

extension CercaClient {
    /// A position of a person, as sent by a phone.
    public struct Ping: Encodable, Hashable, Sendable {
        /// The person's id.
        public var person: String
        /// The fix time.
        public var t: Date
        /// Latitude in degrees.
        public var lat: Double
        /// Longitude in degrees.
        public var lon: Double
        /// The person's device that sends it.
        public var device: String?
        /// The error radius in meters.
        public var accuracyM: Double?
        /// The altitude in meters.
        public var altitudeM: Double?
        /// The speed in meters per second.
        public var speedMps: Double?
        /// The heading in degrees, clockwise from north.
        public var heading: Double?
        /// The battery charge, from 0 to 1.
        public var battery: Double?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case person, t, lat, lon, device, heading, battery
            case accuracyM = "accuracy_m"
            case altitudeM = "altitude_m"
            case speedMps = "speed_mps"
        }

        /// Creates a position, by default at the current time.
        public init(person: String, lat: Double, lon: Double, t: Date = .now) {
            self.person = person
            self.t = t
            self.lat = lat
            self.lon = lon
        }
    }

    /// The result of sending pings.
    public struct PingReport: Decodable, Hashable, Sendable {
        /// The number of stored pings.
        public var stored: Int
        /// The number of pings dropped by the throttle.
        public var throttled: Int
        /// The number of pings that were already stored; nil for none.
        public var duplicate: Int?
        /// The number of all other pings; nil for none.
        public var refused: Int?
        /// A verdict per ping, in order, such as `stored`; a ping with an unknown verdict is not stored.
        public var verdicts: [String]
        /// The errors of pings with the verdict `invalid:<field>`.
        public var errors: [CercaError.FieldError]?
        /// When and where the next position can be stored, if all pings belong to one person.
        public var hint: Hint?
        /// The hints by person id, if the pings belong to several people.
        public var hints: [String: Hint]?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case stored, throttled, duplicate, refused, verdicts, errors, hint, hints
        }
    }

    /// When and where the next position can be stored.
    public struct Hint: Decodable, Hashable, Sendable {
        /// The position from which distances are measured.
        public var from: Coordinate
        /// Positions within this distance in meters are not stored before ``until``.
        public var beyondM: Double
        /// Positions before this time are not stored.
        public var notBefore: Date
        /// Until when the distance applies.
        public var until: Date?

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case from, until
            case beyondM = "beyond_m"
            case notBefore = "not_before"
        }

        /// A point on the Earth.
        public struct Coordinate: Decodable, Hashable, Sendable {
            /// Latitude in degrees.
            public var lat: Double
            /// Longitude in degrees.
            public var lon: Double

            package enum CodingKeys: String, CodingKey, CaseIterable { case lat, lon }
        }
    }

    /// A stored position.
    public struct StoredPing: Decodable, Hashable, Sendable {
        /// The fix time.
        public var t: Date
        /// Latitude in degrees.
        public var lat: Double
        /// Longitude in degrees.
        public var lon: Double
        /// The device that sent it.
        public var device: String?
        /// The error radius in meters.
        public var accuracyM: Double?
        /// The altitude in meters.
        public var altitudeM: Double?
        /// The speed in meters per second.
        public var speedMps: Double?
        /// The heading in degrees, clockwise from north.
        public var heading: Double?
        /// The battery charge, from 0 to 1.
        public var battery: Double?
        /// Until when later pings confirmed the position.
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
