import Discovery
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Whatever fences somebody has, a ping costs and tells a bounded amount.
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

    /// Circles that the way beside the comb crosses.
    private func circles(_ count: Int, _ change: (inout Fence) -> Void = { _ in }) throws -> [Fence] {
        let middle = try place(39.47, -0.375)
        return (0..<count).map { fence("circle\($0)", .circle(middle, metres: 300 + Double($0)), change) }
    }

    /// Ana with fences, made by her if they are hers.
    private func withFences(
        _ fences: [Fence], events: Int = 1000, gauge: Gauge = Gauge(), _ body: (TestLive) async throws -> Void
    ) async throws {
        var rules = PingRules.everywhereFine
        rules.allowance.events = events
        try await withLive(rules: rules, gauge: gauge) { live in
            try await live.add(person("ana"), person("luis"))
            for fence in fences {
                try await live.perform(PutFence(Write(fence)), by: fence.owner.map { .person($0) } ?? .service)
            }
            try await body(live)
        }
    }

    /// Pings to and fro past the comb, some seconds apart.
    private func walk(_ count: Int, every seconds: Double = 130, from first: Double = 0) -> [PingReport] {
        (0..<count).map { ping(first + Double($0) * seconds, besideComb[$0 % 2], accuracy: 0) }
    }

    private func told(_ live: TestLive) async throws -> [String] {
        try await live.store.events(after: 0, atMost: 10_000)
            .filter { $0.fact.type.rawValue.hasPrefix("fence") || $0.fact.type == .eventsLimited }
            .map { "\($0.fact.type.rawValue)\($0.fact.isThrough ? " through" : "")" }
    }

    @Test("A way through a comb tells one entry and one exit") func manyCrossings() async throws {
        try await withFences(try combs(1)) { live in
            _ = try await live.perform(Record(walk(2)), at: Self.later)
            #expect(try await told(live) == ["fence.enter through", "fence.exit through"])
        }
    }

    @Test("A way that ends inside tells one entry, and the way out tells one exit") func endInside() async throws {
        try await withFences(try combs(1)) { live in
            let tooth = try place(39.47, -0.375_95)
            let reports = [
                ping(0, besideComb[0], accuracy: 0), ping(130, tooth, accuracy: 0),
                ping(260, besideComb[1], accuracy: 0),
            ]
            _ = try await live.perform(Record(reports), at: Self.later)
            #expect(try await told(live) == ["fence.enter", "fence.exit"])
        }
    }

    @Test("Turns stay short however many borders a ping crosses", arguments: ["combs", "once", "circles", "services"])
    func turns(kind: String) async throws {
        let gauge = Gauge()
        var fences = kind == "circles" ? [] : try combs(9) { $0.isOnce = kind == "once" }
        fences += try circles(100 - fences.count) { $0.isOnce = kind == "once" }
        if kind == "services" { for index in fences.indices { fences[index].owner = nil } }
        try await withFences(fences, gauge: gauge) { live in
            gauge.setBack()
            let verdicts = try await live.perform(Record(walk(64)), at: Self.later).verdicts
            #expect(verdicts == Array(repeating: .stored, count: 64))
            #expect(gauge.longest(.turn) > 10_000)
            // A ping through so many fences of services is the services' doing, and a turn by itself.
            #expect(gauge.longest(.turn) <= (kind == "services" ? 3 : 1) * Effort.turn)
        }
    }

    @Test("A batch that is cut short is judged as its pings are one by one") func order() async throws {
        let fences = try combs(9) + circles(30)
        var accounts: [[String]] = []
        var events: [[String]] = []
        let reports = walk(40).enumerated().sorted { ($0.offset * 7 % 40) < ($1.offset * 7 % 40) }.map(\.element)
        for isWhole in [true, false] {
            try await withFences(fences) { live in
                if isWhole {
                    let verdicts = try await live.perform(Record(reports), at: Self.later).verdicts
                    #expect(verdicts.allSatisfy { $0 == .stored })
                } else {
                    for report in walk(40) { _ = try await live.perform(Record([report]), at: Self.later) }
                }
                // The place to be found at moves at most so often, by the last ping of a turn.
                accounts.append(live.account.filter { !$0.contains("last event") && !$0.contains("viewpoint") })
                events.append(try await told(live))
            }
        }
        #expect(difference(accounts[0], accounts[1]) == [])
        #expect(events[0] == events[1])
    }

    @Test("A fix rings twenty of a person's own fences, and the next one the others") func mostAtOnce() async throws {
        try await withFences(try circles(30)) { live in
            let inside = try place(39.47, -0.375)
            _ = try await live.perform(Record([ping(0, inside, accuracy: 0)]), at: Self.later)
            #expect(try await told(live).count == 20)
            _ = try await live.perform(Record([ping(20, inside, accuracy: 0)]), at: Self.later)
            #expect(try await told(live).count == 30)
        }
    }

    @Test("Fences of services ring, whatever fences the person has, twenty-four by a fix") func services() async throws
    {
        let services = try circles(30) { ($0.owner, $0.id) = (nil, id("s\($0.id.text)")) }
        try await withFences(try combs(9) + circles(40) + services, events: 30) { live in
            _ = try await live.perform(Record(walk(4)), at: Self.later)
            let events = try await live.store.events(after: 0, atMost: 10_000).filter { $0.fact.other == nil }
            let rung = events.filter { $0.fact.isThrough }
            #expect(rung.count == 24 * 2 * 3)
            #expect(Set(rung.map { $0.fact.happened }).count > 3, "at the times of the way")
        }
    }

    @Test("A person who has too many corners is refused more, and may change what is there")
    func corners() async throws {
        try await withFences(try combs(10)) { live in
            let more = fence("more", .polygons([try Polygon(rings: [comb(teeth: 10)])]))
            await #expect(throws: Refusal.tooMany(.fenceCorner, 10_000)) {
                try await live.perform(PutFence(Write(more)), by: .person(id("ana")))
            }
            try await live.perform(PutFence(Write(try circles(1)[0])), by: .person(id("ana")))
            let noted = try combs(1) { $0.note = "Mine" }[0]
            try await live.perform(PutFence(Write(noted)), by: .person(id("ana")))
            try await live.perform(PutFence(Write(more)))
        }
    }
}
