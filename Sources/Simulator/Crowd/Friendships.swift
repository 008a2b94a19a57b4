internal import Laws

/// The friendship graph: scale-free, with most friends in the same city.
///
/// Preferential attachment: A.-L. Barabási and R. Albert, "Emergence of scaling in random networks", Science 286,
/// 509-512, 1999, https://doi.org/10.1126/science.286.5439.509; here people of the same city are chosen more often.
package struct Friendships: Sendable {
    /// The friends of each person, in ascending order.
    package private(set) var friends: [[Int]]

    /// The mean number of friendships that each person begins.
    private static let begun = 5.0
    /// Maximum number of friends.
    package static let most = 200
    private static let locality = 0.85

    /// Creates the friendships of people in known cities.
    package init(cities: [Int], seed: UInt64) {
        var sets = [Set<Int>](repeating: [], count: cities.count)
        // Each person is listed once, and once more per friend, so that a draw prefers people with many friends.
        var everywhere: [Int] = []
        var inCity: [Int: [Int]] = [:]
        for person in cities.indices {
            var random = SeededGenerator(seed: seed, person: person, .friends)
            let wanted = Int((-Self.begun * 0.5 + 1.5 * random.exponential(mean: Self.begun)).rounded())
            for _ in 0..<max(0, min(wanted, Self.most / 4)) {
                let isLocal = random.chance(Self.locality)
                let pool = (isLocal ? inCity[cities[person]] : nil) ?? everywhere
                guard !pool.isEmpty else { break }
                let other = pool[random.index(below: pool.count)]
                guard other != person, sets[other].count < Self.most, sets[person].insert(other).inserted else {
                    continue
                }
                sets[other].insert(person)
                for one in [person, other] {
                    everywhere.append(one)
                    inCity[cities[one], default: []].append(one)
                }
            }
            everywhere.append(person)
            inCity[cities[person], default: []].append(person)
        }
        friends = sets.map { $0.sorted() }
    }

    var count: Int { friends.reduce(0) { $0 + $1.count } / 2 }

    /// Each friendship once.
    var pairs: [(Int, Int)] {
        friends.enumerated().flatMap { person, others in others.filter { $0 > person }.map { (person, $0) } }
    }
}
