internal import Geo
internal import Laws

/// A delivery vehicle in a city: straight streets, right-angle turns, traffic lights and stops.
struct Vehicle: Movement {
    /// Meters.
    private static let radius = 12_000.0
    private static let meanStreet = 700.0
    /// Meters per second.
    private static let paces = 7.0...17.0
    private static let delivery = 240.0...1_500.0
    private static let lights = 5.0...90.0

    private let home: Coordinate
    private var stretch: Stretch
    private var heading: Double

    init(home: Coordinate, from start: SimulatedTime, using random: inout SeededGenerator) {
        self.home = home
        heading = 360 * random.fraction()
        let first = random.place(around: home, within: Self.radius)
        stretch = Stretch(from: first, to: first, at: start, speed: 1)
    }

    mutating func place(at time: SimulatedTime, using random: inout SeededGenerator) -> Coordinate {
        while time >= stretch.end { stretch = street(using: &random) }
        return stretch.place(at: time)
    }

    private func turned(using random: inout SeededGenerator) -> Double {
        switch random.fraction() {
        case ..<0.25: heading - 90
        case ..<0.5: heading + 90
        default: heading
        }
    }

    private mutating func street(using random: inout SeededGenerator) -> Stretch {
        let here = stretch.destination
        heading = turned(using: &random)
        if Geodesic.distance(from: here, to: home) > Self.radius { heading = Geodesic.bearing(from: here, to: home) }
        let end = Geodesic.destination(
            from: here, bearing: heading, metres: 100 + random.exponential(mean: Self.meanStreet))
        let rest =
            switch random.fraction() {
            case ..<0.05: random.among(Self.delivery)
            case ..<0.4: random.among(Self.lights)
            default: 0.0
            }
        return Stretch(from: here, to: end, at: stretch.end, speed: random.among(Self.paces), rest: rest)
    }
}
