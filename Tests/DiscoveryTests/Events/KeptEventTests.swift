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

    private func words(_ events: [ToldEvent]) -> [String] {
        events.map { event in
            let names = [event.person?.text, event.other?.text, event.subject?.text]
            return ([event.type.rawValue] + names.compactMap(\.self)).joined(separator: " ")
        }
    }

    private func counting(_ body: () async throws -> [String]) async throws -> Reading {
        let tally = Tally()
        let words = try await Tally.$current.withValue(tally) { try await body() }
        return Reading(events: words, steps: tally.total)
    }

    /// Reads all kept events of Luis page by page.
    private func pages(_ live: TestLive, _ filter: EventFilter) async throws -> Reading {
        try await counting {
            var reader = EventReader(for: .person(luis), filter, after: 0, of: live.live)
            var told: [String] = []
            while true {
                let page = try await reader.page(atMost: 7, from: live.live, at: morning)
                guard !page.events.isEmpty else { return told }
                told += words(page.events)
            }
        }
    }

    /// Reads the kept events of Luis's export.
    private func export(_ live: TestLive) async throws -> Reading {
        let record = try live.live.read { picture throws(Refusal) in try picture.person(luis, for: .service) }
        guard case .whole(let whole) = record else { return Reading(events: [], steps: 0) }
        return try await counting {
            var (told, last): ([String], Int64) = ([], 0)
            while true {
                let events = try await live.live.keptEvents(of: whole.number, after: last, at: morning)
                guard let number = events.last?.number else { return told }
                told += words(events)
                last = number
            }
        }
    }

    /// Creates groups, friendships, friend requests, and a comment.
    private func populate(_ live: TestLive) async throws {
        try await live.perform(PutPeople((0..<60).map { Write(person("p\($0)")) } + [Write(person("luis"))]))
        try await live.perform(PutPlace(Write(Place(id: id("shop"), kind: "store", name: "Shop"))))
        for group in ["mine", "other"] {
            try await live.perform(CreateGroup(Group(id: id(group), name: group, owner: id("p0"))))
        }
        for friend in [luis, id("p1")] { try await live.perform(MakeFriends(id("p0"), friend)) }
        for (member, group) in [(luis, "mine"), (id("p1"), "mine"), (id("p1"), "other")] {
            try await live.perform(Invite(member, to: id(group), by: id("p0")))
            try await live.perform(AcceptInvitation(of: member, to: id(group)))
        }
        try await live.perform(PostComment(id: id("c"), place: id("shop"), author: id("p3"), text: "good"))
        try await live.perform(Each((10..<20).map { Befriend(id("p\($0)"), luis) }))
        try await live.perform(Each((10..<20).map { Befriend(luis, id("p\($0)")) }))
    }

    @Test("A restart does not change the kept events on the pages of a person", arguments: [false, true])
    func pagesAreTheSame(wantsComments: Bool) async throws {
        try await withFolder { folder in
            var live = try TestLive(folder: folder)
            try await populate(live)
            var filter = EventFilter()
            if wantsComments { filter.types = Set(EventType.allCases) }
            let before = try await pages(live, filter).events.filter { line in
                EventType(rawValue: String(line.prefix { $0 != " " }))?.isKept ?? false
            }
            #expect(before.contains("group.joined p1 mine") && !before.contains { $0.hasSuffix(" other") })
            #expect(before.contains("comment.created p3 shop") == wantsComments)
            #expect(before.count(where: { $0.hasPrefix("friend.made") }) == 11)
            live = try await live.restarted()
            #expect(try await pages(live, filter).events == before)
            try live.store.close()
        }
    }

    @Test("The cost of pages and exports of a person does not depend on the events of others")
    func othersCostNothing() async throws {
        try await withFolder { folder in
            var live = try TestLive(folder: folder)
            try await populate(live)
            live = try await live.restarted()
            let (page, exported) = (try await pages(live, EventFilter()), try await export(live))
            #expect(page.steps > 0 && exported.steps > 0 && exported.events.count >= 20)
            for number in 20..<59 {
                let others = (20..<60).filter { $0 > number }
                try await live.perform(Each(others.map { Befriend(id("p\(number)"), id("p\($0)")) }))
            }
            // First in memory, then in the file.
            #expect(try await pages(live, EventFilter()) == page)
            live = try await live.restarted()
            #expect(try await pages(live, EventFilter()) == page)
            #expect(try await export(live) == exported)
            try live.store.close()
        }
    }
}
