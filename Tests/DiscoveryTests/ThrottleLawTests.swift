import Discovery
import Foundation
import Geo
import Laws
import Storage
import Testing

/// What holds of the throttle whatever arrives, on random walks; a failure names the seed that throws it again.
@Suite struct ThrottleLawTests {
    private static let seeds: Range<UInt64> = 0..<1000
    /// People of one service, each with a walk of their own.
    private static let crowd = 100

    /// Pings in order: what is stored is FriendsMap's set, and sending all again changes nothing.
    @Test func inOrderExactlyThoseAreStoredThatAReferenceStores() async throws {
        try await eachService { live, seeds in
            let walks = seeds.map { Walk(seed: $0, takesTeleports: false) }
            for walk in walks { try await live.add(walk.person) }
            for walk in walks {
                var dice = Dice(seed: walk.seed &+ 1)
                for batch in dice.split(walk.reports) { _ = try await live.send(batch) }
                if dice.chance(0.2) { try await live.live.fold() }
                let expected = walk.reference()
                #expect(try await live.stored(walk) == expected, "seed \(walk.seed)")
                let verdicts = try await live.send(walk.reports)
                #expect(!verdicts.contains(.stored), "seed \(walk.seed), sent again")
                #expect(try await live.stored(walk) == expected, "seed \(walk.seed), sent again")
            }
        }
    }

    /// Pings in any order, batching and repetition, with thresholds that change, folding and restarts at any moment.
    @Test func inAnyOrderStoredOnesRespectBothThresholdsStayAndAreDuplicates() async throws {
        try await eachService { first, seeds in
            var live = first
            var trials = seeds.map { Trial(Walk(seed: $0, takesTeleports: true)) }
            for trial in trials { try await live.add(trial.walk.person) }
            for _ in 0..<3 {
                for index in trials.indices { try await trials[index].advance(live) }
                live = try await live.restarted()
            }
            try live.store.close()
        }
    }

    private func eachService(_ body: @escaping @Sendable (TestLive, [UInt64]) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for start in stride(from: Self.seeds.lowerBound, to: Self.seeds.upperBound, by: Self.crowd) {
                let seeds = Array(start..<min(start + UInt64(Self.crowd), Self.seeds.upperBound))
                group.addTask { try await withLive { live in try await body(live, seeds) } }
            }
            try await group.waitForAll()
        }
    }
}

/// One person's pings in the order of fix times, and the thresholds they are thinned out by.
private struct Walk {
    let seed: UInt64
    var throttle: ThrottleOverride
    var reports: [PingReport] = []

    var name: String { "p\(seed)" }
    var distance: Double { throttle.distance ?? 500 }
    var interval: Duration { throttle.interval ?? .seconds(120) }
    var person: Person { DiscoveryTests.person(name) { $0.throttle = throttle } }

    init(seed: UInt64, takesTeleports: Bool) {
        var dice = Dice(seed: seed)
        self.seed = seed
        throttle = dice.throttle()
        var place = dice.chance(0.5) ? valencia : dice.place()
        var time = 0.0
        let bearing = dice.number(0..<360)
        for _ in 0..<dice.integer(20...60) {
            let seconds = dice.pick([
                0, 0.001, max(0, interval.seconds - 0.001), interval.seconds, dice.number(0..<100),
            ])
            let metres = dice.step(distance, in: takesTeleports ? .infinity : seconds)
            place = Geodesic.destination(
                from: place, bearing: dice.chance(0.7) ? bearing : dice.number(0..<360), metres: metres)
            time += dice.chance(0.05) && takesTeleports ? -dice.number(0..<2000) : seconds
            reports.append(ping(time, place, accuracy: 20, of: name, device: dice.pick(["phone", "phone", "watch"])))
        }
    }

    /// FriendsMap's rule: the first ever, then whatever is far enough and late enough from the last that was kept.
    func reference() -> [Kept] {
        var kept: [Kept] = []
        for report in reports {
            let one = Kept(report)
            guard let last = kept.last else {
                kept.append(one)
                continue
            }
            if one.time - last.time >= interval, Geodesic.distance(from: last.place, to: one.place) >= distance {
                kept.append(one)
            }
        }
        return kept
    }
}

private struct Kept: Hashable {
    let time: Timestamp
    let place: Coordinate
    let device: String

    init(_ report: PingReport) {
        time = report.time ?? morning
        place = report.place
        device = report.device
    }

    init(_ ping: StoredPing) {
        time = ping.time
        place = ping.place
        device = ping.device
    }
}

/// A walk on its way into a service, and what is known of its history so far.
private struct Trial {
    var walk: Walk
    private var dice: Dice
    /// The thresholds that ever were in force, none of which consecutive positions may all fall short of.
    private var weakest: (distance: Double, interval: Duration)
    private var history: [StoredPing] = []

    init(_ walk: Walk) {
        self.walk = walk
        dice = Dice(seed: walk.seed &+ 2)
        weakest = (walk.distance, walk.interval)
    }

    /// Sends a part of the walk in some order, some of it twice, and looks at all that is stored then.
    mutating func advance(_ live: TestLive) async throws {
        if dice.chance(0.3) { try await changeThresholds(live) }
        var reports = walk.reports.filter { _ in dice.chance(0.5) }
        if dice.chance(0.7) { reports.shuffle(using: &dice) }
        reports += reports.filter { _ in dice.chance(0.2) }
        for batch in dice.split(reports) {
            _ = try await live.send(batch)
            if dice.chance(0.05) { try await live.live.fold() }
            if dice.chance(0.1) { try await check(live) }
        }
        try await check(live)
    }

    private mutating func changeThresholds(_ live: TestLive) async throws {
        walk.throttle = dice.throttle()
        weakest = (min(weakest.distance, walk.distance), min(weakest.interval, walk.interval))
        try await live.add(walk.person)
    }

    private mutating func check(_ live: TestLive) async throws {
        let now = try await live.history(walk)
        let seed = "seed \(walk.seed)"
        #expect(Set(now.map(Kept.init)).isSuperset(of: history.map(Kept.init)), "\(seed): the set only grows")
        #expect(Set(now.map(\.key)).count == now.count, "\(seed)")
        let suspects = Set(history.filter(\.isSuspect).map(\.key))
        #expect(suspects.isSubset(of: now.filter(\.isSuspect).map(\.key)), "\(seed): suspect once, suspect for ever")
        let believed = now.filter { !$0.isSuspect }
        for (a, b) in zip(believed, believed.dropFirst()) {
            #expect(b.time - a.time >= weakest.interval, "\(seed): \(a.time) \(b.time)")
            #expect(Geodesic.distance(from: a.place, to: b.place) >= weakest.distance, "\(seed): \(a.time) \(b.time)")
        }
        #expect(try live.position(walk) == believed.last.map(Kept.init)?.place, "\(seed): the newest that is believed")
        if let again = now.randomElement(using: &dice) {
            var report = PingReport(
                person: id(walk.name), device: again.device, time: again.time, place: again.place)
            report.details = again.details
            #expect(try await live.send([report]) == [.duplicate], "\(seed): stored before")
        }
        history = now
    }
}

extension TestLive {
    fileprivate func send(_ reports: [PingReport]) async throws -> [Verdict] {
        try await perform(.record(reports), at: morning + .seconds(86_400)).verdicts
    }

    fileprivate func history(_ walk: Walk) async throws -> [StoredPing] {
        try await live.history(
            of: id(walk.name), from: Timestamp(milliseconds: 0), to: Timestamp(milliseconds: .max), limit: 10_000)
    }

    fileprivate func stored(_ walk: Walk) async throws -> [Kept] { try await history(walk).map(Kept.init) }

    fileprivate func position(_ walk: Walk) throws -> Coordinate? {
        try? live.read { picture throws(Refusal) in try picture.position(of: id(walk.name)) }.place
    }
}

extension Dice {
    fileprivate mutating func throttle() -> ThrottleOverride {
        pick([
            ThrottleOverride(), ThrottleOverride(distance: 50, interval: .seconds(30)),
            ThrottleOverride(distance: 0, interval: .milliseconds(1500)), ThrottleOverride(distance: 2000),
            ThrottleOverride(distance: 10, interval: .zero),
        ])
    }

    /// Metres of one step: about the threshold to the millimetre, or nothing, or far; never faster than a car.
    fileprivate mutating func step(_ distance: Double, in seconds: Double) -> Double {
        if chance(0.02), seconds == .infinity { return number(0..<5_000_000) }
        let metres = pick([0, 1, distance - 0.001, distance, distance + 0.001, number(0..<2 * distance + 10)])
        return min(metres, 40 * seconds)
    }

    /// Batches of different sizes.
    fileprivate mutating func split(_ reports: [PingReport]) -> [[PingReport]] {
        var batches: [[PingReport]] = []
        var rest = reports[...]
        while !rest.isEmpty {
            let size = pick([1, 2, 5, 100])
            batches.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return batches
    }
}
