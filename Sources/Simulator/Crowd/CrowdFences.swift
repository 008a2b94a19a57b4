internal import Algorithms
internal import Foundation
package import Geo

/// Circles that watch everybody, each of which is looked at.
package struct CrowdFences: Sendable {
    package struct Fence: Sendable {
        package var id: String
        package var centre: Coordinate
        /// In metres.
        package var radius: Double

        package init(id: String, centre: Coordinate, radius: Double) {
            (self.id, self.centre, self.radius) = (id, centre, radius)
        }
    }

    /// A degree along a meridian is nowhere shorter, in metres.
    private static let leastDegree = 110_500.0

    /// In the order of latitude.
    package let fences: [Fence]
    private let points: [EarthCentred]
    private let widest: Double

    package init(_ fences: [Fence]) {
        self.fences = fences.sorted { $0.centre.latitude < $1.centre.latitude }
        points = self.fences.map { EarthCentred($0.centre) }
        widest = fences.map(\.radius).max() ?? 0
    }

    /// Some around the homes of people, most of them small.
    init(_ count: Int, homes: [Coordinate], names: Names, seed: UInt64) {
        self.init(
            (0..<count).map { number in
                var random = SeededGenerator(seed: seed, person: number, .fence)
                let home = homes[random.index(below: homes.count)]
                return Fence(
                    id: names.fence(number), centre: random.place(around: home, within: 5_000),
                    radius: (50 * pow(20, random.fraction())).rounded())
            })
    }

    /// The indices of those that come as near to a place as so many metres, and of some others.
    func near(_ place: Coordinate, within metres: Double) -> [Int] {
        let reach = (metres + widest) / Self.leastDegree
        let point = EarthCentred(place)
        let first = fences.partitioningIndex { $0.centre.latitude >= place.latitude - reach }
        return fences[first...].indices.prefix { fences[$0].centre.latitude <= place.latitude + reach }
            .filter { points[$0].chord(to: point) <= fences[$0].radius + metres }
    }
}
