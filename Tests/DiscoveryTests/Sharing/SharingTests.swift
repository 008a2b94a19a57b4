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
        _ live: TestLive, _ name: String, _ sharing: Sharing, at time: Timestamp = morning, city: String? = nil
    ) async throws {
        let document = person(name) {
            $0.sharing = sharing
            $0.city = city
        }
        try await live.perform(PutPeople([Write(document)]), at: time)
    }

    func position(_ live: TestLive, of name: String, for viewer: String, at now: Timestamp) throws -> Position {
        try live.live.read { picture throws(Refusal) in
            try picture.position(of: id(name), for: .person(id(viewer)), at: now)
        }
    }

    func nearest(_ live: TestLive, to viewer: String, within: Double = .infinity, at now: Timestamp) throws
        -> [PersonNearby]
    {
        var query = NearestQuery(limit: 9)
        query.within = within
        return try live.live.read { [query] picture throws(Refusal) in
            try picture.nearestFriends(of: id(viewer), query, by: .person(id(viewer)), at: now).items
        }
    }

    /// Runs the body with Ana in the center of Valencia 1,000 s after the morning, and her friend Luis 3 km east.
    func withFriends(_ body: (TestLive) async throws -> Void) async throws {
        try await withLive { live in
            try await live.add(person("ana"), person("luis"))
            try await live.perform(MakeFriends(id("ana"), id("luis")))
            _ = try await live.send(ping(1000, valencia), ping(1000, east(3000), of: "luis"))
            _ = try await live.send(ping(1600, valencia), at: morning + .seconds(1600))
            try await body(live)
        }
    }

    @Test("Friends see each other at the coarser of both precisions") func coarserPrecision() async throws {
        let now = morning + .seconds(2000)
        let city = gazetteer.city(nearestTo: valencia).coordinate
        let gandia = try #require(gazetteer.city(named: "Gandia")).coordinate
        try await withFriends { live in
            for theirs in Precision.allCases {
                for own in Precision.allCases {
                    for declared in [nil, "Gandia", "Nowhere at all", "Valencia"] {
                        try await share(live, "ana", Sharing(theirs), city: declared)
                        try await share(live, "luis", Sharing(own))
                        let precision = max(theirs, own)
                        let (place, time): (Coordinate, Double) =
                            switch precision {
                            case .exact: (valencia, 1600)
                            case .approximate: (cell(valencia).centre, 900)
                            default: (declared == "Gandia" ? gandia : city, 0)
                            }
                        let near = try nearest(live, to: "luis", at: now)
                        guard precision < .hidden else {
                            #expect(near.isEmpty)
                            #expect(throws: Refusal.unknown(.position, id("ana"))) {
                                try position(live, of: "ana", for: "luis", at: now)
                            }
                            continue
                        }
                        let seen = try position(live, of: "ana", for: "luis", at: now)
                        #expect(seen.place == place && seen.precision == precision, "\(theirs), \(own)")
                        #expect(seen.time == morning + .seconds(time))
                        #expect(seen.since == (precision == .exact ? morning + .seconds(1000) : nil))
                        #expect(seen.seenUntil == nil)
                        #expect((seen.accuracy == nil) == (precision > .exact))
                        #expect(near.map(\.position) == [seen])
                        let distance = Geodesic.distance(from: east(3000), to: place)
                        #expect(abs(Double(near[0].decimetres) / 10 - distance) <= 0.1)
                        #expect(try nearest(live, to: "luis", within: distance - 1, at: now).isEmpty)
                        #expect(try nearest(live, to: "luis", within: distance + 1, at: now).count == 1)
                    }
                }
            }
            #expect(try position(live, of: "ana", for: "ana", at: now).place == valencia, "her own")
        }
    }

    @Test("Sharing is approximate by default") func defaultSharing() async throws {
        try await withFriends { live in
            try await live.add(Person(id: id("ana")))
            #expect(try position(live, of: "ana", for: "luis", at: morning).precision == .approximate)
        }
    }

    @Test("At city precision, a position without a city nearby is not shown") func noCityNearby() async throws {
        try await withFriends { live in
            let sea = try Coordinate(latitude: 0, longitude: -30)
            _ = try await live.send(ping(80_000, sea))
            try await share(live, "ana", Sharing(.city))
            #expect(throws: Refusal.unknown(.position, id("ana"))) {
                try position(live, of: "ana", for: "luis", at: morning)
            }
            #expect(try nearest(live, to: "luis", at: morning).isEmpty)
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
            try await withFriends { live in
                try await share(live, "luis", sharing)
                var live = live
                for isRestarted in [false, true] {
                    if isRestarted { live = try await live.restarted() }
                    for (times, isShown) in [(shown, true), (hidden, false)] {
                        for second in times {
                            let now = morning + .seconds(second)
                            let seen = try? position(live, of: "ana", for: "luis", at: now)
                            #expect((seen?.precision == .exact) == isShown, "\(second)")
                            #expect(try nearest(live, to: "luis", at: now).isEmpty == !isShown)
                        }
                    }
                }
                try live.store.close()
            }
        }
    }

    @Test("Hidden people are not discovered, and see less themselves") func hiddenPeople() async throws {
        try await withLive { live in
            try await live.add(person("ana"), person("eva"))
            _ = try await live.send(ping(0, valencia), ping(0, valencia, of: "eva"))
            func found(by viewer: String) throws -> [Stranger] {
                try live.live.strangers(StrangerQuery(viewer: id(viewer), limit: 9), at: morning).strangers
            }
            #expect(try found(by: "eva").map(\.id) == [id("ana")])
            try await share(live, "ana", Sharing(.hidden))
            #expect(try found(by: "eva").isEmpty)
            let seen = try found(by: "ana")
            #expect(seen.map(\.id) == [id("eva")] && seen[0].profile == nil)
            try await share(live, "ana", Sharing(.city))
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
        try await withFriends { live in
            try await share(live, "ana", Sharing(.hidden))
            let (last, near) = try live.live.read { picture throws(Refusal) in
                (
                    try picture.position(of: id("ana"), for: .service, at: morning),
                    try picture.nearestFriends(
                        of: id("luis"), NearestQuery(limit: 1), by: .service, at: morning
                    ).items
                )
            }
            #expect(last.place == valencia && near.map(\.position) == [last])
        }
    }
}
