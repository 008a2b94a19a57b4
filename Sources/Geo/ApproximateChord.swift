/// Bounds of the true distance, given a chord computed in 32-bit floating point from quantized coordinates.
///
/// Both ends are rounded to 1/128 m on each axis, which moves the difference by at most √3 steps (13.5 mm); conversion,
/// squares, sum and root add less than 2^-22 of the length. All lengths here are in meters, all squares in steps².
enum ApproximateChord {
    private static let quantum = 0.013_6
    private static let relative = 0x1p-22

    /// The chord, in meters, of a squared approximate chord in steps².
    @inline(__always)
    static func metres(_ squared: Float) -> Double { Double(squared).squareRoot() / GridEntity.stepsPerMetre }

    /// A squared approximate chord, in steps², that is not below the given chord's.
    static func squaredSteps(atLeast metres: Double) -> Float {
        let steps = metres * GridEntity.stepsPerMetre
        return steps > 1e18 ? .infinity : Float(steps * steps).nextUp
    }

    /// A squared approximate chord, in steps², that is not above the given chord's; negative if it can be zero.
    static func squaredSteps(atMost metres: Double) -> Float {
        guard metres > 0 else { return -1 }
        let steps = metres * GridEntity.stepsPerMetre
        return Float(steps * steps).nextDown
    }

    /// The longest true chord behind an approximate one.
    @inline(__always)
    static func longest(_ chord: Double) -> Double { chord * (1 + 2 * relative) + quantum }

    /// The shortest true chord behind an approximate one.
    @inline(__always)
    static func shortest(_ chord: Double) -> Double { max(0, chord * (1 - relative) - quantum) }

    /// A slightly wider bound than ``reach(_:)``, for squares and without a square root.
    ///
    /// With c + δ as the reach, (c + δ)² <= (1 + t) c² + (1 + 1/t) δ² for every t > 0. Here t is 0.001: up to 1,400 km
    /// δ is at most 27.3 mm + 5.2e-5 c.
    @inline(__always)
    static func reach(squared: Float) -> Float {
        squared < 3.2e16 ? squared * 1.0012 + 12_800 : squaredSteps(atLeast: reach(metres(squared)))
    }

    /// The longest approximate chord of an entity whose geodesic distance can still be at most the distance of an
    /// entity with this approximate chord.
    ///
    /// Between the two lies the interval in which only the geodesic decides.
    @inline(__always)
    static func reach(_ chord: Double) -> Double {
        let longest = longest(chord)
        let trueReach =
            // 2R sin(asin(c/2r) r/R) - c = c³ (1/r² - 1/R²) / 24 + O(c⁵), with 2.07e-17 for the coefficient; 2.6e-17
            // covers the higher terms up to this length.
            longest < 4e6
            ? longest + longest * longest * longest * 2.6e-17
            : ChordBounds.longestChord(within: ChordBounds.upper(longest))
        return Self.longest(trueReach) + ChordBounds.margin * 4
    }
}
