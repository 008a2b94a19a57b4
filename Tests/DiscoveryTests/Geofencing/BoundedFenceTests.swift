import Discovery
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// The cost and the number of events of a ping are bounded, whatever fences exist.
@Suite struct BoundedFenceTests {
    private static let later = morning + .seconds(86_400)

    private func fence(_ name: String, _ area: Fence.Area, _ change: (inout Fence) -> Void = { _ in }) -> Fence {
        var fence = Fence(id: id(name), area, watching: .people([id("ana")]))
        fence.owner = id("ana")
        change(&fence)
        return fence
    }

    private func combs(_ count: Int, _ change: (inout Fence) -> Void = { _ in }) throws -> [Fence] {
        let polygon = try Polygon(rings: [comb()])
        return (0..<count).map { fence("comb\($0)", .polygons([polygon]), change) }
    }

    /// Circles that the path beside the comb crosses.
    private func circles(_ count: Int, _ change: (inout Fence) -> Void = { _ in }) throws -> [Fence] {
        let middle = try place(39.47, -0.375)
        return (0..<count).map { fence("circle\($0)", .circle(middle, metres: 300 + Double($0)), change) }
    }

    /// Runs the body with Ana and the fences, each created by its owner.
    private func withFences(
        _ fences: [Fence], events: Int = 1000, monitor: WorkMonitor = WorkMonitor(),
        _ body: (TestEngine) async throws -> Void
    ) async throws {
        var rules = PingRules.everywhereFine
        rules.allowance.events = events
        try await withEngine(rules: rules, monitor: monitor) { engine in
            try await engine.add(person("ana"), person("luis"))
            for fence in fences {
                try await engine.perform(PutFence(Write(fence)), by: fence.owner.map { .person($0) } ?? .service)
            }
            try await body(engine)
        }
    }

    /// Pings back and forth past the comb.
    private func walk(_ count: Int, every seconds: Double = 130, from first: Double = 0) -> [PingReport] {
        (0..<count).map { ping(first + Double($0) * seconds, besideComb[$0 % 2], accuracy: 0) }
    }

    private func reported(_ engine: TestEngine) async throws -> [String] {
        try await engine.store.events(after: 0, atMost: 10_000)
            .filter { $0.payload.type.rawValue.hasPrefix("fence") || $0.payload.type == .eventsLimited }
            .map { "\($0.payload.type.rawValue)\($0.payload.isThrough ? " through" : "")" }
    }

    @Test("A path through a comb reports one entry and one exit") func manyCrossings() async throws {
        try await withFences(try combs(1)) { engine in
            _ = try await engine.perform(Record(walk(2)), at: Self.later)
            #expect(try await reported(engine) == ["fence.enter through", "fence.exit through"])
        }
    }

    @Test("A path that ends inside reports one entry, and the path out reports one exit")
    func endInside() async throws {
        try await withFences(try combs(1)) { engine in
            let tooth = try place(39.47, -0.375_95)
            let reports = [
                ping(0, besideComb[0], accuracy: 0), ping(130, tooth, accuracy: 0),
                ping(260, besideComb[1], accuracy: 0),
            ]
            _ = try await engine.perform(Record(reports), at: Self.later)
            #expect(try await reported(engine) == ["fence.enter", "fence.exit"])
        }
    }

    @Test("Turns stay short however many borders a ping crosses", arguments: ["combs", "once", "circles", "services"])
    func turns(kind: String) async throws {
        let monitor = WorkMonitor()
        var fences = kind == "circles" ? [] : try combs(9) { $0.isOnce = kind == "once" }
        fences += try circles(100 - fences.count) { $0.isOnce = kind == "once" }
        if kind == "services" { for index in fences.indices { fences[index].owner = nil } }
        try await withFences(fences, monitor: monitor) { engine in
            monitor.reset()
            let verdicts = try await engine.perform(Record(walk(64)), at: Self.later).verdicts
            #expect(verdicts == Array(repeating: .stored, count: 64))
            #expect(monitor.longest(.turn) > 10_000)
            // A ping through many services' fences takes a turn of its own, which may be longer.
            #expect(monitor.longest(.turn) <= (kind == "services" ? 3 : 1) * WorkBudget.stepsPerTurn)
        }
    }

    @Test("A batch split over turns gives the same result as its pings sent one by one") func order() async throws {
        let fences = try combs(9) + circles(30)
        var accounts: [[String]] = []
        var events: [[String]] = []
        let reports = walk(40).enumerated().sorted { ($0.offset * 7 % 40) < ($1.offset * 7 % 40) }.map(\.element)
        for isWhole in [true, false] {
            try await withFences(fences) { engine in
                if isWhole {
                    let verdicts = try await engine.perform(Record(reports), at: Self.later).verdicts
                    #expect(verdicts.allSatisfy { $0 == .stored })
                } else {
                    for report in walk(40) { _ = try await engine.perform(Record([report]), at: Self.later) }
                }
                // The search origin moves at a limited rate, by the last ping of a turn.
                accounts.append(
                    engine.canonicalDump.filter { !$0.contains("last event") && !$0.contains("searchOrigin") })
                events.append(try await reported(engine))
            }
        }
        #expect(difference(accounts[0], accounts[1]) == [])
        #expect(events[0] == events[1])
    }

    @Test("A fix triggers at most 20 of a person's own fences, and the next fix the others")
    func mostAtOnce() async throws {
        try await withFences(try circles(30)) { engine in
            let inside = try place(39.47, -0.375)
            _ = try await engine.perform(Record([ping(0, inside, accuracy: 0)]), at: Self.later)
            #expect(try await reported(engine).count == 20)
            _ = try await engine.perform(Record([ping(20, inside, accuracy: 0)]), at: Self.later)
            #expect(try await reported(engine).count == 30)
        }
    }

    @Test("A fix triggers 24 of the services' fences, whatever fences the person has") func services() async throws {
        let services = try circles(30) { ($0.owner, $0.id) = (nil, id("s\($0.id.text)")) }
        try await withFences(try combs(9) + circles(40) + services, events: 30) { engine in
            _ = try await engine.perform(Record(walk(4)), at: Self.later)
            let events = try await engine.store.events(after: 0, atMost: 10_000).filter { $0.payload.other == nil }
            let fired = events.filter { $0.payload.isThrough }
            #expect(fired.count == 24 * 2 * 3)
            #expect(Set(fired.map { $0.payload.happened }).count > 3, "at the times of the way")
        }
    }

    @Test("A person with too many polygon corners may change fences but not add corners") func corners() async throws {
        try await withFences(try combs(10)) { engine in
            let more = fence("more", .polygons([try Polygon(rings: [comb(teeth: 10)])]))
            await #expect(throws: Refusal.tooMany(.fenceCorner, 10_000)) {
                try await engine.perform(PutFence(Write(more)), by: .person(id("ana")))
            }
            try await engine.perform(PutFence(Write(try circles(1)[0])), by: .person(id("ana")))
            let noted = try combs(1) { $0.note = "Mine" }[0]
            try await engine.perform(PutFence(Write(noted)), by: .person(id("ana")))
            try await engine.perform(PutFence(Write(more)))
        }
    }

    private static let (ana, luis): (PersonID, PersonID) = (id("ana"), id("luis"))
    private static let others: [PersonID] = (0..<30).map { id("f\($0)") }

    /// Runs the body with Ana and Luis, friends who each have `count` fences about the other and common friends.
    private func withFencesAboutEachOther(
        _ count: Int, monitor: WorkMonitor = WorkMonitor(), _ body: (TestEngine) async throws -> Void
    ) async throws {
        try await withEngine(monitor: monitor) { engine in
            let both = [Self.ana, Self.luis]
            let people = (both + Self.others).map { name in person(name.text) { $0.sharing.alerts = .friends } }
            try await engine.perform(PutPeople(people.map { Write($0) }))
            let friends = both.flatMap { one in Self.others.map { MakeFriends(one, $0) } }
            try await engine.perform(Batch(friends + [MakeFriends(Self.ana, Self.luis)]))
            let polygon = try Polygon(rings: [comb(teeth: 20)])
            for owner in both {
                let names = both.filter { $0 != owner } + Self.others
                let puts = (0..<count).map { number in
                    let made = fence("f\(number)", .polygons([polygon])) {
                        ($0.owner, $0.watched) = (owner, .people(names))
                    }
                    return PutFence(Write(made))
                }
                try await engine.perform(Batch(puts))
            }
            try await body(engine)
        }
    }

    /// The distinct lists of people whom the owner's fences watch.
    private func watched(_ engine: TestEngine, by owner: PersonID) throws -> Set<Fence.Watched> {
        let fences = try engine.engine.read { try $0.fences(of: owner, after: nil, atMost: 1_000) }
        return Set(fences.map(\.value.watched))
    }

    @Test("The end of a friendship with many fences takes short turns, and is charged for all of them")
    func endOfFriendship() async throws {
        for end in ["unfriend", "block", "delete"] {
            let (monitor, bill) = (WorkMonitor(), WorkCounter.charging())
            try await withFencesAboutEachOther(100, monitor: monitor) { engine in
                monitor.reset()
                try await WorkCounter.$current.withValue(bill) {
                    let caller = Caller.person(Self.ana)
                    switch end {
                    case "unfriend": try await engine.perform(Unfriend(Self.ana, Self.luis), by: caller)
                    case "block": try await engine.perform(Block(Self.ana, Self.luis), by: caller)
                    default: try await engine.perform(DeletePerson(Self.ana), by: caller)
                    }
                }
                #expect(monitor.longest(.turn) <= WorkBudget.stepsPerTurn, "\(end): \(monitor.longest(.turn))")
                #expect(end == "delete" || bill.total > 500_000, "\(end): \(bill.total)")
                #expect(try watched(engine, by: Self.luis) == [.people(Self.others)], "\(end)")
                if end != "delete" { #expect(try watched(engine, by: Self.ana) == [.people(Self.others)], "\(end)") }
                let account = engine.canonicalDump
                #expect(!account.contains { $0.hasPrefix("watch 0 ") || $0.hasPrefix("watch 1 ") }, "\(end)")
                let again = try await engine.restarted()
                #expect(difference(again.canonicalDump, account) == [], "\(end)")
                try again.store.close()
            }
        }
    }

    @Test("An interrupted end of a friendship silences its fences, even if the two are friends again")
    func brokenOff() async throws {
        try await withFencesAboutEachOther(40) { engine in
            let (ana, luis, inside) = (Self.ana, Self.luis, try place(39.455, -0.398))
            let state = try await engine.engine.step(Unfriend(ana, luis), by: .person(ana), at: morning)
            #expect(state == .begun)
            #expect(try watched(engine, by: ana) == [.people([luis] + Self.others)])
            let account = engine.canonicalDump
            let again = try await engine.restarted()
            #expect(difference(again.canonicalDump, account) == [])
            for isFriend in [false, true] {
                if isFriend { try await again.perform(MakeFriends(ana, luis)) }
                _ = try await again.send(ping(isFriend ? 300 : 0, inside, of: "luis"), at: Self.later)
                #expect(try await reported(again) == [], "\(isFriend)")
            }
            _ = try await again.send(ping(0, inside, of: "f0"), at: Self.later)
            #expect(try await reported(again).count == 80, "of others all is told")
            try await again.perform(Unfriend(luis, ana), by: .person(luis))
            for owner in [ana, luis] { #expect(try watched(again, by: owner) == [.people(Self.others)]) }
            try again.store.close()
        }
    }

    @Test("The next run finishes the end of a friendship that a stop interrupted", arguments: [false, true])
    func resumed(isBlock: Bool) async throws {
        try await withFencesAboutEachOther(40) { engine in
            let (ana, luis) = (Self.ana, Self.luis)
            let state =
                if isBlock {
                    try await engine.engine.step(Block(ana, luis), by: .person(ana), at: morning)
                } else {
                    try await engine.engine.step(Unfriend(ana, luis), by: .person(ana), at: morning)
                }
            #expect(state == .begun)
            let again = try await engine.restarted()
            try await again.engine.finishEnds(at: morning)
            for owner in [ana, luis] { #expect(try watched(again, by: owner) == [.people(Self.others)]) }
            try again.store.close()
        }
    }

    @Test("A friend request does not stop the end of a friendship") func asked() async throws {
        try await withFencesAboutEachOther(40) { engine in
            let (ana, luis) = (Self.ana, Self.luis)
            let end = Unfriend(ana, luis)
            let first = try await engine.engine.step(end, by: .person(ana), at: morning)
            #expect(first == .begun)
            try await engine.perform(Befriend(luis, ana), by: .person(luis))
            let state = try await end.finish(first) { try await engine.engine.step($0, by: .person(ana), at: morning) }
            #expect(state == .done)
            for owner in [ana, luis] { #expect(try watched(engine, by: owner) == [.people(Self.others)]) }
        }
    }

    @Test("The first turn of an end also ends visits of proximity fences about all friends")
    func visits() async throws {
        try await withFencesAboutEachOther(40) { engine in
            var near = Fence(id: id("near"), .person(Self.ana, metres: 300), watching: .friends)
            near.owner = Self.ana
            try await engine.perform(PutFence(Write(near)), by: .person(Self.ana))
            for (name, place) in [("ana", valencia), ("luis", east(100))] {
                _ = try await engine.send(ping(0, place, accuracy: 5, of: name), at: morning)
            }
            func visits() -> [String] { engine.canonicalDump.filter { $0.hasPrefix("visit ") } }
            #expect(visits().count == 1)
            let state = try await engine.engine.step(
                Unfriend(Self.ana, Self.luis), by: .person(Self.ana), at: morning + .seconds(1))
            #expect(state == .begun)
            #expect(visits() == [])
        }
    }
}
