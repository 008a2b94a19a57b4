package import Geo

/// Responses for which the client library has no type, with the members that the simulator reads.
enum Answers {
    struct City: Decodable {
        var name, country, timezone: String
        var lat, lon: Double
        var population: Int
    }

    struct Decision: Decodable {
        var match: Bool
    }

    struct Import: Decodable {
        var rows: Int
        var refused_count: Int
        var updated: Int?
        var created: Int?
    }
}

package struct FriendSeen: Hashable, Sendable {
    package var id: String
    package var place: Coordinate
    package var distance: Double
    package var bearing: Int
    package var at: SimulatedTime
    package var since: SimulatedTime?
    package var seenUntil: SimulatedTime?
    /// Whether the response claims an exact position.
    package var isExact: Bool

    package init(
        id: String, place: Coordinate, distance: Double, bearing: Int, at: SimulatedTime, since: SimulatedTime?,
        seenUntil: SimulatedTime?, isExact: Bool
    ) {
        self.id = id
        self.place = place
        self.distance = distance
        self.bearing = bearing
        self.at = at
        self.since = since
        self.seenUntil = seenUntil
        self.isExact = isExact
    }
}

package struct StoreSeen: Hashable, Sendable {
    package var id: String
    /// Meters.
    package var distance: Double
    /// The quantity by size of the requested product.
    package var sizes: [String: Int]

    package init(id: String, distance: Double, sizes: [String: Int]) {
        self.id = id
        self.distance = distance
        self.sizes = sizes
    }
}
