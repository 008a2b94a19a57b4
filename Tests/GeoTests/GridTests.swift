import Geo
import Laws
import Testing

@Suite struct GridTests {
    private func ids(_ count: Int) -> Identifiers {
        var ids = Identifiers()
        for number in 0..<count { _ = ids.insert("e\(number)") }
        return ids
    }

    @Test("A search in an empty grid finds nothing") func empty() throws {
        let grid = Grid()
        let here = try Coordinate(latitude: 0, longitude: 0)
        #expect(grid.nearest(NearestQuery(limit: 10), to: here, ids: Identifiers()).neighbours.isEmpty)
        #expect(grid.count == 0 && grid.place(of: 3) == nil && !grid.contains(-1))
    }

    @Test("Upserts replace an entity's place and signature, and removals succeed once") func upsertAndRemove() throws {
        var grid = Grid()
        let here = try Coordinate(latitude: 39.47, longitude: -0.376)
        grid.upsert(7, at: here, signature: 5)
        #expect(grid.place(of: 7) == here && grid.signature(of: 7) == 5 && grid.count == 1)
        grid.upsert(7, at: here, signature: 6)
        #expect(grid.signature(of: 7) == 6 && grid.count == 1)
        #expect(grid.remove(7) && !grid.remove(7) && grid.count == 0)
    }

    @Test("Equal distances are ordered by the bytes of the ids") func ties() throws {
        var grid = Grid()
        var ids = Identifiers()
        let here = try Coordinate(latitude: 1, longitude: 1)
        for name in ["b", "a10", "a9", "Z", "a"] { grid.upsert(ids.insert(name), at: here, signature: 1) }
        let answer = grid.nearest(NearestQuery(limit: 4), to: here, ids: ids).neighbours
        #expect(answer.map { ids.id(of: $0.handle) } == ["Z", "a", "a10", "a9"])
    }

    @Test("Nearest neighbors are found across 180° and the poles") func antimeridianAndPole() throws {
        var grid = Grid()
        let places = try [(0.0, 179.999), (0, -179.999), (0, 170), (89.999, 10), (89.999, -170), (80, 10)].map {
            try Coordinate(latitude: $0.0, longitude: $0.1)
        }
        for (handle, place) in places.enumerated() { grid.upsert(Int32(handle), at: place, signature: 1) }
        let meridian = grid.nearest(
            NearestQuery(limit: 2), to: try Coordinate(latitude: 0, longitude: 180), ids: ids(6))
        #expect(Set(meridian.neighbours.map(\.handle)) == [0, 1])
        let pole = grid.nearest(
            NearestQuery(limit: 2), to: try Coordinate(latitude: 89.999, longitude: 10), ids: ids(6))
        #expect(pole.neighbours.map(\.handle) == [3, 4])
    }

    /// 100,000 entities in a city, 10,000 at one spot, one in an ocean.
    @Test("Searches are exact in dense and in empty areas") func density() throws {
        var random = SeededGenerator(seed: 1)
        let city = try Coordinate(latitude: 39.4699, longitude: -0.3763)
        let spot = random.jittered(city, metres: 3000)
        let ocean = try Coordinate(latitude: -48.88, longitude: -123.39)
        var grid = Grid()
        var reference = BruteForce()
        for handle in 0..<Int32(110_001) {
            let place = handle < 100_000 ? random.jittered(city, metres: 15_000) : handle < 110_000 ? spot : ocean
            grid.upsert(handle, at: place, signature: 1)
            reference.upsert(handle, at: place, signature: 1)
        }
        let ids = ids(110_001)
        for origin in [city, spot, ocean, random.antipode(of: city), random.jittered(city, metres: 1e5)] {
            let expected = reference.nearest(NearestQuery(limit: 1000), to: origin, ids: ids)
            for limit in [1, 10, 1000] {
                let answer = grid.nearest(NearestQuery(limit: limit), to: origin, ids: ids).neighbours
                #expect(answer == Array(expected.prefix(limit)), "\(limit) nearest to \(origin)")
            }
        }
        var near = NearestQuery(limit: .max)
        near.within = 250
        #expect(grid.nearest(near, to: city, ids: ids).neighbours == reference.nearest(near, to: city, ids: ids))
    }

    @Test("A grid whose entities are all removed is empty and consistent") func emptied() throws {
        var random = SeededGenerator(seed: 2)
        var grid = Grid()
        let bytes = grid.bytes
        for handle in 0..<Int32(20_000) { grid.upsert(handle, at: random.place(), signature: random.next()) }
        for handle in (0..<Int32(20_000)).shuffled(using: &random) { grid.remove(handle) }
        #expect(grid.count == 0 && grid.brokenInvariant() == nil)
        #expect(grid.nearest(NearestQuery(limit: 5), to: random.place(), ids: Identifiers()).neighbours.isEmpty)
        #expect(bytes < 100_000)
    }
}
