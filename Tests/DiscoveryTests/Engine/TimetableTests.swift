import Discovery
import Geo
import Hours
import Model
import TestSupport
import Testing

/// Queries of positions and the writer evaluate timetables in bounded time.
@Suite struct TimetableTests {
    /// An evaluation looks back at most a week and a day, each of which costs no more than its rules and minutes.
    private static let bound = WorkBudget.stepsPerRead / 10

    private static let minutes = (0..<70).map { number in
        let (hour, minute) = (1 + number / 30, number % 30 * 2)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(hour)):\(two(minute))-\(two(hour)):\(two(minute + 1))"
    }

    /// Hours that need a calendar and are open for years, or closed for years.
    static let hours = [
        "week 1-53 00:00-24:00," + minutes.joined(separator: ","),
        "Jan-Dec 00:00-24:00; 2199 Dec 25 off",
        (0..<20).map { _ in "week 1-53 00:00-24:00" }.joined(separator: ", "),
        "Jan-Dec 00:00-12:00; 2199 off" + (0..<18).map { _ in " || Jan-Dec 00:00-24:00" }.joined(),
        "2199 10:00-12:00",
    ]

    @Test("Every timetable is evaluated in bounded time", arguments: hours)
    func boundedTime(hours: String) async throws {
        let monitor = WorkMonitor()
        try await withEngine(monitor: monitor) { engine in
            var sharing = Sharing(.exact)
            sharing.timetable = ZonedHours(hours: hours, timezone: "Europe/Madrid")
            try await engine.add(person("ana") { $0.sharing = sharing }, person("luis"), person("eva"))
            try await engine.perform(MakeFriends(id("ana"), id("luis")))
            monitor.reset()
            let long = 86_400.0 - morning.seconds
            for _ in 0..<2 { _ = try await engine.send(ping(long, valencia), at: morning) }
            _ = try await engine.send(ping(0, valencia, of: "luis"), ping(0, valencia, of: "eva"), at: morning)
            for now in [morning, morning + .seconds(60)] {
                try engine.engine.read { state throws(Refusal) in
                    _ = try? state.position(of: id("ana"), for: .person(id("luis")), at: now)
                    let query = NearestQuery(limit: 9)
                    _ = try state.nearestFriends(of: id("luis"), query, by: .person(id("luis")), at: now)
                }
                _ = try engine.engine.strangers(StrangerQuery(viewer: id("eva"), limit: 9), at: now)
            }
            #expect(monitor.longest(.reading) <= Self.bound && monitor.longest(.turn) <= Self.bound, "\(hours)")
        }
    }

    /// Hours that may close on one day of a year hide a person after more silence than an evaluation looks back.
    @Test("A person who may have been hidden is not visible after eight days of silence")
    func longSilence() async throws {
        let day = 86_400.0
        let open = [0.1 * day, 7.9 * day]
        let cases: [(hours: String, shown: [Double], hidden: [Double])] = [
            ("Jan-Dec 00:00-24:00; Jul 25 off", open, [8.1 * day, 20 * day]),
            ("Jan-Dec 00:00-24:00; Nov 25 off", [0.1 * day, 4 * day], [4.6 * day, 5.9 * day, 7 * day]),
            (Self.hours[0], open + [20_000 * day], []), (Self.hours[2], open + [20_000 * day], []),
            ("24/7", open + [20_000 * day], []), ("Mo-Su 00:00-24:00", open + [20_000 * day], []),
        ]
        for (hours, shown, hidden) in cases {
            try await withEngine { engine in
                var sharing = Sharing(.exact)
                sharing.timetable = ZonedHours(hours: hours, timezone: "UTC")
                try await engine.add(person("ana") { $0.sharing = sharing }, person("luis"))
                try await engine.perform(MakeFriends(id("ana"), id("luis")))
                _ = try await engine.send(ping(0, valencia), at: morning)
                // In any order, because a result for one instant must not be reused for another.
                for second in shown + hidden + shown.reversed() {
                    let now = morning + .seconds(second)
                    let seen = try engine.engine.read { state throws(Refusal) in
                        try? state.position(of: id("ana"), for: .person(id("luis")), at: now)
                    }
                    #expect((seen != nil) == shown.contains(second), "\(hours), \(second / day) days")
                }
            }
        }
    }

    /// The next change of a place's hours is computed when the page is written.
    @Test("Hours of places do not delay a read") func placeHours() async throws {
        let monitor = WorkMonitor()
        try await withEngine(monitor: monitor) { engine in
            let places = (0..<100).map { number in
                var place = Place(id: id("p\(number)"), kind: "store", name: "P")
                place.coordinate = east(Double(number))
                place.hours = "Jan-Dec 00:00-24:00 || " + Self.hours[3]
                place.timezone = "UTC"
                return Write(place)
            }
            try await engine.perform(PutPlaces(places))
            monitor.reset()
            var near = NearestPlaces(
                to: valencia, PlaceFilter(), OpeningQuery(at: morning), NearestQuery(limit: 100))
            while !engine.engine.read({ near.look(at: $0) }) {}
            #expect(near.page.items.count == 100 && monitor.longest(.reading) <= Self.bound)
            #expect(near.page.items.allSatisfy { $0.hours?.state == .open && $0.hours?.status.change == nil })
        }
    }
}

extension Timestamp {
    fileprivate var seconds: Double { Double(milliseconds) / 1000 }
}
