import Discovery
import Foundation
import Geo
import Laws
import Model
import TestSupport
import Testing

/// A friend with exact access except in a privacy zone, who looks for the home that the zone surrounds.
@Suite(.serialized) struct ZoneAttackTests {
    private static let radius = 400.0
    private static let days = 60

    @Test("The edge of a zone does not reveal home") func zoneEdge() async throws {
        let errors = try await errors()
        #expect(errors[50] >= 100 && errors.count { $0 < 50 } <= 8)
    }

    @Test("The edge of a circle around home reveals it") func centeredCircle() async throws {
        let errors = try await errors { $0.displacesZones = false }
        #expect(errors[50] < 50)
    }

    @Test("The first places outside of a zone do not reveal home")
    func exits() async throws {
        let errors = try await exitErrors { _ in }
        #expect(errors[errors.count / 2] >= 60 && errors.count { $0 < 40 } * 5 <= errors.count, "\(errors)")
    }

    @Test("A throttle distance that reaches out of a zone reveals home")
    func longExits() async throws {
        let errors = try await exitErrors { $0.throttlesInsideZones = false }
        #expect(errors[errors.count / 2] < 50, "\(errors)")
    }

    /// Returns the errors in meters, the least first, of guesses by the first exact places on eight walks from home.
    private func exitErrors(_ change: (inout Defences) -> Void) async throws -> [Double] {
        var errors: [Double] = []
        try await AttackScene.run(seed: 43, change) { scene in
            try await Self.agree(scene, radius: 300)
            var exits = [[Coordinate]](repeating: [], count: scene.victims.count)
            for day in 0..<8 {
                scene.clock.advance(86_400)
                for metres in [15] + Array(stride(from: 28, to: 900, by: 28)) {
                    scene.clock.advance(metres == 15 ? 3600 : 20)
                    let now = scene.clock.now
                    let reports = try scene.victims.enumerated().map { number, victim in
                        let place = Geodesic.destination(
                            from: victim.place, bearing: Double(number * 11 + day * 45), metres: Double(metres))
                        return PingReport(person: try ID(victim.id), time: now, place: place)
                    }
                    try await scene.server.engine.perform(Record(reports), by: .service, at: now)
                    for (number, place) in try await Self.reported(scene).enumerated() {
                        if let place, exits[number].count == day { exits[number].append(place) }
                    }
                }
                #expect(exits.allSatisfy { $0.count == day + 1 })
            }
            errors = zip(scene.victims, exits).map { victim, exits in
                Trilateration.mean(exits).map { Geodesic.distance(from: $0, to: victim.place) } ?? .infinity
            }.sorted()
        }
        print("attack exits from zones: median \(Int(errors[errors.count / 2])) m of \(errors.count)")
        return errors
    }

    @Test("Coming home from all sides shows only one cell") func stickyCell() async throws {
        let (finding, cells) = try await evenings { _ in }
        state("a zone entered from eight sides", finding)
        #expect(finding.isHarmless)
        #expect(Set(cells) == [1])
    }

    @Test("Zones that do not remember their cell reveal home") func forgottenCell() async throws {
        let (finding, cells) = try await evenings { $0.remembersZoneCells = false }
        state("a zone entered from eight sides, which forgets its cell", finding)
        #expect(finding.median < 0.3 && cells.count { $0 > 4 } > 90, "\(cells)")
    }

    /// Returns the finding of a friend with access to cells after eight evenings, and the number of cells that the
    /// friend saw of each victim; they came home from eight sides.
    private func evenings(_ change: (inout Defences) -> Void) async throws -> (Finding, cells: [Int]) {
        var (finding, cells) = (Finding([]), [Int]())
        try await AttackScene.run(seed: 42, change, count: 100) { scene in
            func walk(_ way: (_ victim: Int) -> [(bearing: Double, metres: Double)]) async throws {
                scene.clock.advance(86_400)
                let now = scene.clock.now
                let reports = scene.victims.enumerated().flatMap { number, victim in
                    way(number).enumerated().map { step, leg in
                        PingReport(
                            person: ID(known: victim.id), time: now - .seconds(5000 - 1000 * step),
                            place: Geodesic.destination(
                                from: victim.place, bearing: leg.bearing, metres: leg.metres))
                    }
                }
                try await scene.server.engine.perform(Record(reports), by: .service, at: now)
            }
            // A person who makes a zone is not in it.
            try await walk { [(Double($0), 9000)] }
            try await Self.agree(scene, .approximate, radius: 1500)
            var reported: [String: Set<Coordinate>] = [:]
            for evening in 0..<8 {
                try await walk { number in
                    let bearing = Double(number * 11 + evening * 45)
                    return [(bearing, 5000), (bearing, 1200), (bearing, 15)]
                }
                for (victim, place) in zip(scene.victims, try await Self.reported(scene, "approximate")) {
                    reported[victim.id, default: []].insert(try #require(place))
                }
            }
            finding = Finding(scene.victims.map { (Trilateration.mean(Array(reported[$0.id] ?? [])), $0.place) })
            cells = scene.victims.map { reported[$0.id]?.count ?? 0 }
        }
        return (finding, cells)
    }

    /// Returns the errors of the friend's guesses of homes in meters, the best first.
    ///
    /// Each day the victim is somewhere around home, and the friend is shown the exact place or not.
    private func errors(_ change: (inout Defences) -> Void = { _ in }) async throws -> [Double] {
        var errors: [Double] = []
        try await AttackScene.run(seed: 40, change, count: 100) { scene in
            try await Self.agree(scene)
            var outside: [String: [Coordinate]] = [:]
            var random = SeededGenerator(seed: 41)
            for _ in 0..<Self.days {
                scene.clock.advance(86_400)
                try await Self.walk(scene, &random)
                for (victim, place) in zip(scene.victims, try await Self.reported(scene)) {
                    if let place { outside[victim.id, default: []].append(place) }
                }
            }
            errors = scene.victims.map { victim in
                Trilateration.circle(
                    outside: outside[victim.id] ?? [], around: victim.place, radius: Self.radius
                ).map { Geodesic.distance(from: $0, to: victim.place) } ?? .infinity
            }.sorted()
        }
        print("attack edges of zones: median \(Int(errors[50])) m, \(errors.count { $0 < 50 }) of 100 under 50 m")
        return errors
    }

    /// Makes all victims friends of the attacker, who hide only their homes.
    private static func agree(
        _ scene: AttackScene, _ precision: Precision = .exact, radius: Double = radius
    ) async throws {
        try await scene.join(["eva"])
        let people = try scene.victims.map { victim in
            var person = Person(id: try ID(victim.id))
            person.sharing = Sharing(precision)
            person.sharing.zones = [PrivacyZone(id: try ID("home"), centre: victim.place, radius: radius)]
            return Write(person)
        }
        try await scene.server.engine.perform(PutPeople(people), by: .service, at: scene.clock.now)
        let pairs = try scene.victims.map { (try PersonID($0.id), try PersonID("eva")) }
        try await scene.server.engine.perform(Batch(pairs.map { MakeFriends($0, $1) }), by: .service, at: morning)
    }

    /// Moves all victims away and then to a random place around home.
    private static func walk(_ scene: AttackScene, _ random: inout SeededGenerator) async throws {
        let now = scene.clock.now
        var reports: [PingReport] = []
        for victim in scene.victims {
            for (metres, age) in [(5000, 3600), (random.number(150..<900), 600)] {
                let place = Geodesic.destination(from: victim.place, bearing: random.number(0..<360), metres: metres)
                reports.append(PingReport(person: try ID(victim.id), time: now - .seconds(age), place: place))
            }
        }
        try await scene.server.engine.perform(Record(reports), by: .service, at: now)
    }

    /// Returns the positions of all victims as shown to the friend, nil if the precision differs.
    ///
    /// One batch requests all positions. Its first answer must equal the one to `GET /v1/people/{id}/position`.
    private static func reported(_ scene: AttackScene, _ precision: String = "exact") async throws -> [Coordinate?] {
        let queries = scene.victims.map { #"{"position":"\#($0.id)"}"# }.joined(separator: ",")
        let reply = try await scene.server.send(
            "POST /v1/query", #"{"queries":[\#(queries)]}"#, token: scene.token("eva"))
        try #require(reply.status == 200, "\(reply.text)")
        let one = try await scene.server.send(
            "GET /v1/people/\(scene.victims[0].id)/position", token: scene.token("eva"))
        try #require(one.status == 200 && reply.body.hasPrefix(#"{"answers":[\#(one.body)"#), "\(one.text)")
        let json = try JSONSerialization.jsonObject(with: Data(reply.body.utf8)) as? [String: [[String: Any]]]
        let answers = try #require(json?["answers"])
        try #require(answers.count == scene.victims.count)
        return try answers.map { answer in
            guard try #require(answer["precision"] as? String, "\(answer)") == precision else { return nil }
            return try Coordinate(
                latitude: try #require(answer["lat"] as? Double), longitude: try #require(answer["lon"] as? Double))
        }
    }
}
