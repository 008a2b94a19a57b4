import Discovery
import Geo
import Model
import Storage
import TestSupport
import Testing

/// Positions received while a person was hidden are not revealed later.
extension SharingTests {
    /// Ana's last position is from Friday, 10:00, and she is at the same place after a hidden time.
    @Test("A person who was hidden is visible from the next position on, without an earlier start")
    func visibleAgain() async throws {
        let cases: [(Sharing, end: Double)] = [
            (Self.paused, 3600), (Self.working, 252_000), (Sharing(.hidden), 5000),
        ]
        for (sharing, end) in cases {
            try await withFriends { engine in
                try await engine.add(person("eva"))
                _ = try await engine.send(ping(0, valencia, of: "eva"))
                try await share(engine, "ana", sharing, at: morning + .seconds(1700))
                var engine = engine
                if sharing.precision == .hidden {
                    try await share(engine, "ana", Sharing(.exact), at: morning + .seconds(end))
                }
                func shown(_ second: Double) throws -> (Position?, nearby: Int, strangers: Int) {
                    let now = morning + .seconds(second)
                    return (
                        try? position(engine, of: "ana", for: "luis", at: now),
                        try nearest(engine, to: "luis", at: now).count,
                        try engine.engine.strangers(StrangerQuery(viewer: id("eva"), limit: 9), at: now).strangers.count
                    )
                }
                for isRestarted in [false, true] {
                    if isRestarted { engine = try await engine.restarted() }
                    #expect(try shown(end + 10) == (nil, 0, 1), "\(end)")
                    #expect(throws: Refusal.unknown(.position, id("ana"))) {
                        try position(engine, of: "ana", for: "luis", at: morning + .seconds(end + 10))
                    }
                }
                let time = morning + .seconds(end + 20)
                let verdicts = try await engine.send(ping(end + 20, valencia), at: time)
                #expect(verdicts == [.stored], "\(end)")
                for isRestarted in [false, true] {
                    if isRestarted {
                        try await engine.engine.compact()
                        engine = try await engine.restarted()
                    }
                    let (seen, nearby, strangers) = try shown(end + 30)
                    #expect(seen?.place == valencia && seen?.time == time && seen?.seenUntil == nil, "\(end)")
                    #expect(seen?.precision == .exact && nearby == 1 && strangers == 2, "\(end)")
                }
                try engine.store.close()
            }
        }
    }

    /// A stay that continues over the border would reveal a ping beyond it.
    @Test("No visible stay ends or begins at a border of a timetable") func stayAtTimetable() async throws {
        try await withFriends { engine in
            try await share(engine, "ana", Self.working, at: morning + .seconds(1700))
            // At the desk until 18:20, and from 8:40 on Monday.
            let (closing, opening) = (25_200.0, 252_000.0)
            for second in [closing - 1200, closing + 1200, opening - 1200, opening + 1200] {
                _ = try await engine.send(ping(second, valencia), at: morning + .seconds(second))
            }
            func then(_ second: Double) async -> PastPosition? {
                try? await engine.engine.position(
                    of: id("ana"), at: morning + .seconds(second), by: .person(id("luis")),
                    now: morning + .seconds(opening + 9000))
            }
            for isCompacted in [false, true] {
                if isCompacted {
                    try await engine.engine.writePendingStays(dueAt: nil)
                    try await engine.engine.compact()
                }
                let evening = await then(closing - 600)
                #expect(evening?.place == valencia && evening?.basis == .reach)
                #expect(evening?.time == morning + .seconds(closing - 1200) && evening?.seenUntil == nil, "not 18:00")
                #expect(await then(opening + 600) == nil, "nobody had heard of her")
                let later = await then(opening + 1300)
                #expect(later?.place == valencia && later?.time == morning + .seconds(opening + 1200), "not 9:00")
            }
        }
    }

    @Test("No visible stay ends at the time at which a person hides") func stayAtHiding() async throws {
        try await withFriends { engine in
            try await share(engine, "ana", Sharing(.hidden), at: morning + .seconds(1700))
            _ = try await engine.send(ping(2400, valencia), at: morning + .seconds(2400))
            try await share(engine, "ana", Sharing(.exact), at: morning + .seconds(5000))
            let shown = try await engine.engine.position(
                of: id("ana"), at: morning + .seconds(1650), by: .person(id("luis")), now: morning + .seconds(6000))
            #expect(shown.place == valencia && shown.basis == .reach)
            #expect(
                shown.seenUntil == morning + .seconds(1600), "a stay that went on would tell of a ping while hidden")
        }
    }

    @Test("A position at the first visible instant starts a visible stay") func stayAtOpening() async throws {
        try await withFriends { engine in
            try await share(engine, "ana", Self.working, at: morning + .seconds(1700))
            let opening = 252_000.0
            for second in [opening - 1200, opening, opening + 1200] {
                _ = try await engine.send(ping(second, valencia), at: morning + .seconds(second))
            }
            let shown = try await engine.engine.position(
                of: id("ana"), at: morning + .seconds(opening + 600), by: .person(id("luis")),
                now: morning + .seconds(opening + 9000))
            #expect(shown.place == valencia && shown.time == morning + .seconds(opening))
        }
    }

    /// The timetable hides a single day, which no other week has.
    @Test("A position of a hidden day stays hidden after weeks") func dayOff() async throws {
        try await withFriends { engine in
            let day = 86_400.0
            var holiday = Sharing(.exact)
            holiday.timetable = ZonedHours(hours: "24/7; Nov 22 off", timezone: "UTC")
            try await share(engine, "ana", holiday, at: morning + .seconds(1700))
            #expect(try await engine.send(ping(2 * day, east(9000)), at: morning + .seconds(2 * day)) == [.stored])
            for days in [2.1, 2.7, 4, 12, 40] {
                let time = morning + .seconds(days * day)
                #expect(throws: Refusal.unknown(.position, id("ana"))) {
                    try position(engine, of: "ana", for: "luis", at: time)
                }
                await #expect(throws: Refusal.unknown(.position, id("ana")), "after \(days) days") {
                    try await engine.engine.position(
                        of: id("ana"), at: time, by: .person(id("luis")), now: morning + .seconds(50 * day))
                }
            }
            try await share(engine, "ana", Sharing(.exact), at: morning + .seconds(51 * day))
            #expect(throws: Refusal.unknown(.position, id("ana"))) {
                try position(engine, of: "ana", for: "luis", at: morning + .seconds(52 * day))
            }
        }
    }

    @Test("A hint ends when the timetable hides, and there is none while hidden") func hintUntil() async throws {
        try await withFriends { engine in
            try await share(engine, "ana", Self.working, at: morning + .seconds(1700))
            for (second, until) in [(2000.0, 25_200.0), (26_000, nil), (252_000 - 60, nil), (252_060, 284_400)] {
                let now = morning + .seconds(second)
                let hints = try await engine.hinted(ping(second, valencia), at: now).hints
                #expect(
                    hints.map { ($0.until ?? morning) - morning } == (until.map { [.seconds($0)] } ?? []), "\(second)")
            }
            let hints = try await engine.hinted(ping(2000, valencia, of: "luis"), at: morning + .seconds(2000)).hints
            #expect(hints.map(\.until) == [morning + .seconds(2000 + 86_400)])
        }
    }

    @Test("A person created with a timetable was not hidden before") func newTimetable() async throws {
        try await withEngine { engine in
            var engine = engine
            try await engine.add(person("luis"))
            try await share(engine, "ana", Self.working, at: morning + .seconds(100))
            try await engine.perform(MakeFriends(id("ana"), id("luis")), at: morning + .seconds(100))
            _ = try await engine.send(ping(50, valencia), at: morning + .seconds(110))
            for isRestarted in [false, true] {
                if isRestarted { engine = try await engine.restarted() }
                #expect(try position(engine, of: "ana", for: "luis", at: morning + .seconds(120)).place == valencia)
            }
            try engine.store.close()
        }
    }

    @Test("Renewed exact sharing does not interrupt an encounter") func renewedSharing() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            try await engine.perform(MakeFriends(id("ana"), id("luis")), at: morning - .seconds(9000))
            _ = try await engine.send(ping(0, valencia), ping(3000, east(1000)))
            _ = try await engine.send(ping(-10, valencia, of: "luis"), ping(3100, valencia, of: "luis"))
            var over = Sharing(.exact)
            over.pausedUntil = morning - .seconds(9000)
            try await share(engine, "ana", over, at: morning + .seconds(1000))
            let query = EncounterQuery(
                of: id("luis"), with: id("ana"), within: 600, during: morning..<morning + .seconds(4000))
            func encounters(by caller: Caller) async throws -> [Encounter] {
                try await engine.engine.encounters(query, by: caller, now: morning + .seconds(4000)).encounters
            }
            let all = try await encounters(by: .service)
            #expect(try await encounters(by: .person(id("luis"))) == all && all.count == 1)
        }
    }

    /// Ana is hidden while she leaves Luis, who stays, and visible at the end of her path.
    @Test("No encounter depends on positions of a hidden time") func hiddenEncounter() async throws {
        for isSeenAgain in [false, true] {
            try await withEngine { engine in
                try await engine.add(person("ana"), person("luis"))
                try await engine.perform(MakeFriends(id("ana"), id("luis")), at: morning - .seconds(9000))
                var paused = Sharing(.exact)
                paused.pausedUntil = morning + .seconds(1000)
                try await share(engine, "ana", paused, at: morning - .seconds(8000))
                _ = try await engine.send(ping(0, valencia), ping(3000, east(1000)))
                _ = try await engine.send(ping(-10, valencia, of: "luis"), ping(3100, valencia, of: "luis"))
                if isSeenAgain { _ = try await engine.send(ping(1200, valencia)) }
                func encounters(by caller: Caller) async throws -> [ClosedRange<Double>] {
                    let query = EncounterQuery(
                        of: id("luis"), with: id("ana"), within: 600, during: morning..<morning + .seconds(4000))
                    return try await engine.engine.encounters(query, by: caller, now: morning + .seconds(4000))
                        .encounters
                        .map { ($0.times.lowerBound - morning).seconds...($0.times.upperBound - morning).seconds }
                }
                let all = try await encounters(by: .service)
                let end = try #require(all.last).upperBound
                #expect(all.first?.lowerBound == 0 && end > 1700)
                let shown = try await encounters(by: .person(id("luis")))
                #expect(shown == (isSeenAgain ? [1200...end] : []), "from when she was heard of")
            }
        }
    }
}
