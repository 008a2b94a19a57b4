import Discovery
import Foundation
import GRDB
import Geo
import Model
import Storage
import TestSupport
import Testing

/// Deletion of a person with many decisions takes short turns, none of which repeats work of another.
@Suite struct DecisionDeletionTests {
    /// The cost of a deletion.
    private struct Cost {
        var turns: Int
        /// Work units of the longest turn, and of all turns.
        var longest, all: Int
        /// Number of reported ends of matches.
        var matches: Int
    }

    /// Creates Ana with favorites and decisions about `count` people, a tenth of whom are matches.
    private func fill(_ engine: TestEngine, _ count: Int) async throws {
        try await engine.add(person("ana"))
        let others: [PersonID] = (0..<count).map { id("p\($0)") }
        try await engine.perform(PutPeople(others.map { Write(person($0.text)) }))
        let decisions = others.indices.map { number in
            Decide(id("ana"), others[number], likes: !number.isMultiple(of: 4))
        }
        try await engine.perform(Batch(decisions))
        let likedBack = stride(from: 1, to: count, by: 10).map { Decide(others[$0], id("ana"), likes: true) }
        try await engine.perform(Batch(likedBack))
        try await engine.perform(Batch(others.prefix(500).map { SetFavourite(id("ana"), .people, $0.any) }))
    }

    private func deleteInTurns(_ engine: TestEngine) async throws -> Int {
        var turns = 1
        while try await engine.engine.step(DeletePerson(id("ana")), by: .service, at: morning) == .begun { turns += 1 }
        return turns
    }

    private func cost(ofDecisions count: Int) async throws -> Cost {
        let monitor = WorkMonitor()
        return try await withEngine(monitor: monitor) { engine -> Cost in
            try await fill(engine, count)
            var filter = EventFilter()
            filter.types = [.matchUndone]
            var reader = EventReader(for: .service, filter, of: engine.engine)
            monitor.reset()
            let tally = WorkCounter()
            let turns = try await WorkCounter.$current.withValue(tally) { try await deleteInTurns(engine) }
            let longest = monitor.longest(.turn)
            let reported = try await reader.next(from: engine.engine, at: morning).events
            #expect(!engine.canonicalDump.contains { $0.contains("ana") })
            return Cost(turns: turns, longest: longest, all: tally.total, matches: reported.count)
        }
    }

    @Test("A deletion with many decisions takes short turns, and handles each decision once")
    func shortTurns() async throws {
        let (few, many) = (try await cost(ofDecisions: 1000), try await cost(ofDecisions: 3000))
        #expect(few.matches == 100 && many.matches == 300)
        #expect(many.longest <= WorkBudget.stepsPerTurn)
        // A turn removes some hundred decisions, each of them once.
        #expect((few.turns + 1...few.turns + 4).contains(many.turns), "\(few.turns) and \(many.turns) turns")
        #expect(few.all > 0 && many.all - few.all < 100 * 2000, "\(few.all) and \(many.all) steps")
    }

    @Test("A stop during a deletion loses nothing and restores nothing") func interruption() async throws {
        try await withFolder { folder in
            let engine = try TestEngine(folder: folder)
            try await fill(engine, 1000)
            #expect(try await engine.engine.step(DeletePerson(id("ana")), by: .service, at: morning) == .begun)
            let account = engine.canonicalDump
            let again = try await engine.restarted()
            #expect(difference(again.canonicalDump, account) == [])
            while try await again.engine.finishDeletion(at: morning) {}
            #expect(!again.canonicalDump.contains { $0.contains("ana") })
            let left = try again.store.inspect { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM decisions") }
            #expect(left == 0)
            try again.store.close()
        }
    }

    @Test("The rest of a deletion does not affect a new person with the same ID") func sameID() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            let state = try await DeletePerson(id("ana")).finish(.begun) { rest in
                try await engine.engine.step(rest, by: .service, at: morning)
            }
            #expect(state == .done)
            #expect(engine.canonicalDump.contains { $0.contains("ana") })
        }
    }
}
