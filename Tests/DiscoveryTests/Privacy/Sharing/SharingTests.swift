import Cities
import Discovery
import Geo
import Model
import Storage
import TestSupport
import Testing

/// Current positions as visible to friends.
@Suite struct SharingTests {
    func cell(_ place: Coordinate) -> CubeCell { CubeCell(containing: place, level: 13) }

    func share(
        _ engine: TestEngine, _ name: String, _ sharing: Sharing, at time: Timestamp = morning, city: String? = nil
    ) async throws {
        let document = person(name) {
            $0.sharing = sharing
            $0.city = city
        }
        try await engine.perform(PutPeople([Write(document)]), at: time)
    }

    func position(_ engine: TestEngine, of name: String, for viewer: String, at now: Timestamp) throws -> Position {
        try engine.engine.read { state throws(Refusal) in
            try state.position(of: id(name), for: .person(id(viewer)), at: now)
        }
    }

    func nearest(_ engine: TestEngine, to viewer: String, within: Double = .infinity, at now: Timestamp) throws
        -> [PersonNearby]
    {
        var query = NearestQuery(limit: 9)
        query.within = within
        return try engine.engine.read { [query] state throws(Refusal) in
            try state.nearestFriends(of: id(viewer), query, by: .person(id(viewer)), at: now).items
        }
    }

    /// Runs the body with Ana in the center of Valencia 1,000 s after the morning, and her friend Luis 3 km east.
    func withFriends(_ body: (TestEngine) async throws -> Void) async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            try await engine.perform(MakeFriends(id("ana"), id("luis")))
            _ = try await engine.send(ping(1000, valencia), ping(1000, east(3000), of: "luis"))
            _ = try await engine.send(ping(1600, valencia), at: morning + .seconds(1600))
            try await body(engine)
        }
    }

    @Test("Friends see each other at the coarser of both precisions") func coarserPrecision() async throws {
        let now = morning + .seconds(2000)
        let city = gazetteer.city(nearestTo: valencia).coordinate
        let gandia = try #require(gazetteer.city(named: "Gandia")).coordinate
        try await withFriends { engine in
            for theirs in Precision.allCases {
                for own in Precision.allCases {
                    for declared in [nil, "Gandia", "Nowhere at all", "Valencia"] {
                        try await share(engine, "ana", Sharing(theirs), city: declared)
                        try await share(engine, "luis", Sharing(own))
                        let precision = max(theirs, own)
                        let (place, time): (Coordinate, Double) =
                            switch precision {
                            case .exact: (valencia, 1600)
                            case .approximate: (cell(valencia).centre, 900)
                            default: (declared == "Gandia" ? gandia : city, 0)
                            }
                        let near = try nearest(engine, to: "luis", at: now)
                        guard precision < .hidden else {
                            #expect(near.isEmpty)
                            #expect(throws: Refusal.unknown(.position, id("ana"))) {
                                try position(engine, of: "ana", for: "luis", at: now)
                            }
                            continue
                        }
                        let seen = try position(engine, of: "ana", for: "luis", at: now)
                        #expect(seen.place == place && seen.precision == precision, "\(theirs), \(own)")
                        #expect(seen.time == morning + .seconds(time))
                        #expect(seen.since == (precision == .exact ? morning + .seconds(1000) : nil))
                        #expect(seen.seenUntil == nil)
                        #expect((seen.accuracy == nil) == (precision > .exact))
                        #expect(near.map(\.position) == [seen])
                        let distance = Geodesic.distance(from: east(3000), to: place)
                        #expect(abs(Double(near[0].decimetres) / 10 - distance) <= 0.1)
                        #expect(try nearest(engine, to: "luis", within: distance - 1, at: now).isEmpty)
                        #expect(try nearest(engine, to: "luis", within: distance + 1, at: now).count == 1)
                    }
                }
            }
            #expect(try position(engine, of: "ana", for: "ana", at: now).place == valencia, "her own")
        }
    }

    @Test("Sharing is approximate by default") func defaultSharing() async throws {
        try await withFriends { engine in
            try await engine.add(Person(id: id("ana")))
            #expect(try position(engine, of: "ana", for: "luis", at: morning).precision == .approximate)
        }
    }

    @Test("At city precision, a position without a city nearby is not shown") func noCityNearby() async throws {
        try await withFriends { engine in
            let sea = try Coordinate(latitude: 0, longitude: -30)
            _ = try await engine.send(ping(80_000, sea))
            try await share(engine, "ana", Sharing(.city))
            #expect(throws: Refusal.unknown(.position, id("ana"))) {
                try position(engine, of: "ana", for: "luis", at: morning)
            }
            #expect(try nearest(engine, to: "luis", at: morning).isEmpty)
        }
    }

    static let paused = {
        var sharing = Sharing(.exact)
        sharing.pausedUntil = morning + .seconds(3600)
        return sharing
    }()
    static let working = {
        var sharing = Sharing(.exact)
        sharing.timetable = ZonedHours(hours: "Mo-Fr 09:00-18:00", timezone: "Europe/Madrid")
        return sharing
    }()

    /// The morning is a Friday, 11:00 in Madrid.
    @Test("A pause ends by itself, and a timetable hides outside its hours") func pauseAndTimetable() async throws {
        let cases: [(Sharing, shown: [Double], hidden: [Double])] = [
            (Self.paused, [3600, 4000], [0, 3599.999]),
            (Self.working, [0, 25_199.999], [25_200, 50_000, 86_400]),
        ]
        for (sharing, shown, hidden) in cases {
            try await withFriends { engine in
                try await share(engine, "luis", sharing)
                var engine = engine
                for isRestarted in [false, true] {
                    if isRestarted { engine = try await engine.restarted() }
                    for (times, isShown) in [(shown, true), (hidden, false)] {
                        for second in times {
                            let now = morning + .seconds(second)
                            let seen = try? position(engine, of: "ana", for: "luis", at: now)
                            #expect((seen?.precision == .exact) == isShown, "\(second)")
                            #expect(try nearest(engine, to: "luis", at: now).isEmpty == !isShown)
                        }
                    }
                }
                try engine.store.close()
            }
        }
    }

    @Test("Hidden people are not discovered, and see less themselves") func hiddenPeople() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("eva"))
            _ = try await engine.send(ping(0, valencia), ping(0, valencia, of: "eva"))
            func found(by viewer: String) throws -> [Stranger] {
                try engine.engine.strangers(StrangerQuery(viewer: id(viewer), limit: 9), at: morning).strangers
            }
            #expect(try found(by: "eva").map(\.id) == [id("ana")])
            try await share(engine, "ana", Sharing(.hidden))
            #expect(try found(by: "eva").isEmpty)
            let seen = try found(by: "ana")
            #expect(seen.map(\.id) == [id("eva")] && seen[0].profile == nil)
            try await share(engine, "ana", Sharing(.city))
            #expect(try found(by: "eva").map(\.id) == [id("ana")], "cities are for friends")
            let far = CubeCell(containing: valencia, level: 13).ancestor(10).centre
            let distance = Geodesic.distance(from: valencia, to: far)
            #expect(distance > 1000)
            #expect(
                try found(by: "eva").map(\.kilometres) == [[1, 2, 5, 10, 25].first { distance < Double($0) * 1000 }],
                "strangers are not told more than friends")
            #expect(try found(by: "ana")[0].profile != nil)
        }
    }

    @Test("Services see exact positions") func services() async throws {
        try await withFriends { engine in
            try await share(engine, "ana", Sharing(.hidden))
            let (last, near) = try engine.engine.read { state throws(Refusal) in
                (
                    try state.position(of: id("ana"), for: .service, at: morning),
                    try state.nearestFriends(
                        of: id("luis"), NearestQuery(limit: 1), by: .service, at: morning
                    ).items
                )
            }
            #expect(last.place == valencia && near.map(\.position) == [last])
        }
    }
}
