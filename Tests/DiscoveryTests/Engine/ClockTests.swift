import Discovery
import Foundation
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Wall clocks that jump, beside a monotonic clock.
@Suite struct ClockTests {
    private static let day = 86_400.0
    private static let year = 365 * day

    /// The service, its clock, and the true time.
    private struct World {
        var engine: TestEngine
        /// Seconds since the morning.
        var truth = 0.0
        /// Seconds by which the clock is ahead.
        var ahead = 0.0
        var started = 0.0

        var now: Timestamp { morning + .seconds(truth + ahead) }

        /// Advances the true time with the service's periodic work.
        mutating func pass(_ seconds: Double, by step: Double = 60) async throws {
            let end = truth + seconds
            while truth < end {
                truth = min(end, truth + step)
                try await engine.engine.observe(clock: now, elapsed: .seconds(truth - started))
                guard let past = engine.engine.trust.past else { continue }
                while try await engine.engine.expire(now: past).count > 0 {}
            }
        }

        mutating func restart() async throws {
            engine = try await engine.restarted()
            started = truth
        }

        /// Sends a ping without a time of its own.
        func send(_ metres: Double) async throws -> [Verdict] {
            try await engine.send(PingReport(person: id("ana"), time: nil, place: east(metres)), at: now)
        }

        func count() async throws -> Int {
            try await engine.engine.history(
                of: id("ana"), from: Timestamp(milliseconds: 0), to: Timestamp(milliseconds: .max), limit: 1000
            ).count
        }
    }

    private func withWorld(_ body: (inout World) async throws -> Void) async throws {
        var rules = PingRules.everywhereFine
        rules.retention = .seconds(30 * Self.day)
        try await withEngine(rules: rules) { engine in
            var world = World(engine: engine)
            try await engine.add(person("ana"))
            let pings = (0..<400).map { ping(Double($0 - 400) * 3600, east(Double($0) * 600)) }
            try await engine.perform(Record(pings), at: morning)
            try await engine.engine.compact()
            try await body(&world)
            try world.engine.store.close()
        }
    }

    @Test("A clock that is a year ahead for eight seconds deletes nothing") func briefJump() async throws {
        for isRunning in [true, false] {
            try await withWorld { world in
                if isRunning { try await world.pass(7200) } else { try await world.restart() }
                world.ahead = Self.year
                try await world.pass(8, by: 2)
                #expect(try await world.count() == 400)
                world.ahead = 0
                try await world.pass(7200)
                #expect(try await world.count() == 400)
            }
        }
    }

    @Test("Restarts with a wrong clock delete nothing") func wrongStarts() async throws {
        try await withWorld { world in
            try await world.pass(7200)
            world.ahead = Self.year
            try await world.pass(8, by: 2)
            for _ in 0..<5 {
                _ = try await world.engine.send(
                    PingReport(person: id("ana"), time: nil, place: east(-5000)), at: world.now)
                try await world.engine.engine.compact()
                try await world.restart()
                try await world.pass(Self.day, by: 600)
            }
            #expect(try await world.count() >= 400)
        }
    }

    @Test("Positions past their retention are deleted once the clock is trusted") func retention() async throws {
        try await withWorld { world in
            try await world.pass(59 * 60)
            world.truth += 40 * Self.day
            try await world.restart()
            try await world.pass(6 * Self.day, by: 600)
            #expect(try await world.count() == 400, "nobody knows whether it was off for so long")
            try await world.pass(2 * Self.day, by: 600)
            #expect(try await world.count() == 0)
        }
        try await withWorld { world in
            try await world.pass(2 * 3600)
            #expect(try await world.count() == 400)
            try await world.pass(20 * Self.day, by: 600)
            #expect(try await world.count() == 400 - 162, "while it runs they go as they become too old")
        }
    }

    @Test("Phones that agree confirm a clock that seems a day ahead") func agreement() async throws {
        for hasPhone in [true, false] {
            try await withWorld { world in
                try await world.pass(7200)
                world.truth += 20 * 3600
                try await world.restart()
                for _ in 0..<13 {
                    if hasPhone { _ = world.engine.engine.checkClock(id("ana"), newest: world.now, at: world.now) }
                    try await world.pass(300)
                }
                #expect((world.engine.engine.trust.doubt == nil) == hasPhone, "after an hour")
            }
        }
    }

    /// Clients that use the machine's own clock agree with it, and positions of right phones are too old to count.
    @Test("A phone that agrees with a clock far ahead deletes nothing") func agreementFarAhead() async throws {
        try await withWorld { world in
            try await world.pass(7200)
            world.ahead = Self.year
            for _ in 0..<40 {
                _ = world.engine.engine.checkClock(id("eva"), newest: world.now, at: world.now)
                try await world.pass(300)
            }
            #expect(try await world.count() == 400)
        }
    }

    // MARK: - Stops

    @Test("A short stop causes no doubt of the clock") func shortStop() async throws {
        try await withWorld { world in
            try await world.pass(7200 + 540)
            world.truth += 5
            try await world.restart()
            try await world.pass(4, by: 2)
            #expect(world.engine.engine.trust.doubt == nil)
        }
    }

    @Test("A service restarted each half hour trusts its clock in the end") func frequentRestarts() async throws {
        try await withWorld { world in
            try await world.pass(7200)
            world.truth += 2 * 3600
            for run in 0..<5 {
                world.truth += 120
                try await world.restart()
                try await world.pass(1800)
                let doubt = try #require(world.engine.engine.trust.doubt)
                #expect(run < 4 ? doubt >= .seconds(7200) : doubt <= .seconds(900), "run \(run)")
            }
        }
    }

    @Test("The known time advances across a restart") func knownTime() async throws {
        try await withWorld { world in
            try await world.pass(7200)
            try await world.restart()
            let known = try #require(world.engine.engine.trust.certain)
            #expect((morning + .seconds(6600)...morning + .seconds(7200)).contains(known))
        }
    }

    @Test("Old positions from phones do not confirm the clock") func oldPositions() async throws {
        try await withWorld { world in
            try await world.pass(7200)
            world.truth += 20 * 3600
            try await world.restart()
            for _ in 0..<13 {
                _ = world.engine.engine.checkClock(id("ana"), newest: morning, at: world.now)
                try await world.pass(300)
            }
            #expect(world.engine.engine.trust.doubt != nil, "after an hour")
        }
    }

    // MARK: - Pings received with a wrong clock

    @Test("A position of a future time is replaced by a right one") func futurePosition() async throws {
        try await withWorld { world in
            try await world.pass(7200)
            world.ahead = Self.day
            #expect(try await world.send(300_000) == [.stored])
            try await world.pass(300)
            #expect(try await world.send(301_000) == [.stored])
            world.ahead = 0
            try await world.pass(300)
            let right = PingReport(person: id("ana"), time: world.now, place: east(240_000))
            #expect(try await world.engine.send(right, at: world.now) == [.stored])
            for isRestarted in [false, true] {
                if isRestarted { try await world.restart() }
                let engine = world.engine
                let last = try engine.engine.read { state throws(Refusal) in try state.position(of: id("ana")) }
                #expect(last.place == east(240_000) && last.time == right.time)
            }
        }
    }

    /// A machine without a clock battery starts in 1970, and pings carry no time.
    @Test("A clock that is behind makes no ping suspect") func clockBehind() async throws {
        try await withWorld { world in
            try await world.pass(7200)
            world.ahead = -50 * Self.year
            try await world.restart()
            try await world.pass(7200)
            _ = try await world.engine.send(PingReport(person: id("ana"), time: nil, place: east(0)), at: world.now)
            let history = try await world.engine.engine.history(
                of: id("ana"), from: morning - .seconds(99 * Self.day), to: Timestamp(milliseconds: .max), limit: 1000)
            #expect(history.count == 400 && !history.contains(where: \.isSuspect))
        }
    }

    @Test("A clock that was ahead holds a search origin no longer than a right one") func searchOrigin() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            func send(_ metres: Double, _ second: Double) async throws {
                let now = morning + .seconds(second)
                _ = try await engine.send(PingReport(person: id("ana"), time: nil, place: east(metres)), at: now)
            }
            func searchOrigin(_ second: Double) -> Coordinate? {
                engine.engine.read { $0.searchOrigin(of: id("ana"), at: morning + .seconds(second)) }
            }
            try await send(0, 0)
            try await send(9000, 30 * Self.day)
            try await send(2000, 1000)
            #expect(searchOrigin(1119) == east(9000))
            #expect(searchOrigin(1120) == east(2000))
        }
    }
}
