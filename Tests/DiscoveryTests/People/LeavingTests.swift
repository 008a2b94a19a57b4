import Discovery
import Foundation
import GRDB
import Geo
import Model
import Storage
import TestSupport
import Testing

/// No write about a person is accepted during their deletion and then deleted with them.
@Suite struct LeavingTests {
    private static let later = morning + .seconds(10_000_000)

    @Test("A person is unknown during their deletion, and their ID is free only afterwards")
    func duringDeletion() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana") { $0.surname = "Old" }, person("luis"))
            let reports = (0..<3000).map { ping(Double($0 * 130), east(Double($0 % 2) * 20_000)) }
            try await engine.perform(Record(reports), at: Self.later)
            try await engine.engine.compact()
            let revision = try revision(engine)
            async let deletion = engine.perform(
                DeletePerson(id("ana"), if: .isRevision([revision])), by: .person(id("ana")), at: Self.later)
            while surname(engine) == "Old" { await Task.yield() }
            var written: Written?
            while written == nil {
                await #expect(throws: Refusal.unknown(.person, id("ana"))) {
                    try await engine.perform(Befriend(id("luis"), id("ana")))
                }
                #expect(try await engine.send(ping(0, valencia), at: Self.later) == [.unknownPerson])
                let ana = Write(person("ana") { $0.surname = "New" })
                var shop = Place(id: id("shop"), kind: "store", name: "Shop")
                shop.owner = id("ana")
                let places = try await results(PutPlaces([Write(shop)]), engine)
                let people = try await results(PutPeople([ana]), engine)
                for case .failure(let refusal) in places + people { #expect(refusal == .beingDeleted(id("ana"))) }
                written = try? people.first?.get()
            }
            _ = try await deletion
            #expect(written?.isNew == true)
            #expect(surname(engine) == "New")
            let always = Timestamp(milliseconds: 0)..<Timestamp(milliseconds: .max)
            let history = try await engine.engine.history(
                of: id("ana"), from: always.lowerBound, to: always.upperBound, limit: 9)
            #expect(history.isEmpty)
            let account = engine.canonicalDump
            let restarted = try await engine.restarted()
            #expect(difference(restarted.canonicalDump, account) == [])
            try restarted.store.close()
        }
    }

    /// Two deletions of a person wait for each other, and a condition that held at first holds.
    @Test("A repeated request continues a deletion, whatever the revision") func repeatedRequest() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana") { $0.surname = "Old" })
            let reports = (0..<3000).map { ping(Double($0 * 130), east(Double($0 % 2) * 20_000)) }
            try await engine.perform(Record(reports), at: Self.later)
            try await engine.engine.compact()
            let deletion = DeletePerson(id("ana"), if: .isRevision([try revision(engine)]))
            async let first = engine.perform(deletion, by: .person(id("ana")), at: Self.later)
            while surname(engine) == "Old" { await Task.yield() }
            do {
                try await engine.perform(deletion, by: .person(id("ana")), at: Self.later)
            } catch Refusal.unknown {}  // the first was quicker
            _ = try await first
            #expect(!engine.canonicalDump.contains { $0.contains("ana") })
        }
    }

    /// A copy of the files stands for what a killed process leaves on disk.
    @Test("An interrupted deletion continues by itself after the next start") func interruption() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana") { $0.surname = "Old" }, person("luis"))
            try await remember(3000, engine)
            #expect(try await isBegun(engine))
            let copy = engine.folder.appendingPathExtension("copy")
            defer { try? FileManager.default.removeItem(at: copy) }
            try FileManager.default.copyItem(at: engine.folder, to: copy)
            let again = try TestEngine(folder: copy)
            let ana = PutPeople([Write(person("ana") { $0.surname = "New" })])
            for case .success in try await results(ana, again) { Issue.record("the id is still hers") }
            #expect(try await again.send(ping(0, valencia), at: Self.later) == [.unknownPerson])
            #expect(try await exported(again) == ["luis"])
            while try await again.engine.finishDeletion(at: Self.later) {}
            #expect(!again.canonicalDump.contains { $0.contains("ana") })
            #expect(try await results(ana, again).map { try $0.get().isNew } == [true])
            let left = try again.store.inspect { db in
                try ["pings", "leaving"].map { try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") }
            }
            #expect(left == [0, 0])
            #expect(try await exported(again).sorted() == ["ana", "luis"])
            try again.store.close()
        }
    }

    /// The newest position goes with the person, and the row of sharing counts, which changes when the deletion begins.
    @Test("A turn deletes a thousand rows", arguments: [(999, 1), (1000, 2), (1998, 2), (1999, 3)])
    func rowsPerTurn(positions: Int, turns: Int) async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            try await remember(positions, engine)
            var count = 1
            while try await isBegun(engine) { count += 1 }
            #expect(count == turns)
        }
    }

    /// Stores `count` positions of Ana in the table.
    private func remember(_ count: Int, _ engine: TestEngine) async throws {
        let reports = (0..<count).map { ping(Double($0 * 130), east(Double($0 % 2) * 20_000)) }
        try await engine.perform(Record(reports), at: Self.later)
        try await engine.engine.compact()
    }

    /// Performs the next turn of her deletion and returns whether there is more to do.
    private func isBegun(_ engine: TestEngine) async throws -> Bool {
        try await engine.engine.step(DeletePerson(id("ana")), by: .service, at: Self.later) == .begun
    }

    private func exported(_ engine: TestEngine) async throws -> [String] {
        var walk = engine.store.people()
        var names: [String] = []
        while let page = try await walk.next() { names += page.map(\.id.text) }
        return names
    }

    private func surname(_ engine: TestEngine) -> String? {
        let view = engine.engine.read { try? $0.person(id("ana"), for: .service) }
        return if case .whole(let record) = view { record.value.surname } else { nil }
    }

    private func revision(_ engine: TestEngine) throws -> Int64 {
        let view = try engine.engine.read { state throws(Refusal) in try state.person(id("ana"), for: .service) }
        let revision: Int64? = if case .whole(let record) = view { record.revision } else { nil }
        return try #require(revision)
    }

    private func results<A: Action>(_ action: A, _ engine: TestEngine) async throws -> A.Outcome {
        try await engine.perform(action, at: Self.later)
    }
}
