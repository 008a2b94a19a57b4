import Discovery
import Foundation
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// What is kept of where nothing watches somebody changes nothing that is told.
@Suite struct ClearWayTests {
    private func withLive(_ body: (TestLive) async throws -> Void) async throws {
        try await withFolder { folder in
            let live = try TestLive(folder: folder)
            try await live.add(person("ana") { $0.sharing.precision = .exact }, person("luis"))
            try await body(live)
            try live.store.close()
        }
    }

    private static func circle(
        _ name: String, around place: Double, watching watched: Fence.Watched = .people([id("ana")])
    ) -> PutFence {
        PutFence(Write(Fence(id: id(name), .circle(east(place), metres: 100), watching: watched)))
    }

    /// Ana's next fix, at which the hint is made that looks around her.
    private func go(_ live: TestLive, _ time: Double, _ place: Double) async throws -> Hint? {
        let fix = ping(time, east(place), accuracy: 0)
        return try await live.hinted(fix, at: morning + .seconds(Int64(time))).hints.first
    }

    private func told(_ live: TestLive) async throws -> [String] {
        try await live.store.events(after: 0, atMost: 100).filter { $0.fact.type.rawValue.hasPrefix("fence") }
            .map { "\($0.fact.type.rawValue) \($0.fact.subject?.text ?? "")" }
    }

    @Test(arguments: [1, 8, 20]) func aFenceIsHeededThatIsMadeWhereNothingWas(fences: Int) async throws {
        try await withLive { live in
            for number in 1...fences {
                try await live.perform(Self.circle("far-\(number)", around: 10_000 + 1_000 * Double(number)))
            }
            #expect(try await go(live, 0, 0)?.beyond == 500)
            try await live.perform(Self.circle("new", around: 300))
            #expect(try await go(live, 20, 10)?.beyond ?? 500 < 200)
            _ = try await go(live, 60, 300)
            #expect(try await told(live) == ["fence.enter new"])
        }
    }

    @Test func aFenceIsHeededThatWatchesSomebodyElseFirst() async throws {
        try await withLive { live in
            try await live.perform(Self.circle("far", around: 10_000))
            try await live.perform(Self.circle("near", around: 300, watching: .people([id("luis")])))
            #expect(try await go(live, 0, 0)?.beyond == 500)
            try await live.perform(Self.circle("near", around: 300, watching: .people([id("ana"), id("luis")])))
            _ = try await go(live, 60, 300)
            #expect(try await told(live) == ["fence.enter near"])
        }
    }

    @Test func whoJoinsAGroupIsWatchedByItsFences() async throws {
        try await withLive { live in
            try await live.perform(MakeFriends(id("luis"), id("ana")))
            try await live.perform(CreateGroup(Group(id: id("shift"), name: "Shift", owner: id("luis"))))
            try await live.perform(Self.circle("far", around: 10_000))
            try await live.perform(Self.circle("yard", around: 300, watching: .group(id("shift"))))
            _ = try await go(live, 0, 0)
            try await live.perform(Invite(id("ana"), to: id("shift")))
            try await live.perform(AcceptInvitation(of: id("ana"), to: id("shift")))
            _ = try await go(live, 60, 300)
            #expect(try await told(live) == ["fence.enter yard"])
        }
    }

    @Test func whoLeavesTheMarginDoesSoOnAWayThatTouchesNoFence() async throws {
        try await withLive { live in
            var fence = Fence(id: id("home"), .circle(east(0), metres: 100), watching: .people([id("ana")]))
            fence.margin = 500
            try await live.perform(PutFence(Write(fence)))
            for (time, place) in [(0.0, 0.0), (20, 250), (40, 500)] { _ = try await go(live, time, place) }
            #expect(try await told(live) == ["fence.enter home"])
            _ = try await go(live, 60, 800)
            #expect(try await told(live) == ["fence.enter home", "fence.exit home"])
        }
    }

    /// The hints of a walk among circles and corridors, and what was told.
    private func walk(_ fences: [Fence], _ seed: UInt64) async throws -> (hints: [Hint], told: [String]) {
        var (random, hints, position, events) = (Dice(seed: seed), [Hint](), -4000.0, [String]())
        try await withLive { live in
            for fence in fences { try await live.perform(PutFence(Write(fence))) }
            for step in 0..<80 {
                position += Double.random(in: -150...600, using: &random)
                if let hint = try await go(live, Double(30 * step), position) { hints.append(hint) }
            }
            events = try await told(live)
        }
        return (hints, events)
    }

    @Test(arguments: [2, 12, 20]) func theSameIsToldWhereNothingIsKnownToBeClear(count: Int) async throws {
        var random = Dice(seed: UInt64(count))
        for watched in [Fence.Watched.everybody, .people([id("ana")])] {
            let fences = (0..<count).map { number in
                let middle = Double.random(in: -4000...12_000, using: &random)
                let size = Double(100 * random.integer(1...6))
                let area =
                    number.isMultiple(of: 2)
                    ? Fence.Area.circle(east(middle), metres: size)
                    : .corridor([east(middle), east(middle + size)], metres: 40)
                return Fence(id: id("f\(number)"), area, watching: watched)
            }
            // While a fence goes by the areas of places nothing is taken to be clear.
            let over = Fence(id: id("over"), .places(kind: "delivery"), watching: .people([id("luis")]))
            let (kept, asked) = (try await walk(fences, 1), try await walk(fences + [over], 1))
            #expect(kept.hints == asked.hints && kept.told == asked.told)
            let circles = Set(kept.hints.map(\.beyond))
            #expect(!kept.told.isEmpty && circles.count > 1 && circles.contains(500))
        }
    }
}
