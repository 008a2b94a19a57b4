import Discovery
import Geo
import Model
import TestSupport
import Testing

/// Times of positions in answers.
@Suite struct FixTimeTests {
    private let ana: PersonID = id("ana")
    private let luis: PersonID = id("luis")
    private let later = morning + .seconds(7200)

    /// Runs the body with Ana, who has the sharing, her friend Luis, who shares exactly, and the stranger Eva.
    private func withPeople(_ sharing: Sharing, _ body: (TestEngine) async throws -> Void) async throws {
        try await withEngine { engine in
            try await engine.add(person("ana") { ($0.sharing, $0.city) = (sharing, "Valencia") }, person("luis"))
            try await engine.add(person("eva"))
            try await engine.perform(MakeFriends(ana, luis))
            _ = try await engine.send(ping(0, east(3000), of: "luis"), ping(0, east(2000), of: "eva"))
            try await body(engine)
        }
    }

    private func position(_ engine: TestEngine, for caller: Caller) throws -> Position {
        try engine.engine.read { state throws(Refusal) in try state.position(of: ana, for: caller, at: later) }
    }

    private func seconds(_ time: Timestamp?) -> Double? { time.map { Double(($0 - morning).milliseconds) / 1000 } }

    @Test("At exact precision, `at` is the fix time of the visible position, and `since` the start of the stay")
    func exactTimes() async throws {
        try await withPeople(Sharing(.exact)) { engine in
            let rows: [(sent: Double, place: Coordinate, since: Double?)] = [
                // Near the stored position, away from it and back, and after more than an hour of silence.
                (100, valencia, nil), (107, east(333), 100), (150, east(900), nil), (180, east(30), nil),
                (400, east(20), 180), (4001, east(10), nil), (4100, valencia, 4001),
            ]
            for (sent, place, since) in rows {
                _ = try await engine.send(ping(sent, place), at: later)
                for caller in [Caller.service, .person(ana), .person(luis)] {
                    let shown = try position(engine, for: caller)
                    #expect(shown.place == place && seconds(shown.time) == sent, "\(caller) after \(sent) s")
                    #expect(seconds(shown.since) == since && shown.seenUntil == nil, "\(caller) after \(sent) s")
                }
                let near = try engine.engine.read { state throws(Refusal) in
                    try state.nearestFriends(of: luis, NearestQuery(limit: 1), by: .person(luis), at: later).items
                }
                #expect(try near.map(\.position) == [position(engine, for: .person(luis))])
            }
            let past = try await engine.engine.position(of: ana, at: morning + .seconds(100), by: .service, now: later)
            #expect(past.place == valencia && seconds(past.time) == 100)
        }
    }

    @Test("With exact sharing, the event of a move has the fix time of the position") func eventTimes() async throws {
        try await withPeople(Sharing(.exact)) { engine in
            _ = try await engine.send(ping(100, valencia), at: later)
            var reader = EventReader(for: .person(luis), EventFilter(), of: engine.engine)
            _ = try await reader.next(from: engine.engine, at: later)
            _ = try await engine.send(ping(107, east(333)), at: later)
            let moved = try #require(try await reader.next(from: engine.engine, at: later).events.first)
            #expect(moved.position?.place == east(333))
            #expect(seconds(moved.at) == 107 && seconds(moved.position?.time) == 107)
            #expect(seconds(moved.position?.since) == 100)
        }
    }

    /// A ping stored shortly before a full hour, two throttled ones from elsewhere, and two that confirm the first.
    private static let pings: [(second: Double, metres: Double, verdict: Verdict)] = [
        (3590, 0, .stored), (3605, 600, .throttledByInterval), (3640, 900, .throttledByInterval),
        (3700, 100, .throttledByInterval), (4700, 490, .throttledByDistance),
    ]

    /// Sends the pings, and calls `body` after each.
    private func sendPings(to engine: TestEngine, _ body: (_ index: Int) throws -> Void) async throws {
        for (index, one) in Self.pings.enumerated() {
            #expect(try await engine.send(ping(one.second, east(one.metres)), at: later) == [one.verdict])
            try body(index)
        }
    }

    @Test("At a coarse precision only stored pings and their confirmations change the rounded time")
    func coarseTimes() async throws {
        var zoned = Sharing(.exact)
        zoned.zones = [PrivacyZone(id: id("home"), centre: valencia, radius: 2000)]
        let quarters = [2700.0, 2700, 2700, 3600, 4500]
        let rows: [(name: String, sharing: Sharing, times: [Double])] = [
            ("approximate", Sharing(.approximate), quarters), ("city", Sharing(.city), [0, 0, 0, 3600, 3600]),
            ("zone", zoned, quarters),
        ]
        for (name, sharing, times) in rows {
            try await withPeople(sharing) { engine in
                var first: Coordinate?
                try await sendPings(to: engine) { index in
                    let shown = try position(engine, for: .person(luis))
                    #expect(shown.precision == (name == "city" ? .city : .approximate))
                    #expect(seconds(shown.time) == times[index], "\(name), ping \(index)")
                    #expect(shown.since == nil && shown.seenUntil == nil, "\(name), ping \(index)")
                    #expect(shown.place == first ?? shown.place, "\(name), ping \(index)")
                    first = shown.place
                }
            }
        }
    }

    @Test("A stranger is seen `now` only after a stored ping or its confirmation in the last hour")
    func strangerTimes() async throws {
        try await withPeople(Sharing(.exact)) { engine in
            try await sendPings(to: engine) { index in
                let query = StrangerQuery(viewer: id("eva"), limit: 9)
                let found = try engine.engine.strangers(query, at: morning + .seconds(6400)).strangers
                let shown = try #require(found.first { $0.id == ana })
                #expect(shown.seen == (index < 3 ? .today : .now), "ping \(index)")
            }
        }
    }

    @Test("While the live position lies in a privacy zone, the stored one is shown with its own times")
    func liveInZone() async throws {
        var sharing = Sharing(.exact)
        sharing.zones = [PrivacyZone(id: id("home"), centre: east(1200), radius: 400)]
        try await withPeople(sharing) { engine in
            _ = try await engine.send(ping(100, valencia), ping(130, east(450)), at: later)
            #expect(try seconds(position(engine, for: .person(luis)).since) == 100)
            _ = try await engine.send(ping(160, east(1200)), at: later)
            let shown = try position(engine, for: .person(luis))
            #expect(shown.place == valencia && seconds(shown.time) == 100)
            #expect(shown.since == nil && seconds(shown.seenUntil) == 130)
        }
    }

    @Test("The start of a stay is not shown if the person was hidden then") func hiddenArrival() async throws {
        try await withPeople(Sharing(.exact)) { engine in
            _ = try await engine.send(ping(100, valencia), ping(900, east(20)), at: later)
            #expect(try seconds(position(engine, for: .person(luis)).since) == 100)
            // The phone's clock is ahead of the service's clock.
            for (time, precision) in [(800, Precision.hidden), (850, .exact)] {
                let write = Write(person("ana") { $0.sharing = Sharing(precision) })
                try await engine.perform(PutPeople([write]), at: morning + .seconds(time))
            }
            let shown = try position(engine, for: .person(luis))
            #expect(shown.place == east(20) && seconds(shown.time) == 900 && shown.since == nil)
            #expect(try seconds(position(engine, for: .person(ana)).since) == 100)
        }
    }
}
