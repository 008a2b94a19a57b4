import Discovery
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Positions shown after a hidden time or a change of sharing do not depend on positions before it.
@Suite struct AfterHidingTests {
    private let ana: PersonID = id("ana")
    private let luis: PersonID = id("luis")

    /// Runs the body with the friends Ana, who shares at the precision, and Luis, who shares exactly.
    private func withFriends(_ precision: Precision, _ body: (TestEngine) async throws -> Void) async throws {
        try await withEngine { engine in
            try await engine.add(
                person("ana") { $0.sharing = Sharing(precision) }, person("luis") { $0.sharing = Sharing(.exact) })
            try await engine.perform(MakeFriends(ana, luis), at: morning - .seconds(5 * 86_400))
            try await body(engine)
        }
    }

    private func share(_ engine: TestEngine, _ precision: Precision, at second: Double) async throws {
        let person = person("ana") { $0.sharing = Sharing(precision) }
        try await engine.perform(PutPeople([Write(person)]), at: morning + .seconds(second))
    }

    private func send(_ engine: TestEngine, _ second: Double, _ metres: Double) async throws -> Verdict? {
        try await engine.send(ping(second, east(metres)), at: morning + .seconds(second)).first
    }

    private func shown(_ engine: TestEngine, at second: Double) throws -> Position {
        try engine.engine.read { state throws(Refusal) in
            try state.position(of: ana, for: .person(luis), at: morning + .seconds(second))
        }
    }

    @Test("The first ping after a pause is stored, however near it is", arguments: [Precision.exact, .approximate])
    func pause(precision: Precision) async throws {
        try await withFriends(.hidden) { engine in
            #expect(try await send(engine, 0, 0) == .stored)
            try await share(engine, precision, at: 10)
            #expect(try await send(engine, 20, 100) == .stored)
            #expect(try await send(engine, 30, 110) == .throttledByInterval, "the next one is throttled as always")
            guard precision == .exact else { return }
            let then = try await engine.engine.position(
                of: ana, at: morning + .seconds(25), by: .person(luis), now: morning + .seconds(40))
            #expect(then.place == east(100))
        }
    }

    @Test("The first ping after a pause that ended by itself is stored") func endOfPause() async throws {
        try await withFriends(.exact) { engine in
            let person = person("ana") { $0.sharing.pausedUntil = morning + .seconds(1000) }
            try await engine.perform(PutPeople([Write(person)]), at: morning)
            #expect(try await send(engine, 300, 0) == .stored)
            #expect(try await send(engine, 600, 100) == .throttledByDistance)
            #expect(try await send(engine, 1200, 100) == .stored)
            #expect(try await send(engine, 1800, 0) == .throttledByDistance)
        }
    }

    @Test("The first ping after a change from a cell to the exact place is stored") func exact() async throws {
        try await withFriends(.approximate) { engine in
            #expect(try await send(engine, 0, 0) == .stored)
            try await share(engine, .exact, at: 10)
            #expect(try await send(engine, 20, 100) == .stored)
            #expect(try shown(engine, at: 21).place == east(100))
        }
    }

    @Test("A clipped `since` is shown for a day from the clip, not from the arrival")
    func longStay() async throws {
        try await withFriends(.exact) { engine in
            for hour in 0...23 { _ = try await send(engine, Double(hour) * 3600, 0) }
            let luis = person("luis") { $0.sharing = Sharing(.approximate) }
            try await engine.perform(PutPeople([Write(luis)]), at: morning + .seconds(72_000))
            let back = person("luis") { $0.sharing = Sharing(.exact) }
            try await engine.perform(PutPeople([Write(back)]), at: morning + .seconds(73_000))
            for second in [86_399.0, 86_401] {
                #expect(try shown(engine, at: second).since == morning + .seconds(73_000), "\(second)")
            }
        }
    }

    @Test("When too many daily changes of sharing are merged, a pause applies to the change before it")
    func merged() async throws {
        try await withFriends(.exact) { engine in
            let pause = morning + .seconds(50_000)
            for number in 0..<202 {
                let person = person("ana") { $0.sharing.pausedUntil = number.isMultiple(of: 2) ? nil : pause }
                let time = morning + .seconds(Double(number) * 10)
                try await engine.perform(PutPeople([Write(person)]), at: time)
            }
            let ana = try engine.engine.number(of: ana)
            for (second, expected) in [(1965.0, nil), (1985, pause)] {
                let time = morning + .seconds(second)
                let shared = try await engine.store.sharings(of: [ana], in: time..<time + .milliseconds(1))
                #expect(shared.first?.first?.sharing.pausedUntil == expected, "\(second)")
            }
        }
    }

    @Test("The visible past begins with the current sharing of both people") func past() async throws {
        try await withFriends(.approximate) { engine in
            for second in stride(from: 0.0, through: 3600, by: 300) { _ = try await send(engine, second, 0) }
            try await share(engine, .exact, at: 1700)
            func then(_ second: Double) async throws -> PastPosition {
                try await engine.engine.position(
                    of: ana, at: morning + .seconds(second), by: .person(luis), now: morning + .seconds(4000))
            }
            #expect(try await then(3600).time == morning + .seconds(1700))
            #expect(try await then(1701).time >= morning + .seconds(1500), "when she was last seen")
        }
    }

    @Test("The visible start of a stay is not before the friendship or its exact sharing") func since() async throws {
        try await withEngine { engine in
            try await engine.add(
                person("ana") { $0.sharing = Sharing(.exact) }, person("luis") { $0.sharing = Sharing(.exact) })
            for second in [0.0, 1200, 2400] { _ = try await send(engine, second, 0) }
            try await engine.perform(MakeFriends(ana, luis), at: morning + .seconds(1800))
            #expect(try shown(engine, at: 2401).since == morning + .seconds(1800))
            try await engine.add(person("eva"), person("zoe"))
            try await engine.perform(MakeFriends(id("eva"), id("zoe")), at: morning + .seconds(2400))
            let restarted = try await engine.restarted()
            #expect(try shown(restarted, at: 2401).since == morning + .seconds(1800))
            let own = try restarted.engine.read { state throws(Refusal) in try state.position(of: ana) }
            #expect(own.since == morning)
            try restarted.store.close()
        }
    }
}
