internal import Geo
internal import Laws

/// The synthetic places of measurements: 70 % clustered around 200 cities, 30 % uniform on the sphere.
///
/// A city's weight is its rank^-0.5, and the distance from its center is log-normal with a median of 6 km. Two of the
/// cities lie at the 180° meridian and near the north pole.
struct Work {
    private let cities: [Coordinate]
    private let weights: [Double]
    private(set) var random: SeededGenerator

    init(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        cities =
            (0..<198).map { _ in random.evenPlace() } + [
                try Coordinate(latitude: -17.80, longitude: 179.97), try Coordinate(latitude: 89.95, longitude: 40),
            ]
        var sum = 0.0
        weights = (1...200).map { rank in
            sum += 1 / Double(rank).squareRoot()
            return sum
        }
        self.random = random
    }

    mutating func place() -> Coordinate {
        guard random.chance(0.7) else { return random.evenPlace() }
        let draw = random.number(0..<weights[weights.count - 1])
        let city = weights.firstIndex { $0 > draw } ?? 0
        return Geodesic.destination(
            from: cities[city], bearing: random.number(0..<360), metres: random.logNormal(median: 6000))
    }

    /// A uniform integer from 0 to `limit` - 1.
    mutating func number(below limit: Int) -> Int { random.integer(0...limit - 1) }

    /// A place near one of several.
    mutating func jittered(_ places: [Coordinate], metres: Double) -> Coordinate {
        random.jittered(random.pick(places), metres: metres)
    }
}
