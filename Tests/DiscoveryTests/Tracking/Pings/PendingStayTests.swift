import Discovery
import Foundation
import GRDB
import Geo
import Model
import Storage
import TestSupport
import Testing

/// Stays of people who do not move, without further stored positions.
@Suite struct PendingStayTests {
    private let later = morning + .seconds(86_400)

    @Test("A throttled ping nearby extends the stay") func extendedStay() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            try await engine.perform(MakeFriends(id("ana"), id("luis")))
            _ = try await engine.send(ping(0, valencia), ping(0, east(5), of: "luis"))
            #expect(try position(engine).seenUntil == nil)
            let sent = [
                (60.0, east(499), Verdict.throttledByInterval, 60.0), (90, east(600), .throttledByInterval, 60),
                (300, east(100), .throttledByDistance, 300), (200, valencia, .throttledByDistance, 300),
                (4000, east(1), .throttledByDistance, 4000), (5000, east(9_000_000), .impossibleSpeed, 4000),
            ]
            for (second, place, verdict, seen) in sent {
                #expect(try await engine.send(ping(second, place)) == [verdict])
                // A person who went farther is no longer at the stored position.
                let isAway = second == 90
                #expect(try position(engine).time == morning + .seconds(isAway ? 90 : seen), "after \(second)")
                #expect(try position(engine).since == (second == 60 ? morning : nil), "after \(second)")
            }
            #expect(try position(engine).seenUntil == nil)
            let page = try engine.engine.read { state throws(Refusal) in
                try state.nearestFriends(of: id("luis"), NearestQuery(limit: 1), by: .service, at: morning)
            }
            #expect(page.items.first?.position.time == morning + .seconds(4000))
            try await engine.add(person("eva"))
            _ = try await engine.send(ping(0, valencia, of: "eva"))
            let strangers = try engine.engine.strangers(
                StrangerQuery(viewer: id("eva"), limit: 9), at: morning + .seconds(3600 + 3599)
            ).strangers
            #expect(strangers.first { $0.id == id("ana") }?.seen == .now)
            #expect(strangers.first { $0.id == id("luis") }?.seen == .today)
            let later = try engine.engine.strangers(
                StrangerQuery(viewer: id("eva"), limit: 9), at: morning + .seconds(7200)
            ).strangers
            #expect(
                later.first { $0.id == id("ana") }?.seen == .today, "by the quarter of an hour in which she was seen")
        }
    }

    /// Pings come every half hour, and every two hours at night.
    @Test("A person who stays for days is stored once a day, and was there all the time") func longStay() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            let hour = 3600.0
            let halfHours: [Double] = (0...120).map { Double($0) * hour / 2 }
            let times = halfHours.filter { time in
                time < 20 * hour || time >= 32 * hour || time.truncatingRemainder(dividingBy: 2 * hour) == 0
            }
            for name in ["ana", "luis"] {
                let pings = times.map { ping($0, east($0.truncatingRemainder(dividingBy: 499)), of: name) }
                try await engine.perform(Record(pings), at: morning + .seconds(61 * hour))
            }
            for isCompacted in [false, true] {
                if isCompacted {
                    try await engine.engine.compact()
                    try await engine.engine.writePendingStays(dueAt: nil)
                }
                #expect(try await history(engine) == [24, 48, 60].map { morning + .seconds($0 * hour) })
                for second in stride(from: 0, to: 60 * hour, by: 1717) {
                    let then = try await engine.engine.position(
                        of: id("ana"), at: morning + .seconds(second), by: .service, now: morning + .seconds(61 * hour))
                    let isNight: Bool = second > 20 * hour && second < 32 * hour
                    let wide: Bool = (then.uncertainty ?? 1e9) > 700.1
                    #expect(then.basis == (isNight ? .reach : .seen), "after \(second) s")
                    #expect(isNight || !wide, "after \(second) s")
                }
                let encounters = try await engine.engine.encounters(
                    EncounterQuery(
                        of: id("ana"), with: id("luis"), within: 500, during: morning..<morning + .seconds(61 * hour)),
                    by: .service, now: morning + .seconds(61 * hour)
                ).encounters
                #expect(
                    encounters.last?.times == morning + .seconds(32 * hour)...morning + .seconds(60 * hour),
                    "one meeting, however often it was stored")
            }
            #expect(try position(engine).time == morning + .seconds(60 * hour))
            #expect(try position(engine).since == morning + .seconds(48 * hour), "since when the last stay is counted")
        }
    }

    @Test("Every stored position has its own stay, even a late one") func ownStays() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            _ = try await engine.send(ping(0, valencia), ping(1000, east(5000)))
            _ = try await engine.send(ping(500, east(20)), ping(1100, east(5000)), ping(300, east(20)))
            let seen = [morning + .seconds(500), morning + .seconds(1100)]
            #expect(try await history(engine) == seen)
            try await engine.engine.compact()
            #expect(try await history(engine) == seen)
            try await engine.engine.writePendingStays(dueAt: later + .seconds(600))
            #expect(try await history(engine) == seen)
            _ = try await engine.send(ping(400, east(20)), ping(600, east(20)))
            #expect(try await history(engine) == [morning + .seconds(600), morning + .seconds(1100)])
            let restarted = try await engine.restarted()
            #expect(try await history(restarted) == [morning + .seconds(600), morning + .seconds(1100)])
            #expect(try position(restarted).time == morning + .seconds(1100))
            try restarted.store.close()
        }
    }

    /// A copy of the files stands for what a killed process leaves on disk.
    @Test("Stays are written every ten minutes and at a stop") func writes() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            _ = try await engine.send(ping(0, valencia), ping(500, valencia))
            try await engine.engine.writePendingStays(dueAt: later + .seconds(600))
            #expect(try await afterCrash(engine) == [morning + .seconds(500)], "though the position waits in the log")
            #expect(try await history(engine) == [morning + .seconds(500)])
            try await engine.engine.compact()
            #expect(try await history(engine) == [morning + .seconds(500)])
            _ = try await engine.send(ping(600, valencia), at: later + .seconds(1))
            try await engine.engine.writePendingStays(dueAt: later + .seconds(600))
            #expect(try await afterCrash(engine) == [morning + .seconds(500)])
            try await engine.engine.writePendingStays(dueAt: later + .seconds(601))
            #expect(try await afterCrash(engine) == [morning + .seconds(600)])
            _ = try await engine.send(ping(700, valencia), at: later + .seconds(602))
            try await engine.engine.writePendingStays(dueAt: later + .seconds(1201))
            #expect(try await afterCrash(engine) == [morning + .seconds(600)])
            _ = try await engine.send(ping(800, valencia), ping(1000, east(600)), ping(1500, east(600)))
            let restarted = try await engine.restarted()
            #expect(try await history(restarted) == [morning + .seconds(800), morning + .seconds(1500)])
            #expect(try position(restarted).time == morning + .seconds(1500))
            try restarted.store.close()
        }
    }

    @Test("A stay received while the clock was ahead is due at once") func clockAhead() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            _ = try await engine.send(ping(0, valencia), ping(500, valencia), at: later + .seconds(1))
            try await engine.engine.writePendingStays(dueAt: later)
            #expect(try await afterCrash(engine) == [morning + .seconds(500)])
        }
    }

    /// Sends many positions, and for each a late ping that extends its stay.
    private func stay(_ names: [String], _ count: Int, _ engine: TestEngine) async throws {
        for start in [0.0, 60] {
            let reports = names.flatMap { name in
                (0..<count).map { ping(Double($0) * 130 + start, east(Double($0 % 2) * 5_000), of: name) }
            }
            let verdicts = try await engine.perform(Record(reports), at: later + .seconds(86_400)).verdicts
            #expect(verdicts.allSatisfy { $0 == (start == 0 ? .stored : .throttledByInterval) })
        }
    }

    @Test("The earliest of too many pending stays are written") func manyStays() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            try await stay(["ana"], 1_050, engine)
            let seen: [Timestamp?] = (0..<100).map { morning + .seconds($0 * 130 + 60) }
            #expect(try await history(engine) == seen)
            #expect(try await afterCrash(engine) == seen[..<50] + Array(repeating: nil, count: 50))
            let account = engine.canonicalDump
            let restarted = try await engine.restarted()
            #expect(difference(restarted.canonicalDump, account) == [])
            #expect(try await history(restarted) == seen)
            try restarted.store.close()
        }
    }

    @Test("A stop writes stays in a few rows, and the next start moves them to their positions")
    func stayLog() async throws {
        try await withEngine { engine in
            let names = ["ana", "eva", "luis"]
            try await engine.perform(PutPeople(names.map { Write(person($0)) }))
            try await stay(names, 900, engine)
            // With a gap of two hours without pings.
            for second in [0.0, 60, 7_260] {
                _ = try await engine.send(ping(900 * 130 + second, valencia), at: later + .seconds(200_000))
            }
            let (account, known) = (engine.canonicalDump, try await rows(engine))
            #expect(known.last?.gaps.count == 1)
            try await engine.engine.close(compactingFor: .zero)
            let file = try DatabaseQueue(path: engine.folder.appending(path: Store.fileName).path)
            let left = try await file.read { db in
                try [
                    "pings WHERE seen_until_ms IS NOT NULL", "positions WHERE seen_until_ms IS NOT NULL", "stay_log",
                ].map { try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") }
            }
            #expect(left == [0, 0, 3])
            try file.close()
            let check = try DatabaseFile(engine.folder.appending(path: Store.fileName)).integrity { _, _ in }
            #expect(check.faults == [])
            let again = try TestEngine(folder: engine.folder)
            #expect(difference(again.canonicalDump, account) == [])
            #expect(try await rows(again) == known)
            #expect(try again.store.inspect { try Int.fetchOne($0, sql: "SELECT count(*) FROM stay_log") } == 0)
            try again.store.close()
        }
    }

    private func rows(_ engine: TestEngine) async throws -> [StoredPing] {
        try await engine.engine.history(
            of: id("ana"), from: Timestamp(milliseconds: 0), to: Timestamp(milliseconds: .max), limit: 10_000)
    }

    @Test("Stays of many people are looked up a few at a time") func lookups() async throws {
        let monitor = WorkMonitor()
        try await withEngine(monitor: monitor) { engine in
            let names = (0..<6).map { "p\($0)" }
            try await engine.perform(PutPeople(names.map { Write(person($0)) }))
            try await stay(names, 900, engine)
            monitor.reset()
            try await engine.engine.writePendingStays(dueAt: nil)
            #expect(monitor.longest(.reading) <= WorkBudget.stepsPerRead)
            #expect(monitor.longest(.turn) <= WorkBudget.stepsPerTurn)
            let written = try engine.store.inspect { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM pings WHERE seen_until_ms = time_ms + 60000")
            }
            #expect(written == 5400, "though the positions wait in the log")
        }
    }

    @Test("When a later position becomes suspect, the stay at the one before it counts") func suspects() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            _ = try await engine.send(ping(0, valencia), ping(100, valencia), ping(200, east(60_000)))
            _ = try await engine.send(ping(321, valencia), ping(322, valencia))
            #expect(try position(engine).place == east(60_000))
            _ = try await engine.send(ping(323, valencia))
            #expect(try position(engine).place == valencia)
            #expect(try position(engine).time == morning + .seconds(323))
        }
        try await withEngine { engine in
            try await engine.add(person("ana"))
            _ = try await engine.send(ping(0, valencia), ping(350, valencia), ping(500, east(150_000)))
            #expect(try position(engine).place == east(150_000))
            _ = try await engine.send(ping(301, valencia), ping(302, valencia), ping(303, valencia))
            #expect(try position(engine).place == valencia)
            #expect(try position(engine).seenUntil == morning + .seconds(350), "told before")
        }
    }

    @Test("A confirmed position is not outweighed") func confirmation() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            _ = try await engine.send(ping(0, valencia), ping(200, east(5_000_000)), ping(201, east(5_000_000)))
            #expect(try await engine.send(ping(202, valencia)) == [.throttledByDistance])
            #expect(try await engine.send(ping(203, east(5_000_000))) == [.impossibleSpeed])
        }
    }

    private func position(_ engine: TestEngine) throws -> Position {
        try engine.engine.read { state throws(Refusal) in try state.position(of: id("ana")) }
    }

    private func history(_ engine: TestEngine) async throws -> [Timestamp?] {
        try await engine.engine.history(
            of: id("ana"), from: Timestamp(milliseconds: 0), to: Timestamp(milliseconds: .max), limit: 100
        ).map(\.seenUntil)
    }

    private func afterCrash(_ engine: TestEngine) async throws -> [Timestamp?] {
        let copy = engine.folder.appendingPathExtension("copy")
        defer { try? FileManager.default.removeItem(at: copy) }
        try FileManager.default.copyItem(at: engine.folder, to: copy)
        let again = try TestEngine(folder: copy)
        defer { try? again.store.close() }
        return try await history(again)
    }
}
