package import Geo

/// How somebody goes about.
package protocol Movement: Sendable {
    /// Where the person is at an instant that is not before the one asked for last.
    mutating func place(at time: SimulatedTime, using random: inout SeededGenerator) -> Coordinate
}

/// Somebody who stays where they are.
struct Stationary: Movement {
    let home: Coordinate

    func place(at time: SimulatedTime, using random: inout SeededGenerator) -> Coordinate { home }
}

/// The ways to go that a crowd is mixed of.
package enum MovementKind: String, CaseIterable, Sendable, Codable {
    case commuter, waypoint, drift, vehicle, stationary, recorded

    /// A person of this kind who begins at home at an instant.
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

/// Which share of the crowd goes which way.
struct MovementShares: Sendable {
    private(set) var shares: [(kind: MovementKind, weight: Double)]

    /// What a city's crowd may look like.
    static let mixed = MovementShares([
        (.commuter, 40), (.waypoint, 20), (.drift, 10), (.vehicle, 15), (.stationary, 15),
    ])

    private init(_ shares: [(kind: MovementKind, weight: Double)]) { self.shares = shares }

    /// Reads `mixed`, the name of one movement, or shares such as `commuter=60,vehicle=40`; nil for anything else.
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

/// A straight way at an even pace, and a rest at its end.
struct Stretch: Sendable {
    let origin: Coordinate
    let destination: Coordinate
    let start: SimulatedTime
    /// When the way is gone.
    let arrival: SimulatedTime
    /// When the rest is over.
    let end: SimulatedTime
    private let bearing: Double
    private let speed: Double

    /// A way along the geodesic; speed in metres a second, rest in seconds.
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
