public import Geo

/// The errors of an attacker's guesses, in sides of the cells of level 13.
public struct Finding: Sendable, CustomStringConvertible {
    /// The number of victims of an attack in the full run; fewer are a sample.
    private static let population = 100

    /// The errors in ascending order; infinite for a victim without a guess.
    public let errors: [Double]

    /// The errors of guesses of true places.
    public init(_ guesses: [(guess: Coordinate?, truth: Coordinate)]) {
        errors = guesses.map { guess, truth in
            guess.map { Geodesic.distance(from: $0, to: truth) / Self.side(at: truth) } ?? .infinity
        }.sorted()
    }

    /// The median error.
    public var median: Double { errors[errors.count / 2] }
    /// The number of victims found to a tenth of a side.
    public var found: Int { errors.count { $0 < 0.1 } }

    /// The median, and the number of victims found.
    public var description: String {
        "median \((median * 1000).rounded() / 1000) sides, \(found) of \(errors.count) under 0.1"
    }

    /// Whether more than 8% of the victims are found to a tenth of a side; by chance 3% are.
    public var findsMany: Bool { found * 100 > 8 * errors.count }

    /// Whether the attack is no better than chance, whose median is 0.38 sides and which finds 3 of 100 victims.
    ///
    /// Of all victims the median must be at least 0.3, and no more than 8% may be found. In a sample of n victims the
    /// standard errors of the two are about 0.2 / √n and 0.27 / √n, so that chance alone would break these marks now and
    /// then. Two standard errors less are enough for the median, and three more for the share: of 20 victims a median of
    /// 0.21, and 5 found. An attack that succeeds finds more than half of its victims, so it never passes.
    public var isHarmless: Bool {
        guard errors.count < Self.population else { return median >= 0.3 && !findsMany }
        let count = Double(errors.count)
        return median >= 0.3 - 0.4 / count.squareRoot() && Double(found) <= 0.08 * count + 0.8 * count.squareRoot()
    }

    /// Whether the attack finds its victims: the median is below 0.1 sides, or below 0.15 in a sample, whose median varies.
    ///
    /// No finding both succeeds and is harmless, except of fewer than 8 victims.
    public var succeeds: Bool { median < (errors.count < Self.population ? 0.15 : 0.1) }

    /// Twice the distance between the centers of the quarters of the cell at a place.
    private static func side(at place: Coordinate) -> Double {
        let id = CubeCell(containing: place, level: 13).id
        let bit = id & (0 &- id)
        let centers = (0..<4).compactMap { CubeCell(id: id - bit + (2 * $0 + 1) * (bit >> 2))?.centre }
        return Geodesic.distance(from: centers[0], to: centers[1])
            + Geodesic.distance(from: centers[0], to: centers[2])
    }
}
