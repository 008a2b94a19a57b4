import Discovery
import Foundation
import Geo
import Model
import Storage
import TestSupport
import Testing

/// Reads of kept events return the reader's events only, at a cost that does not depend on others.
@Suite struct KeptEventTests {
    private let luis: PersonID = id("luis")

    /// The events of a read, and the work units that it took.
    private struct Reading: Hashable {
        var events: [String]
        var steps: Int
    }

    private func words(_ events: [EventView]) -> [String] {
        events.map { event in
            let names = [event.person?.text, event.other?.text, event.subject?.text]
            return ([event.type.rawValue] + names.compactMap(\.self)).joined(separator: " ")
        }
    }

    private func counting(_ body: () async throws -> [String]) async throws -> Reading {
        let counter = WorkCounter()
        let words = try await WorkCounter.$current.withValue(counter) { try await body() }
        return Reading(events: words, steps: counter.total)
    }

    /// Reads all kept events of Luis page by page.
    private func pages(_ engine: TestEngine, _ filter: EventFilter) async throws -> Reading {
        try await counting {
            var reader = EventReader(for: .person(luis), filter, after: 0, of: engine.engine)
            var reported: [String] = []
            while true {
                let page = try await reader.page(atMost: 7, from: engine.engine, at: morning)
                guard !page.events.isEmpty else { return reported }
                reported += words(page.events)
            }
        }
    }

    /// Reads the kept events of Luis's export.
    private func export(_ engine: TestEngine) async throws -> Reading {
        let record = try engine.engine.read { state throws(Refusal) in try state.person(luis, for: .service) }
        guard case .whole(let whole) = record else { return Reading(events: [], steps: 0) }
        return try await counting {
            var (reported, last): ([String], Int64) = ([], 0)
            while true {
                let events = try await engine.engine.keptEvents(of: whole.number, after: last, at: morning)
                guard let number = events.last?.number else { return reported }
                reported += words(events)
                last = number
            }
        }
    }

    /// Creates groups, friendships, friend requests, and a comment.
    private func populate(_ engine: TestEngine) async throws {
        try await engine.perform(PutPeople((0..<60).map { Write(person("p\($0)")) } + [Write(person("luis"))]))
        try await engine.perform(PutPlace(Write(Place(id: id("shop"), kind: "store", name: "Shop"))))
        for group in ["mine", "other"] {
            try await engine.perform(CreateGroup(Group(id: id(group), name: group, owner: id("p0"))))
        }
        for friend in [luis, id("p1")] { try await engine.perform(MakeFriends(id("p0"), friend)) }
        for (member, group) in [(luis, "mine"), (id("p1"), "mine"), (id("p1"), "other")] {
            try await engine.perform(Invite(member, to: id(group), by: id("p0")))
            try await engine.perform(AcceptInvitation(of: member, to: id(group)))
        }
        try await engine.perform(PostComment(id: id("c"), place: id("shop"), author: id("p3"), text: "good"))
        try await engine.perform(Batch((10..<20).map { Befriend(id("p\($0)"), luis) }))
        try await engine.perform(Batch((10..<20).map { Befriend(luis, id("p\($0)")) }))
    }

    @Test("A restart does not change the kept events on the pages of a person", arguments: [false, true])
    func pagesAreTheSame(wantsComments: Bool) async throws {
        try await withFolder { folder in
            var engine = try TestEngine(folder: folder)
            try await populate(engine)
            var filter = EventFilter()
            if wantsComments { filter.types = Set(EventType.allCases) }
            let before = try await pages(engine, filter).events.filter { line in
                EventType(rawValue: String(line.prefix { $0 != " " }))?.isKept ?? false
            }
            #expect(before.contains("group.joined p1 mine") && !before.contains { $0.hasSuffix(" other") })
            #expect(before.contains("comment.created p3 shop") == wantsComments)
            #expect(before.count(where: { $0.hasPrefix("friend.made") }) == 11)
            engine = try await engine.restarted()
            #expect(try await pages(engine, filter).events == before)
            try engine.store.close()
        }
    }

    @Test("The cost of pages and exports of a person does not depend on the events of others")
    func othersCostNothing() async throws {
        try await withFolder { folder in
            var engine = try TestEngine(folder: folder)
            try await populate(engine)
            engine = try await engine.restarted()
            let (page, exported) = (try await pages(engine, EventFilter()), try await export(engine))
            #expect(page.steps > 0 && exported.steps > 0 && exported.events.count >= 20)
            for number in 20..<59 {
                let others = (20..<60).filter { $0 > number }
                try await engine.perform(Batch(others.map { Befriend(id("p\(number)"), id("p\($0)")) }))
            }
            // First in memory, then in the file.
            #expect(try await pages(engine, EventFilter()) == page)
            engine = try await engine.restarted()
            #expect(try await pages(engine, EventFilter()) == page)
            #expect(try await export(engine) == exported)
            try engine.store.close()
        }
    }
}
