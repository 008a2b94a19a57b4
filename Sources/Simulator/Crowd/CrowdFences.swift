internal import Algorithms
internal import Foundation
package import Geo
internal import Laws

/// Circular fences that each watch some people of the crowd, without affecting other crowds.
package struct CrowdFences: Sendable {
    package struct Fence: Sendable {
        package var id: String
        package var centre: Coordinate
        /// Meters.
        package var radius: Double
        /// The watched people.
        package var people: Set<Int>

        package init(id: String, centre: Coordinate, radius: Double, watching people: Set<Int>) {
            (self.id, self.centre, self.radius, self.people) = (id, centre, radius, people)
        }
    }

    /// Maximum number of people whom a fence watches.
    private static let mostPeople = 50

    package let fences: [Fence]
    private let points: [EarthCentred]
    /// The indices of the fences that watch each person.
    private let watching: [Int: [Int]]

    package init(_ fences: [Fence]) {
        self.fences = fences
        points = fences.map { EarthCentred($0.centre) }
        watching = fences.indices.reduce(into: [:]) { watching, index in
            for person in fences[index].people { watching[person, default: []].append(index) }
        }
    }

    /// Random fences near homes, most of them small; each watches the resident and others of the same city.
    init(_ count: Int, homes: [Coordinate], names: Names, seed: UInt64, fellows: (Int) -> [Int]) {
        self.init(
            (0..<count).map { number in
                var random = SeededGenerator(seed: seed, person: number, .fence)
                let resident = random.index(below: homes.count)
                let neighbours = fellows(resident)
                let first = neighbours.partitioningIndex { $0 >= resident }
                let people = (0..<min(Self.mostPeople, neighbours.count)).map {
                    neighbours[(first + $0) % neighbours.count]
                }
                return Fence(
                    id: names.fence(number), centre: random.place(around: homes[resident], within: 5_000),
                    radius: (50 * pow(20, random.fraction())).rounded(), watching: Set(people))
            })
    }

    /// Whether any fence watches a person.
    func watch(_ person: Int) -> Bool { watching[person] != nil }

    /// The indices of fences that watch a person and come within a distance of a place, and possibly of some others.
    func near(_ place: Coordinate, within metres: Double, watching person: Int) -> [Int] {
        let point = EarthCentred(place)
        return watching[person, default: []].filter { points[$0].chord(to: point) <= fences[$0].radius + metres }
    }
}
