import Discovery
import Foundation
import Geo
import Model
import Storage
import TestSupport
import Testing

/// A reader that falls behind the events in memory misses only events that are not stored.
@Suite struct EventGapTests {
    private let luis: PersonID = id("luis")

    /// Runs the body on a service that keeps ten events in memory.
    private func withLive(_ body: (TestLive) async throws -> Void) async throws {
        try await withFolder { folder in
            let live = try TestLive(folder: folder, events: 10)
            try await live.add(person("ana"), person("luis"), person("eva"))
            try await live.perform(PutPeople((0..<40).map { Write(person("p\($0)")) }))
            try await body(live)
            try live.store.close()
        }
    }

    private func words(_ events: [ToldEvent]) -> [String] {
        events.map { event in
            ([event.type.rawValue] + [event.person?.text, event.other?.text].compactMap(\.self)).joined(separator: " ")
        }
    }

    /// Returns the remaining events of a reader, and whether it was reset.
    private func rest(of reader: inout EventReader, _ live: TestLive) async throws -> (isReset: Bool, words: [String]) {
        var (isReset, words): (Bool, [String]) = (false, [])
        // One batch from the file, one from memory.
        for _ in 0..<2 {
            let batch = try await reader.next(from: live.live, at: morning)
            isReset = isReset || batch.isReset
            words += self.words(batch.events)
        }
        return (isReset, words)
    }

    @Test("An upload of many positions occupies one entry of the event buffer") func upload() async throws {
        try await withLive { live in
            var reader = EventReader(for: .service, EventFilter(), of: live.live)
            try await live.perform(PutPlace(Write(Place(id: id("shop"), kind: "store", name: "Shop"))))
            let last = reader.resume + 51
            let pings = (0..<50).map { ping(Double($0) * 130, east(Double($0 % 2) * 600)) }
            try await live.perform(Record(pings), at: morning + .seconds(9000))
            let batch = try await reader.next(from: live.live, at: morning)
            #expect(!batch.isReset && words(batch.events) == ["place.created", "ping.moved ana"])
            #expect(batch.events.last?.number == last && reader.resume == last)
        }
    }

    @Test("Events of one person cause no other reader to miss any") func kept() async throws {
        try await withLive { live in
            try await live.perform(MakeFriends(id("eva"), luis))
            _ = try await live.send(ping(0, valencia, of: "eva"))
            var readers = [EventReader(for: .person(luis), EventFilter(), of: live.live)]
            var filter = EventFilter()
            filter.types = [.friendEnded, .friendAsked]
            readers.append(EventReader(for: .service, filter, of: live.live))
            let start = readers[0].resume
            _ = try await readers[0].next(from: live.live, at: morning)
            try await live.perform(Unfriend(id("eva"), luis))
            try await live.perform(Befriend(id("p0"), luis))
            try await live.perform(Each((0..<40).map { Befriend(id("ana"), id("p\($0)")) }))
            let own = ["friend.ended eva luis", "friend.asked p0 luis"]
            let person = try await rest(of: &readers[0], live)
            #expect(!person.isReset && person.words == own + ["ping.moved eva"], "who is shown no longer")
            let service = try await rest(of: &readers[1], live)
            #expect(!service.isReset && service.words == own + (0..<40).map { "friend.asked ana p\($0)" })
            // Pages have the same events.
            var page = EventReader(for: .person(luis), EventFilter(), after: start, of: live.live)
            let told = try await page.page(atMost: 100, from: live.live, at: morning)
            #expect(!told.isReset && words(told.events).suffix(2) == own[...])
        }
    }

    @Test("Lost positions reset a service's reader, a person's reader gets the current positions of friends")
    func positions() async throws {
        try await withLive { live in
            try await live.perform(MakeFriends(id("eva"), luis))
            var service = EventReader(for: .service, EventFilter(), of: live.live)
            var friend = EventReader(for: .person(luis), EventFilter(), of: live.live)
            _ = try await friend.next(from: live.live, at: morning)
            _ = try await live.send(ping(0, valencia, of: "eva"))
            try await live.perform(PutPlaces((0..<12).map { Write(Place(id: id("s\($0)"), kind: "store", name: "S")) }))
            #expect(try await rest(of: &service, live).isReset)
            let told = try await rest(of: &friend, live)
            #expect(!told.isReset && told.words == ["ping.moved eva"])
        }
    }

    @Test("A webhook receives ends of friendships that are no longer in memory, without a reset")
    func webhook() async throws {
        try await withLive { live in
            try await live.perform(MakeFriends(id("eva"), luis))
            let start = try live.store.lastEvent()
            try await live.perform(Unfriend(id("eva"), luis))
            try await live.perform(Each((0..<40).map { Befriend(id("ana"), id("p\($0)")) }))
            let batch = try await live.live.events(after: start)
            #expect(!batch.isBehind && batch.events.map(\.fact.type).first == .friendEnded)
            #expect(batch.events.map(\.number) == Array(start + 1...batch.through))
        }
    }
}
