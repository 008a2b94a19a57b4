import Discovery
import Geo
import Laws
import Model
import TestSupport
import Testing

/// Attackers who look with several accounts, day after day, at people who come home every evening.
@Suite(.serialized) struct HomeAttackTests {
    private static let days = RandomCases.count(3, all: 10)

    /// The finding of attackers who see the public cell of each victim every evening.
    ///
    /// `direction` is the bearing from which a victim comes home on a day.
    private func evenings(
        seed: UInt64, days: Int, of victims: Int = AttackScene.crowd, _ change: (inout Defences) -> Void,
        place: @escaping (inout SeededGenerator, Coordinate) -> Coordinate,
        direction: @escaping (_ random: inout SeededGenerator, _ victim: Int) -> Double
    ) async throws -> Finding {
        var finding = Finding([])
        try await AttackScene.run(seed: seed, change, count: victims, place: place) { scene in
            var random = SeededGenerator(seed: seed + 100)
            let towers = try await scene.stand()
            var seen: [String: [CubeCell: Int]] = [:]
            for _ in 0..<days {
                scene.clock.advance(86_400)
                let now = scene.clock.now
                let reports = scene.victims.enumerated().flatMap { number, victim in
                    let away = Geodesic.destination(
                        from: victim.place, bearing: direction(&random, number), metres: 1500)
                    // A receiver has an error of a dozen meters.
                    let home = Trilateration.shifted(victim.place, 12 * random.normal(), 12 * random.normal())
                    return [(away, 3600), (home, 600)].map { place, age in
                        PingReport(person: ID(known: victim.id), time: now - .seconds(age), place: place)
                    }
                }
                try await scene.server.engine.perform(Record(reports), by: .service, at: now)
                for (id, cell) in try await scene.cells(towers) { seen[id, default: [:]][cell, default: 0] += 1 }
            }
            finding = Finding(scene.victims.map { (Self.guess(seen[$0.id] ?? [:]), $0.place) })
        }
        return finding
    }

    /// A person who is seen in several cells is at home between them, midway between the two that are farthest apart.
    private static func guess(_ cells: [CubeCell: Int]) -> Coordinate? {
        let middles = cells.keys.map(\.centre)
        let pairs = middles.flatMap { one in middles.map { (one, $0) } }
        return pairs.max { Geodesic.distance(from: $0.0, to: $0.1) < Geodesic.distance(from: $1.0, to: $1.1) }
            .map { one, other in
                Geodesic.destination(
                    from: one, bearing: Geodesic.bearing(from: one, to: other),
                    metres: Geodesic.distance(from: one, to: other) / 2)
            }
    }

    @Test("Jitter at the border of a cell does not reveal home") func cellBorder() async throws {
        let toWork = { (_: inout SeededGenerator, victim: Int) in Double(victim * 37 % 360) }
        // In five days a home is seen in two opposite cells seven times in eight.
        let days = RandomCases.count(5, all: 10)
        let finding = try await evenings(
            seed: 9, days: days, of: 100, { _ in }, place: Corner.place, direction: toWork)
        state("evenings at a corner", finding)
        #expect(finding.isHarmless)
        let flipping = try await evenings(
            seed: 9, days: days, of: 100, { $0.hasHysteresis = false }, place: Corner.place, direction: toWork)
        state("evenings at a corner without hysteresis", flipping)
        #expect(flipping.succeeds)
    }

    @Test("Coming home the same way does not reveal home") func samePath() async throws {
        let finding = try await evenings(
            seed: 10, days: Self.days, { _ in }, place: AttackScene.scattered,
            direction: { _, victim in Double(victim * 37 % 360) })
        state("evenings", finding)
        #expect(finding.isHarmless)
    }

    @Test("Coming home from all sides does not reveal home") func allSides() async throws {
        let finding = try await evenings(
            seed: 11, days: Self.days, { _ in }, place: AttackScene.scattered,
            direction: { random, _ in random.number(0..<360) })
        state("evenings, from all sides", finding)
        #expect(finding.isHarmless)
    }
}

/// Corners of cells of level 13.
enum Corner {
    /// Returns a corner, to a meter, of the cell of a random place.
    static func place(_ random: inout SeededGenerator, _ middle: Coordinate) -> Coordinate {
        let cell = CubeCell(containing: AttackScene.scattered(&random, middle), level: 13)
        let bit = cell.id & (0 &- cell.id)
        let children = (0..<4).compactMap { CubeCell(id: cell.id - bit + (2 * $0 + 1) * (bit >> 2)) }
        // The corner is twice as far as the center of a child cell; sides bend by less than a meter.
        guard let child = children.first else { return middle }
        let (bearing, way) = (
            Geodesic.bearing(from: cell.centre, to: child.centre),
            Geodesic.distance(from: cell.centre, to: child.centre)
        )
        return Geodesic.destination(from: cell.centre, bearing: bearing, metres: 2 * way)
    }
}

extension AttackScene {
    /// Puts accounts around each neighborhood, enough for their distance buckets to determine the cell.
    fileprivate func stand() async throws -> [(name: String, place: Coordinate)] {
        var towers: [(name: String, place: Coordinate)] = []
        for number in 0..<middles.count {
            for tower in 0..<20 {
                var random = SeededGenerator(seed: UInt64(4000 + tower * 10 + number))
                let place = Trilateration.shifted(
                    middles[number], random.number(-9000..<9000), random.number(-9000..<9000))
                towers.append(("tower\(number)x\(tower)", place))
            }
        }
        try await join(towers.map(\.name))
        for tower in towers { try await ping(tower.name, at: tower.place) }
        return towers
    }

    /// Returns the public cell of each victim that the buckets of all these accounts determine; the attacker is given
    /// that it is a nearby one.
    fileprivate func cells(_ towers: [(name: String, place: Coordinate)]) async throws -> [(String, CubeCell)] {
        let answers = try await inEachPlace { number, _ in
            try await towers.filter { $0.name.hasPrefix("tower\(number)x") }.asyncMap { tower in
                (tower.place, try await look(tower.name))
            }
        }
        var clues: [String: [Clue]] = [:]
        for (place, seen) in answers.flatMap(\.self) {
            for other in seen { clues[other.id, default: []].append(clue(place, other)) }
        }
        return victims.compactMap { victim in
            Trilateration.cell(clues[victim.id] ?? [], around: victim.place, within: 2500)
                .map { (victim.id, CubeCell(containing: $0, level: 13)) }
        }
    }
}
