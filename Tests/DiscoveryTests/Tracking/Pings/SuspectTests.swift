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
        try await withEngine { engine in
            try await engine.add(person("ana"))
            #expect(try await engine.send(ping(0, east(5_000_000))) == [.stored])
            if folding == .beforeTheMark { try await engine.engine.compact() }
            #expect(try await engine.send(ping(200, valencia)) == [.impossibleSpeed])
            #expect(try await engine.send(ping(260, east(5))) == [.impossibleSpeed])
            #expect(try await engine.send(ping(270, east(50))) == [.stored])
            if folding == .afterIt { try await engine.engine.compact() }
            try await expectSecondThoughts(engine)
            let restarted = try await engine.restarted()
            try await expectSecondThoughts(restarted)
            #expect(try await restarted.send(ping(390, east(600))) == [.stored], "the suspect one is in nobody's way")
            try restarted.store.close()
        }
    }

    private func expectSecondThoughts(_ engine: TestEngine) async throws {
        #expect(try await position(engine).place == east(50))
        let history = try await history(engine)
        #expect(history.map(\.place) == [east(5_000_000), east(50)])
        #expect(history.map(\.isSuspect) == [true, false])
        #expect(try await engine.send(ping(0, east(5_000_000))) == [.duplicate], "it is stored, though suspect")
    }

    @Test("A repeated position is not further evidence") func repeatedPosition() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            #expect(try await engine.send(ping(0, east(5_000_000))) == [.stored])
            for _ in 0..<4 {
                #expect(
                    try await engine.send(ping(200, valencia), ping(260, east(5))) == [
                        .impossibleSpeed, .impossibleSpeed,
                    ])
            }
            #expect(try await engine.send(ping(261, east(5))) == [.stored])
        }
    }

    @Test("Positions that contradict each other are not evidence") func contradictions() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            #expect(try await engine.send(ping(0, east(5_000_000))) == [.stored])
            for second in 200..<220 {
                let place = second.isMultiple(of: 2) ? valencia : east(2_000_000)
                #expect(try await engine.send(ping(Double(second), place)) == [.impossibleSpeed])
            }
            #expect(try await position(engine).place == east(5_000_000))
        }
    }

    @Test("A position stored in between resets the evidence") func interruptedRow() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            #expect(try await engine.send(ping(0, east(5_000_000))) == [.stored])
            #expect(try await engine.send(ping(200, valencia)) == [.impossibleSpeed])
            #expect(try await engine.send(ping(201, valencia)) == [.impossibleSpeed])
            #expect(try await engine.send(ping(-300, east(5_001_000))) == [.stored])
            #expect(
                try await engine.send(ping(202, valencia), ping(203, valencia)) == [.impossibleSpeed, .impossibleSpeed])
            #expect(try await engine.send(ping(204, valencia)) == [.stored])
        }
    }

    @Test("A person who never left is back at the previous position") func neverLeft() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            try await engine.perform(MakeFriends(id("ana"), id("luis")))
            #expect(try await engine.send(ping(0, east(1000), of: "luis")) == [.stored])
            #expect(try await engine.send(ping(0, valencia), ping(200, east(60_000))) == [.stored, .stored])
            #expect(
                try await engine.send(ping(321, east(1)), ping(322, east(2)), ping(323, east(3))) == [
                    .impossibleSpeed, .impossibleSpeed, .throttledByDistance,
                ])
            #expect(try await position(engine).place == east(3))
            let page = try engine.engine.read { state throws(Refusal) in
                try state.nearestFriends(of: id("luis"), NearestQuery(limit: 1), by: .service, at: morning)
            }
            #expect(page.items.first?.position.place == east(3))
            #expect(try await history(engine).map(\.isSuspect) == [false, true])
            #expect(try await engine.send(ping(200, east(60_000))) == [.duplicate])
            #expect(try await engine.send(ping(200, east(900), device: "tablet")) == [.stored], "at the same instant")
            #expect(try await history(engine).map(\.place) == [valencia, east(60_000), east(900)])
            try await engine.engine.compact()
            #expect(try await history(engine).map(\.sequence) == [0, 0, 1])
        }
    }

    @Test("Late positions outweigh the one after them") func latePositions() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            #expect(try await engine.send(ping(10_000, east(5_000_000))) == [.stored])
            #expect(
                try await engine.send(ping(9000, valencia), ping(9001, valencia), ping(9002, valencia)) == [
                    .impossibleSpeed, .impossibleSpeed, .stored,
                ])
            #expect(try await position(engine).place == valencia, "the newest that is believed")
            #expect(try await engine.send(ping(10_000, east(5_000_000))) == [.duplicate])
            #expect(try await engine.send(ping(10_001, east(700))) == [.stored])
        }
    }

    @Test("A contradicted position that does not exist causes no failure") func missingPosition() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            #expect(try await engine.send(ping(0, east(5_000_000))) == [.stored])
            try await engine.engine.compact()
            // The state in memory does not reflect this.
            let key = PingKey(time: morning, sequence: 0)
            try await engine.store.commit(.pings(.erased(person: 0, [key], logRows: [], newest: nil)))
            #expect(
                try await engine.send(ping(200, valencia), ping(260, east(5)), ping(270, east(50))) == [
                    .impossibleSpeed, .impossibleSpeed, .stored,
                ])
            #expect(try await position(engine).place == east(50))
            let check = try DatabaseFile(engine.folder.appending(path: Store.fileName)).integrity { _, _ in }
            #expect(check.faults == [])
        }
    }

    /// A copy of the files stands for what a killed process leaves on disk.
    @Test("A suspect mark and the position that caused it are durable together") func durability() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            _ = try await engine.send(ping(0, east(5_000_000)), ping(200, valencia), ping(201, valencia))
            try await expectAfterCrash(engine, suspects: [false])
            #expect(try await engine.send(ping(202, valencia)) == [.stored])
            try await expectAfterCrash(engine, suspects: [true, false])
            try await engine.engine.compact()
            try await expectAfterCrash(engine, suspects: [true, false])
        }
    }

    private func expectAfterCrash(_ engine: TestEngine, suspects: [Bool]) async throws {
        let copy = engine.folder.appendingPathExtension("copy")
        defer { try? FileManager.default.removeItem(at: copy) }
        try FileManager.default.copyItem(at: engine.folder, to: copy)
        let again = try TestEngine(folder: copy)
        #expect(try await history(again).map(\.isSuspect) == suspects)
        #expect(try await position(again) == position(engine))
        try again.store.close()
    }

    private func position(_ engine: TestEngine) async throws -> Position {
        try engine.engine.read { state throws(Refusal) in try state.position(of: id("ana")) }
    }

    private func history(_ engine: TestEngine) async throws -> [StoredPing] {
        try await engine.engine.history(
            of: id("ana"), from: Timestamp(milliseconds: 0), to: Timestamp(milliseconds: .max), limit: 100)
    }
}

extension Store {
    /// Writes a change to the files only, not to the state in memory.
    fileprivate func commit(_ change: Change) async throws {
        let error = await withCheckedContinuation { continuation in
            let commits = GroupCommit<Change, Int>(
                store: self, bounds: .init(maxWeight: 1, turn: { _ in 1 }), weight: { _ in 1 },
                perform: { change, transaction in try transaction.write(change) }, rollback: {},
                complete: { _, error in continuation.resume(returning: error) })
            commits.submit([change], of: 0)
        }
        if let error { throw error }
    }
}
