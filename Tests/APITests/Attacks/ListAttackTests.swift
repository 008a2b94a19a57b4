import Discovery
import Foundation
import Geo
import Laws
import Model
import TestSupport
import Testing

/// Attackers who do not move and extract more from lists than is written in them.
@Suite(.serialized) struct ListAttackTests {
    // MARK: - Order

    private static let decoys = 60

    /// Accounts of the attacker at known places appear between the others in the order.
    private func order(answers: Int, _ change: (inout Defences) -> Void) async throws -> Finding {
        var finding = Finding([])
        try await AttackScene.run(seed: 3, change) { scene in
            var random = SeededGenerator(seed: 33)
            let decoys = (0..<Self.decoys * 4).map { number in
                ("decoy\(number)", AttackScene.scattered(&random, scene.middles[number % 4]))
            }
            try await scene.server.add(decoys.map { ($0.0, $0.1) })
            try await scene.join(scene.names("sorter"))
            let known = Dictionary(uniqueKeysWithValues: decoys)
            var clues: [String: [Clue]] = [:]
            for step in 0..<answers {
                scene.clock.advance(121)
                let lists = try await scene.inEachPlace { number, middle in
                    var random = SeededGenerator(seed: UInt64(900 + step * 10 + number))
                    let place = AttackScene.scattered(&random, middle)
                    try #require(try await scene.ping("sorter\(number)", at: place))
                    return (place, try await scene.look("sorter\(number)"))
                }
                for (place, seen) in lists {
                    for (id, clue) in Self.between(seen, known, from: place, scene) {
                        clues[id, default: []].append(clue)
                    }
                }
            }
            finding = scene.finding(clues)
        }
        return finding
    }

    /// Returns the distances between which the order puts each stranger, or the bucket where the attacker's own
    /// accounts show that the order is meaningless.
    private static func between(
        _ seen: [AttackScene.Seen], _ known: [String: Coordinate], from place: Coordinate, _ scene: AttackScene
    ) -> [(String, Clue)] {
        let quantizesToCells = scene.server.engine.defences.quantizesToCells
        var clues: [(String, Clue)] = []
        for (_, list) in Dictionary(grouping: seen, by: \.kilometres) {
            let distances = list.map { stranger in
                known[stranger.id].map {
                    Geodesic.distance(
                        from: place, to: quantizesToCells ? CubeCell(containing: $0, level: 13).centre : $0)
                }
            }
            let own = distances.compactMap(\.self)
            let isReporting = own.count > 2 && zip(own, own.dropFirst()).allSatisfy { $0 <= $1 + 1 }
            for (index, stranger) in list.enumerated() where known[stranger.id] == nil {
                let clue = scene.clue(place, stranger)
                clues.append((stranger.id, clue))
                guard isReporting else { continue }
                let before = distances[..<index].compactMap(\.self).last ?? 0
                let after = distances[index...].compactMap(\.self).first ?? 100_000
                clues.append((stranger.id, Clue(place, before...max(before, after))))
            }
        }
        return clues
    }

    @Test("The order of strangers does not reveal distances") func listOrder() async throws {
        let finding = try await order(answers: 4) { _ in }
        state("order", finding)
        #expect(finding.isHarmless)
        let keyed = try await order(answers: 4) { $0.quantizesToCells = false }
        state("order without cells", keyed)
        #expect(keyed.isHarmless)
        let sorted = try await order(answers: 4) {
            $0.quantizesToCells = false
            $0.shufflesByViewer = false
        }
        state("order by distance without cells", sorted)
        #expect(sorted.succeeds)
    }

    // MARK: - Radius

    /// The radius at which each stranger enters the list, from three places.
    private func radius(_ change: (inout Defences) -> Void) async throws -> Finding {
        var finding = Finding([])
        try await AttackScene.run(seed: 4, change) { scene in
            try await scene.join(scene.names("watcher"))
            var clues: [String: [Clue]] = [:]
            for (north, east) in [(0.0, 0.0), (4000, 1000), (-1000, 5000)] {
                scene.clock.advance(121)
                let answers = try await scene.inEachPlace { number, middle in
                    let place = Trilateration.shifted(middle, north, east)
                    try #require(try await scene.ping("watcher\(number)", at: place))
                    var search = RadiusSearch(most: 16_000, to: 50)
                    while let radius = search.next {
                        let seen = try await scene.look("watcher\(number)", "&within_m=\(radius)")
                        search.take(seen.map(\.id), within: radius)
                    }
                    return (place, search.intervals)
                }
                for (place, intervals) in answers {
                    for (id, metres) in intervals { clues[id, default: []].append(Clue(place, metres)) }
                }
            }
            finding = scene.finding(clues)
        }
        return finding
    }

    @Test("The radius of first appearance reveals no more than the center of a cell")
    func radiusOfEntry() async throws {
        let finding = try await radius { _ in }
        state("radius", finding)
        #expect(finding.isHarmless)
        let exact = try await radius { $0.quantizesToCells = false }
        state("radius without cells", exact)
        #expect(exact.succeeds)
    }

    // MARK: - Counts

    /// Finds the distance of each victim from three places by halving; a filter passes only one victim, so that an
    /// empty list means that the victim is farther away.
    private func count(_ change: (inout Defences) -> Void) async throws -> Finding {
        var finding = Finding([])
        try await AttackScene.run(seed: 5, change) { scene in
            let people = try scene.victims.enumerated().map { number, victim in
                var person = Person(id: try ID(victim.id))
                person.born = CalendarDate(year: 2000 - number / 2, month: 1, day: 1)
                person.sex = number.isMultiple(of: 2) ? .female : .male
                person.isDiscoverable = true
                return Write(person)
            }
            try await scene.server.engine.perform(PutPeople(people), by: .service, at: morning)
            try await scene.join(scene.names("counter"))
            var clues: [String: [Clue]] = [:]
            for (north, east) in [(0.0, 0.0), (4000, 1000), (-1000, 5000)] {
                scene.clock.advance(121)
                let answers = try await scene.inEachPlace { number, middle in
                    let place = Trilateration.shifted(middle, north, east)
                    try #require(try await scene.ping("counter\(number)", at: place))
                    return try await scene.victims.indices.filter { $0 % 4 == number }.asyncMap { victim in
                        ("victim\(victim)", try await scene.halve("counter\(number)", victim, from: place))
                    }
                }
                for (id, clue) in answers.flatMap(\.self) { clues[id, default: []].append(clue) }
            }
            finding = scene.finding(clues)
        }
        return finding
    }

    @Test("Empty lists reveal no more than the center of a cell") func counts() async throws {
        let finding = try await count { _ in }
        state("counts", finding)
        #expect(finding.isHarmless)
        let exact = try await count { $0.quantizesToCells = false }
        state("counts without cells", exact)
        #expect(exact.succeeds)
    }
}

/// The radius at which each stranger enters a list, by halving: a list narrows the intervals of all strangers.
private struct RadiusSearch {
    /// The radii between which each stranger enters, in meters.
    private(set) var intervals: [String: ClosedRange<Double>] = [:]
    private let most, resolution: Double
    private var isBegun = false

    /// Strangers within `most` meters, until each interval is `resolution` meters wide or less.
    init(most: Double, to resolution: Double) { (self.most, self.resolution) = (most, resolution) }

    /// The next radius to list: the middle of the widest interval; nil when all are narrow enough.
    var next: Double? {
        guard isBegun else { return most }
        func width(_ interval: ClosedRange<Double>) -> Double { interval.upperBound - interval.lowerBound }
        return intervals.values.max { width($0) < width($1) }.flatMap { interval in
            width(interval) > resolution ? (interval.lowerBound + interval.upperBound) / 2 : nil
        }
    }

    /// Narrows the intervals by the strangers in the list within a radius; the first list is the widest.
    mutating func take(_ ids: [String], within radius: Double) {
        if !isBegun { intervals = Dictionary(ids.map { ($0, 0...radius) }) { first, _ in first } }
        isBegun = true
        let listed = Set(ids)
        for (id, interval) in intervals where interval.contains(radius) {
            let isListed = listed.contains(id)
            intervals[id] = isListed ? interval.lowerBound...radius : radius...interval.upperBound
        }
    }
}

extension AttackScene {
    fileprivate func halve(_ attacker: String, _ victim: Int, from place: Coordinate) async throws -> Clue {
        var (low, high) = (0.0, 20_000.0)
        let age = 26 + victim / 2
        let filter = "age_min=\(age)&age_max=\(age)&sex=\(victim.isMultiple(of: 2) ? "female" : "male")"
        while high - low > 40 {
            let middle = (low + high) / 2
            let reply = try await server.send(
                "GET /v1/people/\(attacker)/discovery?limit=1&fields=seen&\(filter)&within_m=\(middle)",
                token: token(attacker))
            if reply.body.hasPrefix(#"{"items":[]"#) { low = middle } else { high = middle }
        }
        return Clue(place, low...high)
    }
}

extension Sequence {
    func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
