import Discovery
import Geo
import Laws
import Model
import TestSupport
import Testing

@Suite struct ThrottleTests {
    @Test("A ping is stored only after both the interval and the distance") func intervalAndDistance() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            let verdicts = try await engine.send(
                ping(0, valencia), ping(60, east(900)), ping(130, east(100)), ping(140, east(600)),
                ping(200, east(2000)),
                ping(260, east(1200)))
            #expect(
                verdicts == [
                    .stored, .throttledByInterval, .throttledByDistance, .stored, .throttledByInterval, .stored,
                ])
        }
    }

    @Test("The exact thresholds are enough") func exactThresholds() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            let far = (0..<40).map { east(500 + Double($0) / 1000) }.first {
                Geodesic.distance(from: valencia, to: $0) >= 500
            }
            let near = (0..<40).map { east(500 - Double($0) / 1000) }.first {
                Geodesic.distance(from: valencia, to: $0) < 500
            }
            guard let far, let near else { preconditionFailure("500 m lies between them") }
            #expect(Geodesic.distance(from: near, to: far) < 0.03)
            #expect(try await engine.send(ping(0, valencia)) == [.stored])
            #expect(try await engine.send(ping(119.999, far)) == [.throttledByInterval])
            #expect(try await engine.send(ping(120, near)) == [.throttledByDistance])
            #expect(try await engine.send(ping(120, far)) == [.stored])
        }
    }

    @Test("Late pings are stored only if they fit between their neighbors") func latePings() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            #expect(try await engine.send(ping(0, valencia), ping(1000, east(5000))) == [.stored, .stored])
            #expect(try await engine.send(ping(500, east(300))) == [.throttledByDistance])
            #expect(try await engine.send(ping(900, east(2500))) == [.throttledByInterval], "soon comes the later one")
            #expect(try await engine.send(ping(500, east(4700))) == [.stored], "near the later one only")
            #expect(try await engine.send(ping(-300, east(-700))) == [.stored])
            try await engine.engine.compact()
            #expect(try await engine.send(ping(250, east(1200))) == [.stored], "between folded ones")
            #expect(try await engine.send(ping(250, east(1200)), ping(500, east(4700))) == [.duplicate, .duplicate])
            let history = try await engine.engine.history(
                of: id("ana"), from: Timestamp(milliseconds: 0), to: Timestamp(milliseconds: .max), limit: 100)
            let seconds = history.map { ($0.time - morning).seconds }
            #expect(seconds == [-300, 0, 250, 500, 1000])
        }
    }

    @Test("A batch is evaluated in the order of fix times") func batchOrder() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            let verdicts = try await engine.send(ping(240, east(1200)), ping(0, valencia), ping(120, east(600)))
            #expect(verdicts == [.stored, .stored, .stored])
        }
    }

    @Test("A person's own thresholds take precedence") func ownThresholds() async throws {
        try await withEngine { engine in
            try await engine.add(
                person("ana") { $0.throttle = ThrottleOverride(distance: 10, interval: .seconds(1)) },
                person("luis") { $0.throttle = ThrottleOverride(distance: 0) })
            #expect(
                try await engine.send(ping(0, valencia), ping(1, east(11)), ping(1.5, east(30))) == [
                    .stored, .stored, .throttledByInterval,
                ])
            #expect(
                try await engine.send(ping(0, valencia, of: "luis"), ping(120, valencia, of: "luis")) == [
                    .stored, .stored,
                ])
        }
    }

    @Test("Each rejection has its verdict, in the order of evaluation") func rejections() async throws {
        try await withEngine(
            rules: {
                var rules = PingRules(); rules.retention = .seconds(30 * 86_400); return rules
            }()
        ) { engine in
            try await engine.add(person("ana"), person("luis") { $0.retention = .seconds(60 * 86_400) })
            let received = morning + .seconds(600)
            func verdict(_ report: PingReport) async throws -> Verdict? {
                try await engine.send(report, at: received).first
            }
            let nowhere = try Coordinate(latitude: 0, longitude: 0)
            #expect(try await verdict(ping(0, valencia, of: "nobody")) == .unknownPerson)
            #expect(try await verdict(ping(0, valencia)) == .stored)
            #expect(try await verdict(ping(0, valencia)) == .duplicate)
            #expect(try await verdict(ping(0, valencia, device: "tablet")) == .throttledByInterval)
            #expect(try await verdict(ping(900, valencia)) == .throttledByDistance, "300 s in the future are tolerated")
            #expect(try await verdict(ping(900.001, valencia)) == .future)
            #expect(try await verdict(ping(600 - 30 * 86_400, valencia)) == .stored)
            #expect(try await verdict(ping(599 - 30 * 86_400, valencia)) == .stale)
            #expect(try await verdict(ping(599 - 30 * 86_400, valencia, of: "luis")) == .stale, "the shorter one holds")
            #expect(try await verdict(ping(300, nowhere, accuracy: nil)) == .void)
            #expect(try await verdict(ping(300, east(5000), accuracy: 201)) == .inaccurate)
            #expect(try await verdict(ping(300, east(5000), accuracy: 200)) == .stored)
            #expect(try await verdict(ping(900, east(9000), accuracy: 2000)) == .stored, "nothing better for 600 s")
            #expect(try await verdict(ping(-300, nowhere, accuracy: 5)) == .impossibleSpeed)
            #expect(try await verdict(ping(-119, east(90_000))) == .throttledByInterval)
        }
    }

    @Test("A ping without a time has the time of its receipt") func missingTime() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            let report = PingReport(person: id("ana"), time: nil, place: valencia)
            #expect(try await engine.send(report, at: morning) == [.stored])
            let position = try engine.engine.read { state throws(Refusal) in try state.position(of: id("ana")) }
            #expect(position.time == morning && position.place == valencia)
        }
    }

    @Test("A hint has the time and distance from which a ping can be stored") func hintContents() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            let hints = try await engine.hinted(
                ping(0, valencia), ping(0, east(3), of: "luis"), ping(130, east(700)), at: morning + .seconds(200)
            ).hints
            #expect(hints.map(\.person) == [id("luis"), id("ana")])
            #expect(hints.map(\.from) == [east(3), east(700)])
            #expect(hints.map(\.beyond) == [500, 500])
            #expect(hints.map { ($0.notBefore - morning).seconds } == [120, 250])
            #expect(hints.map { $0.until.map { ($0 - morning).seconds } } == [86_400, 86_530])
        }
    }

    @Test("A fix at or after the end of the hint is stored at any place") func hintEnd() async throws {
        let throttles = [(ThrottleOverride(), 86_400.0), (ThrottleOverride(interval: .seconds(90_000)), 90_000)]
        for (throttle, end) in throttles {
            try await withEngine { engine in
                try await engine.add(person("ana") { $0.throttle = throttle })
                func hint(_ second: Double) async throws -> (Verdict?, Hint?) {
                    let recorded = try await engine.hinted(ping(second, valencia), at: morning + .seconds(100_000))
                    return (recorded.verdicts.first, recorded.hints.first)
                }
                #expect(try await hint(0).1?.until == morning + .seconds(end))
                #expect(try await hint(end - 0.001).0 != .stored)
                #expect(try await hint(end).0 == .stored)
            }
        }
        try await withEngine { engine in
            try await engine.add(person("ana") { $0.throttle = ThrottleOverride(distance: 0) })
            let hints = try await engine.hinted(ping(0, valencia)).hints
            #expect(hints.map(\.until) == [nil], "the interval is all there is")
        }
    }

    @Test("An old position is stored even if its place was stored years later") func oldPosition() async throws {
        try await withEngine { engine in
            let year = 365 * 86_400.0
            try await engine.add(person("ana"))
            #expect(try await engine.send(ping(0, valencia)) == [.stored])
            #expect(try await engine.send(ping(-2 * year, valencia), ping(-year, valencia)) == [.stored, .stored])
            let then = try await engine.engine.position(
                of: id("ana"), at: morning - .seconds(2 * year), by: .service, now: morning + .seconds(86_400))
            #expect(then.place == valencia && then.basis == .seen)
        }
    }

    /// The trip begins and ends at the current position.
    @Test("A round trip stores nothing the second time") func roundTrip() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            _ = try await engine.send(ping(90_000, valencia), at: morning + .seconds(90_000))
            let trip = (0...48).map { ping(Double($0) * 60, east(Double(min($0, 48 - $0)) * 300)) }
            func send() async throws -> Int {
                let recorded = try await engine.perform(Record(trip), at: morning + .seconds(90_000))
                return recorded.verdicts.count { $0 == .stored }
            }
            #expect(try await send() == 25)
            #expect(try await send() == 0)
            #expect(try await send() == 0)
        }
    }

    @Test("Two pings of one person in one commit are not both stored") func concurrentPings() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            let verdicts = try await withThrowingTaskGroup(of: Verdict?.self) { group in
                for number in 0..<50 {
                    group.addTask { try await engine.send(ping(Double(number), east(Double(number)))).first }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(verdicts.count { $0 == .stored } == 1)
            #expect(verdicts.count { $0 == .throttledByInterval } == 49)
        }
    }

    @Test("The public cell stays while a person is near its border") func publicCell() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana") { $0.throttle = ThrottleOverride(distance: 0, interval: .seconds(0)) })
            let cell = CubeCell(containing: valencia, level: 13)
            let path = (0..<400).map { east(Double($0) * 10) }
            let leaving = path.firstIndex { !cell.contains($0) } ?? 0
            let left = path.firstIndex { cell.overshoot(of: $0) > 0.15 } ?? 0
            #expect(left > leaving + 5)
            for (second, place) in path.enumerated() { _ = try await engine.send(ping(Double(second), place)) }
            let history = try await engine.engine.history(
                of: id("ana"), from: morning, to: Timestamp(milliseconds: .max), limit: 1000)
            let cells = history.map(\.publicCell)
            #expect(cells.count == 400)
            #expect(cells[..<left].allSatisfy { $0 == cell }, "the border at \(leaving) is passed without a change")
            #expect(cells[left] == CubeCell(containing: path[left], level: 13))
        }
    }
}
