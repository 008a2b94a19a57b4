/// A seeded random number generator with the same sequence on every machine.
///
/// SplitMix64: G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014,
/// https://doi.org/10.1145/2660193.2660195.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates the generator of a seed.
    public init(seed: UInt64) { state = seed }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }

    /// A uniformly distributed number in a range.
    public mutating func number(_ range: Range<Double>) -> Double { Double.random(in: range, using: &self) }

    /// A uniformly distributed integer in a range.
    public mutating func integer(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// True with the given probability.
    public mutating func chance(_ probability: Double) -> Bool { number(0..<1) < probability }

    /// One of several equally likely values.
    public mutating func pick<Value>(_ values: [Value]) -> Value { values[integer(0...values.count - 1)] }

    /// A number with the standard normal distribution (Box and Muller).
    public mutating func normal() -> Double {
        (-2 * Double.log(number(Double.leastNormalMagnitude..<1))).squareRoot() * Double.cos(2 * .pi * number(0..<1))
    }
}

extension SeededGenerator {
    /// A log-normally distributed number, whose logarithm has the standard deviation 1.
    public mutating func logNormal(median: Double) -> Double { median * Double.exp(normal()) }
}
