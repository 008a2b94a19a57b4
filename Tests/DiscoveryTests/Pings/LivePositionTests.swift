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
    private func withFriends(_ body: (TestLive) async throws -> Void) async throws {
        try await withLive { live in
            try await live.add(person("ana"), person("luis"))
            try await live.perform(MakeFriends(ana, luis))
            _ = try await live.send(ping(0, valencia), at: later)
            try await body(live)
        }
    }

    private func place(_ live: TestLive, for caller: Caller = .service) -> Coordinate? {
        try? live.live.read { try $0.position(of: ana, for: caller, at: later) }.place
    }

    private func share(_ live: TestLive, at time: Timestamp = morning, _ change: (inout Sharing) -> Void) async throws {
        var sharing = Sharing(.exact)
        change(&sharing)
        try await live.perform(PutPeople([Write(person("ana") { $0.sharing = sharing })]), at: time)
    }

    @Test("The newest fix is the live position even if the throttle does not store it")
    func throttledFix() async throws {
        try await withFriends { live in
            for (second, metres, verdict) in [
                (30.0, 300.0, Verdict.throttledByInterval), (60, 700, .throttledByInterval),
                (200, 480, .throttledByDistance),
            ] {
                #expect(try await live.send(ping(second, east(metres)), at: later) == [verdict])
                for caller in [Caller.service, .person(ana), .person(luis)] {
                    #expect(place(live, for: caller) == east(metres), "after \(second)")
                }
                let near = live.live.read { picture in
                    NearestPeople(to: valencia, NearestQuery(limit: 1)).whole(in: picture).page.items
                }
                #expect(near.first?.position.place == east(metres))
            }
            let history = try await live.live.history(
                of: ana, from: Timestamp(milliseconds: 0), to: Timestamp(milliseconds: .max), limit: 10)
            #expect(history.map(\.place) == [valencia])
        }
    }

    @Test("Late, impossible, inaccurate, and null fixes do not change the live position")
    func rejectedFixes() async throws {
        try await withFriends { live in
            _ = try await live.send(ping(100, east(400)), at: later)
            var void = ping(110, try Coordinate(latitude: 0, longitude: 0), accuracy: nil)
            void.device = "other"
            for report in [
                ping(99, east(10)), ping(101, east(900_000)), ping(105, east(10), accuracy: 1000), void,
                ping(2000, east(20)), ping(100.001, east(450)),
            ] {
                _ = try await live.send(report, at: later)
                #expect(place(live) == east(400), "\(report)")
            }
            _ = try await live.send(ping(110, east(450)), ping(105, east(410)), at: later)
            #expect(place(live) == east(450), "whatever order a batch has")
        }
    }

    @Test("A stop keeps the live position, and a crash falls back to the last written one")
    func restart() async throws {
        try await withFriends { live in
            let folder = live.folder
            func afterCrash() async throws -> Coordinate? {
                let copy = folder.appendingPathExtension("copy")
                try FileManager.default.copyItem(at: folder, to: copy)
                defer { try? FileManager.default.removeItem(at: copy) }
                let other = try TestLive(folder: copy)
                let found = place(other)
                try other.store.close()
                return found
            }
            _ = try await live.send(ping(100, east(300)), at: later)
            #expect(try await afterCrash() == valencia)
            try await live.live.keepSightings(dueAt: later + .seconds(599))
            #expect(try await afterCrash() == valencia)
            try await live.live.keepSightings(dueAt: later + .seconds(600))
            #expect(try await afterCrash() == east(300))
            _ = try await live.send(ping(110, east(350)), at: later)
            #expect(try await afterCrash() == east(300))
            let account = live.account
            let restarted = try await live.restarted()
            #expect(difference(restarted.account, account) == [])
            #expect(place(restarted) == east(350))
            _ = try await restarted.send(ping(300, east(2000)), at: later)
            try await restarted.live.fold()
            #expect(try rows(restarted) == 0, "what is stored has overtaken it")
            try restarted.store.close()
        }
    }

    private func rows(_ live: TestLive) throws -> Int? {
        try live.store.inspect { try Int.fetchOne($0, sql: "SELECT count(*) FROM live_positions") }
    }

    @Test("A throttled ping writes nothing") func throttledPing() async throws {
        try await withFriends { live in
            try await live.live.fold()
            func changes() throws -> Int? {
                try live.store.inspect { try Int.fetchOne($0, sql: "PRAGMA data_version") }
            }
            let before = try changes()
            _ = try await live.send(ping(60, east(300)), at: later)
            _ = try await live.send(ping(200, east(400)), at: later)
            #expect(try changes() == before, "so no commit waits for the disk")
            _ = try await live.send(ping(400, east(1400)), at: later)
            #expect(try changes() != before)
        }
    }

    @Test("A zone or a pause hides the live position") func hiding() async throws {
        try await withFriends { live in
            try await share(live) { $0.zones = [PrivacyZone(id: id("home"), centre: east(1200), radius: 400)] }
            _ = try await live.send(ping(30, east(450)), at: later)
            #expect(place(live, for: .person(luis)) == east(450))
            _ = try await live.send(ping(60, east(1200)), at: later)
            #expect(place(live) == east(1200) && place(live, for: .person(luis)) == valencia)
            _ = try await live.send(ping(200, east(1250)), ping(230, east(2400)), at: later)
            #expect(place(live) == east(2400))
            let seen = place(live, for: .person(luis))
            #expect(seen != east(2400) && seen != east(1250), "she was stored in the zone")
            // A deleted zone still hides the fixes within it.
            try await share(live, at: later) { _ in }
            #expect(place(live, for: .person(luis)) == seen)
        }
        try await withFriends { live in
            _ = try await live.send(ping(30, east(450)), at: later)
            try await share(live, at: later - .seconds(100)) { $0.pausedUntil = later - .seconds(50) }
            #expect(place(live, for: .person(luis)) == nil, "until she is heard of again")
            _ = try await live.send(ping(960, east(480)), at: later)
            #expect(place(live, for: .person(luis)) == east(480))
        }
    }

    @Test("Erasure of a period removes its live position from memory and file") func erasure() async throws {
        let area = Region.box(try Box(west: -0.3735, south: 39, east: 1, north: 40))
        for (area, isGone) in [(nil, true), (area, false)] as [(Region?, Bool)] {
            try await withFriends { live in
                _ = try await live.send(ping(100, east(100)), at: later)
                try await live.live.keepSightings(dueAt: nil)
                let times = morning + .seconds(50)..<morning + .seconds(150)
                _ = try await live.live.erase(of: ana, in: times, where: area, by: .service, received: later)
                #expect(place(live) == (isGone ? valencia : east(100)))
                #expect(try rows(live) == (isGone ? 0 : 1))
                let account = live.account
                let restarted = try await live.restarted()
                #expect(difference(restarted.account, account) == [])
                try restarted.store.close()
            }
        }
    }

    @Test("A person without a stored position has no live position") func noStoredPosition() async throws {
        try await withFriends { live in
            _ = try await live.send(ping(100, east(100)), at: later)
            try await live.live.keepSightings(dueAt: nil)
            let times = morning..<morning + .seconds(50)
            _ = try await live.live.erase(of: ana, in: times, where: nil, by: .service, received: later)
            #expect(place(live) == nil)
            #expect(try rows(live) == 0)
        }
    }

    @Test("A fix that agrees with a suspect position is suspect too") func suspects() async throws {
        for isWritten in [false, true] {
            try await withFriends { live in
                _ = try await live.send(ping(200, east(60_000)), ping(260, east(60_300)), at: later)
                if isWritten { try await live.live.keepSightings(dueAt: nil) }
                #expect(place(live) == east(60_300))
                _ = try await live.send(ping(321, east(1)), ping(322, east(2)), ping(323, east(3)), at: later)
                #expect(place(live) == east(3))
                let account = live.account
                let restarted = try await live.restarted()
                #expect(difference(restarted.account, account) == [])
                try restarted.store.close()
            }
        }
    }

    @Test("A fix of a future time is dropped once the clock is right") func futureFix() async throws {
        try await withFriends { live in
            _ = try await live.send(ping(5000, east(100)), at: morning + .seconds(5000))
            #expect(place(live) == east(100))
            _ = try await live.send(ping(100, east(50)), at: later)
            #expect(place(live) == valencia, "the clock was ahead")
            _ = try await live.send(ping(400, east(1000)), ping(430, east(1100)), at: later)
            #expect(place(live) == east(1100))
        }
    }
}
