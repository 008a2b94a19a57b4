import Discovery
import Foundation
import Geo
import Model
import Storage
import TestSupport
import Testing

/// Nothing sent to a follower depends on positions of hidden people.
@Suite struct HiddenMoveTests {
    private let ana: PersonID = id("ana")
    private let luis: PersonID = id("luis")
    /// Times within the hours of Ana's timetable, and after them.
    private let open = morning + .seconds(600)
    private let closed = morning + .seconds(9 * 3600)

    /// Runs the body with Ana, who shares exactly until 18:00, and the reader of her friend Luis, who has her position.
    private func withReader(_ body: (TestEngine, inout EventReader) async throws -> Void) async throws {
        try await withEngine { engine in
            try await engine.add(
                person("ana") { $0.sharing.timetable = ZonedHours(hours: "Fr 09:00-18:00", timezone: "UTC") },
                person("luis"))
            try await engine.perform(MakeFriends(ana, luis))
            _ = try await engine.send(ping(0, valencia), at: open)
            var reader = EventReader(for: .person(luis), EventFilter(), of: engine.engine)
            #expect(try await positions(&reader, engine, open) == [valencia])
            try await body(engine, &reader)
        }
    }

    private func positions(
        _ reader: inout EventReader, _ engine: TestEngine, _ now: Timestamp
    ) async throws -> [Coordinate?] {
        try await reader.next(from: engine.engine, at: now).events.filter { $0.type == .pingMoved }.map(
            \.position?.place)
    }

    private func move(_ engine: TestEngine, _ seconds: Double, at now: Timestamp) async throws {
        #expect(try await engine.send(ping(seconds, east(seconds)), at: now) == [.stored])
    }

    @Test(
        "A timetable that hides a person is reported by the clock, not with the next position",
        arguments: [true, false])
    func timetable(isMoving: Bool) async throws {
        try await withReader { engine, reader in
            if isMoving { try await move(engine, 32_400, at: closed) }
            #expect(try await positions(&reader, engine, closed) == [], "an event of a person who is shown nowhere")
            reader.lookAgain()
            #expect(try await positions(&reader, engine, closed) == [nil])
            if isMoving { try await move(engine, 33_000, at: closed + .seconds(600)) }
            reader.lookAgain()
            #expect(try await positions(&reader, engine, closed + .seconds(600)) == [])
        }
    }

    @Test("A link reports by the clock that a timetable hides its person", arguments: [true, false])
    func link(isMoving: Bool) async throws {
        try await withReader { engine, _ in
            let token = TokenHash(repeatElement(1, count: 32))
            let share = Share(id: id("s"), token: token, .exact, since: morning, until: morning + .seconds(86_400))
            try await engine.perform(OpenShare(share, of: ana))
            var reader = try #require(ShareReader(token, of: engine.engine, at: open))
            func shown(_ now: Timestamp) throws -> [Coordinate?] {
                guard case .shown(let view) = reader.next(from: engine.engine, at: now) else {
                    Issue.record("the link has ended")
                    return []
                }
                return view.map { [$0.position?.place] } ?? []
            }
            #expect(try shown(open) == [valencia])
            if isMoving { try await move(engine, 32_400, at: closed) }
            #expect(try shown(closed) == [])
            reader.lookAgain()
            #expect(try shown(closed) == [nil])
        }
    }

    @Test("A change to coarser or hidden sharing is reported at once", arguments: [Precision.approximate, .hidden])
    func choice(precision: Precision) async throws {
        try await withReader { engine, reader in
            try await engine.perform(
                PutPeople([Write(person("ana") { $0.sharing = Sharing(precision) })]), at: open + .seconds(5))
            let reported = try await positions(&reader, engine, open + .seconds(5))
            #expect(reported.count == 1 && reported.first != valencia)
        }
    }

    @Test("Positions of a former friend are not streamed") func formerFriend() async throws {
        try await withReader { engine, reader in
            try await engine.perform(Block(ana, luis), at: open)
            #expect(try await reader.next(from: engine.engine, at: open).events.map(\.type) == [.friendEnded])
            try await move(engine, 7200, at: open + .seconds(7200))
            #expect(try await positions(&reader, engine, open + .seconds(7200)) == [])
            reader.lookAgain()
            #expect(try await positions(&reader, engine, open + .seconds(7200)) == [nil])
        }
    }

    @Test("A viewer who hides is not sent a coarser position with the next move of a friend")
    func viewer() async throws {
        try await withReader { engine, reader in
            try await engine.perform(
                PutPeople([Write(person("luis") { $0.sharing = Sharing(.hidden) })]), at: open + .seconds(5))
            try await move(engine, 1200, at: open + .seconds(1200))
            #expect(try await positions(&reader, engine, open + .seconds(1200)) == [])
            reader.lookAgain()
            #expect(try await positions(&reader, engine, open + .seconds(1200)) == [nil])
        }
    }
}
