import Discovery
import Foundation
import Geo
import Model
import Storage
import TestSupport
import Testing

/// One wrong position must not lock a person out.
@Suite struct SuspectTests {
    /// When the pings move from the log to the table.
    enum Folding: CaseIterable { case never, beforeTheMark, afterIt }

    @Test("Three positions that agree outweigh the one that they contradict", arguments: Folding.allCases)
    func majority(folding: Folding) async throws {
        try await withLive { live in
            try await live.add(person("ana"))
            #expect(try await live.send(ping(0, east(5_000_000))) == [.stored])
            if folding == .beforeTheMark { try await live.live.fold() }
            #expect(try await live.send(ping(200, valencia)) == [.impossibleSpeed])
            #expect(try await live.send(ping(260, east(5))) == [.impossibleSpeed])
            #expect(try await live.send(ping(270, east(50))) == [.stored])
            if folding == .afterIt { try await live.live.fold() }
            try await expectSecondThoughts(live)
            let restarted = try await live.restarted()
            try await expectSecondThoughts(restarted)
            #expect(try await restarted.send(ping(390, east(600))) == [.stored], "the suspect one is in nobody's way")
            try restarted.store.close()
        }
    }

    private func expectSecondThoughts(_ live: TestLive) async throws {
        #expect(try await position(live).place == east(50))
        let history = try await history(live)
        #expect(history.map(\.place) == [east(5_000_000), east(50)])
        #expect(history.map(\.isSuspect) == [true, false])
        #expect(try await live.send(ping(0, east(5_000_000))) == [.duplicate], "it is stored, though suspect")
    }

    @Test("A repeated position is not further evidence") func repeatedPosition() async throws {
        try await withLive { live in
            try await live.add(person("ana"))
            #expect(try await live.send(ping(0, east(5_000_000))) == [.stored])
            for _ in 0..<4 {
                #expect(
                    try await live.send(ping(200, valencia), ping(260, east(5))) == [
                        .impossibleSpeed, .impossibleSpeed,
                    ])
            }
            #expect(try await live.send(ping(261, east(5))) == [.stored])
        }
    }

    @Test("Positions that contradict each other are not evidence") func contradictions() async throws {
        try await withLive { live in
            try await live.add(person("ana"))
            #expect(try await live.send(ping(0, east(5_000_000))) == [.stored])
            for second in 200..<220 {
                let place = second.isMultiple(of: 2) ? valencia : east(2_000_000)
                #expect(try await live.send(ping(Double(second), place)) == [.impossibleSpeed])
            }
            #expect(try await position(live).place == east(5_000_000))
        }
    }

    @Test("A position stored in between resets the evidence") func interruptedRow() async throws {
        try await withLive { live in
            try await live.add(person("ana"))
            #expect(try await live.send(ping(0, east(5_000_000))) == [.stored])
            #expect(try await live.send(ping(200, valencia)) == [.impossibleSpeed])
            #expect(try await live.send(ping(201, valencia)) == [.impossibleSpeed])
            #expect(try await live.send(ping(-300, east(5_001_000))) == [.stored])
            #expect(
                try await live.send(ping(202, valencia), ping(203, valencia)) == [.impossibleSpeed, .impossibleSpeed])
            #expect(try await live.send(ping(204, valencia)) == [.stored])
        }
    }

    @Test("A person who never left is back at the previous position") func neverLeft() async throws {
        try await withLive { live in
            try await live.add(person("ana"), person("luis"))
            try await live.perform(MakeFriends(id("ana"), id("luis")))
            #expect(try await live.send(ping(0, east(1000), of: "luis")) == [.stored])
            #expect(try await live.send(ping(0, valencia), ping(200, east(60_000))) == [.stored, .stored])
            #expect(
                try await live.send(ping(321, east(1)), ping(322, east(2)), ping(323, east(3))) == [
                    .impossibleSpeed, .impossibleSpeed, .throttledByDistance,
                ])
            #expect(try await position(live).place == east(3))
            let page = try live.live.read { picture throws(Refusal) in
                try picture.nearestFriends(of: id("luis"), NearestQuery(limit: 1), by: .service, at: morning)
            }
            #expect(page.items.first?.position.place == east(3))
            #expect(try await history(live).map(\.isSuspect) == [false, true])
            #expect(try await live.send(ping(200, east(60_000))) == [.duplicate])
            #expect(try await live.send(ping(200, east(900), device: "tablet")) == [.stored], "at the same instant")
            #expect(try await history(live).map(\.place) == [valencia, east(60_000), east(900)])
            try await live.live.fold()
            #expect(try await history(live).map(\.sequence) == [0, 0, 1])
        }
    }

    @Test("Late positions outweigh the one after them") func latePositions() async throws {
        try await withLive { live in
            try await live.add(person("ana"))
            #expect(try await live.send(ping(10_000, east(5_000_000))) == [.stored])
            #expect(
                try await live.send(ping(9000, valencia), ping(9001, valencia), ping(9002, valencia)) == [
                    .impossibleSpeed, .impossibleSpeed, .stored,
                ])
            #expect(try await position(live).place == valencia, "the newest that is believed")
            #expect(try await live.send(ping(10_000, east(5_000_000))) == [.duplicate])
            #expect(try await live.send(ping(10_001, east(700))) == [.stored])
        }
    }

    @Test("A contradicted position that does not exist causes no failure") func missingPosition() async throws {
        try await withLive { live in
            try await live.add(person("ana"))
            #expect(try await live.send(ping(0, east(5_000_000))) == [.stored])
            try await live.live.fold()
            // The state in memory does not reflect this.
            let key = PingKey(time: morning, sequence: 0)
            try await live.store.commit(.pings(.erased(person: 0, [key], logRows: [], newest: nil)))
            #expect(
                try await live.send(ping(200, valencia), ping(260, east(5)), ping(270, east(50))) == [
                    .impossibleSpeed, .impossibleSpeed, .stored,
                ])
            #expect(try await position(live).place == east(50))
            let check = try DatabaseFile(live.folder.appending(path: Store.fileName)).integrity { _, _ in }
            #expect(check.faults == [])
        }
    }

    /// A copy of the files stands for what a killed process leaves on disk.
    @Test("A suspect mark and the position that caused it are durable together") func durability() async throws {
        try await withLive { live in
            try await live.add(person("ana"))
            _ = try await live.send(ping(0, east(5_000_000)), ping(200, valencia), ping(201, valencia))
            try await expectAfterCrash(live, suspects: [false])
            #expect(try await live.send(ping(202, valencia)) == [.stored])
            try await expectAfterCrash(live, suspects: [true, false])
            try await live.live.fold()
            try await expectAfterCrash(live, suspects: [true, false])
        }
    }

    private func expectAfterCrash(_ live: TestLive, suspects: [Bool]) async throws {
        let copy = live.folder.appendingPathExtension("copy")
        defer { try? FileManager.default.removeItem(at: copy) }
        try FileManager.default.copyItem(at: live.folder, to: copy)
        let again = try TestLive(folder: copy)
        #expect(try await history(again).map(\.isSuspect) == suspects)
        #expect(try await position(again) == position(live))
        try again.store.close()
    }

    private func position(_ live: TestLive) async throws -> Position {
        try live.live.read { picture throws(Refusal) in try picture.position(of: id("ana")) }
    }

    private func history(_ live: TestLive) async throws -> [StoredPing] {
        try await live.live.history(
            of: id("ana"), from: Timestamp(milliseconds: 0), to: Timestamp(milliseconds: .max), limit: 100)
    }
}

extension Store {
    /// Writes a change to the files only, not to the state in memory.
    fileprivate func commit(_ change: Change) async throws {
        let error = await withCheckedContinuation { continuation in
            let commits = GroupCommit<Change, Int>(
                store: self, bounds: .init(heaviest: 1, turn: { _ in 1 }), weight: { _ in 1 },
                perform: { change, transaction in try transaction.write(change) }, undo: {},
                settle: { _, error in continuation.resume(returning: error) })
            commits.submit([change], of: 0)
        }
        if let error { throw error }
    }
}
