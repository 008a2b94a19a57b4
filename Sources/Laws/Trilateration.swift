public import Geo

/// The distances from an origin at which a person may be.
public struct Clue: Sendable {
    private let origin: CartesianPoint
    private let meters: ClosedRange<Double>

    /// The person is within a range of distances from the origin, in meters.
    public init(_ origin: Coordinate, _ meters: ClosedRange<Double>) {
        self.origin = CartesianPoint(origin)
        self.meters = meters
    }

    /// The ring of a bucket such as `<2km`, which begins where the next smaller bucket ends, in kilometers.
    public init(_ origin: Coordinate, bucket: Int, of buckets: [Int]) {
        let inner = buckets.last { $0 < bucket } ?? 0
        self.init(origin, Double(inner) * 1000...Double(bucket) * 1000)
    }

    /// Whether the person can be at a place, or within `slack` meters of it.
    func allows(_ place: CartesianPoint, slack: Double) -> Bool {
        let distance = origin.distance(to: place)
        return distance + slack >= meters.lowerBound && distance - slack <= meters.upperBound
    }
}

/// The distance from an origin to a person, with an error that all sights of the person share.
public struct Sight: Sendable {
    fileprivate let origin: CartesianPoint
    fileprivate let meters: Double

    /// The person is at this distance from the origin, in meters.
    public init(_ origin: Coordinate, _ meters: Double) {
        self.origin = CartesianPoint(origin)
        self.meters = meters
    }
}

/// The guesses of an attacker who knows how the service works.
public enum Trilateration {
    /// Returns the mean of the centers of all public cells that the clues allow; nil if they allow none.
    ///
    /// Searches the cells of a square around `middle` that extends `within` meters to each side.
    public static func cell(
        _ clues: [Clue], around middle: Coordinate, within meters: Double, level: Int = 13
    ) -> Coordinate? {
        var cells: Set<CubeCell> = []
        let step = 0.25 * 1000 * Double(1 << (13 - level))
        for north in stride(from: -meters, through: meters, by: step) {
            for east in stride(from: -meters, through: meters, by: step) {
                cells.insert(CubeCell(containing: shifted(middle, north, east), level: level))
            }
        }
        let left = cells.map(\.centre).filter { center in
            let place = CartesianPoint(center)
            return clues.allSatisfy { $0.allows(place, slack: 1) }
        }
        return mean(left)
    }

    /// Returns the mean of all places that the clues allow, to a few meters; nil if they allow none.
    ///
    /// Squares are quartered as long as the clues allow some of them.
    public static func point(_ clues: [Clue], around middle: Coordinate, within meters: Double) -> Coordinate? {
        var squares = [(north: 0.0, east: 0.0)]
        var half = meters
        while half > 2, squares.count < 3000 {
            half /= 2
            let quarters = squares.flatMap { square in
                [(-half, -half), (-half, half), (half, -half), (half, half)].map {
                    (square.north + $0.0, square.east + $0.1)
                }
            }
            squares = quarters.filter { square in
                let place = CartesianPoint(shifted(middle, square.0, square.1))
                return clues.allSatisfy { $0.allows(place, slack: half * 1.5 + 1) }
            }
        }
        return mean(squares.map { shifted(middle, $0.north, $0.east) })
    }

    /// Returns the mean of the centers of all circles that hold none of the places outside; nil if there is none.
    ///
    /// Searches the centers of a grid of 20 m around a place, up to 600 m away.
    public static func circle(outside: [Coordinate], around place: Coordinate, radius: Double) -> Coordinate? {
        let outside = outside.map { CartesianPoint($0) }
        let steps = stride(from: -600.0, through: 600, by: 20)
        var (north, east, count) = (0.0, 0.0, 0.0)
        for up in steps {
            for right in steps {
                let center = CartesianPoint(shifted(place, up, right))
                guard !outside.contains(where: { $0.distance(to: center) < radius }) else { continue }
                (north, east, count) = (north + up, east + right, count + 1)
            }
        }
        return count == 0 ? nil : shifted(place, north / count, east / count)
    }

    /// Returns the place whose distances fit the sights best, up to an error that all sights share.
    ///
    /// The search covers a square of 8 km whose center is not `place`.
    public static func point(_ sights: [Sight], near place: Coordinate) -> Coordinate {
        func spread(_ north: Double, _ east: Double) -> Double {
            let here = CartesianPoint(shifted(place, north, east))
            let errors = sights.map { $0.origin.distance(to: here) - $0.meters }
            let mean = errors.reduce(0, +) / Double(errors.count)
            return errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        }
        var best = (north: 700.0, east: -500.0)
        for step in [1000.0, 250, 60, 15] {
            let around = best
            var least = Double.infinity
            for north in -4...4 {
                for east in -4...4 {
                    let here = (around.north + Double(north) * step, around.east + Double(east) * step)
                    let found = spread(here.0, here.1)
                    if found < least { (least, best) = (found, here) }
                }
            }
        }
        return shifted(place, best.north, best.east)
    }

    /// Returns the mean of some places, also across the 180° meridian; nil for none.
    public static func mean(_ places: [Coordinate]) -> Coordinate? {
        guard let first = places.first else { return nil }
        func turn(_ longitude: Double) -> Double { (longitude - first.longitude).remainder(dividingBy: 360) }
        let latitude = places.map(\.latitude).reduce(0, +) / Double(places.count)
        let east = places.map { turn($0.longitude) }.reduce(0, +) / Double(places.count)
        return try? Coordinate(
            latitude: latitude, longitude: (first.longitude + east).remainder(dividingBy: 360))
    }

    /// Returns the place that lies some meters north and east of another, to a part in a thousand.
    public static func shifted(_ place: Coordinate, _ north: Double, _ east: Double) -> Coordinate {
        let latitude = place.latitude + north / 111_200
        let longitude = place.longitude + east / (111_320 * Double.cos(latitude * .pi / 180))
        return (try? Coordinate(latitude: latitude, longitude: longitude.remainder(dividingBy: 360))) ?? place
    }
}
