import Discovery
import Foundation
import Geo
import Laws
import Model
import TestSupport
import Testing

/// Attackers who stay where they are and make lists tell more than is written in them.
@Suite(.serialized) struct ListAttackTests {
    // MARK: - Order

    private static let decoys = 60

    /// Accounts of the attacker's own, whose places are known, stand between the others in the order.
    private func order(answers: Int, _ change: (inout Defences) -> Void) async throws -> Finding {
        var finding = Finding([])
        try await AttackScene.run(seed: 3, change) { scene in
            var dice = Dice(seed: 33)
            let decoys = (0..<Self.decoys * 4).map { number in
                ("decoy\(number)", AttackScene.scattered(&dice, scene.middles[number % 4]))
            }
            try await scene.server.add(decoys.map { ($0.0, $0.1) })
            try await scene.join(scene.names("sorter"))
            let known = Dictionary(uniqueKeysWithValues: decoys)
            var clues: [String: [Clue]] = [:]
            for step in 0..<answers {
                scene.clock.advance(121)
                let lists = try await scene.inEachPlace { number, middle in
                    var dice = Dice(seed: UInt64(900 + step * 10 + number))
                    let place = AttackScene.scattered(&dice, middle)
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

    /// Between which distances the order puts each stranger; the bucket where the attacker's own accounts show that it tells
    /// nothing.
    private static func between(
        _ seen: [AttackScene.Seen], _ known: [String: Coordinate], from place: Coordinate, _ scene: AttackScene
    ) -> [(String, Clue)] {
        let snaps = scene.server.live.defences.snaps
        var clues: [(String, Clue)] = []
        for (_, list) in Dictionary(grouping: seen, by: \.kilometres) {
            let distances = list.map { stranger in
                known[stranger.id].map {
                    Geodesic.distance(from: place, to: snaps ? CubeCell(containing: $0, level: 13).centre : $0)
                }
            }
            let own = distances.compactMap(\.self)
            let isTelling = own.count > 2 && zip(own, own.dropFirst()).allSatisfy { $0 <= $1 + 1 }
            for (index, stranger) in list.enumerated() where known[stranger.id] == nil {
                let clue = scene.clue(place, stranger)
                clues.append((stranger.id, clue))
                guard isTelling else { continue }
                let before = distances[..<index].compactMap(\.self).last ?? 0
                let after = distances[index...].compactMap(\.self).first ?? 100_000
                clues.append((stranger.id, Clue(place, before...max(before, after))))
            }
        }
        return clues
    }

    @Test func theOrderTellsNothingOfDistance() async throws {
        let finding = try await order(answers: 4) { _ in }
        state("order", finding)
        #expect(finding.isHarmless)
        let keyed = try await order(answers: 4) { $0.snaps = false }
        state("order without cells", keyed)
        #expect(keyed.isHarmless)
        let sorted = try await order(answers: 4) {
            $0.snaps = false
            $0.keysOrder = false
        }
        state("order by distance without cells", sorted)
        #expect(sorted.median < 0.1)
    }

    // MARK: - Radius

    private static let step = 50.0

    /// From three places the radius at which each stranger comes into the list.
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
                    var found: [String: Clue] = [:]
                    for within in stride(from: 0, through: 16_000, by: Self.step) {
                        for seen in try await scene.look("watcher\(number)", "&within_m=\(within)")
                        where found[seen.id] == nil {
                            found[seen.id] = Clue(place, max(0, within - Self.step)...within)
                        }
                    }
                    return found
                }
                for answer in answers { for (id, clue) in answer { clues[id, default: []].append(clue) } }
            }
            finding = scene.finding(clues)
        }
        return finding
    }

    @Test func aRadiusLeadsToTheMiddleOfACellOnly() async throws {
        let finding = try await radius { _ in }
        state("radius", finding)
        #expect(finding.isHarmless)
        let exact = try await radius { $0.snaps = false }
        state("radius without cells", exact)
        #expect(exact.median < 0.1)
    }

    // MARK: - Counts

    /// A victim that no other is like in age and sex: whether there is anybody, and whether that is all, is halved until it
    /// tells the distance.
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
            try await scene.server.live.perform(PutPeople(people), by: .service, at: morning)
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

    @Test func countsLeadToTheMiddleOfACellOnly() async throws {
        let finding = try await count { _ in }
        state("counts", finding)
        #expect(finding.isHarmless)
        let exact = try await count { $0.snaps = false }
        state("counts without cells", exact)
        #expect(exact.median < 0.1)
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
