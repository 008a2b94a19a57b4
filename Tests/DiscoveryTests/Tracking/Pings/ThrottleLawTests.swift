import Discovery
import Foundation
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Laws of the throttle on random walks, whose seed is in the message of a failure.
@Suite struct ThrottleLawTests {
    private static let seeds = RandomCases.seeds(0..<1000)
    /// Number of people of one service, each with their own walk.
    private static let crowd = RandomCases.count(25, all: 100)

    @Test("Pings in order are stored as by a reference, and sending them again changes nothing")
    func ordered() async throws {
        try await eachService { engine, seeds in
            let walks = seeds.map { ThrottleWalk(seed: $0, takesTeleports: false) }
            try await engine.perform(PutPeople(walks.map { Write($0.person) }))
            for walk in walks {
                var random = SeededGenerator(seed: walk.seed &+ 1)
                for batch in random.split(walk.reports) { _ = try await engine.send(batch) }
                if random.chance(0.2) { try await engine.engine.compact() }
                let expected = walk.reference()
                #expect(try await engine.stored(walk) == expected, "seed \(walk.seed)")
                let verdicts = try await engine.send(walk.reports)
                #expect(!verdicts.contains(.stored), "seed \(walk.seed), sent again")
                #expect(try await engine.stored(walk) == expected, "seed \(walk.seed), sent again")
            }
        }
    }

    /// The history already has positions of the same days and places, some of them wrong.
    ///
    /// Once no position becomes suspect any longer, only positions refused for speed before, which fit now, are stored.
    @Test("A file in order stores nothing the second time") func repeatedFile() async throws {
        try await eachService { engine, seeds in
            for seed in seeds {
                let walk = ThrottleWalk(seed: seed, takesTeleports: true)
                var random = SeededGenerator(seed: seed &+ 3)
                try await engine.add(walk.person)
                for batch in random.split(walk.others(&random)) { _ = try await engine.send(batch) }
                if random.chance(0.3) { try await engine.engine.compact() }
                var (last, wasCertain, isDone): ([Verdict], Bool, Bool) = ([], false, false)
                for time in 1...20 where !isDone {
                    let suspects = try await engine.suspects(walk)
                    var verdicts: [Verdict] = []
                    for batch in random.split(walk.inOrder) {
                        verdicts += try await engine.send(batch)
                        if random.chance(0.05) { try await engine.engine.compact() }
                    }
                    let isCertain = try await engine.suspects(walk) == suspects
                    for (then, now) in zip(last, verdicts) where now == .stored && isCertain && wasCertain {
                        #expect(then == .impossibleSpeed, "seed \(seed), time \(time)")
                    }
                    isDone = time > 1 && !verdicts.contains(.stored)
                    (last, wasCertain) = (verdicts, isCertain)
                }
                #expect(isDone, "seed \(seed): it stores something each time")
            }
        }
    }

    /// Order, batches, and repetitions are random, with changes of thresholds, compactions, and restarts at any time.
    @Test("Stored pings are at least one interval apart, in any arrival order") func spacing() async throws {
        try await eachService { first, seeds in
            var engine = first
            var trials = seeds.map { Trial(ThrottleWalk(seed: $0, takesTeleports: true)) }
            try await engine.perform(PutPeople(trials.map { Write($0.walk.person) }))
            for _ in 0..<3 {
                for index in trials.indices { try await trials[index].advance(engine) }
                engine = try await engine.restarted()
            }
            try engine.store.close()
        }
    }

    private func eachService(_ body: @escaping @Sendable (TestEngine, [UInt64]) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for start in stride(from: 0, to: Self.seeds.count, by: Self.crowd) {
                let seeds = Array(Self.seeds[start..<min(start + Self.crowd, Self.seeds.count)])
                group.addTask { try await withEngine { engine in try await body(engine, seeds) } }
            }
            try await group.waitForAll()
        }
    }
}

/// A walk that is being sent to a service, and the history so far.
private struct Trial {
    var walk: ThrottleWalk
    private var random: SeededGenerator
    /// The shortest interval ever in force, which is the minimum time between consecutive positions.
    private var shortest: Duration
    private var history: [StoredPing] = []
    /// The number of batches after which each stored position was there.
    private var arrivals: [PingKey: Int] = [:]
    private var batches = 0
    /// Pings throttled by distance, with the threshold and the number of batches at that time.
    private var throttled: [(report: PingReport, distance: Double, batch: Int)] = []

    init(_ walk: ThrottleWalk) {
        self.walk = walk
        random = SeededGenerator(seed: walk.seed &+ 2)
        shortest = walk.interval
    }

    /// Sends a part of the walk in some order, some of it twice, and checks the stored positions.
    mutating func advance(_ engine: TestEngine) async throws {
        if random.chance(0.3) { try await changeThresholds(engine) }
        var reports = walk.reports.filter { _ in random.chance(0.5) }
        if random.chance(0.7) { reports.shuffle(using: &random) }
        reports += reports.filter { _ in random.chance(0.2) }
        for batch in random.split(reports) {
            let verdicts = try await engine.send(batch)
            for (report, verdict) in zip(batch, verdicts) where verdict == .throttledByDistance {
                throttled.append((report, walk.distance, batches))
            }
            try await note(engine)
            if random.chance(0.05) { try await engine.engine.compact() }
            if random.chance(0.1) { try await check(engine) }
        }
        try await check(engine)
    }

    private mutating func changeThresholds(_ engine: TestEngine) async throws {
        walk.throttle = random.throttle()
        shortest = min(shortest, walk.interval)
        try await engine.add(walk.person)
    }

    private mutating func note(_ engine: TestEngine) async throws {
        for ping in try await engine.history(walk) where arrivals[ping.key] == nil { arrivals[ping.key] = batches }
        batches += 1
    }

    /// Checks that pings throttled by distance were near the position before them, which may be suspect by now.
    private func checkThrottled(_ now: [StoredPing]) {
        for (report, distance, batch) in throttled {
            let time = report.time ?? morning
            // Pings of one instant in one batch may have come in any order.
            let known = now.filter { arrivals[$0.key, default: batches] < ($0.time < time ? batch + 1 : batch) }
                .filter { $0.time <= time }
            let near = known.filter {
                time - $0.time < .seconds(ThrottleWalk.day)
                    && Geodesic.distance(from: $0.place, to: report.place) < distance
            }
            let last = known.last { !$0.isSuspect }
            #expect(
                near.contains { $0.key == last?.key || $0.isSuspect } || near.contains { $0.time == last?.time },
                "seed \(walk.seed): \(time)")
        }
    }

    private mutating func check(_ engine: TestEngine) async throws {
        let now = try await engine.history(walk)
        let seed = "seed \(walk.seed)"
        #expect(Set(now.map(Kept.init)).isSuperset(of: history.map(Kept.init)), "\(seed): the set only grows")
        #expect(Set(now.map(\.key)).count == now.count, "\(seed)")
        let suspects = Set(history.filter(\.isSuspect).map(\.key))
        #expect(suspects.isSubset(of: now.filter(\.isSuspect).map(\.key)), "\(seed): suspect once, suspect for ever")
        let believed = now.filter { !$0.isSuspect }
        for (a, b) in zip(believed, believed.dropFirst()) {
            // The first ping after a change of sharing, here in the morning, is stored at once.
            let isFirst = a.time < morning && b.time >= morning
            #expect(b.time - a.time >= shortest || isFirst, "\(seed): \(a.time) \(b.time)")
        }
        checkThrottled(now)
        let (fix, newest) = (try engine.fix(walk), believed.last)
        #expect(try engine.position(walk) == fix?.place ?? newest.map(Kept.init)?.place, "\(seed): the newest believed")
        if let fix, let newest {
            #expect(fix.time > newest.time, "\(seed): what is stored has overtaken the live position")
            let isSent = walk.reports.contains { $0.time == fix.time && $0.place == fix.place }
            #expect(isSent, "\(seed): nobody was at \(fix)")
        }
        if let again = now.randomElement(using: &random) {
            var report = PingReport(
                person: id(walk.name), device: again.device, time: again.time, place: again.place)
            report.details = again.details
            #expect(try await engine.send([report]) == [.duplicate], "\(seed): stored before")
        }
        history = now
    }
}

extension TestEngine {
    fileprivate func send(_ reports: [PingReport]) async throws -> [Verdict] {
        try await perform(Record(reports), at: morning + .seconds(90 * ThrottleWalk.day)).verdicts
    }

    fileprivate func history(_ walk: ThrottleWalk) async throws -> [StoredPing] {
        try await engine.history(
            of: id(walk.name), from: Timestamp(milliseconds: 0), to: Timestamp(milliseconds: .max), limit: 10_000)
    }

    fileprivate func stored(_ walk: ThrottleWalk) async throws -> [Kept] { try await history(walk).map(Kept.init) }

    fileprivate func suspects(_ walk: ThrottleWalk) async throws -> [Kept] {
        try await history(walk).filter(\.isSuspect).map(Kept.init)
    }

    fileprivate func fix(_ walk: ThrottleWalk) throws -> LiveFix? {
        try engine.read { state in try state.liveFix(of: id(walk.name)) }
    }

    fileprivate func position(_ walk: ThrottleWalk) throws -> Coordinate? {
        try? engine.read { state throws(Refusal) in try state.position(of: id(walk.name)) }.place
    }
}

extension SeededGenerator {
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
