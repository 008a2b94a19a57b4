import Discovery
import Foundation
import GRDB
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Positions deleted on request or by age are gone from everywhere.
@Suite struct PingErasureTests {
    private static let always = Timestamp(milliseconds: 0)..<Timestamp(milliseconds: .max)
    private static let later = morning + .seconds(86_400)

    @Test("Random erasures leave the other positions, whether logged or compacted") func randomErasures() async throws {
        for seed in RandomCases.seeds(1..<21) {
            try await withEngine(rules: Self.storingAll) { engine in
                var random = SeededGenerator(seed: seed)
                var rest: [String: Set<Int64>] = ["ana": [], "luis": []]
                try await engine.add(person("ana"), person("luis"))
                for step in 0..<40 {
                    let name = random.integer(0...1) == 0 ? "ana" : "luis"
                    switch random.integer(0...9) {
                    case 0: try await engine.engine.compact()
                    case 1...3:
                        let from = morning + .seconds(random.integer(0...900))
                        let times = from..<from + .seconds(random.integer(0...400))
                        let gone = rest[name, default: []].filter { times.contains(Timestamp(milliseconds: $0)) }
                        #expect(try await erase(engine, name, times) == gone.count, "seed \(seed), step \(step)")
                        rest[name]?.subtract(gone)
                    default:
                        let reports = (0..<random.integer(1...9)).map { _ in
                            let second = random.integer(0...1000)
                            return ping(Double(second), east(Double(second)), of: name)
                        }
                        for (report, verdict) in zip(reports, try await send(engine, reports)) where verdict == .stored
                        {
                            if let time = report.time { rest[name]?.insert(time.milliseconds) }
                        }
                    }
                    for (name, times) in rest {
                        #expect(try await history(engine, name) == times.sorted(), "seed \(seed), step \(step)")
                        let last = try? engine.engine.read { state throws(Refusal) in try state.position(of: id(name)) }
                        #expect(last?.time.milliseconds == times.max(), "seed \(seed), step \(step)")
                    }
                }
                let account = engine.canonicalDump
                let again = try await engine.restarted()
                #expect(difference(again.canonicalDump, account) == [], "seed \(seed): the database says the same")
                try again.store.close()
            }
        }
    }

    @Test("A concurrent compaction restores nothing") func concurrentCompaction() async throws {
        try await withEngine(rules: Self.storingAll) { engine in
            try await engine.add(person("ana"))
            for round in 0..<RandomCases.count(2, all: 5) {
                let reports = (0..<5000).map { ping(Double(round * 5000 + $0), east(Double($0 % 100))) }
                _ = try await send(engine, reports)
                async let folding: Void = engine.engine.compact()
                var erased = 0
                while erased < 5000 { erased += try await erase(engine, "ana", Self.always) }
                try await folding
                try await engine.engine.compact()
                #expect(try await history(engine, "ana") == [], "round \(round)")
                #expect(engine.store.uncompactedCount == 0)
            }
        }
    }

    /// A suspect position is in the table and, until compaction, in the log.
    @Test("Erased suspect positions do not come back", arguments: [[false, false], [false, true], [true, false]])
    func suspects(isCompacted: [Bool]) async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            #expect(try await engine.send(ping(0, east(5_000_000))) == [.stored])
            if isCompacted[0] { try await engine.engine.compact() }
            let three = [ping(130, valencia), ping(131, valencia), ping(132, valencia)]
            #expect(try await send(engine, three) == [.impossibleSpeed, .impossibleSpeed, .stored])
            if isCompacted[1] { try await engine.engine.compact() }
            #expect(try await erase(engine, "ana", Self.always) == 2)
            #expect(try await engine.send(ping(0, east(900), device: "watch")) == [.stored], "at the same time")
            try await engine.engine.compact()
            let restarted = try await engine.restarted()
            #expect(try await history(restarted, "ana") == [morning.milliseconds])
            let last = try restarted.engine.read { state throws(Refusal) in try state.position(of: id("ana")) }
            #expect(last.place == east(900))
            try restarted.store.close()
        }
    }

    /// Each of her positions is in a long row of the log with positions of others.
    @Test("Positions in many long rows of the log are erased in short turns") func longRows() async throws {
        let monitor = WorkMonitor()
        try await withEngine(rules: Self.storingAll, monitor: monitor) { engine in
            let others: [PersonID] = (0..<383).map { id("p\($0)") }
            let wide = String(repeating: "d", count: 255)
            try await engine.perform(PutPeople(([id("ana")] + others).map { Write(person($0.text)) }))
            for round in 0..<32 {
                let reports = ([id("ana")] + others).map { who in
                    ping(Double(round), east(Double(round)), of: who.text, device: wide)
                }
                _ = try await send(engine, reports)
            }
            let rows = try engine.store.inspect { try Int.fetchOne($0, sql: "SELECT avg(length(pings)) FROM ping_log") }
            monitor.reset()
            #expect(try await erase(engine, "ana", Self.always) == 32)
            #expect(monitor.longest(.turn) <= WorkBudget.stepsPerTurn, "rows of \(rows ?? 0) bytes")
            #expect(try await history(engine, "ana") == [])
            try await engine.engine.compact()
            #expect(try await history(engine, "ana") == [])
            #expect(try await history(engine, "p0").count == 32)
        }
    }

    /// Each part of the batch has a row of its own.
    ///
    /// A commit stores several of them, unless the machine is very slow.
    @Test("Positions of one commit are erased from their rows of the log") func rowsOfCommit() async throws {
        try await withEngine(rules: Self.storingAll) { engine in
            try engine.store.close()
            let split = try TestEngine(folder: engine.folder, rules: Self.storingAll, longestLogRow: 1)
            try await split.add(person("ana"))
            _ = try await send(split, (0..<1920).map { ping(Double($0), east(Double($0 % 100))) })
            let rows = try split.store.inspect { try Int.fetchOne($0, sql: "SELECT count(*) FROM ping_log") }
            #expect(rows == 60)
            let known = split.canonicalDump + split.engine.read { $0.volatileDump }
            #expect(difference(split.engine.draftDump, known) == [])
            for start in stride(from: 10, to: 1920, by: 64) {
                let times = morning + .seconds(start)..<morning + .seconds(start + 30)
                #expect(try await erase(split, "ana", times) == 30)
            }
            #expect(split.store.uncompactedCount == 1020)
            let left = try await history(split, "ana")
            #expect(left.count == 1020)
            try await split.engine.close(compactingFor: .zero)
            let again = try TestEngine(folder: engine.folder, rules: Self.storingAll)
            #expect(try await history(again, "ana") == left)
            try again.store.close()
        }
    }

    @Test("Erasure in an area keeps the rest") func areaErasure() async throws {
        try await withEngine(rules: Self.storingAll) { engine in
            try await engine.add(person("ana"))
            _ = try await engine.send(ping(0, valencia), ping(1, east(5000)), ping(2, east(10)))
            try await engine.engine.compact()
            _ = try await engine.send(ping(3, east(6000)), ping(4, east(20)))
            let home = try Box(west: -0.38, south: 39.46, east: -0.37, north: 39.48)
            #expect(try await erase(engine, "ana", Self.always, .box(home)) == 3)
            #expect(try await history(engine, "ana") == [1, 3].map { morning.milliseconds + $0 * 1000 })
            let last = try engine.engine.read { state throws(Refusal) in try state.position(of: id("ana")) }
            #expect(last.place == east(6000))
        }
    }

    @Test("Strangers see the cell of the remaining position") func strangers() async throws {
        try await withEngine(rules: Self.storingAll) { engine in
            try await engine.add(person("ana"), person("luis"))
            _ = try await engine.send(ping(0, valencia), ping(1, east(50_000)), ping(0, valencia, of: "luis"))
            func seen() throws -> Int {
                var query = StrangerQuery(viewer: id("luis"), limit: 10)
                query.within = 10_000
                return try engine.engine.strangers(query, at: morning).strangers.count
            }
            #expect(try seen() == 0)
            #expect(try await erase(engine, "ana", morning + .seconds(1)..<morning + .seconds(2)) == 1)
            #expect(try seen() == 1)
            #expect(try await erase(engine, "ana", Self.always) == 1)
            #expect(try seen() == 0)
        }
    }

    @Test("Erased bytes are gone from the files") func erasedBytes() async throws {
        try await withEngine(rules: Self.storingAll) { engine in
            try await engine.add(person("ana"))
            func holdsMarker() throws -> Bool {
                try ["cerca.sqlite", "cerca.sqlite-wal"].contains { name in
                    try Data(contentsOf: engine.folder.appending(path: name)).range(of: Data("unmistakable".utf8))
                        != nil
                }
            }
            for isCompacted in [true, false] {
                _ = try await engine.send(ping(0, valencia, device: "unmistakable"), ping(1, east(9), device: "other"))
                if isCompacted { try await engine.engine.compact() }
                #expect(try holdsMarker())
                #expect(try await erase(engine, "ana", morning..<morning + .seconds(1)) == 1)
                try await engine.engine.compact()
                #expect(try !holdsMarker(), "folded: \(isCompacted)")
                _ = try await erase(engine, "ana", Self.always)
            }
        }
    }

    @Test("People may erase only their own history") func ownHistory() async throws {
        try await withEngine(rules: Self.storingAll) { engine in
            try await engine.add(person("ana"), person("luis"))
            _ = try await engine.send(ping(0, valencia))
            await #expect(throws: Refusal.notAllowed) {
                try await engine.engine.erase(
                    of: id("ana"), in: Self.always, where: nil, by: .person(id("luis")), received: morning)
            }
            #expect(try await history(engine, "ana").count == 1)
        }
    }

    @Test(
        "The shorter retention applies",
        arguments: [
            (nil, nil, [0, 1000, 2000]), (1500, nil, [2000]), (nil, 1500, [2000]), (1500, 2500, [2000]),
            (2500, 1500, [2000]), (2500, nil, [1000, 2000]), (500, nil, []), (2000, nil, [1000, 2000]),
            (nil, 1000, [2000]),
        ] as [(Int?, Int?, [Int64])])
    func retention(service: Int?, own: Int?, left: [Int64]) async throws {
        var rules = Self.storingAll
        try await withEngine(rules: rules) { engine in
            try await engine.add(person("ana") { $0.retention = own.map { .seconds($0) } }, person("luis"))
            let reports = [0, 1000, 2000].map { ping($0, east($0)) }
            _ = try await engine.perform(Record(reports), at: morning + .seconds(1))
            _ = try await engine.perform(Record(reports), at: morning + .seconds(2000))
            try await engine.engine.compact()
            rules.retention = service.map { .seconds($0) }
            let now = morning + .seconds(3000)
            // The time is still known after the next start.
            try await engine.engine.observe(clock: now, elapsed: .zero)
            try engine.store.close()
            let strict = try TestEngine(folder: engine.folder, rules: rules)
            let (count, isWhole) = try await strict.engine.expire(now: now)
            #expect(count == 3 - left.count && isWhole)
            #expect(try await history(strict, "ana") == left.map { morning.milliseconds + $0 * 1000 })
            let last = try? strict.engine.read { state throws(Refusal) in try state.position(of: id("ana")) }
            #expect(last?.time.milliseconds == left.last.map { morning.milliseconds + $0 * 1000 })
            let verdicts = try await strict.perform(Record([ping(100, east(100))]), at: now).verdicts
            #expect((verdicts == [.stale]) == (service != nil || own != nil))
            let account = strict.canonicalDump
            let restarted = try await strict.restarted()
            #expect(difference(restarted.canonicalDump, account) == [])
        }
    }

    // MARK: - Shorthands

    private static let storingAll: PingRules = {
        var rules = PingRules()
        rules.distance = 0
        rules.interval = .zero
        rules.maximumSpeed = 1e9
        return rules
    }()

    private func erase(
        _ engine: TestEngine, _ name: String, _ times: Range<Timestamp>, _ area: Region? = nil
    ) async throws -> Int {
        try await engine.engine.erase(of: id(name), in: times, where: area, by: .service, received: Self.later).pings
    }

    private func send(_ engine: TestEngine, _ reports: [PingReport]) async throws -> [Verdict] {
        try await engine.perform(Record(reports), at: Self.later).verdicts
    }

    private func history(_ engine: TestEngine, _ name: String) async throws -> [Int64] {
        try await engine.engine.history(
            of: id(name), from: Self.always.lowerBound, to: Self.always.upperBound, limit: 100_000
        ).map(\.time.milliseconds)
    }
}
