internal import Foundation
internal import Geo
package import Laws

extension SeededGenerator {
    /// The purposes of random numbers; each has its own generator, so that an additional draw for one does not affect
    /// others.
    package enum Purpose: UInt64 {
        case person = 1
        case way, receiver, phone, company, place, friends, fence
    }

    /// The generator of one person for one purpose.
    package init(seed: UInt64, person: Int, _ purpose: Purpose) {
        var mixing = SeededGenerator(seed: seed)
        mixing = SeededGenerator(seed: mixing.next() ^ UInt64(person) &* 0xd6e8_feb8_6659_fd93)
        mixing = SeededGenerator(seed: mixing.next() ^ purpose.rawValue &* 0xa076_1d64_78bd_642f)
        self.init(seed: mixing.next())
    }

    /// A number in 0..<1.
    mutating func fraction() -> Double { number(0..<1) }

    mutating func among(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * fraction()
    }

    mutating func index(below count: Int) -> Int { integer(0...count - 1) }

    mutating func exponential(mean: Double) -> Double { -mean * log(1 - fraction()) }

    /// A place distributed uniformly over a disk.
    mutating func place(around centre: Coordinate, within metres: Double) -> Coordinate {
        Geodesic.destination(from: centre, bearing: 360 * fraction(), metres: metres * fraction().squareRoot())
    }
}
