import Discovery
import Foundation
import Geo
import Hours
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Places are found by the points within their areas.
@Suite struct PlaceAreaTests {
    /// An area of any shape, which may contain a pole or cross 180°, or nil if the shape is invalid.
    private static func area(_ fence: PlainFence) -> PlaceArea? {
        switch fence.shape {
        case .circle(let centre, let metres): return PlaceArea(.circle(centre, metres: metres))
        case .corridor(let line, let metres): return PlaceArea(.corridor(line, metres: metres))
        case .polygons(let plain):
            let made = plain.polygons.compactMap { try? Polygon(rings: $0) }
            return made.count == plain.polygons.count ? PlaceArea(.polygons(made)) : nil
        }
    }

    private struct World {
        var fences: [PlaceID: PlainFence] = [:]
        var kinds: [PlaceID: String] = [:]

        mutating func change(_ engine: TestEngine, _ random: inout SeededGenerator) async throws {
            let id: PlaceID = DiscoveryTests.id("p\(random.integer(0...30))")
            if random.chance(0.1), kinds.removeValue(forKey: id) != nil {
                fences[id] = nil
                try await engine.perform(DeletePlace(id))
                return
            }
            let fence = random.fence()
            var place = Place(id: id, kind: random.pick(["delivery", "store"]), name: "P")
            place.coordinate = random.pick([nil, valencia])
            place.owner = random.pick([nil, DiscoveryTests.id("ana")])
            // Now and then the area stays while something else changes.
            let stays = fences[id] != nil && random.chance(0.2)
            place.area = (stays ? fences[id] : fence).flatMap(PlaceAreaTests.area)
            if random.chance(0.1) { place.area = nil }
            fences[id] = place.area == nil ? nil : stays ? fences[id] : fence
            kinds[id] = place.kind
            try await engine.perform(PutPlace(Write(place)))
        }
    }

    @Test("A search for a point equals a scan of all areas", arguments: RandomCases.seeds(0..<4))
    func equalsScan(seed: UInt64) async throws {
        try await withEngine { engine in
            var random = SeededGenerator(seed: seed)
            var world = World()
            try await engine.add(person("ana"))
            for _ in 0..<120 { try await world.change(engine, &random) }
            try check(world, engine, &random, "seed \(seed)")
            let restarted = try await engine.restarted()
            try check(world, restarted, &random, "seed \(seed), restarted")
            try restarted.store.close()
        }
    }

    private func check(_ world: World, _ engine: TestEngine, _ random: inout SeededGenerator, _ comment: String) throws
    {
        let ends = try [(90, 0), (-90, 0), (0, 180), (50, 180)].map { try Coordinate(latitude: $0.0, longitude: $0.1) }
        var met = 0
        for _ in 0..<150 {
            let place =
                world.fences.isEmpty || random.chance(0.2)
                ? random.pick(ends)
                : random.place(of: random.pick(world.fences.sorted { $0.key < $1.key }.map(\.value)))
            var filter = PlaceFilter()
            if random.chance(0.3) { filter.kind = "delivery" }
            var query = PlaceListQuery(filter, OpeningQuery(at: morning), in: nil, maxScan: 100_000)
            query.contained = place
            var (found, last): (Set<PlaceID>, PlacePosition?) = ([], nil)
            repeat {
                var list = PlaceListing(query, by: random.pick(PlaceOrder.allCases), after: last, limit: 1000)
                while !engine.engine.read({ list.look(at: $0, steps: 7) }) {}
                found.formUnion(list.page.items.map(\.place.value.id))
                last = list.page.next
            } while last != nil
            for (id, kind) in world.kinds {
                let isKind = filter.kind == nil || filter.kind == kind
                guard let isHeld = world.fences[id].map({ $0.contains(place) }) ?? false else { continue }
                let shape = world.fences[id].map { "\($0)" } ?? "none"
                #expect(found.contains(id) == (isHeld && isKind), "\(comment): \(id) \(kind) \(place) \(shape)")
            }
            var facets = PlaceFacets(of: query)
            while !engine.engine.read({ facets.look(at: $0, steps: 33) }) {}
            #expect(facets.counts(limit: 10).count == found.count, "\(comment): \(place)")
            met += found.count
        }
        #expect(met > 100, "\(comment): \(met) are worth looking at")
    }

    /// Then the search scans all places in order, instead of those whose areas contain the point.
    @Test("More areas than are examined one by one are found") func manyAreas() async throws {
        try await withEngine { engine in
            let area = try #require(PlaceArea(.circle(valencia, metres: 100)))
            let count = 10_100
            let places = (0..<count).map { number in
                var place = Place(id: id("p\(number)"), kind: "zone", name: "Z")
                place.area = number == 0 ? nil : area
                return Write(place)
            }
            try await engine.perform(PutPlaces(places))
            var query = PlaceListQuery(PlaceFilter(), OpeningQuery(at: morning), in: nil, maxScan: 200_000)
            query.contained = valencia
            var list = PlaceListing(query, by: .newest, after: nil, limit: count)
            while !engine.engine.read({ list.look(at: $0, steps: 20_000) }) {}
            #expect(list.page.items.count == count - 1 && list.page.next == nil)
        }
    }

    /// An area is prepared once, and the writer only inserts it.
    @Test("The writer does not prepare areas") func preparation() async throws {
        let ring = (0..<1000).map { corner in
            let angle = Double(corner) * 2 * .pi / 999
            return (longitude: cos(angle) * 3, latitude: sin(angle) * 2)
        }
        let polygon = try Polygon(rings: [ring.dropLast() + [ring[0]]])
        let (area, prepared) = WorkBudget.measure { PlaceArea(.polygons([polygon])) }
        var place = Place(id: id("zone"), kind: "zone", name: "Z")
        place.area = area
        let monitor = WorkMonitor()
        try await withEngine(monitor: monitor) { engine in _ = try await engine.perform(PutPlace(Write(place))) }
        let turn = monitor.longest(.turn)
        #expect(prepared > 2000 && turn < 2000, "\(prepared) steps to prepare it, a turn of \(turn)")
    }
}
