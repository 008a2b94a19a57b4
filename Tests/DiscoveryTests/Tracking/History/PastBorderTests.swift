import Discovery
import Geo
import Model
import TestSupport
import Testing

/// Queries at the exact borders of visible times.
extension SharingTests {
    private func then(_ engine: TestEngine, _ second: Double, by caller: Caller) async -> PastPosition? {
        try? await engine.engine.position(
            of: id("ana"), at: morning + .seconds(second), by: caller, now: morning + .seconds(500_000))
    }

    /// Ana works until 18:00, which is 25,200 s after the morning.
    @Test("A hidden time includes its first instant") func firstHiddenInstant() async throws {
        let closing = 25_200.0
        try await withFriends { engine in
            try await engine.add(person("eva"))
            _ = try await engine.send(ping(0, valencia, of: "eva"))
            try await share(engine, "ana", Self.working, at: morning + .seconds(1700))
            _ = try await engine.send(ping(closing - 1200, valencia), at: morning + .seconds(closing - 1200))
            func strangers(at second: Double) throws -> Int {
                let query = StrangerQuery(viewer: id("eva"), limit: 9)
                return try engine.engine.strangers(query, at: morning + .seconds(second)).strangers.count
            }
            #expect(try strangers(at: closing - 0.001) == 2)
            #expect(try strangers(at: closing) == 1)
            _ = try await engine.send(ping(closing, valencia), at: morning + .seconds(closing))
            let before = await then(engine, closing - 600, by: .service)
            #expect(before?.basis == .reach, "a stay that went on to the border would tell of a ping beyond it")
            #expect(before?.age == .seconds(600))
        }
    }

    /// A phone whose clock is minutes ahead sends a future position of Ana, who hides for a moment in between.
    @Test("A stay after a hidden time starts no earlier, with the full uncertainty of a stay")
    func stayAfterHiding() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            try await engine.perform(MakeFriends(id("ana"), id("luis")), at: morning - .seconds(9000))
            _ = try await engine.send(ping(0, valencia), at: morning)
            _ = try await engine.send(ping(1290, valencia), at: morning + .seconds(1000))
            try await share(engine, "ana", Sharing(.hidden), at: morning + .seconds(1001))
            try await share(engine, "ana", Sharing(.exact), at: morning + .seconds(1100))
            let luis = Caller.person(id("luis"))
            #expect(await then(engine, 900, by: luis)?.time == morning)
            #expect(await then(engine, 1050, by: luis) == nil)
            let later = await then(engine, 1200, by: luis)
            #expect(later?.place == valencia && later?.basis == .seen)
            #expect(later?.time == morning + .seconds(1200), "not that she was there before she hid")
            #expect(later?.uncertainty.map { $0 >= 700 } ?? false, "somewhere within the stay: nothing was fixed then")
        }
    }

    /// Ana's position at B is deleted, but she did not stay at A in the meantime.
    @Test("The deletion of a position in between leaves no stay", arguments: [false, true])
    func deletedPosition(isCompacted: Bool) async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            _ = try await engine.send(ping(0, valencia), ping(600, east(3000)))
            if isCompacted { try await engine.engine.compact() }
            let times = morning + .seconds(600)..<morning + .seconds(601)
            let erased = try await engine.engine.erase(
                of: id("ana"), in: times, where: nil, by: .service, received: morning + .seconds(700))
            #expect(erased.pings == 1)
            #expect(try await engine.send(ping(1200, valencia)) == [.throttledByDistance])
            let meanwhile = await then(engine, 600, by: .service)
            #expect(meanwhile?.basis == .reach && meanwhile?.seenUntil == morning + .seconds(1200))
            #expect(await then(engine, 1200, by: .service)?.basis == .seen)
        }
    }

    /// The distant position was a mistake of the receiver, and Ana stayed at A.
    @Test("A stay continues over the deletion of a suspect position") func deletedSuspect() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            _ = try await engine.send(ping(600, east(5_000_000)))
            for second in [900.0, 1020, 1140] { _ = try await engine.send(ping(second, valencia)) }
            #expect(try await engine.send(ping(0, valencia)) == [.stored])
            #expect(
                try await engine.send(ping(300, valencia), ping(1000, valencia))
                    == [.throttledByDistance, .throttledByDistance])
            let times = morning + .seconds(600)..<morning + .seconds(601)
            let erased = try await engine.engine.erase(
                of: id("ana"), in: times, where: nil, by: .service, received: morning + .seconds(2000))
            #expect(erased.pings == 1)
            for second in [300.0, 900] {
                let shown = await then(engine, second, by: .service)
                #expect(shown?.place == valencia && shown?.basis == .seen, "at \(second)")
            }
        }
    }

    @Test("Encounters include only times at which the viewer shared exactly too") func mutualSharing() async throws {
        for name in ["ana", "luis"] {
            try await withEngine { engine in
                try await engine.add(person("ana"), person("luis"))
                try await engine.perform(MakeFriends(id("ana"), id("luis")))
                try await share(engine, name, Sharing(.approximate), at: morning + .seconds(500))
                try await share(engine, name, Sharing(.exact), at: morning + .seconds(2000))
                for one in ["ana", "luis"] {
                    _ = try await engine.send(ping(0, valencia, of: one), ping(3000, valencia, of: one))
                }
                func encounters(by caller: Caller) async throws -> [ClosedRange<Double>] {
                    let query = EncounterQuery(
                        of: id("luis"), with: id("ana"), within: 600, during: morning..<morning + .seconds(4000))
                    return try await engine.engine.encounters(query, by: caller, now: morning + .seconds(4000))
                        .encounters
                        .map { ($0.times.lowerBound - morning).seconds...($0.times.upperBound - morning).seconds }
                }
                #expect(try await encounters(by: .service) == [0...3000])
                let shown = try await encounters(by: .person(id("luis")))
                #expect(shown.count == 2 && shown[1].lowerBound >= 2000, "\(name) shared no more than a cell")
                #expect(shown.first.map { $0.lowerBound == 0 && $0.upperBound <= 500 } ?? false)
            }
        }
    }
}
