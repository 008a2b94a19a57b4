internal import Foundation
internal import Geo
internal import Laws

/// A person whose speed and direction change gradually (Gauss-Markov mobility model).
///
/// B. Liang and Z. J. Haas, "Predictive distance-based mobility management for PCS networks", INFOCOM 1999,
/// https://doi.org/10.1109/INFCOM.1999.752157. Far from home the mean direction is toward home.
struct GaussMarkov: Movement {
    /// The time constant of the speed's autocorrelation, in seconds.
    private static let memory = 180.0
    /// Mean and standard deviation in meters per second.
    private static let pace = (mean: 1.6, deviation: 0.7)
    /// Degrees.
    private static let turning = 70.0
    /// Meters.
    private static let radius = 4_000.0

    private let home: Coordinate
    private var here: Coordinate
    private var last: SimulatedTime
    private var speed: Double
    private var heading: Double

    init(home: Coordinate, from start: SimulatedTime, using random: inout SeededGenerator) {
        self.home = home
        here = random.place(around: home, within: Self.radius)
        last = start
        speed = Self.pace.mean
        heading = 360 * random.fraction()
    }

    mutating func place(at time: SimulatedTime, using random: inout SeededGenerator) -> Coordinate {
        let seconds = time - last
        guard seconds > 0 else { return here }
        let kept = exp(-seconds / Self.memory)
        let fresh = (1 - kept * kept).squareRoot()
        let mean =
            Geodesic.distance(from: here, to: home) > Self.radius
            ? heading + Self.difference(Geodesic.bearing(from: here, to: home), heading) : heading
        speed = max(0, kept * speed + (1 - kept) * Self.pace.mean + fresh * Self.pace.deviation * random.normal())
        heading = kept * heading + (1 - kept) * mean + fresh * Self.turning * random.normal()
        here = Geodesic.destination(from: here, bearing: heading, metres: speed * seconds)
        last = time
        return here
    }

    /// The signed angle from one direction to another, -180...180 degrees.
    private static func difference(_ a: Double, _ b: Double) -> Double { (a - b).remainder(dividingBy: 360) }
}
