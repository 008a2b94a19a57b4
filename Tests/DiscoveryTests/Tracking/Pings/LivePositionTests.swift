import Discovery
import Foundation
import GRDB
import Geo
import Model
import Storage
import TestSupport
import Testing

/// Live positions between two stored ones, and their visibility.
@Suite struct LivePositionTests {
    private let ana: PersonID = id("ana")
    private let luis: PersonID = id("luis")
    private let later = morning + .seconds(1000)

    /// Runs the body with Ana, whose position of the morning is stored, and her friend Luis.
    private func withFriends(_ body: (TestEngine) async throws -> Void) async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            try await engine.perform(MakeFriends(ana, luis))
            _ = try await engine.send(ping(0, valencia), at: later)
            try await body(engine)
        }
    }

    private func place(_ engine: TestEngine, for caller: Caller = .service) -> Coordinate? {
        try? engine.engine.read { try $0.position(of: ana, for: caller, at: later) }.place
    }

    private func share(_ engine: TestEngine, at time: Timestamp = morning, _ change: (inout Sharing) -> Void)
        async throws
    {
        var sharing = Sharing(.exact)
        change(&sharing)
        try await engine.perform(PutPeople([Write(person("ana") { $0.sharing = sharing })]), at: time)
    }

    @Test("The newest fix is the live position even if the throttle does not store it")
    func throttledFix() async throws {
        try await withFriends { engine in
            for (second, metres, verdict) in [
                (30.0, 300.0, Verdict.throttledByInterval), (60, 700, .throttledByInterval),
                (200, 480, .throttledByDistance),
            ] {
                #expect(try await engine.send(ping(second, east(metres)), at: later) == [verdict])
                for caller in [Caller.service, .person(ana), .person(luis)] {
                    #expect(place(engine, for: caller) == east(metres), "after \(second)")
                }
                let near = engine.engine.read { state in
                    NearestPeople(to: valencia, NearestQuery(limit: 1)).whole(in: state).page.items
                }
                #expect(near.first?.position.place == east(metres))
            }
            let history = try await engine.engine.history(
                of: ana, from: Timestamp(milliseconds: 0), to: Timestamp(milliseconds: .max), limit: 10)
            #expect(history.map(\.place) == [valencia])
        }
    }

    @Test("Late, impossible, inaccurate, and null fixes do not change the live position")
    func rejectedFixes() async throws {
        try await withFriends { engine in
            _ = try await engine.send(ping(100, east(400)), at: later)
            var void = ping(110, try Coordinate(latitude: 0, longitude: 0), accuracy: nil)
            void.device = "other"
            for report in [
                ping(99, east(10)), ping(101, east(900_000)), ping(105, east(10), accuracy: 1000), void,
                ping(2000, east(20)), ping(100.001, east(450)),
            ] {
                _ = try await engine.send(report, at: later)
                #expect(place(engine) == east(400), "\(report)")
            }
            _ = try await engine.send(ping(110, east(450)), ping(105, east(410)), at: later)
            #expect(place(engine) == east(450), "whatever order a batch has")
        }
    }

    @Test("A stop keeps the live position, and a crash falls back to the last written one")
    func restart() async throws {
        try await withFriends { engine in
            let folder = engine.folder
            func afterCrash() async throws -> Coordinate? {
                let copy = folder.appendingPathExtension("copy")
                try FileManager.default.copyItem(at: folder, to: copy)
                defer { try? FileManager.default.removeItem(at: copy) }
                let other = try TestEngine(folder: copy)
                let found = place(other)
                try other.store.close()
                return found
            }
            _ = try await engine.send(ping(100, east(300)), at: later)
            #expect(try await afterCrash() == valencia)
            try await engine.engine.writePendingStays(dueAt: later + .seconds(599))
            #expect(try await afterCrash() == valencia)
            try await engine.engine.writePendingStays(dueAt: later + .seconds(600))
            #expect(try await afterCrash() == east(300))
            _ = try await engine.send(ping(110, east(350)), at: later)
            #expect(try await afterCrash() == east(300))
            let account = engine.canonicalDump
            let restarted = try await engine.restarted()
            #expect(difference(restarted.canonicalDump, account) == [])
            #expect(place(restarted) == east(350))
            _ = try await restarted.send(ping(300, east(2000)), at: later)
            try await restarted.engine.compact()
            #expect(try rows(restarted) == 0, "what is stored has overtaken it")
            try restarted.store.close()
        }
    }

    private func rows(_ engine: TestEngine) throws -> Int? {
        try engine.store.inspect { try Int.fetchOne($0, sql: "SELECT count(*) FROM live_positions") }
    }

    @Test("A throttled ping writes nothing") func throttledPing() async throws {
        try await withFriends { engine in
            try await engine.engine.compact()
            func changes() throws -> Int? {
                try engine.store.inspect { try Int.fetchOne($0, sql: "PRAGMA data_version") }
            }
            let before = try changes()
            _ = try await engine.send(ping(60, east(300)), at: later)
            _ = try await engine.send(ping(200, east(400)), at: later)
            #expect(try changes() == before, "so no commit waits for the disk")
            _ = try await engine.send(ping(400, east(1400)), at: later)
            #expect(try changes() != before)
        }
    }

    @Test("A zone or a pause hides the live position") func hiding() async throws {
        try await withFriends { engine in
            try await share(engine) { $0.zones = [PrivacyZone(id: id("home"), centre: east(1200), radius: 400)] }
            _ = try await engine.send(ping(30, east(450)), at: later)
            #expect(place(engine, for: .person(luis)) == east(450))
            _ = try await engine.send(ping(60, east(1200)), at: later)
            #expect(place(engine) == east(1200) && place(engine, for: .person(luis)) == valencia)
            _ = try await engine.send(ping(200, east(1250)), ping(230, east(2400)), at: later)
            #expect(place(engine) == east(2400))
            let seen = place(engine, for: .person(luis))
            #expect(seen != east(2400) && seen != east(1250), "she was stored in the zone")
            // A deleted zone still hides the fixes within it.
            try await share(engine, at: later) { _ in }
            #expect(place(engine, for: .person(luis)) == seen)
        }
        try await withFriends { engine in
            _ = try await engine.send(ping(30, east(450)), at: later)
            try await share(engine, at: later - .seconds(100)) { $0.pausedUntil = later - .seconds(50) }
            #expect(place(engine, for: .person(luis)) == nil, "until she is heard of again")
            _ = try await engine.send(ping(960, east(480)), at: later)
            #expect(place(engine, for: .person(luis)) == east(480))
        }
    }

    @Test("Erasure of a period removes its live position from memory and file") func erasure() async throws {
        let area = Region.box(try Box(west: -0.3735, south: 39, east: 1, north: 40))
        for (area, isGone) in [(nil, true), (area, false)] as [(Region?, Bool)] {
            try await withFriends { engine in
                _ = try await engine.send(ping(100, east(100)), at: later)
                try await engine.engine.writePendingStays(dueAt: nil)
                let times = morning + .seconds(50)..<morning + .seconds(150)
                _ = try await engine.engine.erase(of: ana, in: times, where: area, by: .service, received: later)
                #expect(place(engine) == (isGone ? valencia : east(100)))
                #expect(try rows(engine) == (isGone ? 0 : 1))
                let account = engine.canonicalDump
                let restarted = try await engine.restarted()
                #expect(difference(restarted.canonicalDump, account) == [])
                try restarted.store.close()
            }
        }
    }

    @Test("A person without a stored position has no live position") func noStoredPosition() async throws {
        try await withFriends { engine in
            _ = try await engine.send(ping(100, east(100)), at: later)
            try await engine.engine.writePendingStays(dueAt: nil)
            let times = morning..<morning + .seconds(50)
            _ = try await engine.engine.erase(of: ana, in: times, where: nil, by: .service, received: later)
            #expect(place(engine) == nil)
            #expect(try rows(engine) == 0)
        }
    }

    @Test("A fix that agrees with a suspect position is suspect too") func suspects() async throws {
        for isWritten in [false, true] {
            try await withFriends { engine in
                _ = try await engine.send(ping(200, east(60_000)), ping(260, east(60_300)), at: later)
                if isWritten { try await engine.engine.writePendingStays(dueAt: nil) }
                #expect(place(engine) == east(60_300))
                _ = try await engine.send(ping(321, east(1)), ping(322, east(2)), ping(323, east(3)), at: later)
                #expect(place(engine) == east(3))
                let account = engine.canonicalDump
                let restarted = try await engine.restarted()
                #expect(difference(restarted.canonicalDump, account) == [])
                try restarted.store.close()
            }
        }
    }

    @Test("A fix of a future time is dropped once the clock is right") func futureFix() async throws {
        try await withFriends { engine in
            _ = try await engine.send(ping(5000, east(100)), at: morning + .seconds(5000))
            #expect(place(engine) == east(100))
            _ = try await engine.send(ping(100, east(50)), at: later)
            #expect(place(engine) == valencia, "the clock was ahead")
            _ = try await engine.send(ping(400, east(1000)), ping(430, east(1100)), at: later)
            #expect(place(engine) == east(1100))
        }
    }
}
