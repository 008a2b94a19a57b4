import Discovery
import Foundation
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Positions shown by links, and the ends of links.
@Suite struct ShareTests {
    private let ana: PersonID = id("ana")
    private static let precisions: [Precision] = [.exact, .approximate, .city]

    private func token(_ byte: Int) -> TokenHash { TokenHash(repeatElement(UInt8(byte), count: 32)) }

    /// A link of Ana for a day.
    private func share(_ byte: Int, _ precision: Precision = .exact, _ change: (inout Share) -> Void = { _ in })
        -> Share
    {
        var share = Share(
            id: id("s\(byte)"), token: token(byte), precision, since: morning, until: morning + .seconds(86_400))
        change(&share)
        return share
    }

    private func view(_ byte: Int, of engine: TestEngine, at now: Timestamp) -> SharedView? {
        ShareReader(token(byte), of: engine.engine, at: now)?.view(of: engine.engine, at: now)
    }

    private func withEngine(_ shares: [Share], _ body: (TestEngine) async throws -> Void) async throws {
        try await withFolder { folder in
            let engine = try TestEngine(folder: folder)
            try await engine.add(person("ana"))
            for share in shares { try await engine.perform(OpenShare(share, of: ana)) }
            try await body(engine)
            try engine.store.close()
        }
    }

    // MARK: - Visibility

    /// Performs a random action that may change what is visible of Ana.
    private func act(_ random: inout SeededGenerator, on engine: TestEngine, at now: Timestamp) async throws {
        guard random.chance(0.15) else {
            var report = PingReport(person: ana, time: now, place: east(random.number(-3000..<3000)))
            report.details.accuracy = 10
            if random.chance(0.1) { report.time = now - .seconds(random.integer(1...3000)) }
            try await engine.perform(Record([report]), at: now)
            return
        }
        let write = person("ana") {
            $0.sharing = Sharing(random.pick([.exact, .exact, .approximate, .city, .hidden]))
            if random.chance(0.2) { $0.sharing.pausedUntil = now + .seconds(1200) }
            if random.chance(0.2) {
                $0.sharing.timetable = ZonedHours(hours: "Mo-Su 12:00-14:00", timezone: "UTC")
            }
            if random.chance(0.4) { $0.sharing.zones = [PrivacyZone(id: id("home"), centre: valencia, radius: 600)] }
        }
        try await engine.perform(PutPeople([Write(write)]), at: now)
    }

    /// The friend of Ana who shares at the precision.
    private func friend(_ precision: Precision) -> PersonID { id("f-\(precision.rawValue)") }

    @Test("A link shows what a friend who shares at its precision sees", arguments: RandomCases.seeds(0..<20))
    func equalsFriend(seed: UInt64) async throws {
        let shares = Self.precisions.enumerated().map { number, precision in
            share(number, precision) { $0.showsTrail = true }
        }
        try await withEngine(shares) { engine in
            for precision in Self.precisions {
                try await engine.add(person(friend(precision).text) { $0.sharing = Sharing(precision) })
                try await engine.perform(MakeFriends(ana, friend(precision)), at: morning - .seconds(86_400))
            }
            var random = SeededGenerator(seed: seed)
            var (shown, hidden, passed) = (0, 0, 0)
            for step in 1...120 {
                let now = morning + .seconds(Int64(step * 240))
                try await act(&random, on: engine, at: now)
                for (number, precision) in Self.precisions.enumerated() {
                    let reader = try #require(ShareReader(token(number), of: engine.engine, at: now))
                    let position = reader.view(of: engine.engine, at: now)?.position
                    let answer = try? engine.engine.read {
                        try $0.position(of: ana, for: .person(friend(precision)), at: now)
                    }
                    #expect(position == answer, "seed \(seed), step \(step), \(precision)")
                    #expect(position.map { $0.precision >= precision } ?? true)
                    if position == nil { hidden += 1 } else { shown += 1 }
                    guard step.isMultiple(of: 20) else { continue }
                    for point in try await reader.trail(of: engine.engine, at: now) {
                        passed += 1
                        try await compare(point, with: friend(precision), in: engine, at: now)
                    }
                }
            }
            #expect(shown > 0 && hidden > 0 && passed > 0, "seed \(seed): \(shown), \(hidden), \(passed)")
        }
    }

    /// Checks that a position of a trail equals the friend's query for that time.
    private func compare(_ point: PastPosition, with friend: PersonID, in engine: TestEngine, at now: Timestamp)
        async throws
    {
        let grain: Duration =
            switch point.precision {
            case .exact: .zero
            case .approximate: .seconds(900)
            case .city, .hidden: .seconds(3600)
            }
        var answers: [PastPosition] = []
        for time in [point.time, point.time + grain] where time <= now {
            if let answer = try? await engine.engine.position(of: ana, at: time, by: .person(friend), now: now) {
                answers.append(answer)
            }
        }
        #expect(answers.contains { $0.place == point.place && $0.precision >= point.precision }, "\(point)")
    }

    @Test("The trail begins when the link is opened") func trailStart() async throws {
        try await withEngine([share(1) { $0.showsTrail = true }, share(2)]) { engine in
            let times = [-3600.0, 0, 600, 1200]
            for time in times { _ = try await engine.send(ping(time, east(time))) }
            let now = morning + .seconds(1300)
            let reader = try #require(ShareReader(token(1), of: engine.engine, at: now))
            let way = try await reader.trail(of: engine.engine, at: now)
            #expect(way.map(\.time) == [0, 600, 1200].map { morning + .seconds($0) })
            #expect(way.map(\.place) == [0, 600, 1200].map { east($0) })
            let other = try #require(ShareReader(token(2), of: engine.engine, at: now))
            #expect(try await other.trail(of: engine.engine, at: now).isEmpty)
        }
    }

    @Test("The length of a trail does not depend on positions stored while the person was hidden", arguments: [0, 60])
    func hiddenPositions(count: Int) async throws {
        try await withFolder { folder in
            let engine = try TestEngine(folder: folder)
            let stored = person("ana") { ($0.throttle.interval, $0.throttle.distance) = (.zero, 0) }
            try await engine.add(stored)
            try await engine.perform(OpenShare(share(1) { $0.showsTrail = true }, of: ana))
            func walk(_ seconds: Range<Int>) async throws {
                let reports = seconds.map { ping(Double($0), east(Double($0)), accuracy: 5) }
                for start in stride(from: 0, to: reports.count, by: 500) {
                    let some = Array(reports[start..<min(start + 500, reports.count)])
                    try await engine.perform(Record(some), at: morning + .seconds(Int64(seconds.upperBound)))
                }
            }
            try await walk(0..<1980)
            var hidden = stored
            hidden.sharing.pausedUntil = morning + .seconds(3000)
            try await engine.perform(PutPeople([Write(hidden)]), at: morning + .seconds(2000))
            try await walk(2100..<2100 + count)
            try await walk(3100..<3101)
            let now = morning + .seconds(3200)
            let reader = try #require(ShareReader(token(1), of: engine.engine, at: now))
            #expect(try await reader.trail(of: engine.engine, at: now).count == 1981)
            try engine.store.close()
        }
    }

    // MARK: - Ends

    @Test("A link ends at its expiration by itself") func expiration() async throws {
        try await withEngine([share(1), share(2) { $0.expires = $0.since + .seconds(60) }]) { engine in
            let end = morning + .seconds(60)
            #expect(view(2, of: engine, at: end - .milliseconds(1)) != nil)
            #expect(view(2, of: engine, at: end) == nil && view(1, of: engine, at: end) != nil)
            try await engine.engine.tendShares(at: end - .milliseconds(1))
            #expect(engine.canonicalDump.filter { $0.hasPrefix("share") }.count == 2)
            try await engine.engine.tendShares(at: end)
            #expect(engine.canonicalDump.filter { $0.hasPrefix("share") }.count == 1)
            let reported = try await engine.store.events(after: 0, atMost: 10)
            #expect(reported.map(\.payload.type) == [.shareOpened, .shareOpened, .shareEnded])
            #expect(reported.last?.payload.subject == id("s2") && reported.last?.payload.person?.id == ana)
        }
    }

    @Test("A link ends when the person arrives") func arrival() async throws {
        let arriving = share(1) { $0.arrival = Share.Arrival(id("sol"), at: east(2000), within: 100) }
        try await withEngine([arriving, share(2)]) { engine in
            _ = try await engine.send(ping(-600, east(2000)))
            for (time, place) in [(0.0, 0.0), (1000, 1880), (1010, 1899.5)] {
                #expect(view(1, of: engine, at: morning + .seconds(1100)) != nil, "before \(time)")
                _ = try await engine.send(ping(time, east(place)))
            }
            // By a throttled ping between two stored ones.
            _ = try await engine.send(ping(1020, east(1900.5)))
            #expect(view(1, of: engine, at: morning + .seconds(1100)) == nil)
            #expect(view(2, of: engine, at: morning + .seconds(1100)) != nil)
        }
    }

    @Test("A hint ends where a link does") func hintAtArrival() async throws {
        let arriving = share(1) { $0.arrival = Share.Arrival(id("sol"), at: east(400), within: 100) }
        try await withEngine([arriving]) { engine in
            let near = try await engine.hinted(ping(0, valencia))
            #expect(near.hints.first.map { abs($0.beyond - 300) < 1 } ?? false, "\(near.hints)")
            #expect(near.hints.first.map { $0.notBefore < morning + .seconds(120) } ?? false)
            try await engine.perform(EndShare(id("s1"), of: ana))
            let free = try await engine.hinted(ping(1000, valencia), at: morning + .seconds(1000))
            #expect(free.hints.first?.beyond == 500)
        }
    }

    @Test("Links survive a restart and are deleted with their person") func lifetime() async throws {
        try await withFolder { folder in
            var engine = try TestEngine(folder: folder)
            try await engine.add(person("ana"), person("luis"))
            let arriving = share(1, .city) {
                ($0.showsTrail, $0.label) = (true, "Home")
                $0.arrival = Share.Arrival(id("sol"), at: valencia, within: 50)
            }
            for one in [arriving, share(2)] { try await engine.perform(OpenShare(one, of: ana)) }
            for _ in 0..<3 { ShareReader(token(1), of: engine.engine, at: morning)?.count(in: engine.engine) }
            #expect(try engine.engine.shares(of: ana, at: morning).map(\.views) == [3, 0], "though not written")
            try await engine.engine.tendShares(at: morning)
            let account = engine.canonicalDump
            engine = try await engine.restarted()
            #expect(difference(engine.canonicalDump, account) == [])
            let open = try engine.engine.shares(of: ana, at: morning)
            #expect(open.map(\.views) == [3, 0] && open.first?.share == arriving)
            try await engine.perform(DeletePerson(ana))
            #expect(view(1, of: engine, at: morning) == nil && view(2, of: engine, at: morning) == nil)
            #expect(engine.canonicalDump.filter { $0.hasPrefix("share") } == [])
            #expect(try await engine.store.events(after: 0, atMost: 10).isEmpty)
            try engine.store.close()
        }
    }

    @Test("Only the person opens and ends links, at most 20 at a time") func permissions() async throws {
        try await withEngine([]) { engine in
            try await engine.add(person("luis"))
            await #expect(throws: Refusal.notAllowed) {
                try await engine.perform(OpenShare(share(1), of: ana), by: .person(id("luis")))
            }
            for number in 0..<20 { try await engine.perform(OpenShare(share(number), of: ana), by: .person(ana)) }
            await #expect(throws: Refusal.tooMany(.share, 20)) {
                try await engine.perform(OpenShare(share(20), of: ana), by: .person(ana))
            }
            await #expect(throws: Refusal.notAllowed) {
                try await engine.perform(EndShare(id("s3"), of: ana), by: .person(id("luis")))
            }
            try await engine.perform(EndShare(id("s3"), of: ana), by: .person(ana))
            try await engine.perform(OpenShare(share(20), of: ana), by: .person(ana))
            await #expect(throws: Refusal.unknown(.share, id("s3"))) {
                try await engine.perform(EndShare(id("s3"), of: ana), by: .person(ana))
            }
        }
    }

    @Test("A reader receives changes of the visible position, and the end") func readerSteps() async throws {
        try await withEngine([share(1, .approximate)]) { engine in
            var reader = try #require(ShareReader(token(1), of: engine.engine, at: morning))
            func next(_ seconds: Int64) -> ShareReader.Step {
                reader.next(from: engine.engine, at: morning + .seconds(seconds))
            }
            guard case .shown(let first?) = next(1) else {
                Issue.record("nothing at first")
                return
            }
            #expect(first.position == nil)
            _ = try await engine.send(ping(100, valencia))
            guard case .shown(let second?) = next(101) else {
                Issue.record("not that she came")
                return
            }
            #expect(second.position?.precision == .approximate)
            _ = try await engine.send(ping(110, east(10)))
            guard case .shown(nil) = next(111) else {
                Issue.record("told that a ping came")
                return
            }
            try await engine.perform(EndShare(id("s1"), of: ana))
            guard case .ended = next(112) else {
                Issue.record("not that it ended")
                return
            }
        }
    }
}
