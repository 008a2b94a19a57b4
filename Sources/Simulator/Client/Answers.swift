package import Geo

/// What the service answers, as far as the simulator reads it.
enum Answers {
    struct Pings: Decodable {
        var verdicts: [String]
        var hint: Hint?

        struct Hint: Decodable {
            var from: Place
            var beyond_m: Double
            var not_before: String
            var until: String?
        }
    }

    struct Place: Decodable {
        var lat, lon: Double
    }

    struct List<Item: Decodable>: Decodable {
        var items: [Item]
        var cursor: String?
        var done: Bool?
    }

    struct City: Decodable {
        var name, country, timezone: String
        var lat, lon: Double
        var population: Int
    }

    struct Friend: Decodable {
        var id: String
        var lat, lon, distance_m: Double
        var bearing: Int
        var at: String
        var seen_until: String?
        var precision: String
    }

    struct Store: Decodable {
        var id: String
        var distance_m: Double
        var products: [Product]

        struct Product: Decodable {
            var id: String
            var sizes: [String: Int]?
        }
    }

    struct Stranger: Decodable {
        var id: String
    }

    struct Decision: Decodable {
        var match: Bool
    }

    struct Ping: Decodable {
        var t: String
        var lat, lon: Double
        var suspect: Bool?
    }

    struct Event: Decodable {
        var type, person, fence: String
    }

    struct Import: Decodable {
        var rows: Int
        var refused_count: Int
        var updated: Int?
        var created: Int?
    }

    struct Problem: Decodable {
        var code: String?
        var detail: String?
    }
}

/// A friend in an answer.
package struct FriendSeen: Hashable, Sendable {
    package var id: String
    package var place: Coordinate
    package var distance: Double
    package var bearing: Int
    package var at: SimulatedTime
    package var seenUntil: SimulatedTime?
    /// Whether the answer says that this is the very position.
    package var isExact: Bool

    package init(
        id: String, place: Coordinate, distance: Double, bearing: Int, at: SimulatedTime, seenUntil: SimulatedTime?,
        isExact: Bool
    ) {
        self.id = id
        self.place = place
        self.distance = distance
        self.bearing = bearing
        self.at = at
        self.seenUntil = seenUntil
        self.isExact = isExact
    }
}

/// A store in an answer.
package struct StoreSeen: Hashable, Sendable {
    package var id: String
    /// In metres.
    package var distance: Double
    /// What it has of the product that was asked for.
    package var sizes: [String: Int]

    package init(id: String, distance: Double, sizes: [String: Int]) {
        self.id = id
        self.distance = distance
        self.sizes = sizes
    }
}
