import Discovery
import Foundation
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// The cache of areas without fences does not change the events.
@Suite struct ClearWayTests {
    private func withEngine(_ body: (TestEngine) async throws -> Void) async throws {
        try await withFolder { folder in
            let engine = try TestEngine(folder: folder)
            try await engine.add(person("ana") { $0.sharing.precision = .exact }, person("luis"))
            try await body(engine)
            try engine.store.close()
        }
    }

    private static func circle(
        _ name: String, around place: Double, watching watched: Fence.Watched = .people([id("ana")])
    ) -> PutFence {
        PutFence(Write(Fence(id: id(name), .circle(east(place), metres: 100), watching: watched)))
    }

    /// Sends Ana's next fix and returns its hint, which searches for fences around her.
    private func go(_ engine: TestEngine, _ time: Double, _ place: Double) async throws -> Hint? {
        let fix = ping(time, east(place), accuracy: 0)
        return try await engine.hinted(fix, at: morning + .seconds(Int64(time))).hints.first
    }

    private func reported(_ engine: TestEngine) async throws -> [String] {
        try await engine.store.events(after: 0, atMost: 100).filter { $0.payload.type.rawValue.hasPrefix("fence") }
            .map { "\($0.payload.type.rawValue) \($0.payload.subject?.text ?? "")" }
    }

    @Test("A new fence in an area known to be clear takes effect", arguments: [1, 8, 20])
    func newFence(fences: Int) async throws {
        try await withEngine { engine in
            for number in 1...fences {
                try await engine.perform(Self.circle("far-\(number)", around: 10_000 + 1_000 * Double(number)))
            }
            #expect(try await go(engine, 0, 0)?.beyond == 500)
            try await engine.perform(Self.circle("new", around: 300))
            #expect(try await go(engine, 20, 10)?.beyond ?? 500 < 200)
            _ = try await go(engine, 60, 300)
            #expect(try await reported(engine) == ["fence.enter new"])
        }
    }

    @Test("A fence that watched another person first takes effect") func changedFence() async throws {
        try await withEngine { engine in
            try await engine.perform(Self.circle("far", around: 10_000))
            try await engine.perform(Self.circle("near", around: 300, watching: .people([id("luis")])))
            #expect(try await go(engine, 0, 0)?.beyond == 500)
            try await engine.perform(Self.circle("near", around: 300, watching: .people([id("ana"), id("luis")])))
            _ = try await go(engine, 60, 300)
            #expect(try await reported(engine) == ["fence.enter near"])
        }
    }

    @Test("A new member of a group is watched by the group's fences") func newMember() async throws {
        try await withEngine { engine in
            try await engine.perform(MakeFriends(id("luis"), id("ana")))
            try await engine.perform(CreateGroup(Group(id: id("shift"), name: "Shift", owner: id("luis"))))
            try await engine.perform(Self.circle("far", around: 10_000))
            try await engine.perform(Self.circle("yard", around: 300, watching: .group(id("shift"))))
            _ = try await go(engine, 0, 0)
            try await engine.perform(Invite(id("ana"), to: id("shift")))
            try await engine.perform(AcceptInvitation(of: id("ana"), to: id("shift")))
            _ = try await go(engine, 60, 300)
            #expect(try await reported(engine) == ["fence.enter yard"])
        }
    }

    @Test("An exit beyond the margin is reported for a path that touches no fence") func distantExit() async throws {
        try await withEngine { engine in
            var fence = Fence(id: id("home"), .circle(east(0), metres: 100), watching: .people([id("ana")]))
            fence.margin = 500
            try await engine.perform(PutFence(Write(fence)))
            for (time, place) in [(0.0, 0.0), (20, 250), (40, 500)] { _ = try await go(engine, time, place) }
            #expect(try await reported(engine) == ["fence.enter home"])
            _ = try await go(engine, 60, 800)
            #expect(try await reported(engine) == ["fence.enter home", "fence.exit home"])
        }
    }

    /// The hints and the events of a random walk among fences.
    private func walk(_ fences: [Fence], _ seed: UInt64) async throws -> (hints: [Hint], reported: [String]) {
        var (random, hints, position, events) = (SeededGenerator(seed: seed), [Hint](), -4000.0, [String]())
        try await withEngine { engine in
            for fence in fences { try await engine.perform(PutFence(Write(fence))) }
            for step in 0..<80 {
                position += Double.random(in: -150...600, using: &random)
                if let hint = try await go(engine, Double(30 * step), position) { hints.append(hint) }
            }
            events = try await reported(engine)
        }
        return (hints, events)
    }

    /// Fences of Ana and of services, more of which are near her than a fix may trigger or examine.
    private static func crowd(_ random: inout SeededGenerator, watching watched: Fence.Watched) throws -> [Fence] {
        let polygon = try Polygon(rings: [comb()])
        return (0..<60).map { number in
            let middle = random.jittered(random.pick(besideComb + [valencia]), metres: 500)
            let area: Fence.Area =
                number.isMultiple(of: 10) ? .polygons([polygon]) : .circle(middle, metres: Double(200 + 10 * number))
            var fence = Fence(id: id("f\(number)"), area, watching: watched)
            if number % 3 == 1 {
                fence.owner = id("ana")
                fence.watched = .people([id("ana")])
            }
            return fence
        }
    }

    /// One node makes hints, which fill its cache, and the other is restarted now and then.
    @Test("Nodes with different caches report the same events", arguments: RandomCases.seeds(0..<4))
    func nodes(seed: UInt64) async throws {
        try await withFolder { folder in
            let log = ListedLog()
            let (a, b) = (folder.appending(path: "a"), folder.appending(path: "b"))
            try TestEngine(folder: a).store.close()
            try FileManager.default.copyItem(at: a, to: b)
            let first = try openFollower(a, log)
            var second = try openFollower(b, log)
            var random = SeededGenerator(seed: seed)
            let watched: Fence.Watched = seed.isMultiple(of: 2) ? .everybody : .people([id("ana")])
            let fences = try Self.crowd(&random, watching: watched)
            try await following(log, first, second) {
                try await first.add(person("ana"), person("luis"))
                for fence in fences { try await first.perform(PutFence(Write(fence))) }
            }
            let places = try besideComb + [valencia, east(300), east(1500), place(39.47, -0.375_95)]
            for round in 0..<10 {
                if round % 3 > 0 {
                    try second.store.close()
                    second = try openFollower(b, log)
                }
                var report = ping(0, valencia)
                var (recorded, now): (Recorded?, Timestamp) = (nil, morning)
                try await following(log, first, second) {
                    for step in 0..<6 {
                        let time = (round * 6 + step) * 200
                        let accuracy = Float(random.integer(0...20))
                        report = ping(Double(time), random.pick(places), accuracy: accuracy)
                        now = morning + .seconds(time)
                        let done = try await first.perform(Record([report]), at: now)
                        _ = try await first.engine.hints(after: [report], done, at: now)
                        recorded = done
                    }
                }
                let last = try #require(recorded)
                let reported = try await first.store.events(after: 0, atMost: 10_000)
                #expect(try await second.store.events(after: 0, atMost: 10_000) == reported, "seed \(seed), \(round)")
                let hints = try await first.engine.hints(after: [report], last, at: now)
                #expect(
                    try await second.engine.hints(after: [report], last, at: now) == hints, "seed \(seed), \(round)")
            }
            #expect(difference(accounts(second), accounts(first)) == [], "seed \(seed)")
            let fired = try await first.store.events(after: 0, atMost: 10_000).filter {
                $0.payload.type.rawValue.hasPrefix("fence")
            }
            #expect(fired.count > 100 && fired.contains { $0.payload.isThrough }, "\(fired.count)")
            for one in [first, second] { try one.store.close() }
        }
    }

    @Test("Hints and events do not depend on known clear areas", arguments: [2, 12, 20])
    func withoutClearAreas(count: Int) async throws {
        var random = SeededGenerator(seed: UInt64(count))
        for watched in [Fence.Watched.everybody, .people([id("ana")])] {
            let fences = (0..<count).map { number in
                let middle = Double.random(in: -4000...12_000, using: &random)
                let size = Double(100 * random.integer(1...6))
                let area =
                    number.isMultiple(of: 2)
                    ? Fence.Area.circle(east(middle), metres: size)
                    : .corridor([east(middle), east(middle + size)], metres: 40)
                return Fence(id: id("f\(number)"), area, watching: watched)
            }
            // While a service's fence uses the area of a place, no area is taken to be clear.
            let over = Fence(id: id("over"), .place(id("zone")), watching: .people([id("luis")]))
            let (kept, asked) = (try await walk(fences, 1), try await walk(fences + [over], 1))
            #expect(kept.hints == asked.hints && kept.reported == asked.reported)
            let circles = Set(kept.hints.map(\.beyond))
            #expect(!kept.reported.isEmpty && circles.count > 1 && circles.contains(500))
        }
    }
}
