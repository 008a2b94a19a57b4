internal import Geo
internal import Laws

/// A pedestrian who walks between random places near home, with rests (random waypoint model).
///
/// D. B. Johnson and D. A. Maltz, "Dynamic source routing in ad hoc wireless networks", Mobile Computing 1996,
/// https://doi.org/10.1007/978-0-585-29603-6_5. The minimum speed is well above zero, because otherwise the crowd's
/// mean speed decays indefinitely.
struct RandomWaypoint: Movement {
    /// Meters.
    private static let radius = 3_000.0
    /// Meters per second.
    private static let paces = 0.8...1.8
    /// Seconds.
    private static let longestRest = 2_400.0

    private let home: Coordinate
    private var stretch: Stretch

    init(home: Coordinate, from start: SimulatedTime, using random: inout SeededGenerator) {
        self.home = home
        let first = random.place(around: home, within: Self.radius)
        stretch = Stretch(from: first, to: first, at: start, speed: 1)
    }

    mutating func place(at time: SimulatedTime, using random: inout SeededGenerator) -> Coordinate {
        while time >= stretch.end {
            stretch = Stretch(
                from: stretch.destination, to: random.place(around: home, within: Self.radius), at: stretch.end,
                speed: random.among(Self.paces), rest: 1 + Self.longestRest * random.fraction())
        }
        return stretch.place(at: time)
    }
}
