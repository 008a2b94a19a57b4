import Discovery
import Foundation
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Fences about areas of places, which follow changes of the places.
@Suite struct PlaceFenceTests {
    private static let ana: PersonID = id("ana")

    /// A square of `half` meters to each side of a point `middle` meters east of the center of Valencia.
    private static func square(_ middle: Double, _ half: Double) throws -> Polygon {
        let (west, east) = (east(middle - half).longitude, east(middle + half).longitude)
        let (south, north) = (valencia.latitude - half / 111_000, valencia.latitude + half / 111_000)
        return try Polygon(rings: [[(west, south), (east, south), (east, north), (west, north), (west, south)]])
    }

    private func put(_ name: String, _ kind: String, _ middle: Double?, _ engine: TestEngine) async throws {
        var place = Place(id: id(name), kind: kind, name: name)
        place.area = try middle.flatMap { PlaceArea(.polygons([try Self.square($0, 200)])) }
        try await engine.perform(PutPlace(Write(place)))
    }

    private func withZones(
        _ area: Fence.Area = .places(kind: "Delivery"), _ change: (inout Fence) -> Void = { _ in },
        _ body: (TestEngine) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let engine = try TestEngine(folder: folder, rules: PingRules())
            try await engine.add(person("ana") { $0.sharing.alerts = .friends }, person("luis"))
            try await engine.perform(MakeFriends(Self.ana, id("luis")))
            // Two side by side, one farther away, and one of another kind.
            for (name, kind, middle) in [
                ("a", "delivery", 0.0), ("b", "delivery", 400), ("c", "DELIVERY", 2000), ("d", "park", 4000),
            ] { try await put(name, kind, middle, engine) }
            var fence = Fence(id: id("zones"), area, watching: .people([Self.ana]))
            change(&fence)
            try await engine.perform(PutFence(Write(fence)))
            try await body(engine)
            try engine.store.close()
        }
    }

    private func reported(_ engine: TestEngine) async throws -> [String] {
        try await engine.store.events(after: 0, atMost: 10_000).filter { $0.payload.type.rawValue.hasPrefix("fence") }
            .map {
                let seconds = ($0.payload.happened ?? $0.at) - morning
                return "\($0.payload.type.rawValue.dropFirst(6)) \(Int((seconds.seconds / 5).rounded()) * 5)"
                    + ($0.payload.isThrough ? " through" : "")
            }
    }

    private func walk(_ engine: TestEngine, _ steps: (Double, Double)...) async throws {
        for (time, place) in steps { _ = try await engine.send(ping(time, east(place), accuracy: 0)) }
    }

    @Test("The areas of a kind of places form one area") func areasOfKind() async throws {
        try await withZones { engine in
            // The path from one area into the adjacent one is not an exit. Then it goes through the third.
            try await walk(engine, (0, -1000), (100, 0), (200, 400), (300, 1400), (500, 3400), (600, 4000))
            #expect(try await reported(engine) == ["enter 80", "exit 220", "enter 340 through", "exit 380 through"])
        }
    }

    @Test("A fence about one place uses its area alone") func onePlace() async throws {
        try await withZones(.place(id("c"))) { engine in
            try await walk(engine, (0, 0), (400, 2000), (600, 3000))
            #expect(try await reported(engine) == ["enter 360", "exit 440"])
        }
    }

    @Test("A fence follows changes of its places", arguments: [Fence.Area.places(kind: "delivery"), .place(id("a"))])
    func changedPlaces(area: Fence.Area) async throws {
        try await withZones(area) { engine in
            try await walk(engine, (0, 0))
            // The place moves away from her, and her exit is reported at the next fix, not before.
            try await put("a", "delivery", -2000, engine)
            #expect(try await reported(engine) == ["enter 0"])
            try await walk(engine, (10, 0))
            try await walk(engine, (400, -2000))
            try await engine.perform(DeletePlace(id("a")))
            try await walk(engine, (410, -2000))
            try await put("a", "delivery", -2000, engine)
            try await walk(engine, (420, -2000))
            try await put("a", "delivery", nil, engine)
            try await walk(engine, (430, -2000))
            #expect(
                try await reported(engine) == ["enter 0", "exit 10", "enter 360", "exit 410", "enter 410", "exit 430"])
        }
    }

    @Test("A place joins and leaves a fence about a kind by changes of its kind") func changedKind() async throws {
        try await withZones { engine in
            try await walk(engine, (0, 4000))
            try await put("d", "delivery", 4000, engine)
            try await walk(engine, (10, 4000))
            try await put("d", "park", 4000, engine)
            try await walk(engine, (20, 4000))
            #expect(try await reported(engine).map { $0.prefix(4) } == ["ente", "exit"])
        }
    }

    /// Otherwise people who may create places of the kind could trigger the fence for others.
    @Test("A fence about a kind excludes people's places") func ownedPlace() async throws {
        try await withZones { engine in
            var place = Place(id: id("own"), kind: "delivery", name: "O")
            place.owner = id("luis")
            place.area = PlaceArea(.circle(east(-3000), metres: 200))
            try await engine.perform(PutPlace(Write(place)))
            try await walk(engine, (0, -3000))
            try await engine.perform(DeletePerson(id("luis")))
            try await walk(engine, (10, -3000))
            #expect(try await reported(engine) == [])
        }
    }

    @Test("A place that gets an owner leaves the fence about its kind") func newOwner() async throws {
        try await withZones { engine in
            try await walk(engine, (0, 0))
            for (owner, time) in [(id("luis"), 10), (nil, 20)] as [(PersonID?, Double)] {
                var place = Place(id: id("a"), kind: "delivery", name: "a")
                place.owner = owner
                place.area = PlaceArea(.polygons([try Self.square(0, 200)]))
                try await engine.perform(PutPlace(Write(place)))
                try await walk(engine, (time, 0))
            }
            #expect(try await reported(engine) == ["enter 0", "exit 10", "enter 10"])
        }
    }

    /// Luis owns the place, and Ana is his friend.
    @Test(
        "The area of a person's place counts only for fences that people have about themselves",
        arguments: [
            (nil, .everybody, false), ("luis", .people([id("ana")]), false), ("ana", .people([id("ana")]), true),
        ] as [(String?, Fence.Watched, Bool)])
    func ownedPlaces(owner: String?, watched: Fence.Watched, isReported: Bool) async throws {
        try await withZones { engine in
            var place = Place(id: id("own"), kind: "topic", name: "O")
            place.owner = id("luis")
            place.area = PlaceArea(.circle(east(-3000), metres: 200))
            try await engine.perform(PutPlace(Write(place)))
            var fence = Fence(id: id("one"), .place(id("own")), watching: watched)
            fence.owner = owner.map { id($0) }
            try await engine.perform(PutFence(Write(fence)))
            func beyond(_ time: Double, _ place: Double) async throws -> Double? {
                try await engine.hinted(ping(time, east(place), accuracy: 0), at: morning + .seconds(86_400))
                    .hints.first?.beyond
            }
            #expect(try await (beyond(0, -3300) ?? 0 < 200) == isReported, "no hint ends at its border either")
            _ = try await engine.send(ping(400, east(-3000), accuracy: 0), at: morning + .seconds(400))
            #expect(try await reported(engine) == (isReported ? ["enter 135"] : []))
        }
    }

    @Test("A service's fence does not follow a place that a person creates with the ID of a deleted one")
    func remadePlaces() async throws {
        try await withZones(.place(id("a"))) { engine in
            try await walk(engine, (0, 0))
            try await engine.perform(DeletePlace(id("a")))
            var place = Place(id: id("a"), kind: "topic", name: "Mine")
            place.owner = id("luis")
            place.area = PlaceArea(.circle(east(-3000), metres: 200))
            try await engine.perform(PutPlace(Write(place)), by: .person(id("luis")))
            try await walk(engine, (400, -3000), (800, 0))
            #expect(try await reported(engine) == ["enter 0", "exit 400"])
            try await engine.perform(DeletePlace(id("a")))
            try await put("a", "delivery", 0, engine)
            try await walk(engine, (810, 0))
            #expect(try await reported(engine).last == "enter 800")
        }
    }

    @Test("A hint ends at the border of a place's area") func hintAtBorder() async throws {
        try await withZones { engine in
            func beyond(_ time: Double, _ place: Double, _ name: String = "ana") async throws -> Double? {
                try await engine.hinted(ping(time, east(place), accuracy: 0, of: name), at: morning + .seconds(86_400))
                    .hints.first?.beyond
            }
            let near = try #require(try await beyond(0, -300))
            #expect((98...100.1).contains(near), "\(near)")
            let (luis, park) = (try await beyond(0, -300, "luis"), try await beyond(5000, 4000))
            #expect(luis == 500, "it watches Ana only")
            #expect(park == 500, "no fence is about parks")
        }
    }

    @Test("A friend's fence uses areas of places too") func friendsFence() async throws {
        try await withZones(.places(kind: "Delivery"), { $0.owner = id("luis") }) { engine in
            for (time, place) in [(0.0, -3000.0), (300, 0), (600, -3000)] {
                _ = try await engine.send(ping(time, east(place)), at: morning + .seconds(Int64(time)))
            }
            #expect(try await reported(engine) == ["enter 300", "exit 600"])
        }
    }

    @Test("A visit continues after a restart") func restart() async throws {
        try await withZones { engine in
            try await walk(engine, (0, 0))
            let account = engine.canonicalDump
            let restarted = try await engine.restarted()
            #expect(difference(restarted.canonicalDump, account) == [])
            _ = try await restarted.send(ping(10, east(0), accuracy: 0), ping(400, east(-2000), accuracy: 0))
            #expect(try await reported(restarted).map { $0.prefix(4) } == ["ente", "exit"])
            try restarted.store.close()
        }
    }

    @Test("Areas of places report the same events as a fence of the same polygons", arguments: RandomCases.seeds(0..<6))
    func equalsPolygons(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        try await withFolder { folder in
            let engine = try TestEngine(folder: folder, rules: PingRules())
            try await engine.add(person("ana"))
            let middles = (0..<6).map { Double($0) * 1000 + random.number(-200..<200) }
            for (number, middle) in middles.enumerated() { try await put("z\(number)", "zone", middle, engine) }
            let own = Fence(
                id: id("own"), .polygons(try middles.map { try Self.square($0, 200) }), watching: .everybody)
            try await engine.perform(PutFence(Write(own)))
            try await engine.perform(
                PutFence(Write(Fence(id: id("zones"), .places(kind: "zone"), watching: .everybody))))
            var (position, time) = (-500.0, 0.0)
            for _ in 0..<150 {
                position = min(6500, max(-1500, position + random.number(-900..<900)))
                time += random.pick([30, 60, 400, 4000])
                _ = try await engine.send(ping(time, east(position), accuracy: random.pick([0, 20, 100])))
            }
            let events = try await engine.store.events(after: 0, atMost: 10_000).map(\.payload)
            func reported(_ fence: String) -> [EventPayload] { events.filter { $0.subject?.text == fence } }
            let (one, other) = (reported("own"), reported("zones"))
            #expect(!one.isEmpty && one.map(\.type) == other.map(\.type), "seed \(seed)")
            #expect(one.map(\.isThrough) == other.map(\.isThrough), "seed \(seed)")
            for (a, b) in zip(one, other) {
                let apart = abs(((a.happened ?? morning) - (b.happened ?? morning)).seconds)
                #expect(apart < 10, "seed \(seed): \(a) and \(b)")
            }
            try engine.store.close()
        }
    }

    @Test("A move into a person's place is an exit") func exitToOwnedPlace() async throws {
        try await withZones { engine in
            var place = Place(id: id("own"), kind: "delivery", name: "O")
            place.owner = id("luis")
            place.area = PlaceArea(.circle(east(1200), metres: 200))
            try await engine.perform(PutPlace(Write(place)))
            try await walk(engine, (0, 0), (300, 1200))
            #expect(try await reported(engine) == ["enter 0", "exit 150"])
        }
    }
}
