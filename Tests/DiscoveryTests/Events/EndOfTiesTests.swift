import Discovery
import Foundation
import Geo
import Model
import Storage
import TestSupport
import Testing

/// A deletion sends a friend, match, and group member the same events as a block.
@Suite struct EndOfTiesTests {
    private static let (ana, luis, eva): (PersonID, PersonID, PersonID) = (id("ana"), id("luis"), id("eva"))
    private static let team: GroupID = id("team")
    private static let day = morning + .seconds(86_400)

    private enum End { case block, deletion }

    struct Size: Sendable {
        var comments, friends: Int
    }

    /// Creates Ana and Luis, who are friends, a match, and members of Eva's group, and Ana's other data.
    private func fill(_ engine: TestEngine, _ size: Size) async throws {
        try await engine.add(person("ana"), person("luis"), person("eva"))
        // Friendships with people who were added later end first.
        let others: [PersonID] = (0..<size.friends).map { id("p\($0)") }
        try await engine.perform(PutPeople(others.map { Write(person($0.text)) }))
        try await engine.perform(Batch(([Self.luis, Self.eva] + others).map { MakeFriends(Self.ana, $0) }))
        try await engine.perform(MakeFriends(Self.luis, Self.eva))
        try await engine.perform(Decide(Self.ana, Self.luis, likes: true))
        try await engine.perform(Decide(Self.luis, Self.ana, likes: true))
        try await engine.perform(CreateGroup(Group(id: Self.team, name: "Team", owner: Self.eva)))
        for member in [Self.ana, Self.luis] {
            try await engine.perform(Invite(member, to: Self.team, by: Self.eva))
            try await engine.perform(AcceptInvitation(of: member, to: Self.team))
        }
        var own = Place(id: id("own"), kind: "recipe", name: "R")
        own.owner = Self.ana
        try await engine.perform(PutPlaces([Write(Place(id: id("sol"), kind: "spot", name: "Sol")), Write(own)]))
        try await engine.perform(SetFavourite(Self.ana, .places, id("sol")))
        let comments = (0..<size.comments).map { number in
            PostComment(id: id("c\(number)"), place: id("sol"), author: Self.ana, text: "Nice")
        }
        try await engine.perform(Batch(comments))
        _ = try await engine.send(ping(0, valencia))
    }

    /// Performs the block, or the next turn of the deletion.
    ///
    /// - Returns: whether it was the last turn.
    private func step(_ end: End, _ engine: TestEngine) async throws -> Bool {
        switch end {
        case .block:
            try await engine.perform(Block(Self.ana, Self.luis), by: .person(Self.ana), at: Self.day)
            return true
        case .deletion:
            let state = try await engine.engine.step(DeletePerson(Self.ana), by: .person(Self.ana), at: Self.day)
            return state == .done
        }
    }

    private func words(_ batch: EventReader.Batch) -> [String] {
        batch.events.map { event in
            let names = [event.person?.text, event.other?.text, event.subject?.text, event.product?.text]
            let reported = ([event.type.rawValue] + names.compactMap(\.self)).joined(separator: " ")
            return event.type == .pingMoved && event.position == nil ? "\(reported) nowhere" : reported
        }
    }

    /// Returns the events that Luis receives by stream, by a re-check, and by page, and the number of turns.
    private func reported(
        _ end: End, _ size: Size, _ types: Set<EventType>, looking: Bool = false
    ) async throws -> (words: [String], turns: Int) {
        try await withEngine { engine -> (words: [String], turns: Int) in
            try await fill(engine, size)
            var filter = EventFilter()
            filter.types = types
            let luis = Caller.person(Self.luis)
            var stream = EventReader(for: luis, filter, of: engine.engine)
            #expect(try await words(stream.next(from: engine.engine, at: Self.day)) == ["ping.moved ana"])
            var (reported, turns, isOver) = ([String](), 0, false)
            while !isOver {
                turns += 1
                isOver = try await step(end, engine)
                if looking { stream.lookAgain() }
                reported += try await words(stream.next(from: engine.engine, at: Self.day))
            }
            stream.lookAgain()
            reported.append("look")
            reported += try await words(stream.next(from: engine.engine, at: Self.day))
            reported.append("page")
            var reader = EventReader(for: luis, filter, after: 0, of: engine.engine)
            reported += try await words(reader.page(atMost: 1000, from: engine.engine, at: Self.day))
            return (reported, turns)
        }
    }

    /// Filters by type: the default types, all types, and positions only.
    private static let wanted: [Set<EventType>] = [[], Set(EventType.allCases), [.pingMoved]]

    @Test("A deletion sends the same events as a block, in the same order") func order() async throws {
        for types in Self.wanted {
            let expected = try await reported(.block, Size(comments: 1, friends: 0), types).words
            let isOfTies = types != [.pingMoved]
            let ends = isOfTies ? ["friend.ended ana luis", "match.undone ana luis"] : []
            let stream = expected.prefix { $0 != "page" }
            #expect(Array(stream) == ends + ["look", "ping.moved ana nowhere"])
            #expect(expected.contains("group.joined luis team") == isOfTies)
            #expect(!expected.contains { $0.hasPrefix("comment.") })
            let small = try await reported(.deletion, Size(comments: 1, friends: 0), types)
            #expect(small.turns == 1 && small.words == expected)
        }
    }

    @Test("A deletion of many turns sends no additional event, and none earlier", arguments: [false, true])
    func longDeletion(looking: Bool) async throws {
        for size in [Size(comments: 400, friends: 0), Size(comments: 400, friends: 200)] {
            for types in Self.wanted {
                let expected = try await reported(.block, size, types, looking: looking).words
                let large = try await reported(.deletion, size, types, looking: looking)
                #expect(large.turns > 3)
                #expect(large.words == expected, "\(size), \(types.count) types")
            }
        }
    }

    @Test("From the first turn of a deletion, the person's comments and membership are hidden")
    func lists() async throws {
        try await withEngine { engine in
            try await fill(engine, Size(comments: 400, friends: 0))
            func seen(_ caller: Caller) async throws -> [Int?] {
                let page = try await engine.engine.comments(
                    at: id("sol"), for: caller, before: nil, limit: 10, counting: true)
                let members = try engine.engine.read { state throws(Refusal) in
                    try state.members(of: Self.team, for: caller)
                }
                return [page.comments.count, page.count, members.count]
            }
            #expect(try await seen(.person(Self.luis)) == [10, 400, 3])
            #expect(try await step(.deletion, engine) == false)
            #expect(try await seen(.person(Self.luis)) == [0, 0, 2])
            #expect(try await seen(.service)[0] == 10)
        }
    }

    @Test("The heir of a deleted owner's group receives group.changed, other members do not") func heir() async throws {
        try await withEngine { engine in
            try await fill(engine, Size(comments: 1, friends: 0))
            var heir = EventReader(for: .person(Self.ana), EventFilter(), of: engine.engine)
            var other = EventReader(for: .person(Self.luis), EventFilter(), of: engine.engine)
            _ = try await heir.next(from: engine.engine, at: Self.day)
            _ = try await other.next(from: engine.engine, at: Self.day)
            try await engine.perform(DeletePerson(Self.eva), at: Self.day)
            let reported = try await words(heir.next(from: engine.engine, at: Self.day))
            #expect(reported == ["group.changed team", "friend.ended eva ana"])
            #expect(try await words(other.next(from: engine.engine, at: Self.day)) == ["friend.ended eva luis"])
        }
    }
}
