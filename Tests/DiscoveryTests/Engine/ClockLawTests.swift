import Discovery
import Foundation
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// A wall clock that disagrees with the monotonic clock ends, reports, and deletes nothing.
///
/// Random clocks are ahead or behind by seconds, hours, or a year, temporarily or permanently, with stops of any length.
/// A clock that stays ahead until it is trusted cannot be distinguished from a right one.
@Suite struct ClockLawTests {
    private static let hour = 3600.0
    private static let year = 365 * 24 * hour
    private static let silence = 2 * hour
    private static let tolerance = 61.0

    private static let token = TokenHash(repeatElement(7, count: 32))

    /// The service with its clock, and the true time.
    private struct World {
        var engine: TestEngine
        /// Seconds since the morning.
        var truth = 0.0
        /// Seconds by which the clock is ahead.
        var ahead = 0.0
        /// The longest unwritten time at a stop, which is ten minutes and the longest step of the test.
        static let unwritten = 600.0 + 1200
        /// When the run began.
        var started = 0.0
        /// Whether the clock was right when the run began.
        var isStartRight = true
        /// The downtime of the service, with the time before it that may be unwritten.
        var stopped = 0.0
        /// The time of Eva's last contact.
        var contacts = 0.0
        /// The times at which her inactivity was reported.
        var reported: [Double] = []
        var events = 0

        var now: Timestamp { morning + .seconds(truth + ahead) }
        var elapsed: Duration { .seconds(truth - started) }

        /// Performs the service's periodic work.
        mutating func tend() async throws {
            try await engine.engine.observe(clock: now, elapsed: elapsed)
            try await engine.engine.tendShares(at: now)
            try await engine.engine.fireTimedFences(at: now)
            try await engine.engine.forgetEvents()
            if let past = engine.engine.trust.past { while try await engine.engine.expire(now: past).count > 0 {} }
        }

        mutating func restart(after stop: Double) async throws {
            engine = try await engine.restarted()
            (truth, stopped) = (truth + stop, stopped + stop + Self.unwritten)
            (started, isStartRight) = (truth, abs(ahead) < 60)
        }

        /// Sends a position with the true time, whatever the service's clock shows.
        mutating func send(_ name: String, _ place: Coordinate) async throws {
            let report = PingReport(person: id(name), time: morning + .seconds(truth), place: place)
            let verdict = try await engine.send(report, at: engine.engine.noticing(clock: now, elapsed: elapsed)).first
            let believed: [Verdict?] = [.stored, .throttledByInterval, .throttledByDistance]
            if name == "eva", believed.contains(verdict) { contacts = truth }
        }

        func pings() async throws -> Int {
            try await engine.engine.history(
                of: id("old"), from: Timestamp(milliseconds: 0), to: Timestamp(milliseconds: .max), limit: 1000
            ).count
        }
    }

    private func withWorld(link seconds: Double, _ body: (inout World) async throws -> Void) async throws {
        var rules = PingRules.everywhereFine
        (rules.retention, rules.eventRetention) = (.seconds(60 * 24 * Self.hour), .seconds(60 * 24 * Self.hour))
        try await withFolder { folder in
            var world = World(engine: try TestEngine(folder: folder, rules: rules))
            try await world.engine.engine.observe(clock: morning, elapsed: .zero)
            try await world.engine.add(person("ana"), person("eva"), person("old"))
            var (quiet, area) = (
                Fence(id: id("quiet"), .anywhere, watching: .people([id("eva")])),
                Fence(id: id("area"), .circle(valencia, metres: 500), watching: .people([id("eva")]))
            )
            (quiet.passages, quiet.silence) = ([.silent], .seconds(Self.silence))
            (area.passages, area.dwell) = ([.enter, .dwell], .seconds(Self.silence))
            try await world.engine.perform(PutFence(Write(quiet)))
            try await world.engine.perform(PutFence(Write(area)))
            try await world.engine.perform(
                Record((0..<24).map { ping(Double($0 - 700) * Self.hour, east(Double($0) * 600), of: "old") }))
            let end = morning + .seconds(seconds)
            try await world.engine.perform(
                OpenShare(Share(id: id("s"), token: Self.token, .exact, since: morning, until: end), of: id("ana")))
            try await world.send("ana", valencia)
            try await world.send("eva", valencia)
            try await body(&world)
            try world.engine.store.close()
        }
    }

    /// Performs a random change of the clock or the service.
    private func act(_ random: inout SeededGenerator, on world: inout World, _ wrongSince: inout Double) async throws {
        world.truth += random.pick([2, 60, 600, 1200])
        let isLasting = abs(world.ahead) >= 40 * Self.hour || world.ahead < 0
        if world.ahead > 0, !isLasting || random.chance(0.05), world.truth - wrongSince > 1200 { world.ahead = 0 }
        if random.chance(0.05) {
            (world.ahead, wrongSince) = (
                random.pick(
                    [0, 9, -9, 5 * Self.hour, -5 * Self.hour, 40 * Self.hour] + [1, -1, -50].map { $0 * Self.year }),
                world.truth
            )
        }
        if random.chance(0.03) { try await world.restart(after: random.pick([0, 5, 600, 3 * Self.hour])) }
        if random.chance(0.1) { try await world.send(random.pick(["ana", "eva"]), valencia) }
        try await world.tend()
    }

    private func check(_ world: inout World, link end: Double, _ comment: String) async throws {
        let (engine, truth, now) = (world.engine.engine, world.truth, world.now)
        let view = ShareReader(Self.token, of: engine, at: now)?.view(of: engine, at: now)
        if truth < end - Self.tolerance {
            #expect(view != nil && (world.ahead > 60 || view?.position != nil), "the link goes on; \(comment)")
        }
        let isOver = world.ahead >= 0 ? truth >= end : truth >= end + world.stopped + Self.tolerance
        if isOver { #expect(view?.position == nil, "after its end a link shows nothing; \(comment)") }
        if world.isStartRight {
            let off = (engine.steady(at: now) - morning).seconds - truth
            #expect(off <= 2 * Self.tolerance && off >= -world.stopped - 2 * Self.tolerance, "names; \(comment)")
        }
        let events = try await world.engine.store.events(after: 0, atMost: 10_000)
        #expect(events.count >= world.events, "no event is forgotten; \(comment)")
        for event in events.dropFirst(world.events) where [.fenceSilent, .fenceDwell].contains(event.payload.type) {
            let since = event.payload.type == .fenceSilent ? world.contacts : 0
            #expect(truth >= since + Self.silence - Self.tolerance, "\(event.payload.type) too early; \(comment)")
            if event.payload.type == .fenceSilent { world.reported.append(truth) }
        }
        world.events = events.count
        #expect(try await world.pings() == 24, "no ping is deleted; \(comment)")
    }

    @Test(
        "No clock ends a link, reports inactivity, or deletes anything before its time",
        arguments: RandomCases.seeds(0..<60))
    func nothingIsEarly(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let end = random.pick([2, 8, 30]) * Self.hour
        try await withWorld(link: end) { world in
            var wrongSince = 0.0
            for step in 0..<100 {
                try await act(&random, on: &world, &wrongSince)
                try await check(&world, link: end, "seed \(seed), step \(step), ahead \(world.ahead)")
            }
            // From now on the clock is right, and phones send nothing.
            world.ahead = 0
            for _ in 0..<8 * 24 {
                world.truth += Self.hour
                try await world.tend()
            }
            #expect(ShareReader(Self.token, of: world.engine.engine, at: world.now) == nil, "seed \(seed)")
            #expect(
                world.engine.engine.read { $0.canonicalDump }.allSatisfy { !$0.hasPrefix("share ") }, "seed \(seed)")
            let reported = try await world.engine.store.events(after: 0, atMost: 10_000).map(\.payload.type)
            #expect(reported.count { $0 == .fenceDwell } == 1 && reported.contains(.fenceSilent), "seed \(seed)")
        }
    }

    @Test("A pause hides a person until it is over by both clocks", arguments: [-1.0, 1, 50])
    func pauses(years: Double) async throws {
        try await withWorld(link: Self.hour) { world in
            try await world.engine.perform(MakeFriends(id("ana"), id("eva")))
            let paused = person("ana") { $0.sharing.pausedUntil = morning + .seconds(2 * Self.hour) }
            try await world.engine.perform(PutPeople([Write(paused)]))
            for _ in 0..<90 {
                world.truth += 60
                try await world.tend()
            }
            func isShown(_ name: String = "ana", to friend: String = "eva") -> Bool {
                let now = world.engine.engine.noticing(clock: world.now, elapsed: world.elapsed)
                let position = try? world.engine.engine.read { state throws(Refusal) in
                    try state.position(of: id(name), for: .person(id(friend)), at: now)
                }
                return position != nil
            }
            #expect(!isShown())
            world.ahead = years * Self.year
            #expect(!isShown() && !isShown("eva", to: "ana"), "the clock is put ahead or back")
            world.ahead = 0
            world.truth += Self.hour
            try await world.tend()
            #expect(!isShown(), "not of where she was meanwhile")
            try await world.send("ana", valencia)
            #expect(isShown())
        }
    }

    @Test("After a stop of a night, inactivity and stays are reported on time") func nightStop() async throws {
        try await withWorld(link: Self.hour) { world in
            world.truth += Self.hour / 2
            try await world.tend()
            try await world.restart(after: 8 * Self.hour)
            try await world.tend()
            #expect(
                try await world.engine.store.events(after: 0, atMost: 99).allSatisfy { $0.payload.type != .fenceSilent }
            )
            try await world.send("eva", valencia)
            let due = world.truth + Self.silence
            while world.truth < due {
                try await check(&world, link: Self.hour, "\(world.truth)")
                world.truth += 60
                try await world.tend()
            }
            try await check(&world, link: Self.hour, "the end")
            #expect(world.reported == [due])
        }
    }
}
