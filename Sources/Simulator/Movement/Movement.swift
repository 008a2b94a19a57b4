package import Geo
package import Laws

/// A mobility model of a person.
package protocol Movement: Sendable {
    /// The position at a time, which must not be before the previous call's.
    mutating func place(at time: SimulatedTime, using random: inout SeededGenerator) -> Coordinate
}

/// A person who never moves.
struct Stationary: Movement {
    let home: Coordinate

    func place(at time: SimulatedTime, using random: inout SeededGenerator) -> Coordinate { home }
}

package enum MovementKind: String, CaseIterable, Sendable, Codable {
    case commuter, waypoint, drift, vehicle, stationary, recorded

    /// Creates the movement of a person who starts at home at a time.
    package func movement(
        from home: Home, at start: SimulatedTime, following track: Track?, using random: inout SeededGenerator
    ) -> any Movement {
        switch self {
        case .commuter: Commuter(home: home, from: start, using: &random)
        case .waypoint: RandomWaypoint(home: home.place, from: start, using: &random)
        case .drift: GaussMarkov(home: home.place, from: start, using: &random)
        case .vehicle: Vehicle(home: home.place, from: start, using: &random)
        case .stationary: Stationary(home: home.place)
        case .recorded: Replay(track ?? Track(), from: home.place, at: start)
        }
    }
}

/// The shares of mobility models in a crowd.
struct MovementShares: Sendable {
    private(set) var shares: [(kind: MovementKind, weight: Double)]

    /// A typical mix for a city.
    static let mixed = MovementShares([
        (.commuter, 40), (.waypoint, 20), (.drift, 10), (.vehicle, 15), (.stationary, 15),
    ])

    private init(_ shares: [(kind: MovementKind, weight: Double)]) { self.shares = shares }

    /// Parses `mixed`, the name of one model, or shares such as `commuter=60,vehicle=40`; nil for anything else.
    init?(_ text: String) {
        if text == "mixed" {
            self = .mixed
            return
        }
        shares = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", omittingEmptySubsequences: false)
            guard let kind = MovementKind(rawValue: String(pair[0])), kind != .recorded, pair.count <= 2,
                let weight = pair.count == 2 ? Double(pair[1]) : 1, weight >= 0, weight.isFinite
            else { return nil }
            shares.append((kind, weight))
        }
        guard shares.contains(where: { $0.weight > 0 }) else { return nil }
    }

    func kind(using random: inout SeededGenerator) -> MovementKind {
        var rest = random.fraction() * shares.reduce(0) { $0 + $1.weight }
        for share in shares {
            rest -= share.weight
            if rest < 0 { return share.kind }
        }
        return shares[0].kind
    }
}

/// A straight leg at constant speed, followed by a rest.
struct Stretch: Sendable {
    let origin: Coordinate
    let destination: Coordinate
    let start: SimulatedTime
    /// The end of the movement.
    let arrival: SimulatedTime
    let end: SimulatedTime
    private let bearing: Double
    private let speed: Double

    /// Creates a leg along the geodesic; speed in meters per second, rest in seconds.
    init(from origin: Coordinate, to destination: Coordinate, at start: SimulatedTime, speed: Double, rest: Double = 0)
    {
        let way = Geodesic.distance(from: origin, to: destination)
        self.origin = origin
        self.destination = destination
        self.start = start
        self.speed = speed
        bearing = Geodesic.bearing(from: origin, to: destination)
        arrival = start + way / speed
        end = arrival + rest
    }

    func place(at time: SimulatedTime) -> Coordinate {
        if time >= arrival { return destination }
        if time <= start { return origin }
        return Geodesic.destination(from: origin, bearing: bearing, metres: speed * (time - start))
    }
}
