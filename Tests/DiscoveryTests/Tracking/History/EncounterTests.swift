import Discovery
import Geo
import Laws
import Model
import TestSupport
import Testing

/// Encounters of two people.
@Suite struct EncounterTests {
    @Test("Encounters in parts equal a scan in steps of seconds") func encounterScan() async throws {
        for seed in RandomCases.seeds(0..<15) {
            try await withEngine { engine in
                var random = SeededGenerator(seed: seed)
                let centre = random.chance(0.5) ? valencia : random.place()
                try await engine.add(person("a"), person("b"))
                try await engine.wander(["a", "b"], around: centre, &random, visits: 60, reach: 3000)
                let (a, b) = (try await Track(engine, "a"), try await Track(engine, "b"))
                let within = random.pick([200.0, 1000, 4000])
                let from = random.integer(-1000...90_000)
                let times = morning + .seconds(from)..<morning + .seconds(from + 100_000)
                var query = EncounterQuery(of: id("a"), with: id("b"), within: within, during: times)
                let whole = try await engine.engine.encounters(query, by: .service, now: morning + .seconds(86_400))
                #expect(whole.next == nil)
                var parts: [Encounter] = []
                query.limit = 2
                repeat {
                    let page = try await engine.engine.encounters(query, by: .service, now: morning + .seconds(86_400))
                    parts += page.encounters
                    query.after = page.next
                } while query.after != nil
                #expect(parts == whole.encounters, "seed \(seed): in parts")
                for second in stride(from: from, to: from + 100_000, by: 7) {
                    let time = morning + .seconds(second)
                    let encounter = parts.first { $0.times.contains(time) }
                    guard let one = a.place(at: time), let other = b.place(at: time) else {
                        #expect(encounter == nil, "seed \(seed): nothing is known at \(second)")
                        continue
                    }
                    let distance = Geodesic.distance(from: one, to: other)
                    // A second and a half of both at 40 m/s.
                    if distance < within - 120 { #expect(encounter != nil, "seed \(seed) at \(second): \(distance)") }
                    if distance > within + 120 { #expect(encounter == nil, "seed \(seed) at \(second): \(distance)") }
                    if let encounter { #expect(encounter.distance < distance + 81, "seed \(seed) at \(second)") }
                }
                for encounter in parts {
                    let (one, other) = (a.place(at: encounter.nearest), b.place(at: encounter.nearest))
                    let place = try #require(one, "seed \(seed)")
                    #expect(encounter.place == place && encounter.distance <= within, "seed \(seed)")
                    let distance = other.map { Geodesic.distance(from: place, to: $0) }
                    #expect(distance == encounter.distance, "seed \(seed)")
                }
            }
        }
    }

    @Test("A long query is read in parts that continue each other") func longQuery() async throws {
        var rules = PingRules()
        rules.distance = 0
        rules.interval = .zero
        try await withEngine(rules: rules) { engine in
            try await engine.perform(PutPeople(["a", "b"].map { Write(person($0)) }))
            let count = 13_000
            for name in ["a", "b"] {
                let reports = (0..<count).map { ping(Double($0) * 10, east(Double($0 % 100)), of: name) }
                try await engine.perform(Record(reports), at: morning + .seconds(10 * count))
            }
            try await engine.engine.compact()
            let always = Timestamp(milliseconds: 0)..<Timestamp(milliseconds: 1 << 50)
            var query = EncounterQuery(of: id("a"), with: id("b"), within: 1, during: always)
            let whole = try await engine.engine.encounters(query, by: .service, now: morning + .seconds(86_400))
            let all = morning...morning + .seconds(10 * (count - 1))
            #expect(whole.encounters.map(\.times) == [all] && whole.next == nil && !whole.isCutOff)
            query.maxScan = 0
            let first = try await engine.engine.encounters(query, by: .service, now: morning + .seconds(86_400))
            let middle = try #require(first.encounters.last).times.upperBound
            #expect(first.isCutOff && first.encounters.map(\.times) == [morning...middle])
            query.after = first.next
            let second = try await engine.engine.encounters(query, by: .service, now: morning + .seconds(86_400))
            #expect(!second.isCutOff && second.next == nil)
            #expect(second.encounters.map(\.times) == [middle...all.upperBound])
        }
    }

    /// Two people walk side by side, so that no path is clearly within the radius or clearly beyond it.
    @Test("A path along the radius takes few evaluations") func fewEvaluations() async throws {
        try await withEngine { engine in
            try await engine.add(person("a"), person("b"))
            let count = 2000
            var ways: [PingReport] = []
            for step in 0..<count {
                let place = east(Double(step % 2) * 600)
                let beside = Geodesic.destination(from: place, bearing: 0, metres: 87.6)
                ways += [ping(600 * Double(step), place, of: "a"), ping(600 * Double(step), beside, of: "b")]
            }
            try await engine.perform(Record(ways), at: morning + .seconds(600 * count))
            let always = Timestamp(milliseconds: 0)..<Timestamp(milliseconds: 1 << 50)
            for within in [87.59, 87.6, 87.61, 100, 1000] {
                var query = EncounterQuery(of: id("a"), with: id("b"), within: within, during: always)
                query.limit = 2 * count
                let page = try await engine.engine.encounters(query, by: .service, now: morning + .seconds(86_400))
                #expect(page.evaluations < 10 * count, "within \(within)")
                if within < 87.6 { continue }
                #expect(page.encounters.allSatisfy { abs($0.distance - 87.6) < 0.1 }, "within \(within)")
                if within > 87.6 { #expect(page.encounters.count == 1, "within \(within)") }
            }
        }
    }

    /// Long and fast paths, each of which takes many evaluations.
    @Test("Evaluations have a budget") func evaluationBudget() async throws {
        try await withEngine { engine in
            try await engine.add(person("a"), person("b"))
            let count = 1500
            var ways: [PingReport] = []
            for step in 0..<count {
                let place = east(Double(step % 2) * 1_000_000)
                let beside = Geodesic.destination(from: place, bearing: 0, metres: 1000)
                ways += [ping(3600 * Double(step), place, of: "a"), ping(3600 * Double(step), beside, of: "b")]
            }
            try await engine.perform(Record(ways), at: morning + .seconds(3600 * count))
            let always = Timestamp(milliseconds: 0)..<Timestamp(milliseconds: 1 << 50)
            var query = EncounterQuery(of: id("a"), with: id("b"), within: 1000, during: always)
            query.limit = 1000
            query.maxScan = 0
            var parts = 0
            repeat {
                let page = try await engine.engine.encounters(query, by: .service, now: morning + .seconds(86_400))
                #expect(page.evaluations < 60_000)
                #expect(page.next.map { $0 > query.after ?? morning } ?? true, "it goes on")
                query.after = page.next
                parts += 1
            } while query.after != nil
            #expect(parts > 2, "\(parts)")
        }
    }

    @Test("A person sees only encounters during the friendship") func friendTimes() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            for name in ["ana", "luis"] {
                _ = try await engine.send(
                    ping(0, valencia, of: name), ping(2500, valencia, of: name), ping(5000, valencia, of: name))
            }
            let always = Timestamp(milliseconds: 0)..<Timestamp(milliseconds: 1 << 50)
            let query = EncounterQuery(of: id("ana"), with: id("luis"), within: 10, during: always)
            let ana = Caller.person(id("ana"))
            await #expect(throws: Refusal.unknown(.position, id("luis"))) {
                try await engine.engine.encounters(query, by: ana, now: morning + .seconds(86_400))
            }
            for since in [1000, 3000] {
                try await engine.perform(MakeFriends(id("ana"), id("luis")), at: morning + .seconds(since))
                if since == 3000 { break }
                try await engine.perform(Unfriend(id("ana"), id("luis")), at: morning + .seconds(2000))
            }
            let seen = try await engine.engine.encounters(query, by: ana, now: morning + .seconds(86_400)).encounters
                .map(
                    \.times)
            #expect(
                seen == [
                    morning + .seconds(1000)...morning + .milliseconds(1_999_999),
                    morning + .seconds(3000)...morning + .seconds(5000),
                ])
            let all = try await engine.engine.encounters(query, by: .service, now: morning + .seconds(86_400))
                .encounters
            #expect(all.map(\.times) == [morning...morning + .seconds(5000)] && all[0].basis == .seen)
            await #expect(throws: Refusal.notAllowed) {
                try await engine.engine.encounters(query, by: .person(id("luis")), now: morning + .seconds(86_400))
            }
            let self1 = EncounterQuery(of: id("ana"), with: id("ana"), within: 10, during: always)
            await #expect(throws: Refusal.oneself) {
                try await engine.engine.encounters(self1, by: .service, now: morning)
            }
        }
    }
}

extension TestEngine {
    /// Sends random visits of people, for seconds or days, some of them compacted or written.
    func wander(
        _ people: [String], around centre: Coordinate, _ random: inout SeededGenerator, visits: Int = 12,
        reach: Double = 8000
    ) async throws {
        let end = morning + .seconds(400 * 86_400)
        for name in people {
            var second = random.number(0..<5000)
            var reports: [PingReport] = []
            for visit in 1...visits {
                let place = random.jittered(centre, metres: reach)
                let stay = random.pick([0, 0, 500, 3600, 20_000, 200_000]) * random.number(0.5..<1.5)
                reports.append(ping(second, place, of: name))
                if stay > 0 {
                    let silence = random.chance(0.8) ? 3500 : stay
                    reports += (stride(from: silence, to: stay, by: silence) + [stay]).map {
                        ping(second + $0, place, of: name)
                    }
                }
                second += stay + random.pick([400, 900, 3000, 9000])
                guard random.chance(0.2) || visit == visits else { continue }
                try await perform(Record(reports), at: end)
                reports = []
                if random.chance(0.2) { try await engine.compact() }
                if random.chance(0.05) { try await engine.writePendingStays(dueAt: nil) }
            }
        }
    }

    /// The believed positions of a person.
    func storedPings(of name: String) async throws -> [StoredPing] {
        try await engine.history(
            of: id(name), from: Timestamp(milliseconds: 0), to: Timestamp(milliseconds: .max), limit: 100_000
        ).filter { !$0.isSuspect }
    }
}

/// The known path of a person, by a direct evaluation of the rule.
private struct Track {
    private let pings: [StoredPing]

    init(_ engine: TestEngine, _ name: String) async throws { pings = try await engine.storedPings(of: name) }

    func place(at time: Timestamp) -> Coordinate? {
        guard let index = pings.lastIndex(where: { $0.time <= time }) else { return nil }
        let ping = pings[index]
        let seen = ping.seenUntil ?? ping.time
        if time <= seen { return ping.stay.pieces.contains { $0.contains(time) } ? ping.place : nil }
        guard index + 1 < pings.count, case let next = pings[index + 1], next.time - seen <= .seconds(3600) else {
            return nil
        }
        let share = Double((time - seen).milliseconds) / Double((next.time - seen).milliseconds)
        return Geodesic.destination(
            from: ping.place, bearing: Geodesic.bearing(from: ping.place, to: next.place),
            metres: share * Geodesic.distance(from: ping.place, to: next.place))
    }
}
