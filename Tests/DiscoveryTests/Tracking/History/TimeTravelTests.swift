import Discovery
import Foundation
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Positions of people at a past instant, by their history.
@Suite struct TimeTravelTests {
    private func position(
        _ engine: TestEngine, _ second: Double, by caller: Caller = .service
    ) async throws -> PastPosition {
        try await engine.engine.position(
            of: id("ana"), at: morning + .milliseconds(Int64(second * 1000)), by: caller,
            now: morning + .seconds(86_400))
    }

    @Test("A stay is seen, a path is interpolated, and the end is the last position") func methods() async throws {
        for isCompacted in [false, true] {
            try await withEngine { engine in
                try await engine.add(person("ana"))
                _ = try await engine.send(ping(0, valencia), ping(600, east(20)), ping(1600, east(10_020)))
                if isCompacted { try await engine.engine.compact() }
                let start = try await position(engine, 0)
                #expect(start.basis == .seen && start.method == .last && start.place == valencia)
                #expect(try #require(start.uncertainty) < 10.1)
                #expect(start.age == .zero && start.seenUntil == morning + .seconds(600))
                let stay = try await position(engine, 300)
                #expect(stay.basis == .seen && stay.place == valencia)
                #expect(try abs(#require(stay.uncertainty) - 700) < 0.1)
                let way = try await position(engine, 1100)
                #expect(way.basis == .reach && way.method == .interpolated && way.age == .seconds(500))
                #expect(way.time == morning && way.next == morning + .seconds(1600))
                #expect(Geodesic.distance(from: way.place, to: east(5_010)) < 0.1)
                // Half of the time at 350 m/s from both ends, across the path.
                #expect(try abs(#require(way.uncertainty) - 175_200) < 500)
                let soon = try await position(engine, 1599)
                #expect(try #require(soon.uncertainty) < 500, "a second before the next")
                let last = try await position(engine, 1610)
                #expect(last.basis == .reach && last.method == .last && last.place == east(10_020) && last.next == nil)
                #expect(try abs(#require(last.uncertainty) - 3510) < 0.1)
                #expect(last.age == .seconds(10))
                await #expect(throws: Refusal.noPositionThen(id("ana"))) { try await position(engine, -0.001) }
                await #expect(throws: Refusal.unknown(.person, id("eva"))) {
                    try await engine.engine.position(
                        of: id("eva"), at: morning, by: .service, now: morning + .seconds(86_400))
                }
            }
        }
    }

    /// The service's throttle distance is 500 m, and the worst accuracy is 200 m.
    @Test("Uncertainty does not reveal a person's own throttle to friends") func ownThrottle() async throws {
        let shown: [(own: Double?, ownBound: Double, friends: Double)] = [
            (nil, 700, 700), (50, 250, 700), (499, 699, 700), (500, 700, 700), (501, 701, 1200), (800, 1000, 1200),
            (1000, 1200, 1200), (1700, 1900, 2200),
        ]
        for (own, ownBound, friends) in shown {
            try await withEngine { engine in
                try await engine.add(person("ana") { $0.throttle.distance = own }, person("luis"))
                try await engine.perform(MakeFriends(id("luis"), id("ana")), at: morning - .seconds(86_400))
                _ = try await engine.send(ping(0, valencia), ping(0, valencia, of: "luis"))
                _ = try await engine.send(ping(600, east(20)), ping(600, east(20), of: "luis"))
                for (caller, bound) in [(Caller.service, ownBound), (.person(id("ana")), ownBound)]
                    + [(.person(id("luis")), friends)]
                {
                    let uncertainty = try await position(engine, 300, by: caller).uncertainty
                    #expect(uncertainty == bound + 0.02, "\(String(describing: own)) to \(caller)")
                }
                for (viewer, other, bound) in [("luis", "ana", 700 + friends), ("ana", "luis", ownBound + 700)] {
                    let query = EncounterQuery(
                        of: id(viewer), with: id(other), within: 100,
                        during: morning + .seconds(300)..<morning + .seconds(301))
                    let page = try await engine.engine.encounters(
                        query, by: .person(id(viewer)), now: morning + .seconds(86_400))
                    #expect(page.encounters.map(\.uncertainty) == [bound + 0.04], "\(viewer) of \(other)")
                }
            }
        }
    }

    @Test("Suspect positions are left out") func suspects() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            _ = try await engine.send(ping(0, valencia), ping(200, east(60_000)))
            _ = try await engine.send(ping(321, valencia), ping(322, valencia), ping(323, valencia))
            let then = try await position(engine, 250)
            #expect(then.place == valencia && then.basis == .seen)
        }
    }

    @Test("Friends see only times of the friendship, and nothing after it") func friendTimes() async throws {
        try await withEngine { engine in
            let people = ["ana", "luis", "eva"].map { Write(person($0)) }
            try await engine.perform(PutPeople(people), at: morning - .seconds(9))
            try await engine.perform(MakeFriends(id("luis"), id("ana")), at: morning)
            try await engine.perform(Unfriend(id("luis"), id("ana")), at: morning + .seconds(1000))
            try await engine.perform(MakeFriends(id("luis"), id("ana")), at: morning + .seconds(5000))
            let places = [(-5.0, valencia), (1500, valencia), (2000, east(9_000)), (5500, east(20_000))]
            for (second, place) in places { _ = try await engine.send(ping(second, place)) }
            let luis = Caller.person(id("luis"))
            for second in [-1.0, 1000, 2000, 4999.999, 5250] {
                let refusal = Refusal.unknown(.position, id("ana"))
                await #expect(throws: refusal, "\(second)") { try await position(engine, second, by: luis) }
            }
            let first = try await position(engine, 999, by: luis)
            #expect(first.time == morning, "not since when ana was there")
            #expect(first.uncertainty == 700.02 && first.age == .zero)
            #expect(first.seenUntil == morning + .seconds(1000), "not how long ana stayed afterwards")
            #expect(first.next == nil && first.place == valencia)
            #expect(try await position(engine, 999).seenUntil == morning + .seconds(1500))
            #expect(try await position(engine, 5250).method == .interpolated, "to a service")
            let later = try await position(engine, 5600, by: luis)
            #expect(later.place == east(20_000) && later.time == morning + .seconds(5500))
            #expect(try await position(engine, 999, by: .person(id("ana"))).seenUntil == morning + .seconds(1500))
            await #expect(throws: Refusal.unknown(.position, id("ana"))) {
                try await position(engine, 999, by: .person(id("eva")))
            }
            try await engine.perform(Block(id("ana"), id("luis")), at: morning + .seconds(6000))
            await #expect(throws: Refusal.unknown(.position, id("ana"))) { try await position(engine, 5600, by: luis) }
        }
    }

    @Test("Positions after a friendship do not change its last path") func endedFriendship() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            try await engine.perform(MakeFriends(id("luis"), id("ana")), at: morning)
            _ = try await engine.send(ping(0, valencia), ping(2000, east(9_000)))
            try await engine.perform(Unfriend(id("luis"), id("ana")), at: morning + .seconds(1500))
            try await engine.perform(MakeFriends(id("luis"), id("ana")), at: morning + .seconds(3000))
            let then = try await position(engine, 1400, by: .person(id("luis")))
            #expect(then.method == .last && then.place == valencia && then.next == nil)
            let page = try await engine.engine.nearestFriends(
                of: id("luis"), at: morning + .seconds(1400), NearestQuery(limit: 9), from: valencia,
                by: .person(id("luis")), now: morning + .seconds(86_400))
            #expect(page.items.map(\.position.place) == [valencia])
            let again = try await engine.restarted()
            #expect(try await position(again, 1400, by: .person(id("luis"))).place == valencia)
            await #expect(throws: Refusal.unknown(.position, id("ana"))) {
                try await position(again, 2500, by: .person(id("luis")))
            }
            try again.store.close()
        }
    }

    /// Random walks at any speed up to the maximum send fixes in any order, each within its accuracy.
    @Test("The true position lies within the uncertainty") func uncertaintyBound() async throws {
        let (seeds, crowd) = (RandomCases.seeds(0..<1000), RandomCases.count(25, all: 100))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for start in stride(from: 0, to: seeds.count, by: crowd) {
                let part = seeds[start..<min(start + crowd, seeds.count)]
                group.addTask {
                    try await withEngine { engine in
                        try await engine.perform(PutPeople(part.map { Write(person("p\($0)")) }))
                        for seed in part { try await Self.check(seed, engine) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func check(_ seed: UInt64, _ engine: TestEngine) async throws {
        var random = SeededGenerator(seed: seed)
        let walk = TrueWalk(&random)
        let name = "p\(seed)"
        let times = (0..<random.integer(5...40)).map { _ in walk.instant(&random) }.sorted()
        let isInOrder = random.chance(0.9)
        let reports = times.map { time in
            let accuracy = random.pick([0, 5, 50, 200] as [Float])
            let fix = random.jittered(walk.place(at: time), metres: Double(accuracy) * 0.999)
            return ping(time, fix, accuracy: random.chance(0.1) ? nil : accuracy, of: name)
        }
        let later = morning + .seconds(86_400)
        if isInOrder { try await engine.perform(Record(reports), at: later) }
        // One by one, because a batch is sorted.
        for report in isInOrder ? [] : reports.shuffled(using: &random).prefix(15) { _ = try await engine.send(report) }
        if random.chance(0.5) { try await engine.engine.compact() }
        for second in (0..<20).map({ _ in walk.instant(&random) }) + times {
            let time = morning + .milliseconds(Int64(second * 1000))
            guard
                let shown = try? await engine.engine.position(
                    of: id(name), at: time, by: .service, now: morning + .seconds(86_400))
            else {
                #expect(times.allSatisfy { $0 > second } || !isInOrder, "seed \(seed) at \(second)")
                continue
            }
            // During a stay, pings confirm the position, except in the first two minutes.
            let isConfirmed = isInOrder && times.contains(second) && time - shown.time >= .seconds(120)
            guard shown.basis == .reach || time == shown.time || isConfirmed else { continue }
            let distance = Geodesic.distance(from: walk.place(at: second), to: shown.place)
            #expect(distance <= shown.uncertainty ?? -1, "seed \(seed) at \(second): \(shown)")
        }
    }

    @Test("Nearest friends at an instant equal a scan of all friends") func nearestFriends() async throws {
        for seed in RandomCases.seeds(0..<10) {
            try await withEngine { engine in
                var random = SeededGenerator(seed: seed)
                let names = (0..<12).map { "f\($0)" }
                try await engine.perform(PutPeople((names + ["ana"]).map { Write(person($0)) }))
                var friendships: [String: [Range<Double>]] = [:]
                for name in names {
                    var now = 0.0
                    for _ in 0..<random.integer(0...2) {
                        let since = now + random.number(0..<2000)
                        now = since + random.number(0..<2000)
                        friendships[name, default: []].append(since.rounded()..<now.rounded())
                        try await engine.perform(
                            MakeFriends(id("ana"), id(name)), at: morning + .seconds(since.rounded()))
                        try await engine.perform(Unfriend(id(name), id("ana")), at: morning + .seconds(now.rounded()))
                    }
                    if random.chance(0.8) {
                        friendships[name, default: []].append(now.rounded()..<Double.infinity)
                        try await engine.perform(
                            MakeFriends(id("ana"), id(name)), at: morning + .seconds(now.rounded()))
                    } else {
                        friendships[name] = nil
                    }
                }
                for name in names + ["ana"] {
                    let reports = (0..<random.integer(1...6)).map { step in
                        ping(random.number(0..<1000) + Double(step) * 1000, east(random.number(0..<9_000)), of: name)
                    }
                    try await engine.perform(Record(reports), at: morning + .seconds(86_400))
                    if random.chance(0.3) { try await engine.engine.compact() }
                }
                for second in [500.0, 1500, 2500, 5000] {
                    let time = morning + .seconds(second)
                    guard
                        let own = try? await engine.engine.position(
                            of: id("ana"), at: time, by: .service, now: morning + .seconds(86_400))
                    else { continue }
                    var (expected, all): ([(Int64, String)], [(Int64, String)]) = ([], [])
                    for name in names {
                        guard let since = friendships[name]?.first(where: { $0.contains(second) })?.lowerBound else {
                            continue
                        }
                        let shown = try? await engine.engine.position(
                            of: id(name), at: time, by: .person(id("ana")), now: morning + .seconds(86_400))
                        let known = try? await engine.engine.position(
                            of: id(name), at: time, by: .service, now: morning + .seconds(86_400))
                        let seen = known.map { time - $0.age }
                        #expect(
                            (shown != nil) == (seen.map { $0 >= morning + .seconds(since) } ?? false),
                            "seed \(seed): \(name) was a friend at \(second)")
                        if let shown {
                            expected.append((Geodesic.micrometres(from: own.place, to: shown.place), name))
                        }
                        if let known { all.append((Geodesic.micrometres(from: own.place, to: known.place), name)) }
                    }
                    for (caller, expected) in [(.service, all), (.person(id("ana")), expected)] as [(Caller, _)] {
                        var query = NearestQuery(limit: 4)
                        var found: [String] = []
                        repeat {
                            let page = try await engine.engine.nearestFriends(
                                of: id("ana"), at: time, query, by: caller, now: morning + .seconds(86_400))
                            found += page.items.map(\.person.id.text)
                            query.after = page.next
                        } while query.after != nil
                        #expect(found == expected.sorted { $0 < $1 }.map(\.1), "seed \(seed) at \(second)")
                    }
                }
            }
        }
    }
}

/// The true path of a person.
private struct TrueWalk {
    private var knots: [(time: Double, place: Coordinate)] = []

    init(_ random: inout SeededGenerator) {
        var place = random.chance(0.5) ? valencia : random.place()
        var time = 0.0
        knots.append((time, place))
        for _ in 0..<random.integer(5...30) {
            let seconds = random.pick([10, 120, 600, 5000]) * random.number(0.1..<1)
            let speed = random.pick([0, 0, 1.4, 30, 349.9])
            time += seconds
            place = Geodesic.destination(from: place, bearing: random.number(0..<360), metres: seconds * speed)
            knots.append((time, place))
        }
    }

    /// A whole millisecond of the walk.
    func instant(_ random: inout SeededGenerator) -> Double {
        (random.number(0..<knots[knots.count - 1].time) * 1000).rounded() / 1000
    }

    func place(at time: Double) -> Coordinate {
        let next = max(1, knots.firstIndex { $0.time >= time } ?? 1)
        let (a, b) = (knots[next - 1], knots[next])
        return Geodesic.destination(
            from: a.place, bearing: Geodesic.bearing(from: a.place, to: b.place),
            metres: (time - a.time) / (b.time - a.time) * Geodesic.distance(from: a.place, to: b.place))
    }
}
