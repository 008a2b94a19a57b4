import Foundation
import Geo

/// A place as earth-centred metres, for many quick distances.
struct Metres: Hashable, Sendable {
    var x, y, z: Double

    init(_ place: Coordinate) { self.init(latitude: place.latitude, longitude: place.longitude) }

    /// The WGS 84 ellipsoid.
    init(latitude: Double, longitude: Double) {
        let (φ, λ) = (latitude * .pi / 180, longitude * .pi / 180)
        let e2 = 0.006_694_379_990_141_3
        let n = 6_378_137 / (1 - e2 * sin(φ) * sin(φ)).squareRoot()
        (x, y, z) = (n * cos(φ) * cos(λ), n * cos(φ) * sin(λ), n * (1 - e2) * sin(φ))
    }

    /// The geodesic to within a centimetre up to 100 km: an arc over the chord.
    func distance(to other: Metres) -> Double {
        let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
        let chord = (dx * dx + dy * dy + dz * dz).squareRoot()
        return chord * (1 + chord * chord / (24 * 6_371_000.0 * 6_371_000))
    }
}

/// That somebody is so far from a place.
struct Clue: Sendable {
    var origin: Metres
    var metres: ClosedRange<Double>

    init(_ origin: Coordinate, _ metres: ClosedRange<Double>) {
        self.origin = Metres(origin)
        self.metres = metres
    }

    /// The ring that a bucket such as `<2km` stands for.
    init(_ origin: Coordinate, bucket: Int, of buckets: [Int] = [1, 2, 5, 10, 25, 50, 100]) {
        let inner = buckets.last { $0 < bucket } ?? 0
        self.init(origin, Double(inner) * 1000...Double(bucket) * 1000)
    }

    /// Whether a place can be meant, or one so near to it.
    func allows(_ place: Metres, slack: Double) -> Bool {
        let distance = origin.distance(to: place)
        return distance + slack >= metres.lowerBound && distance - slack <= metres.upperBound
    }
}

/// Where somebody must be when all clues are true, by who knows how the service works.
enum Trilateration {
    /// Somebody who is at the middle of a cell of the level of public cells: the middle of those that all clues allow.
    static func cell(_ clues: [Clue], around middle: Coordinate, within metres: Double, level: Int = 13) -> Coordinate?
    {
        var cells: Set<CubeCell> = []
        let step = 0.25 * 1000 * Double(1 << (13 - level))
        for north in stride(from: -metres, through: metres, by: step) {
            for east in stride(from: -metres, through: metres, by: step) {
                cells.insert(CubeCell(containing: shifted(middle, north, east), level: level))
            }
        }
        let left = cells.map(\.centre).filter { centre in
            let place = Metres(centre)
            return clues.allSatisfy { $0.allows(place, slack: 1) }
        }
        return mean(left)
    }

    /// Somebody who may be anywhere: squares are quartered as long as the clues allow some of them, to a few metres.
    static func point(_ clues: [Clue], around middle: Coordinate, within metres: Double) -> Coordinate? {
        var squares = [(north: 0.0, east: 0.0)]
        var half = metres
        while half > 2, squares.count < 3000 {
            half /= 2
            let quarters = squares.flatMap { square in
                [(-half, -half), (-half, half), (half, -half), (half, half)].map {
                    (square.north + $0.0, square.east + $0.1)
                }
            }
            squares = quarters.filter { square in
                let place = Metres(shifted(middle, square.0, square.1))
                return clues.allSatisfy { $0.allows(place, slack: half * 1.5 + 1) }
            }
        }
        return mean(squares.map { shifted(middle, $0.north, $0.east) })
    }

    static func mean(_ places: [Coordinate]) -> Coordinate? {
        guard let first = places.first else { return nil }
        func turn(_ longitude: Double) -> Double { (longitude - first.longitude).remainder(dividingBy: 360) }
        let latitude = places.map(\.latitude).reduce(0, +) / Double(places.count)
        let east = places.map { turn($0.longitude) }.reduce(0, +) / Double(places.count)
        return try? Coordinate(
            latitude: latitude, longitude: (first.longitude + east).remainder(dividingBy: 360))
    }

    /// A place so many metres north and east, to a part in a thousand; only used to look for places.
    static func shifted(_ place: Coordinate, _ north: Double, _ east: Double) -> Coordinate {
        let latitude = place.latitude + north / 111_200
        let longitude = place.longitude + east / (111_320 * cos(latitude * .pi / 180))
        return (try? Coordinate(latitude: latitude, longitude: longitude.remainder(dividingBy: 360))) ?? place
    }
}

/// How near an attacker came, in sides of the cells of level 13.
struct Finding: Sendable, CustomStringConvertible {
    var errors: [Double]

    init(_ guesses: [(guess: Coordinate?, truth: Coordinate)]) {
        errors = guesses.map { guess, truth in
            guess.map { Geodesic.distance(from: $0, to: truth) / Self.side(at: truth) } ?? .infinity
        }.sorted()
    }

    var median: Double { errors[errors.count / 2] }
    /// How many of all are found to a tenth of a side.
    var found: Int { errors.count { $0 < 0.1 } }

    var description: String {
        "median \(String(format: "%.3f", median)) sides, \(found) of \(errors.count) under 0.1"
    }

    /// The mark of all attacks: chance alone finds 3 of 100 to a tenth of a side, and a median of 0.38 sides.
    var isHarmless: Bool { median >= 0.3 && found * 100 <= 8 * errors.count }

    /// Twice the way between the middles of the quarters of the cell at a place.
    static func side(at place: Coordinate) -> Double {
        let id = CubeCell(containing: place, level: 13).id
        let bit = id & (0 &- id)
        let middles = (0..<4).compactMap { CubeCell(id: id - bit + (2 * $0 + 1) * (bit >> 2))?.centre }
        return Geodesic.distance(from: middles[0], to: middles[1]) + Geodesic.distance(from: middles[0], to: middles[2])
    }
}
