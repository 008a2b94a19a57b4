import Discovery
import Foundation
import GRDB
import Geo
import Model
import Storage
import TestSupport
import Testing

/// Events do not reveal other people's actions.
@Suite struct EventsOfOthersTests {
    private let ana: PersonID = id("ana")
    private let luis: PersonID = id("luis")

    private func withTwo(_ body: (TestEngine) async throws -> Void) async throws {
        try await withEngine(rules: .everywhereFine) { engine in
            for name in ["ana", "luis"] {
                try await engine.add(
                    person(name) {
                        $0.sharing = Sharing(.exact)
                        $0.sharing.alerts = .friends
                    })
            }
            try await body(engine)
        }
    }

    private func kept(_ engine: TestEngine, _ person: PersonID) async throws -> [EventView] {
        let number = try engine.engine.number(of: person)
        return try await engine.engine.keptEvents(of: number, after: 0, at: morning + .seconds(5000))
    }

    @Test("An export omits the events of a friend's proximity fence") func near() async throws {
        try await withTwo { engine in
            try await engine.perform(MakeFriends(ana, luis))
            var fence = Fence(id: id("near"), .person(luis, metres: 500), watching: .people([ana]))
            fence.owner = luis
            try await engine.perform(PutFence(Write(fence)), by: .person(luis))
            _ = try await engine.send(ping(0, valencia, of: "luis"), ping(0, east(3000)))
            _ = try await engine.send(ping(600, valencia))
            #expect(try await kept(engine, luis).map(\.type).contains(.nearEnter))
            #expect(try await !kept(engine, ana).map(\.type).contains(.nearEnter))
        }
    }

    @Test("An export has no event of the fences of a person who blocked its subject") func blocks() async throws {
        try await withTwo { engine in
            try await engine.perform(MakeFriends(ana, luis))
            var fence = Fence(id: id("home"), .circle(valencia, metres: 500), watching: .people([ana]))
            fence.owner = luis
            try await engine.perform(PutFence(Write(fence)), by: .person(luis))
            _ = try await engine.send(ping(0, east(3000)), ping(600, valencia))
            #expect(try await kept(engine, ana).map(\.type).contains(.fenceEnter))
            try await engine.perform(Block(luis, ana), at: morning + .seconds(1000))
            #expect(try await !kept(engine, ana).map(\.type).contains(.fenceEnter))
        }
    }

    @Test("An export has a person's entry into a friend's fence, without the friend's note") func notes() async throws {
        try await withTwo { engine in
            try await engine.perform(MakeFriends(ana, luis))
            for owner in [ana, luis] {
                var fence = Fence(id: id("f"), .circle(valencia, metres: 500), watching: .people([ana]))
                (fence.owner, fence.note) = (owner, "of \(owner)")
                try await engine.perform(PutFence(Write(fence)), by: .person(owner))
            }
            _ = try await engine.send(ping(0, valencia))
            let entered = try await kept(engine, ana).filter { $0.type == .fenceEnter }
            #expect(entered.map(\.note) == ["of ana", nil])
            try await engine.perform(Unfriend(ana, luis), at: morning + .seconds(10))
            #expect(try await !kept(engine, luis).map(\.type).contains(.fenceEnter), "no longer the friend's to know")
        }
    }

    @Test("A match ends alike by block and by deletion, and a deletion does not reveal an earlier block")
    func matches() async throws {
        for end in ["block", "delete", "block and delete"] {
            try await withTwo { engine in
                try await engine.perform(Decide(ana, luis, likes: true))
                try await engine.perform(Decide(luis, ana, likes: true))
                var filter = EventFilter()
                filter.types = [.matchMade, .matchUndone]
                var reader = EventReader(for: .person(luis), filter, of: engine.engine)
                if end != "delete" { try await engine.perform(Block(ana, luis)) }
                if end != "block" { try await engine.perform(DeletePerson(ana)) }
                let reported = try await reader.next(from: engine.engine, at: morning).events
                #expect(reported.map(\.type) == [.matchUndone], "\(end)")
            }
        }
    }

    @Test("A deletion of many turns does not reveal an earlier block") func longDeletion() async throws {
        try await withTwo { engine in
            try await engine.perform(Decide(ana, luis, likes: true))
            try await engine.perform(Decide(luis, ana, likes: true))
            try await engine.perform(Block(ana, luis))
            try await engine.perform(PutPeople((0..<600).map { Write(person("p\($0)")) }))
            try await engine.perform(Batch((0..<600).map { Befriend(id("p\($0)"), ana) }))
            var filter = EventFilter()
            filter.types = [.matchMade, .matchUndone]
            var reader = EventReader(for: .person(luis), filter, of: engine.engine)
            try await engine.perform(DeletePerson(ana))
            var reported: [EventView] = []
            for _ in 0..<5 { reported += try await reader.next(from: engine.engine, at: morning).events }
            #expect(reported.isEmpty)
        }
    }

    @Test("At most 200 changes of sharing per day are kept, and they reveal no more than was shared")
    func changes() async throws {
        try await withTwo { engine in
            for second in 0..<300 {
                let precision: Precision = second == 250 ? .hidden : second.isMultiple(of: 2) ? .city : .exact
                let person = person("ana") { $0.sharing = Sharing(precision) }
                try await engine.perform(PutPeople([Write(person)]), at: morning + .seconds(Int64(second)))
            }
            let rows = try engine.store.inspect { db in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT since_ms, ifnull(sharings.sharing, '') FROM sharings JOIN people ON number = person
                        WHERE id = 'ana' ORDER BY since_ms
                        """)
            }
            #expect(rows.count == 200)
            #expect((rows[198][1] as String).contains("hidden") && (rows[199][1] as String).contains("exact"))
        }
    }
}
