internal import Foundation
internal import Geo

/// SplitMix64, with the same sequence for a seed on every machine.
///
/// G. L. Steele, D. Lea and C. H. Flood, OOPSLA 2014, https://doi.org/10.1145/2660193.2660195.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The purposes of random numbers; each has its own generator, so that an additional draw for one does not affect
    /// others.
    package enum Purpose: UInt64 {
        case person = 1
        case way, receiver, phone, company, place, friends, fence
    }

    package init(seed: UInt64) { state = seed }

    /// The generator of one person for one purpose.
    package init(seed: UInt64, person: Int, _ purpose: Purpose) {
        var mixing = SeededGenerator(seed: seed)
        state = mixing.next() ^ UInt64(person) &* 0xd6e8_feb8_6659_fd93
        state = next() ^ purpose.rawValue &* 0xa076_1d64_78bd_642f
        state = next()
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }

    /// A number in 0..<1.
    mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    mutating func chance(_ probability: Double) -> Bool { fraction() < probability }

    mutating func among(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * fraction()
    }

    mutating func index(below count: Int) -> Int { Int(next() % UInt64(count)) }

    /// A number with the standard normal distribution, by Box and Muller.
    mutating func normal() -> Double {
        let radius = (-2 * log(1 - fraction())).squareRoot()
        return radius * cos(2 * .pi * fraction())
    }

    mutating func exponential(mean: Double) -> Double { -mean * log(1 - fraction()) }

    /// A place distributed uniformly over a disk.
    mutating func place(around centre: Coordinate, within metres: Double) -> Coordinate {
        Geodesic.destination(from: centre, bearing: 360 * fraction(), metres: metres * fraction().squareRoot())
    }
}
