import Discovery
import Foundation
import Geo
import Laws
import Model
import TestSupport
import Testing

/// Attackers with a link that ends when its sharer comes home, who use the moments of its end on several evenings.
///
/// The victims come from eight sides at a known speed, which real ones do not.
@Suite(.serialized) struct ArrivalAttackTests {
    private static let speed = 1.4
    private static let pause = 60

    @Test("The end of a link to a cell reveals no place in the cell") func linkToCell() async throws {
        let finding = Finding(try await evenings(.approximate))
        state("ends of links to cells", finding)
        #expect(finding.isHarmless)
    }

    @Test("A link to a cell that ends at the door reveals home") func linkToCellAtDoor() async throws {
        let finding = Finding(try await evenings(.approximate) { $0.endsLinksWhereShown = false })
        state("ends of links to cells, at the door", finding)
        #expect(finding.median < 0.2 && finding.findsMany)
    }

    @Test("The end of a link in a privacy zone reveals no more than the zone's edge") func linkIntoZone() async throws {
        let errors = try await metres(evenings(.exact, of: 100, zone: 400))
        print("attack ends of links in zones: median \(Int(errors[50])) m, \(errors.count { $0 < 50 }) under 50 m")
        #expect(errors[50] >= 100 && errors.count { $0 < 50 } <= 8)
    }

    @Test("A link that ends at the door reveals home in a privacy zone") func linkIntoZoneAtDoor() async throws {
        let errors = try await metres(evenings(.exact, of: 100, zone: 400) { $0.endsLinksWhereShown = false })
        print(
            "attack ends of links in zones, at the door: \(Int(errors[50])) m, \(errors.count { $0 < 50 }) under 50 m")
        #expect(errors.count { $0 < 50 } > 8)
    }

    /// Returns the best guesses of the homes after eight evenings.
    ///
    /// The attack on zones always has all victims. Even without the defense it finds only a fifth of them.
    private func evenings(
        _ precision: Precision, of victims: Int = AttackScene.crowd, zone radius: Double? = nil,
        _ change: (inout Defences) -> Void = { _ in }
    ) async throws -> [(guess: Coordinate?, truth: Coordinate)] {
        var guesses: [(guess: Coordinate?, truth: Coordinate)] = []
        try await AttackScene.run(seed: 53, change, count: victims) { scene in
            if let radius { try await hide(radius, in: scene) }
            var sights = [[Sight]](repeating: [], count: scene.victims.count)
            for evening in 0..<8 {
                let seen = try await walk(evening, precision, in: scene)
                for (number, own) in seen.enumerated() { sights[number] += own }
            }
            guesses = zip(scene.victims, sights).map { victim, own in
                (own.isEmpty ? nil : Trilateration.point(own, near: victim.place), victim.place)
            }
        }
        return guesses
    }

    private func metres(_ guesses: [(guess: Coordinate?, truth: Coordinate)]) -> [Double] {
        guesses.map { guess, truth in guess.map { Geodesic.distance(from: $0, to: truth) } ?? .infinity }.sorted()
    }

    private func hide(_ radius: Double, in scene: AttackScene) async throws {
        let people = try scene.victims.map { victim in
            var person = Person(id: try ID(victim.id))
            person.sharing = Sharing(.exact)
            person.sharing.zones = [PrivacyZone(id: try ID("home"), centre: victim.place, radius: radius)]
            return Write(person)
        }
        try await scene.server.engine.perform(PutPeople(people), by: .service, at: scene.clock.now)
    }

    /// Lets all victims come home on one evening.
    ///
    /// - Returns: the last sights of each victim through a link, as distances from a shown place to home.
    private func walk(_ evening: Int, _ precision: Precision, in scene: AttackScene) async throws -> [[Sight]] {
        scene.clock.advance(72_000)
        let engine = scene.server.engine
        var random = SeededGenerator(seed: UInt64(evening))
        let ways = scene.victims.map { Way(to: $0.place, evening, &random) }
        let readers = try await links(evening, precision, in: scene)
        var seen = [[(place: Coordinate, second: Int)]](repeating: [], count: readers.count)
        var ends = [Int?](repeating: nil, count: readers.count)
        for second in stride(from: 0, through: 4500, by: Self.pause) {
            scene.clock.advance(Self.pause)
            let now = scene.clock.now
            let reports = try zip(scene.victims, ways).map { victim, way in
                PingReport(person: try ID(victim.id), time: now, place: way.place(after: Self.speed * Double(second)))
            }
            try await engine.perform(Record(reports), by: .service, at: now)
            for number in readers.indices where ends[number] == nil {
                guard let view = readers[number]?.view(of: engine, at: now) else {
                    ends[number] = second
                    continue
                }
                guard let position = view.position, position.precision == precision,
                    position.place != seen[number].last?.place
                else { continue }
                // The time of a cell is a quarter of an hour.
                let age = precision == .exact ? Int((now - position.time).milliseconds / 1000) : 0
                seen[number].append((position.place, second - age))
            }
        }
        return zip(seen, ends).map { seen, end in
            guard let end else { return [] }
            return seen.suffix(precision == .exact ? 1 : 4).map {
                Sight($0.place, Double(end - $0.second) * Self.speed)
            }
        }
    }

    /// Opens a link to each victim, until the victim is at home.
    private func links(_ evening: Int, _ precision: Precision, in scene: AttackScene) async throws -> [ShareReader?] {
        let (engine, now) = (scene.server.engine, scene.clock.now)
        let tokens = scene.victims.indices.map { number in
            TokenHash([UInt8(evening), UInt8(number)] + [UInt8](repeating: 7, count: 30))
        }
        let shares = try zip(scene.victims, tokens).map { victim, token in
            var share = Share(
                id: try ID("s\(evening)"), token: token, precision, since: now, until: now + .seconds(14_400))
            share.arrival = Share.Arrival(try ID("home"), at: victim.place, within: 50)
            return OpenShare(share, of: try ID(victim.id))
        }
        try await engine.perform(Batch(shares), by: .service, at: now)
        return tokens.map { ShareReader($0, of: engine, at: now) }
    }

    /// A path home that is nearly straight, and ends from an unpredictable direction.
    private struct Way {
        let start, corner, home: Coordinate

        init(to home: Coordinate, _ evening: Int, _ random: inout SeededGenerator) {
            self.home = home
            start = Geodesic.destination(
                from: home, bearing: Double(evening) * 45 + random.number(-20..<20),
                metres: 4500 + random.number(0..<900))
            corner = Geodesic.destination(from: home, bearing: random.number(0..<360), metres: 40)
        }

        func place(after metres: Double) -> Coordinate {
            let first = Geodesic.distance(from: start, to: corner)
            let second = Geodesic.distance(from: corner, to: home)
            let (from, to, rest) = metres < first ? (start, corner, metres) : (corner, home, metres - first)
            guard rest < (metres < first ? first : second) else { return home }
            return Geodesic.destination(from: from, bearing: Geodesic.bearing(from: from, to: to), metres: rest)
        }
    }
}
