import Discovery
import Foundation
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Fences whose entries need a second fix inside.
@Suite struct ConfirmedFenceTests {
    private static let watched = Fence.Watched.people([id("ana")])

    private func withEngine(_ fences: [Fence], _ body: (TestEngine) async throws -> Void) async throws {
        try await withFolder { folder in
            let engine = try TestEngine(folder: folder, rules: PingRules())
            try await engine.add(person("ana"), person("luis"))
            for var fence in fences {
                fence.confirm = 2
                try await engine.perform(PutFence(Write(fence)))
            }
            try await body(engine)
            try engine.store.close()
        }
    }

    /// The fence events with their times in seconds after the morning.
    private func events(_ engine: TestEngine) async throws -> [String] {
        try await engine.store.events(after: 0, atMost: 10_000).filter { $0.payload.type.rawValue.hasPrefix("fence") }
            .map {
                let seconds = ($0.payload.happened ?? $0.at) - morning
                return "\($0.payload.type.rawValue) \(Int(seconds.seconds.rounded()))"
            }
    }

    private func events(
        after fixes: [(time: Double, place: Double)], accuracy: Float = 0, _ change: (inout Fence) -> Void = { _ in }
    ) async throws -> [String] {
        var fence = Fence(id: id("a"), .circle(valencia, metres: 200), watching: Self.watched)
        change(&fence)
        var found: [String] = []
        try await withEngine([fence]) { engine in
            for fix in fixes { _ = try await engine.send(ping(fix.time, east(fix.place), accuracy: accuracy)) }
            found = try await events(engine)
        }
        return found
    }

    @Test("Neither one fix inside nor a path through a fence is an entry") func single() async throws {
        #expect(try await events(after: [(0, -1000), (100, 0), (200, 1000)]) == [])
        #expect(try await events(after: [(0, -1000), (1000, 1000)]) == [])
    }

    @Test("The second fix inside is an entry at the time of the first") func second() async throws {
        let fixes = [(0.0, -1000.0), (100, 0), (160, 100), (300, 1500)]
        #expect(try await events(after: fixes) == ["fence.enter 100", "fence.exit 170"])
        let apart = [(0.0, 0.0), (3600, 0), (3700, 0)]
        #expect(try await events(after: apart) == ["fence.enter 3600"], "an hour apart they are not in a row")
    }

    @Test("A fix less accurate than the margin confirms nothing") func accuracy() async throws {
        let fixes = [(0.0, 0.0), (60, 0)]
        #expect(try await events(after: fixes, accuracy: 30) { $0.margin = 20 } == [])
        #expect(try await events(after: fixes, accuracy: 15) { $0.margin = 20 } == ["fence.enter 0"])
    }

    @Test("A dwell counts from the first fix of a confirmed entry") func dwell() async throws {
        let stay = try await events(after: [(0, 0), (60, 0), (400, 0)]) {
            ($0.passages, $0.dwell) = ([.enter, .dwell], .seconds(300))
        }
        #expect(stay == ["fence.enter 0", "fence.dwell 300"])
    }

    @Test("A hint asks for the second fix at once, and then for none until the border") func hints() async throws {
        try await withEngine([Fence(id: id("a"), .circle(valencia, metres: 200), watching: Self.watched)]) { engine in
            var hints: [Hint] = []
            for time in [0.0, 20] {
                let fix = ping(time, valencia, accuracy: 0)
                hints += try await engine.hinted(fix, at: morning + .seconds(86_400)).hints
            }
            #expect(hints.map { $0.beyond == 0 } == [true, false], "\(hints)")
            #expect(hints.first?.notBefore == morning + .seconds(15))
        }
    }

    /// Both walk slowly enough for a second fix within each fence.
    @Test(
        "A phone that follows its hints has the entries of one that sends every fix",
        arguments: RandomCases.seeds(0..<12))
    func obedience(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let fences = (0..<6).map { number in
            Fence(
                id: id("f\(number)"), .circle(east(random.number(-2000..<2000)), metres: random.number(250..<600)),
                watching: .everybody)
        }
        try await withEngine(fences) { engine in
            var (position, speed) = (0.0, 5.0)
            var hint: Hint?
            var sent = 0
            for step in 0..<400 {
                if step.isMultiple(of: 100) { speed = random.number(4..<7) * (random.chance(0.5) ? 1 : -1) }
                position += speed * 5
                let (time, place) = (Double(step * 5), east(position))
                let received = morning + .seconds(86_400)
                try await engine.perform(Record([ping(time, place, accuracy: 0, of: "luis")]), at: received)
                let now = morning + .seconds(Int64(step * 5))
                if let hint, now < hint.notBefore || Geodesic.distance(from: hint.from, to: place) < hint.beyond {
                    continue
                }
                sent += 1
                hint = try await engine.hinted(ping(time, place, accuracy: 0), at: received).hints.first
            }
            let all = try await engine.store.events(after: 0, atMost: 10_000)
            for fence in fences {
                func passed(_ person: String) -> [String] {
                    all.filter { $0.payload.person?.id.text == person && $0.payload.subject?.text == fence.id.text }.map
                    {
                        $0.payload.type.rawValue
                    }
                }
                let (obeying, free) = (passed("ana"), passed("luis"))
                // The crossings of the last fixes, or of a turn near a border, may not have been sent yet.
                #expect(free.starts(with: obeying) && free.count - obeying.count <= 2, "\(obeying)\n\(free)")
            }
            #expect(sent < 300, "\(sent) of 400")
        }
    }
}
