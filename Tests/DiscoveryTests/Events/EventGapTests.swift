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
    private func withEngine(_ body: (TestEngine) async throws -> Void) async throws {
        try await withFolder { folder in
            let engine = try TestEngine(folder: folder, events: 10)
            try await engine.add(person("ana"), person("luis"), person("eva"))
            try await engine.perform(PutPeople((0..<40).map { Write(person("p\($0)")) }))
            try await body(engine)
            try engine.store.close()
        }
    }

    private func words(_ events: [EventView]) -> [String] {
        events.map { event in
            ([event.type.rawValue] + [event.person?.text, event.other?.text].compactMap(\.self)).joined(separator: " ")
        }
    }

    /// Returns the remaining events of a reader, and whether it was reset.
    private func rest(of reader: inout EventReader, _ engine: TestEngine) async throws -> (
        isReset: Bool, words: [String]
    ) {
        var (isReset, words): (Bool, [String]) = (false, [])
        // One batch from the file, one from memory.
        for _ in 0..<2 {
            let batch = try await reader.next(from: engine.engine, at: morning)
            isReset = isReset || batch.isReset
            words += self.words(batch.events)
        }
        return (isReset, words)
    }

    @Test("An upload of many positions occupies one entry of the event buffer") func upload() async throws {
        try await withEngine { engine in
            var reader = EventReader(for: .service, EventFilter(), of: engine.engine)
            try await engine.perform(PutPlace(Write(Place(id: id("shop"), kind: "store", name: "Shop"))))
            let last = reader.resume + 51
            let pings = (0..<50).map { ping(Double($0) * 130, east(Double($0 % 2) * 600)) }
            try await engine.perform(Record(pings), at: morning + .seconds(9000))
            let batch = try await reader.next(from: engine.engine, at: morning)
            #expect(!batch.isReset && words(batch.events) == ["place.created", "ping.moved ana"])
            #expect(batch.events.last?.number == last && reader.resume == last)
        }
    }

    @Test("Events of one person cause no other reader to miss any") func kept() async throws {
        try await withEngine { engine in
            try await engine.perform(MakeFriends(id("eva"), luis))
            _ = try await engine.send(ping(0, valencia, of: "eva"))
            var readers = [EventReader(for: .person(luis), EventFilter(), of: engine.engine)]
            var filter = EventFilter()
            filter.types = [.friendEnded, .friendAsked]
            readers.append(EventReader(for: .service, filter, of: engine.engine))
            let start = readers[0].resume
            _ = try await readers[0].next(from: engine.engine, at: morning)
            try await engine.perform(Unfriend(id("eva"), luis))
            try await engine.perform(Befriend(id("p0"), luis))
            try await engine.perform(Batch((0..<40).map { Befriend(id("ana"), id("p\($0)")) }))
            let own = ["friend.ended eva luis", "friend.asked p0 luis"]
            let person = try await rest(of: &readers[0], engine)
            #expect(!person.isReset && person.words == own + ["ping.moved eva"], "who is shown no longer")
            let service = try await rest(of: &readers[1], engine)
            #expect(!service.isReset && service.words == own + (0..<40).map { "friend.asked ana p\($0)" })
            // Pages have the same events.
            var page = EventReader(for: .person(luis), EventFilter(), after: start, of: engine.engine)
            let reported = try await page.page(atMost: 100, from: engine.engine, at: morning)
            #expect(!reported.isReset && words(reported.events).suffix(2) == own[...])
        }
    }

    @Test("Lost positions reset a service's reader, a person's reader gets the current positions of friends")
    func positions() async throws {
        try await withEngine { engine in
            try await engine.perform(MakeFriends(id("eva"), luis))
            var service = EventReader(for: .service, EventFilter(), of: engine.engine)
            var friend = EventReader(for: .person(luis), EventFilter(), of: engine.engine)
            _ = try await friend.next(from: engine.engine, at: morning)
            _ = try await engine.send(ping(0, valencia, of: "eva"))
            try await engine.perform(
                PutPlaces((0..<12).map { Write(Place(id: id("s\($0)"), kind: "store", name: "S")) }))
            #expect(try await rest(of: &service, engine).isReset)
            let reported = try await rest(of: &friend, engine)
            #expect(!reported.isReset && reported.words == ["ping.moved eva"])
        }
    }

    @Test("A webhook receives ends of friendships that are no longer in memory, without a reset")
    func webhook() async throws {
        try await withEngine { engine in
            try await engine.perform(MakeFriends(id("eva"), luis))
            let start = try engine.store.lastEvent()
            try await engine.perform(Unfriend(id("eva"), luis))
            try await engine.perform(Batch((0..<40).map { Befriend(id("ana"), id("p\($0)")) }))
            let batch = try await engine.engine.events(after: start)
            #expect(!batch.isBehind && batch.events.map(\.payload.type).first == .friendEnded)
            #expect(batch.events.map(\.number) == Array(start + 1...batch.through))
        }
    }
}
