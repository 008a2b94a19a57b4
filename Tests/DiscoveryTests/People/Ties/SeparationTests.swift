import Discovery
import Foundation
import GRDB
import Model
import Storage
import TestSupport
import Testing

/// Separation of people by blocks, age, ownership, and deletion, and the capacity of the service.
@Suite struct SeparationTests {
    private func refusal(_ engine: TestEngine, _ action: any Action) async throws -> Refusal? {
        do { try await engine.perform(action) } catch let refusal as Refusal { return refusal }
        return nil
    }

    @Test("A blocker does not exist for the blocked person") func blocker() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            try await engine.perform(Decide(id("luis"), id("ana"), likes: true))
            try await engine.perform(Block(id("ana"), id("luis")))
            let actions: [(PersonID, PersonID) -> any Action] = [
                { Befriend($0, $1) }, { Unfriend($0, $1) }, { Block($0, $1) }, { Unblock($0, $1) },
                { Decide($0, $1, likes: true) }, { Decide($0, $1, likes: nil) },
            ]
            for action in actions {
                #expect(try await refusal(engine, action(id("luis"), id("ana"))) == .unknown(.person, id("ana")))
                #expect(try await refusal(engine, action(id("luis"), id("ghost"))) == .unknown(.person, id("ghost")))
            }
        }
    }

    @Test("A block can be removed by its owner only") func unblock() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            try await engine.perform(Block(id("ana"), id("luis")))
            #expect(try await refusal(engine, Unblock(id("ana"), id("luis"))) == nil)
            try await engine.perform(Block(id("luis"), id("ana")))
            #expect(try await refusal(engine, Unblock(id("ana"), id("luis"))) == .unknown(.person, id("luis")))
        }
    }

    @Test("An import makes no friends of blocked people") func blockedImport() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"), person("eva"))
            try await engine.perform(Block(id("ana"), id("luis")))
            let pairs: [(PersonID, PersonID)] = [(id("luis"), id("ana")), (id("luis"), id("eva"))]
            let results = try await engine.perform(Batch(pairs.map { MakeFriends($0, $1) }))
            #expect(throws: Refusal.separated) { try results[0].get() }
            #expect(throws: Never.self) { try results[1].get() }
        }
    }

    @Test("Only discoverable adults can be liked") func likedAdults() async throws {
        try await withEngine { engine in
            try await engine.add(
                person("ana"), person("kid") { $0.born = CalendarDate(year: 2015, month: 1, day: 1) },
                person("ageless") { $0.born = nil }, person("shy") { $0.isDiscoverable = false })
            for name in ["kid", "ageless", "shy"] {
                #expect(
                    try await refusal(engine, Decide(id("ana"), id(name), likes: true)) == .unknown(.person, id(name)))
            }
            #expect(try await refusal(engine, Decide(id("kid"), id("ana"), likes: true)) == .notAdult(id("kid")))
            #expect(try await refusal(engine, Decide(id("shy"), id("ana"), likes: true)) == nil)
        }
    }

    @Test("Hints are returned to the person only") func ownHint() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("eve"))
            _ = try await engine.send(ping(0, valencia))
            let recorded = try await engine.hinted(ping(600, east(600)), by: .person(id("eve")))
            #expect(recorded.verdicts == [.unknownPerson] && recorded.hints.isEmpty)
        }
    }

    @Test("Places of a deleted person do not become places that no person owns") func places() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            var shop = Place(id: id("shop"), kind: "store", name: "Shop")
            shop.owner = id("ana")
            try await engine.perform(PutPlaces([Write(shop)]))
            try await engine.perform(DeletePerson(id("ana")))
            func owner(_ engine: TestEngine) throws -> PersonID? {
                try engine.engine.read { state throws(Refusal) in try state.place(id("shop")).value.owner }
            }
            #expect(try owner(engine) == PersonID.deleted)
            let restarted = try await engine.restarted()
            #expect(try owner(restarted) == PersonID.deleted)
            try restarted.store.close()
        }
    }

    /// Nothing is left of the friendship, such as its start, before and after a restart.
    @Test("A deleted person leaves nothing with friends") func deletedFriend() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"), person("eva"), person("zoe"))
            for (one, other) in [("ana", "luis"), ("eva", "ana"), ("luis", "eva"), ("zoe", "ana")] {
                try await engine.perform(MakeFriends(id(one), id(other)))
            }
            try await engine.perform(DeletePerson(id("ana")))
            let account = engine.canonicalDump
            #expect(newFriends(in: account) == 0, "the deleted person is no friend")
            let restarted = try await engine.restarted()
            #expect(difference(restarted.canonicalDump, account) == [])
            try await restarted.perform(Unfriend(id("luis"), id("eva")))
            #expect(newFriends(in: restarted.canonicalDump) == 0, "no start of a friendship without a friend")
            try restarted.store.close()
        }
    }

    /// The number of people with the start of a friendship that ended.
    private func newFriends(in account: [String]) -> Int {
        account.count { $0.contains("newFriends: [") && !$0.contains("newFriends: []") }
    }

    @Test("A command beyond the capacity of the log is refused and has no effect") func fullLog() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            _ = try await engine.send(ping(0, valencia))
            var capacity = Engine.Capacity()
            capacity.log = 0
            let full = try Engine(store: engine.store, gazetteer: gazetteer, rules: engine.rules, capacity: capacity)
            let (report, later) = (Record([ping(600, east(600))]), morning + .seconds(86_400))
            await #expect(throws: StorageError.overloaded) {
                try await full.perform(report, by: .service, at: later)
            }
            try await engine.engine.compact()
            await #expect(throws: Never.self) { try await full.perform(report, by: .service, at: later) }
        }
    }

    @Test("Commands beyond the capacity of the queue are refused") func fullQueue() async throws {
        try await withEngine { engine in
            var capacity = Engine.Capacity()
            capacity.queue = 0
            let full = try Engine(store: engine.store, gazetteer: gazetteer, rules: engine.rules, capacity: capacity)
            // Nothing is committed while another program writes.
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(
                path: engine.folder.appending(path: Store.fileName).path, configuration: configuration)
            try await other.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
            let refused = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let one = PutPerson(Write(person("p\(number)")))
                        do {
                            try await full.perform(one, by: .service, at: morning)
                        } catch StorageError.overloaded { return true }
                        return false
                    }
                }
                var refused = 0
                for try await isRefused in group where isRefused {
                    refused += 1
                    if refused == 80 { try await other.writeWithoutTransaction { db in try db.execute(sql: "COMMIT") } }
                }
                return refused
            }
            #expect((80..<100).contains(refused))
            #expect(full.read { $0.counts.people } == 100 - refused)
        }
    }
}
