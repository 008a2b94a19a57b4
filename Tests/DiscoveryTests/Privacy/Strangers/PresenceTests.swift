import Discovery
import Geo
import Laws
import Model
import TestSupport
import Testing

/// Presence of people at places, and encounters.
@Suite struct PresenceTests {
    private func names(_ page: PresencePage) -> [String] { page.page.items.map(\.person.id.text) }

    private func nearby(_ engine: TestEngine, _ radius: Double, _ seconds: Range<Int>) async throws -> [String] {
        names(
            try await engine.engine.people(
                near(radius), around: valencia,
                during: morning + .seconds(seconds.lowerBound)..<morning + .seconds(seconds.upperBound),
                by: .service))
    }

    /// A stay is one stored position, or one for each day.
    @Test("A stay is found long after its start", arguments: [Duration.seconds(86_400), .seconds(100 * 86_400)])
    func longStays(longest: Duration) async throws {
        var rules = PingRules.everywhereFine
        rules.stay = longest
        try await withEngine(rules: rules) { engine in
            try await engine.add(person("ana"), person("luis"), person("eva"))
            let days = 86_400.0
            for (name, stay) in [("ana", 30 * 60.0), ("luis", 10 * 3600), ("eva", 50 * days)] {
                _ = try await engine.send(ping(0, east(name == "ana" ? 20 : 10), of: name))
                try await engine.perform(
                    Record((stride(from: 1800, to: stay, by: 3600) + [stay]).map { ping($0, valencia, of: name) }),
                    at: morning + .seconds(stay + 1))
            }
            for step in 0..<3 {
                #expect(try await nearby(engine, 100, 0..<1) == ["eva", "luis", "ana"], "step \(step)")
                #expect(try await nearby(engine, 100, 1800..<1801) == ["eva", "luis", "ana"], "step \(step)")
                #expect(try await nearby(engine, 100, 1801..<1900) == ["eva", "luis"], "step \(step)")
                #expect(try await nearby(engine, 15, 7200..<9000) == ["eva", "luis"], "step \(step)")
                #expect(try await nearby(engine, 9, 7200..<9000) == [], "step \(step)")
                #expect(try await nearby(engine, 100, 36_001..<40_000) == ["eva"], "step \(step)")
                #expect(try await nearby(engine, 100, 50 * 86_400..<50 * 86_400 + 1) == ["eva"], "step \(step)")
                #expect(try await nearby(engine, 100, 50 * 86_400 + 1..<60 * 86_400) == [], "step \(step)")
                #expect(try await nearby(engine, 100, -9..<0) == [], "step \(step)")
                // First all data is in the log, then stays are in memory only, then all data is in the tables.
                if step == 0 {
                    try await engine.engine.compact()
                } else {
                    try await engine.engine.writePendingStays(dueAt: nil)
                }
            }
            await #expect(throws: Refusal.notAllowed) {
                try await engine.engine.people(
                    NearestQuery(limit: 1), around: valencia, at: morning, by: .person(id("ana")))
            }
        }
    }

    /// In a zone, the visible cell may be kilometers from the person.
    @Test("A person deep in a zone is found at the true position") func deepInZone() async throws {
        try await withEngine { engine in
            let zone = PrivacyZone(id: id("home"), centre: valencia, radius: 5000)
            try await engine.add(person("ana") { $0.sharing.zones = [zone] })
            _ = try await engine.send(ping(0, east(-9000)), ping(1000, east(-4500)))
            let stay = stride(from: 3000.0, through: 45_000, by: 3000).map { ping($0, valencia) }
            try await engine.perform(Record(stay), at: morning + .seconds(45_001))
            _ = try await engine.send(ping(46_000, east(3000)))
            for step in 0..<3 {
                #expect(try await nearby(engine, 100, 0..<3000) == [], "step \(step)")
                #expect(try await nearby(engine, 100, 3000..<3001) == ["ana"], "step \(step)")
                #expect(try await nearby(engine, 100, 44_000..<45_000) == ["ana"], "step \(step)")
                #expect(try await nearby(engine, 100, 45_001..<99_000) == [], "step \(step)")
                #expect(try await nearby(engine, 3001, 45_001..<99_000) == ["ana"], "step \(step)")
                let entry = try await engine.engine.people(
                    near(1500), around: east(-4500), during: morning + .seconds(3000)..<morning + .seconds(99_000),
                    by: .service)
                #expect(names(entry) == [], "step \(step): nobody is where others were told")
                if step == 0 {
                    try await engine.engine.compact()
                } else {
                    try await engine.engine.writePendingStays(dueAt: nil)
                }
            }
        }
    }

    private func near(_ radius: Double) -> NearestQuery {
        var query = NearestQuery(limit: 100)
        query.within = radius
        return query
    }

    @Test("A search for people equals a scan of all histories") func equalsScan() async throws {
        for seed in RandomCases.seeds(0..<8) {
            try await withEngine { engine in
                var random = SeededGenerator(seed: seed)
                let centre = random.chance(0.5) ? valencia : random.place()
                let people = (0..<25).map { "p\($0)" }
                let zoned = people.map { name in
                    let zone = PrivacyZone(id: id("home"), centre: random.jittered(centre, metres: 2000), radius: 5000)
                    return person(name) { if random.chance(0.5) { $0.sharing.zones = [zone] } }
                }
                try await engine.perform(PutPeople(zoned.map { Write($0) }))
                try await engine.wander(people, around: centre, &random)
                for _ in 0..<15 {
                    var query = NearestQuery(limit: random.pick([3, 1000]))
                    query.within = random.pick([300, 2000, 9000, 2e7])
                    let middle = random.jittered(centre, metres: 3000)
                    let from = morning + .seconds(random.integer(-1000...400_000))
                    let times = from..<from + .seconds(random.pick([1, 600, 3600, 90_000]))
                    let isInstant = random.chance(0.4)
                    let expected = try await scan(people, engine, query.within, middle, times, isInstant)
                    var found: [String] = []
                    repeat {
                        let page =
                            isInstant
                            ? try await engine.engine.people(query, around: middle, at: from, by: .service)
                            : try await engine.engine.people(query, around: middle, during: times, by: .service)
                        #expect(page.isWhole)
                        found += names(page)
                        query.after = page.page.next
                    } while query.after != nil
                    #expect(
                        found == expected, "seed \(seed): \(query.within) m around \(middle), \(times), \(isInstant)")
                }
            }
        }
    }

    @Test("A search beyond its scan limit is marked as truncated") func truncation() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            for step in 0..<30 { _ = try await engine.send(ping(Double(step) * 200, east(Double(step) * 600))) }
            try await engine.engine.compact()
            var query = NearestQuery(limit: 9)
            query.within = 20_000
            let times = morning..<morning + .seconds(86_400)
            query.maxScan = 1_000_000
            #expect(try await engine.engine.people(query, around: valencia, during: times, by: .service).isWhole)
            query.maxScan = 0
            #expect(try await !engine.engine.people(query, around: valencia, during: times, by: .service).isWhole)
        }
    }
}

/// The names of the people who were there, nearest first, by a scan of all stored positions.
private func scan(
    _ people: [String], _ engine: TestEngine, _ radius: Double, _ middle: Coordinate, _ times: Range<Timestamp>,
    _ isInstant: Bool
) async throws -> [String] {
    let time = times.lowerBound
    let around = isInstant ? time - .seconds(3600)..<time + .milliseconds(3_600_001) : times
    var found: [(Int64, String)] = []
    for name in people {
        let there = try await engine.storedPings(of: name).filter { ping in
            ping.stay.pieces.contains { around.overlaps($0) }
                && Geodesic.distance(from: middle, to: ping.place) <= radius
        }
        var places = there.map(\.place)
        if isInstant {
            let then = try? await engine.engine.position(
                of: id(name), at: time, by: .service, now: morning + .seconds(86_400))
            places = there.isEmpty ? [] : [then?.place].compactMap(\.self)
        }
        let distance = places.map { Geodesic.distance(from: middle, to: $0) }.filter { $0 <= radius }.min()
        if let distance { found.append((Int64((distance * 1e6).rounded()), name)) }
    }
    return found.sorted { $0 < $1 }.map(\.1)
}
