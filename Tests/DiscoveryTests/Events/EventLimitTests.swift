import Discovery
import GRDB
import Geo
import Model
import Storage
import TestSupport
import Testing

/// The hourly limit of kept events per person.
@Suite struct EventLimitTests {
    private let ana: PersonID = id("ana")
    private let luis: PersonID = id("luis")

    private func withLimit(_ events: Int = 4, _ body: (TestEngine) async throws -> Void) async throws {
        var rules = PingRules.everywhereFine
        rules.allowance.events = events
        try await withEngine(rules: rules) { engine in
            try await engine.add(person("ana") { $0.sharing.alerts = .friends }, person("luis"))
            try await engine.perform(MakeFriends(ana, luis))
            try await body(engine)
        }
    }

    private func put(
        _ name: String, of owner: PersonID?, _ engine: TestEngine, isOnce: Bool = false, by caller: Caller = .service
    ) async throws {
        var fence = Fence(id: id(name), .circle(valencia, metres: 800), watching: .people([ana]))
        (fence.owner, fence.isOnce) = (owner, isOnce)
        try await engine.perform(PutFence(Write(fence)), by: caller, at: morning)
    }

    /// Ana enters and leaves `times` times, from `second` seconds after the morning on.
    private func visit(_ times: Int, from second: Double, _ engine: TestEngine) async throws {
        for number in 0..<2 * times {
            let time = second + Double(number) * 100
            let place = number.isMultiple(of: 2) ? valencia : east(3000)
            _ = try await engine.send(ping(time, place, accuracy: 0), at: morning + .seconds(Int64(time)))
        }
    }

    /// Returns the kept events of fences and limits.
    private func kept(_ engine: TestEngine) async throws -> [String] {
        try await engine.store.events(after: 0, atMost: 1_000)
            .filter { $0.payload.type.rawValue.hasPrefix("fence") || $0.payload.type == .eventsLimited }
            .map { "\($0.payload.type.rawValue) \($0.payload.subject?.text ?? "") \($0.payload.other?.id.text ?? "")" }
    }

    @Test(
        "A new fence about a friend counts toward the limit, whether the friend is asked or not",
        arguments: Alerts.allCases, [true, false])
    func questions(alerts: Alerts, hasEnded: Bool) async throws {
        try await withLimit { engine in
            let ana = person("ana") { $0.sharing.alerts = .asked }
            try await engine.perform(PutPeople([Write(ana)]))
            if hasEnded {
                try await put("former", of: luis, engine)
                let end = EndWatcher(id("former"), of: luis, about: self.ana)
                try await engine.perform(end, by: .person(self.ana), at: morning)
            }
            var changed = ana
            changed.sharing.alerts = alerts
            try await engine.perform(PutPeople([Write(changed)]))
            for name in ["one", "two", "three"] { try await put(name, of: luis, engine, by: .person(luis)) }
            for name in ["eva", "zoe"] {
                try await engine.add(person(name))
                try await engine.perform(Befriend(luis, id(name)), by: .person(luis), at: morning)
            }
            let events = try await engine.store.events(after: 0, atMost: 100).map(\.payload.type)
            #expect(events.count { $0 == .friendAsked } == 1, "four are allowed: \(events)")
        }
    }

    @Test("Each change of a fence about a friend counts toward the limit, even within a minute")
    func changes() async throws {
        try await withLimit { engine in
            for metres in [800.0, 900, 1000] {
                var fence = Fence(id: id("one"), .circle(valencia, metres: metres), watching: .people([ana]))
                fence.owner = luis
                try await engine.perform(PutFence(Write(fence)), by: .person(luis), at: morning)
            }
            for name in ["eva", "zoe"] {
                try await engine.add(person(name))
                try await engine.perform(Befriend(luis, id(name)), by: .person(luis), at: morning)
            }
            let events = try await engine.store.events(after: 0, atMost: 100).map(\.payload.type)
            #expect(events.count { $0 == .friendAsked } == 1, "four are allowed: \(events)")
        }
    }

    @Test("Beyond the limit one notice is kept, and after an hour events are kept again")
    func ownFences() async throws {
        try await withLimit { engine in
            try await put("own", of: ana, engine)
            try await visit(5, from: 0, engine)
            let four = ["enter", "exit", "enter", "exit"].map { "fence.\($0) own ana" }
            #expect(try await kept(engine) == four + ["events.limited  "])
            try await visit(1, from: 3600, engine)
            #expect(try await kept(engine).suffix(2) == four.prefix(2))
        }
    }

    @Test("A clock that was ahead limits no events after it is corrected") func clockSetBack() async throws {
        try await withLimit(1) { engine in
            try await put("own", of: ana, engine)
            _ = try await engine.send(ping(0, valencia, accuracy: 0), at: morning + .seconds(86_400 * 365))
            _ = try await engine.send(ping(100, east(3000), accuracy: 0), at: morning + .seconds(100))
            #expect(try await kept(engine).count == 2)
        }
    }

    @Test("Events of services' fences and of requests by services do not count") func services() async throws {
        try await withLimit(2) { engine in
            try await put("service", of: nil, engine)
            try await put("own", of: ana, engine)
            try await visit(4, from: 0, engine)
            let kept = try await kept(engine)
            #expect(kept.count { $0.hasPrefix("fence.") && $0.contains("service") } == 8)
            #expect(kept.count { $0.contains("own") } == 2)
            for number in 0..<5 {
                try await engine.add(person("p\(number)"))
                try await engine.perform(Befriend(ana, id("p\(number)")))
            }
            let asked = try await engine.store.events(after: 0, atMost: 100).filter { $0.payload.type == .friendAsked }
            #expect(asked.count == 5)
        }
    }

    @Test("A friend's fences use up the friend's limit, not the person's, and the friend gets one notice")
    func friends() async throws {
        try await withLimit(6) { engine in
            try await put("own", of: ana, engine)
            for number in 0..<3 { try await put("school\(number)", of: luis, engine) }
            try await visit(3, from: 0, engine)
            let kept = try await kept(engine)
            #expect(kept.count { $0.hasSuffix("own ana") } == 6)
            #expect(kept.count { $0.hasSuffix("luis") } == 6)
            for (viewer, count) in [(ana, 0), (luis, 1)] {
                var reader = EventReader(for: .person(viewer), EventFilter(), after: 0, of: engine.engine)
                let now = morning + .seconds(1000)
                let events = try await reader.page(atMost: 100, from: engine.engine, at: now).events
                let notices = events.filter { $0.type == .eventsLimited }
                #expect(notices.map(\.person) == Array(repeating: luis, count: count))
            }
        }
    }

    @Test("A friend without permission for alerts stays without it after one of their fences was ended")
    func end() async throws {
        try await withLimit(100) { engine in
            try await engine.perform(NoteFriend(ana, luis, .alerts, Alerts.nobody.rawValue))
            try await put("one", of: luis, engine)
            try await engine.perform(EndWatcher(id("one"), of: luis, about: ana), by: .person(ana))
            try await put("two", of: luis, engine)
            #expect(try await kept(engine) == [])
        }
    }

    @Test("One notice reports missing events of services' fences") func noticeOfServices() async throws {
        try await withLimit(1) { engine in
            try await put("service", of: nil, engine)
            try await visit(8, from: 0, engine)
            let kept = try await kept(engine)
            #expect(kept.count { $0.hasPrefix("fence.") } == 10)
            #expect(kept.filter { $0.hasPrefix("events.limited") } == ["events.limited service "])
        }
    }

    @Test("The notice passes a filter of types") func filter() async throws {
        try await withLimit(1) { engine in
            try await put("own", of: ana, engine)
            try await visit(3, from: 0, engine)
            var filter = EventFilter()
            filter.types = [.fenceEnter]
            var reader = EventReader(for: .service, filter, after: 0, of: engine.engine)
            let events = try await reader.page(atMost: 100, from: engine.engine, at: morning).events
            #expect(events.map(\.type) == [.fenceEnter, .eventsLimited])
        }
    }

    @Test("A one-time fence stays if the limit drops its event") func once() async throws {
        try await withLimit(0) { engine in
            try await put("once", of: ana, engine, isOnce: true)
            try await visit(1, from: 0, engine)
            #expect(try engine.engine.read { try $0.fence(id("once"), of: ana) }.value.isOnce)
            #expect(try await kept(engine) == ["events.limited  "])
        }
    }

    @Test("A person's friend requests count, and are made even beyond the limit") func requests() async throws {
        try await withLimit(3) { engine in
            func requests() throws -> Int? {
                try engine.store.inspect { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM friendships") }
            }
            let before = try #require(try requests())
            for number in 0..<8 { try await engine.add(person("p\(number)")) }
            for number in 0..<8 {
                try await engine.perform(Befriend(ana, id("p\(number)")), by: .person(ana))
            }
            let asked = try await engine.store.events(after: 0, atMost: 100).filter { $0.payload.type == .friendAsked }
            #expect(asked.count == 3)
            #expect(try requests() == before + 8)
        }
    }
}
