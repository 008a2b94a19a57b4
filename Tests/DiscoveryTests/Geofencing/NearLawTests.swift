import Discovery
import Foundation
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Proximity fences report what queries of friends' positions after every upload would show, at a bounded cost.
@Suite struct NearLawTests {
    private let ana: PersonID = id("ana")
    private let others: [PersonID] = ["luis", "eva", "wim"].map { id($0) }

    /// Ana's knowledge of her position and of the friends near her.
    private struct Plain {
        var here: (time: Timestamp, place: Coordinate)?
        var near: Set<PersonID> = []
        var alerts: [PersonID: Alerts] = [:]
    }

    private func put(
        _ name: PersonID, _ random: inout SeededGenerator, _ plain: inout Plain, on engine: TestEngine,
        at now: Timestamp
    )
        async throws
    {
        let alerts = Int.random(in: 0..<4, using: &random) == 0 ? Alerts.nobody : .friends
        let precision =
            [Precision.exact, .exact, .exact, .approximate, .hidden].randomElement(using: &random) ?? .exact
        let hasZone = Int.random(in: 0..<4, using: &random) == 0
        let pause = Int.random(in: 0..<5, using: &random) == 0 ? now + .seconds(600) : nil
        let write = person(name.text) {
            $0.sharing = Sharing(precision)
            ($0.sharing.alerts, $0.sharing.pausedUntil) = (alerts, pause)
            if hasZone { $0.sharing.zones = [PrivacyZone(id: id("home"), centre: valencia, radius: 400)] }
        }
        plain.alerts[name] = alerts
        try await engine.perform(PutPeople([Write(write)]), at: now)
    }

    /// Returns the events that Ana could derive by querying the positions of some friends.
    private func ask(
        _ plain: inout Plain, about some: [PersonID], of engine: TestEngine, at now: Timestamp
    ) -> [String] {
        guard let here = plain.here else { return [] }
        return some.compactMap { name -> String? in
            let answer = try? engine.engine.read { try $0.position(of: name, for: .person(ana), at: now) }
            guard plain.alerts[name] == .friends else {
                plain.near.remove(name)
                return nil
            }
            guard let shown = answer, shown.precision == .exact else { return nil }
            let contacts = shown.seenUntil ?? shown.time
            guard max(contacts, here.time) - min(contacts, here.time) < .seconds(3600) else { return nil }
            let isNear = plain.near.contains(name)
            let distance = Geodesic.distance(from: here.place, to: shown.place)
            guard (distance <= (isNear ? 600 : 500)) != isNear else { return nil }
            if isNear { plain.near.remove(name) } else { plain.near.insert(name) }
            return "near.\(isNear ? "exit" : "enter") \(name) \(max(contacts, here.time))"
        }
    }

    @Test("A proximity fence reveals no more than queries of friends' positions", arguments: RandomCases.seeds(0..<20))
    func equalsQueries(seed: UInt64) async throws {
        try await withEngine { engine in
            var random = SeededGenerator(seed: seed)
            for name in [ana] + others { try await engine.add(person(name.text) { $0.sharing.alerts = .friends }) }
            var plain = Plain(alerts: Dictionary(uniqueKeysWithValues: others.map { ($0, Alerts.friends) }))
            for other in others { try await engine.perform(MakeFriends(ana, other)) }
            var fence = Fence(id: id("near"), .person(ana, metres: 500), watching: .friends)
            (fence.owner, fence.margin) = (ana, 100)
            try await engine.perform(PutFence(Write(fence)), by: .person(ana))
            var (last, count) = (try engine.store.lastEvent(), 0)
            for step in 1...250 {
                let now = morning + .seconds(Int64(step * 200))
                let name = ([ana] + others).randomElement(using: &random) ?? ana
                var found: [String] = []
                switch Int.random(in: 0..<12, using: &random) {
                case 0 where name != ana: try await put(name, &random, &plain, on: engine, at: now)
                case 1 where name != ana:
                    try await engine.perform(Unfriend(ana, name), at: now)
                    plain.near.remove(name)
                    try await engine.perform(MakeFriends(ana, name), at: now + .milliseconds(1))
                default:
                    var report = PingReport(
                        person: name, time: now, place: east(Double.random(in: -1500...1500, using: &random)))
                    report.details.accuracy = 5
                    try await engine.perform(Record([report]), at: now)
                    if name == ana { plain.here = (now, report.place) }
                    found = ask(&plain, about: name == ana ? others : [name], of: engine, at: now)
                }
                let events = try await engine.store.events(after: last, atMost: 100)
                last = try engine.store.lastEvent()
                let reported = events.filter { $0.payload.type.rawValue.hasPrefix("near") }.map { event in
                    "\(event.payload.type.rawValue) \(event.payload.other?.id.text ?? "") \(event.payload.happened ?? event.at)"
                }
                #expect(reported == found, "seed \(seed), step \(step)")
                count += reported.count
            }
            #expect(count > 10, "seed \(seed)")
        }
    }

    /// The distance of Ana's hint among friends, and the work units of the longest read for it.
    ///
    /// Each friend is nearer than the last. Her own fence is about all of them, or each of them has one about her.
    private func hint(among count: Int, isOwn: Bool) async throws -> (beyond: Double, steps: Int) {
        let monitor = WorkMonitor()
        return try await withEngine(monitor: monitor) { engine in
            let friends: [PersonID] = (0..<count).map { id("f\($0)") }
            let people = ([ana] + friends).map { Write(person($0.text) { $0.sharing.alerts = .friends }) }
            try await engine.perform(PutPeople(people))
            try await engine.perform(Batch(friends.map { MakeFriends(ana, $0) }))
            let reports = friends.enumerated().map { number, friend in
                ping(0, east(1600 - Double(number) / 10), accuracy: 5, of: friend.text)
            }
            try await engine.perform(Record(reports))
            let fences = (isOwn ? [ana] : friends).map { owner in
                var fence = Fence(
                    id: id("near"), .person(owner, metres: 1000), watching: isOwn ? .friends : .people([ana]))
                fence.owner = owner
                return PutFence(Write(fence))
            }
            for result in try await engine.perform(Batch(fences)) { _ = try result.get() }
            monitor.reset()
            let hints = try await engine.hinted(ping(10, valencia, accuracy: 5), at: morning + .seconds(10)).hints
            let hint = try #require(hints.first)
            return (beyond: hint.beyond, steps: monitor.longest(.reading))
        }
    }

    /// Beyond 600 friends her own fence makes the hint the minimum, and the number of others' fences never shows.
    @Test("A hint is made of at most 600 comparisons", arguments: [600, 601, 1200])
    func hintComparisons(count: Int) async throws {
        let (own, others) = (try await hint(among: count, isOwn: true), try await hint(among: count, isOwn: false))
        #expect(count > 600 ? own.beyond == 50 : (269...271).contains(own.beyond), "\(own)")
        #expect((269...271).contains(others.beyond), "\(others)")
        // 21 work units for each comparison, and one for each fence.
        for steps in [own.steps, others.steps] { #expect((12_600...14_500).contains(steps), "\(steps)") }
    }

    @Test("A ping among the maximum number of friends takes one turn") func mostFriends() async throws {
        let monitor = WorkMonitor()
        try await withEngine(monitor: monitor) { engine in
            let friends: [PersonID] = (0..<5000).map { id("f\($0)") }
            for start in stride(from: 0, to: friends.count, by: 500) {
                try await engine.perform(
                    PutPeople(
                        friends[start..<start + 500].map { Write(person($0.text) { $0.sharing.alerts = .friends }) }))
            }
            try await engine.add(person("ana") { $0.sharing.alerts = .friends })
            try await engine.perform(Batch(friends.map { MakeFriends(ana, $0) }))
            var fence = Fence(id: id("near"), .person(ana, metres: 100_000), watching: .friends)
            fence.owner = ana
            try await engine.perform(PutFence(Write(fence)), by: .person(ana))
            let reports = friends.enumerated().map { ping(0, east(Double($0) * 3), of: $1.text) }
            for start in stride(from: 0, to: reports.count, by: 500) {
                try await engine.perform(Record(Array(reports[start..<start + 500])), at: morning)
            }
            monitor.reset()
            let first = try engine.store.lastEvent()
            try await engine.perform(Record([ping(10, valencia)]), by: .person(ana), at: morning + .seconds(10))
            #expect(try engine.store.lastEvent() - first == 21, "she moved, and twenty came near")
            for step in 0..<5 {
                let report = ping(Double(300 + 300 * step), east(Double(step + 1) * 60_000))
                try await engine.perform(
                    Record([report]), by: .person(ana), at: morning + .seconds(Int64(300 + 300 * step)))
            }
            #expect(
                monitor.longest(.turn) > 10_000 && monitor.longest(.turn) <= WorkBudget.stepsPerTurn,
                "\(monitor.longest(.turn))")
        }
    }

    @Test("Many distant friends with proximity fences cost little, and the near one is found")
    func distantFriends() async throws {
        let monitor = WorkMonitor()
        try await withEngine(monitor: monitor) { engine in
            let friends: [PersonID] = (0..<3000).map { id("f\($0)") }
            try await engine.add(person("ana") { $0.sharing.alerts = .friends })
            for start in stride(from: 0, to: friends.count, by: 500) {
                try await engine.perform(
                    PutPeople(
                        friends[start..<start + 500].map { Write(person($0.text) { $0.sharing.alerts = .friends }) }))
            }
            try await engine.perform(Batch(friends.map { MakeFriends(ana, $0) }))
            let fences = ([ana] + friends).map { owner -> PutFence in
                var fence = Fence(id: id("near"), .person(owner, metres: 300), watching: .friends)
                fence.owner = owner
                return PutFence(Write(fence))
            }
            try await engine.perform(Batch(fences))
            let reports = friends.enumerated().map { number, name in
                ping(0, east(number == 2999 ? 100 : 20_000 + Double(number)), of: name.text)
            }
            for start in stride(from: 0, to: reports.count, by: 500) {
                try await engine.perform(Record(Array(reports[start..<start + 500])), at: morning)
            }
            monitor.reset()
            let first = try engine.store.lastEvent()
            for step in 0..<20 {
                let time = morning + .seconds(Int64(10 + 130 * step))
                try await engine.perform(
                    Record([ping(Double(10 + 130 * step), valencia)]), by: .person(ana), at: time)
            }
            let events = try await engine.store.events(after: first, atMost: 100)
            let reported = events.filter { $0.payload.type == .nearEnter }.map { event in
                "\(event.payload.person?.id.text ?? "") \(event.payload.other?.id.text ?? "")"
            }
            #expect(reported.sorted() == ["ana f2999", "f2999 ana"])
            #expect(monitor.longest(.turn) > 5_000 && monitor.longest(.turn) < 25_000, "\(monitor.longest(.turn))")
        }
    }

    /// All friends are at one place, in a privacy zone.
    @Test("A ping in a crowd of hidden friends takes one turn") func hiddenCrowd() async throws {
        let monitor = WorkMonitor()
        try await withEngine(monitor: monitor) { engine in
            let friends: [PersonID] = (0..<1000).map { id("f\($0)") }
            let zone = PrivacyZone(id: id("home"), centre: valencia, radius: 2000)
            try await engine.add(person("ana") { $0.sharing.alerts = .friends })
            for start in stride(from: 0, to: friends.count, by: 500) {
                let writes = friends[start..<start + 500].map { name in
                    Write(
                        person(name.text) {
                            $0.sharing.alerts = .friends
                            $0.sharing.zones = [zone]
                        })
                }
                try await engine.perform(PutPeople(writes))
            }
            try await engine.perform(Batch(friends.map { MakeFriends(ana, $0) }))
            var fence = Fence(id: id("near"), .person(ana, metres: 1000), watching: .friends)
            fence.owner = ana
            try await engine.perform(PutFence(Write(fence)), by: .person(ana))
            let reports = friends.map { ping(0, valencia, of: $0.text) }
            for start in stride(from: 0, to: reports.count, by: 500) {
                try await engine.perform(Record(Array(reports[start..<start + 500])), at: morning)
            }
            monitor.reset()
            let first = try engine.store.lastEvent()
            try await engine.perform(Record([ping(10, valencia)]), by: .person(ana), at: morning + .seconds(10))
            #expect(try engine.store.lastEvent() - first == 1, "she moved")
            // 600 friends are looked up and compared.
            let steps = monitor.longest(.turn)
            #expect(steps > 600 * 40 && steps < 600 * 53 + 8_000, "\(steps)")
        }
    }
}
