internal import Foundation
package import Geo
internal import Laws

/// A position at a time as measured by a phone.
package struct Fix: Hashable, Sendable {
    package var time: SimulatedTime
    package var place: Coordinate
    /// Meters; nil if unknown.
    package var accuracy: Float?

    package init(time: SimulatedTime, place: Coordinate, accuracy: Float? = nil) {
        self.time = time
        self.place = place
        self.accuracy = accuracy
    }
}

/// The error model of a satellite receiver.
///
/// The error is a Gauss-Markov process with a time constant of 90 s, so that successive fixes have similar errors. It
/// is larger among buildings, with occasional jumps, and there are no fixes in tunnels. For the correlation in time see
/// J. Rankin, "An error model for sensor simulation: GPS and differential GPS", PLANS 1994,
/// https://doi.org/10.1109/PLANS.1994.303322.
struct Receiver: Sendable {
    /// Seconds.
    private static let memory = 90.0
    private static let meanSurroundings = 900.0
    private static let betweenTunnels = 2_400.0
    private static let tunnels = 40.0...240.0
    private static let outliers = 0.001
    /// The probability of a position from a wrongly located network, far away.
    private static let mixUps = 0.0003
    /// Minimum speed at which a person may be in a tunnel, in meters per second.
    private static let driving = 5.0

    /// Standard deviation per axis under open sky, in meters.
    private let quality: Double
    private var surroundings = 1.0
    private var east = 0.0
    private var north = 0.0
    private var last: Fix?
    private var tunnelEnd: SimulatedTime?

    init(using random: inout SeededGenerator) { quality = random.among(3...9) }

    /// The fix at a true position; nil in a tunnel.
    mutating func fix(at place: Coordinate, _ time: SimulatedTime, using random: inout SeededGenerator) -> Fix? {
        let seconds = last.map { time - $0.time } ?? Self.memory
        let way = last.map { Geodesic.distance(from: $0.place, to: place) } ?? 0
        last = Fix(time: time, place: place)
        if random.chance(1 - exp(-seconds / Self.meanSurroundings)) { surroundings = exp(0.3 + 0.5 * random.normal()) }
        if let end = tunnelEnd {
            guard time >= end else { return nil }
            tunnelEnd = nil
            return Self.off(place, by: random.exponential(mean: 120), time, honestly: true, &random)
        }
        if way > Self.driving * seconds, random.chance(1 - exp(-seconds / Self.betweenTunnels)) {
            tunnelEnd = time + random.among(Self.tunnels)
            return nil
        }
        if random.chance(Self.mixUps) {
            return Self.off(place, by: 50_000 + random.exponential(mean: 300_000), time, honestly: false, &random)
        }
        if random.chance(Self.outliers) {
            let isHonest = random.chance(0.5)
            return Self.off(place, by: 150 + random.exponential(mean: 900), time, honestly: isHonest, &random)
        }
        let deviation = quality * surroundings
        let kept = exp(-seconds / Self.memory)
        let fresh = deviation * (1 - kept * kept).squareRoot()
        east = kept * east + fresh * random.normal()
        north = kept * north + fresh * random.normal()
        let accuracy = max(3, 1.5 * deviation * exp(0.2 * random.normal()))
        return Fix(
            time: time, place: Self.shifted(place, east: east, north: north), accuracy: .rounded(min(accuracy, 900)))
    }

    private static func off(
        _ place: Coordinate, by metres: Double, _ time: SimulatedTime, honestly: Bool, _ random: inout SeededGenerator
    ) -> Fix {
        let wrong = Geodesic.destination(from: place, bearing: 360 * random.fraction(), metres: metres)
        return Fix(time: time, place: wrong, accuracy: honestly ? .rounded(max(20, metres * 1.2)) : 12)
    }

    private static func shifted(_ place: Coordinate, east: Double, north: Double) -> Coordinate {
        let metres = (east * east + north * north).squareRoot()
        return Geodesic.destination(from: place, bearing: atan2(east, north) * 180 / .pi, metres: metres)
    }
}
