import Discovery
import Foundation
import Geo
import Model
import Storage
import TestSupport
import Testing

/// Events that each kind of reader receives.
@Suite struct EventReaderTests {
    private let day = morning + .seconds(86_400)

    private func words(_ batch: EventReader.Batch) -> [String] {
        batch.events.map { event in
            let names = [event.person?.text, event.other?.text, event.subject?.text, event.product?.text]
            return ([event.type.rawValue] + names.compactMap(\.self)).joined(separator: " ")
        }
    }

    private func withEngine(_ body: (TestEngine) async throws -> Void) async throws {
        try await withFolder { folder in
            let engine = try TestEngine(folder: folder)
            try await engine.add(person("ana"), person("luis"), person("eva"))
            try await body(engine)
            try engine.store.close()
        }
    }

    private func reader(_ caller: Caller, of engine: TestEngine, _ filter: EventFilter = EventFilter()) -> EventReader {
        EventReader(for: caller, filter, of: engine.engine)
    }

    @Test("A service receives every change in order") func serviceOrder() async throws {
        try await withEngine { engine in
            var reader = reader(.service, of: engine)
            let (ana, luis): (PersonID, PersonID) = (id("ana"), id("luis"))
            let (shop, shoe): (PlaceID, ProductID) = (id("shop"), id("shoe"))
            var place = Place(id: shop, kind: "store", name: "Shop")
            place.coordinate = valencia
            try await engine.perform(Befriend(ana, luis))
            try await engine.perform(Befriend(luis, ana))
            try await engine.perform(PutPlace(Write(place)))
            place.name = "Shops"
            try await engine.perform(PutPlace(Write(place)))
            try await engine.perform(PutProduct(Write(Product(id: shoe, name: "Shoe"))))
            try await engine.perform(
                PutStockItem(
                    StockItem(
                        store: shop, product: shoe, price: nil, sizes: [SizeQuantity(size: .none, quantity: 3)])))
            try await engine.perform(SetFavourite(luis, .places, shop.any))
            try await engine.perform(PostComment(id: id("c"), place: shop, author: luis, text: "good"))
            try await engine.perform(DeleteComment(id("c"), at: shop))
            try await engine.perform(Decide(ana, luis, likes: true))
            try await engine.perform(Decide(luis, ana, likes: true))
            _ = try await engine.send(ping(0, valencia))
            try await engine.perform(Block(luis, ana))
            try await engine.perform(DeletePlace(shop))
            let batch = try await reader.next(from: engine.engine, at: day)
            #expect(
                words(batch) == [
                    "friend.asked ana luis", "friend.made luis ana", "place.created shop", "place.changed shop",
                    "stock.changed shop shoe", "favourite.count shop", "comment.created luis shop",
                    "comment.deleted luis shop", "match.made luis ana", "ping.moved ana", "friend.ended luis ana",
                    "match.undone luis ana", "place.deleted shop",
                ])
            #expect(batch.events.map(\.number) == Array(1...13))
            #expect(batch.events.first { $0.type == .pingMoved }?.position?.place == valencia)
        }
    }

    @Test("A friend receives the visible position when it changes") func friendPositions() async throws {
        try await withEngine { engine in
            try await engine.perform(MakeFriends(id("ana"), id("luis")))
            try await engine.perform(
                PutPeople([Write(person("ana") { $0.sharing = Sharing(.approximate) })]), at: morning + .seconds(1))
            var reader = reader(.person(id("luis")), of: engine)
            #expect(try await words(reader.next(from: engine.engine, at: day)) == [])
            var reported: [Position?] = []
            var asked: [Position?] = []
            for step in 0..<60 {
                _ = try await engine.send(ping(Double(180 * step), east(Double(step) * 130)), at: day)
                let position = try? engine.engine.read {
                    try $0.position(of: id("ana"), for: .person(id("luis")), at: day)
                }
                if asked.last != position { asked.append(position) }
                reported += try await reader.next(from: engine.engine, at: day).events.map(\.position)
            }
            #expect(reported.allSatisfy(asked.contains), "nothing that could not be asked for")
            #expect(zip(reported, reported.dropFirst()).allSatisfy { $0 != $1 }, "not that a ping came")
            #expect(reported.map(\.?.place).uniqued == asked.map(\.?.place).uniqued)
            #expect((2..<20).contains(reported.count), "cells and quarters, not pings: \(reported.count)")
        }
    }

    @Test("Strangers and blocked people receive no positions") func strangers() async throws {
        try await withEngine { engine in
            var (eva, luis) = (reader(.person(id("eva")), of: engine), reader(.person(id("luis")), of: engine))
            try await engine.perform(MakeFriends(id("ana"), id("luis")))
            try await engine.perform(Block(id("ana"), id("luis")))
            _ = try await engine.send(ping(0, valencia), ping(400, east(900)))
            #expect(try await words(eva.next(from: engine.engine, at: day)) == [])
            #expect(try await words(luis.next(from: engine.engine, at: day)) == ["friend.ended ana luis"])
        }
    }

    @Test("The end of a friendship looks the same by block, by unfriending, and by deletion")
    func friendshipEnd() async throws {
        for end in [
            AnyEnd { try await $0.perform(Block(id("ana"), id("luis"))) },
            AnyEnd { try await $0.perform(Unfriend(id("ana"), id("luis"))) },
            AnyEnd { try await $0.perform(DeletePerson(id("ana"))) },
        ] {
            try await withEngine { engine in
                try await engine.perform(MakeFriends(id("ana"), id("luis")))
                var luis = reader(.person(id("luis")), of: engine)
                try await end.make(engine)
                #expect(try await words(luis.next(from: engine.engine, at: day)) == ["friend.ended ana luis"])
                #expect(try await engine.store.events(after: engine.store.lastEvent() - 1, atMost: 10) == [])
            }
        }
    }

    private struct AnyEnd { let make: (TestEngine) async throws -> Void }

    @Test("Hiding withdraws the last position") func withdrawal() async throws {
        try await withEngine { engine in
            try await engine.perform(MakeFriends(id("ana"), id("luis")))
            _ = try await engine.send(ping(0, valencia))
            var luis = reader(.person(id("luis")), of: engine)
            #expect(try await luis.next(from: engine.engine, at: day).events.map(\.position?.place) == [valencia])
            try await engine.perform(
                PutPeople([Write(person("ana") { $0.sharing = Sharing(.hidden) })]), at: day)
            let batch = try await luis.next(from: engine.engine, at: day)
            #expect(words(batch) == ["ping.moved ana"])
            #expect(batch.events.first?.position == nil)
        }
    }

    @Test("A reader that resumes after a restart misses no kept event") func restart() async throws {
        try await withFolder { folder in
            var engine = try TestEngine(folder: folder)
            try await engine.add(person("ana"), person("luis"))
            try await engine.perform(Befriend(id("ana"), id("luis")))
            var reader = reader(.person(id("luis")), of: engine)
            let before = try engine.store.lastEvent()
            try await engine.perform(Befriend(id("luis"), id("ana")))
            _ = try await engine.send(ping(0, valencia))
            engine = try await engine.restarted()
            reader = EventReader(for: .person(id("luis")), EventFilter(), after: before, of: engine.engine)
            let batch = try await reader.next(from: engine.engine, at: day)
            #expect(batch.isReset)
            let positions = try await reader.next(from: engine.engine, at: day)
            #expect(!positions.isReset)
            #expect(words(batch) + words(positions) == ["friend.made luis ana", "ping.moved ana"])
            let last = try engine.store.lastEvent()
            try await engine.perform(Unfriend(id("ana"), id("luis")))
            let next = try await reader.next(from: engine.engine, at: day)
            #expect(next.events.map(\.number) == [last + 1] && !next.isReset)
            try engine.store.close()
        }
    }

    @Test("Only the newest events are in memory") func memory() async throws {
        try await withFolder { folder in
            let engine = try TestEngine(folder: folder, events: 100)
            let start = try engine.store.lastEvent()
            let places = (0..<150).map { Write(Place(id: id("p\($0)"), kind: "store", name: "Shop")) }
            try await engine.perform(PutPlaces(places))
            var oldest = EventReader(for: .service, EventFilter(), after: start + 49, of: engine.engine)
            #expect(try await oldest.next(from: engine.engine, at: day).isReset)
            var later = EventReader(for: .service, EventFilter(), after: start + 50, of: engine.engine)
            let batch = try await later.next(from: engine.engine, at: day)
            #expect(!batch.isReset && batch.events.map(\.number) == Array(start + 51...start + 150))
            try engine.store.close()
        }
    }

    @Test("Kept events come in batches of 500, and a reader may resume after each") func batches() async throws {
        try await withFolder { folder in
            var engine = try TestEngine(folder: folder)
            let (luis, others): (PersonID, [PersonID]) = (id("luis"), (0..<600).map { id("p\($0)") })
            try await engine.perform(PutPeople(([luis] + others).map { Write(person($0.text)) }))
            try await engine.perform(Batch(others.map { Befriend($0, luis) }))
            engine = try await engine.restarted()
            var reader = EventReader(for: .person(luis), EventFilter(), after: 0, of: engine.engine)
            let first = try await reader.next(from: engine.engine, at: day)
            #expect(first.isReset && first.events.map(\.number) == Array(1...500))
            // A reader that reconnects in between resumes there.
            var again = EventReader(for: .person(luis), EventFilter(), after: reader.resume, of: engine.engine)
            let rest = try await again.next(from: engine.engine, at: day)
            #expect(rest.isReset && rest.events.map(\.number) == Array(501...600))
            let second = try await reader.next(from: engine.engine, at: day)
            #expect(!second.isReset && second.events.map(\.number) == Array(501...600))
            try engine.store.close()
        }
    }

    @Test("Events of a deleted person are deleted") func deletedPerson() async throws {
        try await withEngine { engine in
            try await engine.perform(MakeFriends(id("ana"), id("luis")))
            try await engine.perform(MakeFriends(id("eva"), id("luis")))
            try await engine.perform(DeletePerson(id("ana")))
            let kept = try await engine.store.events(after: 0, atMost: 10)
            #expect(kept.map { $0.payload.person?.id.text } == ["eva"])
        }
    }

    @Test("Old events are deleted by age") func age() async throws {
        try await withEngine { engine in
            try await engine.perform(MakeFriends(id("ana"), id("luis")), at: morning)
            try await engine.perform(MakeFriends(id("eva"), id("luis")), at: morning + .seconds(10))
            #expect(try await engine.store.forgetEvents(before: morning + .seconds(10)) == 1)
            #expect(try await engine.store.events(after: 0, atMost: 10).map(\.number) == [2])
        }
    }

    @Test("Filters select by type, person, and place") func filters() async throws {
        try await withEngine { engine in
            try await engine.perform(MakeFriends(id("ana"), id("luis")))
            try await engine.perform(MakeFriends(id("eva"), id("luis")))
            try await engine.perform(PutPlace(Write(Place(id: id("shop"), kind: "store", name: "Shop"))))
            var byType = EventFilter()
            byType.types = [.placeCreated]
            var byPerson = EventFilter()
            byPerson.person = id("eva")
            var byPlace = EventFilter()
            byPlace.subject = id("shop")
            for (filter, expected) in [
                (byType, ["place.created shop"]), (byPerson, ["friend.made eva luis"]),
                (byPlace, ["place.created shop"]),
            ] {
                for caller in [Caller.service, .person(id("luis"))] {
                    var reader = EventReader(for: caller, filter, after: 0, of: engine.engine)
                    #expect(try await words(reader.next(from: engine.engine, at: day)) == expected)
                }
            }
            var luis = EventReader(for: .person(id("luis")), EventFilter(), after: 0, of: engine.engine)
            #expect(try await words(luis.next(from: engine.engine, at: day)).count == 2, "no places unless asked for")
        }
    }
}

extension [Coordinate?] {
    /// The elements without consecutive duplicates.
    fileprivate var uniqued: [Coordinate?] { indices.filter { $0 == 0 || self[$0] != self[$0 - 1] }.map { self[$0] } }
}
