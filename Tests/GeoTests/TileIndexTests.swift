import Foundation
import Geo
import Laws
import Testing

/// Tiles of a Web Mercator map, and the index of entities by tile.
@Suite struct TileIndexTests {
    private struct Entity {
        var handle: Int32
        var place: Coordinate
        var stamp: UInt32
    }

    /// Column and row of a place, by the tangent formula of OpenStreetMap's wiki.
    private static func tile(_ place: Coordinate, _ zoom: Int) -> (x: Int, y: Int)? {
        let latitude = place.latitude * .pi / 180
        let count = Double(1 << zoom)
        let y = (1 - log(tan(latitude) + 1 / cos(latitude)) / .pi) / 2
        guard abs(place.latitude) < 85.0511 else { return nil }
        let x = (place.longitude + 180) / 360
        return (Int(x * count) % Int(count), Int(y * count))
    }

    private static func entities(_ count: Int, seed: UInt64) throws -> [Entity] {
        var random = SeededGenerator(seed: seed)
        let valencia = try Coordinate(latitude: 39.47, longitude: -0.376)
        return try (0..<count).map { number in
            let anywhere = try Coordinate(latitude: random.number(-90..<90), longitude: random.number(-180..<180))
            let place =
                random.chance(0.3) ? anywhere : random.jittered(valencia, metres: random.pick([0, 500, 50_000]))
            return Entity(handle: Int32(number), place: place, stamp: UInt32(truncatingIfNeeded: random.next()))
        }
    }

    @Test(
        "Places are in the tiles of the standard",
        arguments: [
            (0.0, 0.0, 1, 1, 1), (39.4699, -0.3763, 14, 8174, 6234), (85.05, -180, 4, 0, 0), (85.05, 180, 4, 0, 0),
            (-85.05, 179.9999999, 4, 15, 15), (51.5, -0.1, 0, 0, 0),
        ] as [(Double, Double, Int, Int, Int)])
    func knownTiles(_ latitude: Double, _ longitude: Double, _ zoom: Int, _ x: Int, _ y: Int) throws {
        let place = try Coordinate(latitude: latitude, longitude: longitude)
        let tile = try #require(MapTile(containing: place, zoom: zoom))
        #expect(tile == MapTile(zoom: zoom, x: x, y: y))
        #expect(tile.position(of: place) != nil)
    }

    @Test("Positions in a tile count from its north-western corner") func positions() throws {
        let tile = try #require(MapTile(zoom: 1, x: 1, y: 0))
        let place = try Coordinate(latitude: 66.51326, longitude: 90)
        let position = try #require(tile.position(of: place))
        #expect(position.x == 2048 && (2047...2048).contains(position.y))
        #expect(tile.position(of: try Coordinate(latitude: 0, longitude: -1)) == nil)
    }

    @Test("No tile has a number beyond its zoom level, and the poles are on no map") func bounds() throws {
        for (zoom, x, y) in [(0, 1, 0), (3, 8, 0), (3, 0, 8), (3, -1, 0), (3, 0, -1), (19, 0, 0), (-1, 0, 0)] {
            #expect(MapTile(zoom: zoom, x: x, y: y) == nil, "\(zoom)/\(x)/\(y)")
        }
        for latitude in [90, 85.06, -85.06, -90] {
            #expect(MapTile(containing: try Coordinate(latitude: latitude, longitude: 0), zoom: 3) == nil)
        }
    }

    @Test("Tiles have the entities that a scan finds, also after changes", arguments: 0..<8 as Range<UInt64>)
    func sameAsScan(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var entities = try Self.entities(3000, seed: seed)
        var index = TileIndex(entities[..<1500].map { ($0.handle, $0.place, $0.stamp) })
        for entity in entities[1500...] { index.insert(entity.handle, at: entity.place, stamp: entity.stamp) }
        for _ in 0..<1200 {
            let gone = entities.remove(at: random.integer(0...entities.count - 1))
            index.remove(gone.handle, at: gone.place)
        }
        for zoom in [0, 1, 3, 6, 9, 12, 15, 18] {
            for entity in entities.prefix(20) {
                guard let tile = MapTile(containing: entity.place, zoom: zoom) else { continue }
                let there = entities.filter { Self.tile($0.place, zoom).map { $0 == (tile.x, tile.y) } ?? false }
                var steps = 0
                #expect(Set(index.handles(in: tile, steps: &steps)) == Set(there.map(\.handle)), "\(tile)")
                #expect(index.summary(of: tile, steps: &steps).count == there.count, "\(tile)")
                let cells = index.cells(of: tile, steps: &steps)
                #expect(cells.reduce(0) { $0 + $1.count } == there.count && cells.count == 256, "\(tile)")
                #expect(cells.allSatisfy { ($0.count == 0) == ($0.middle == nil) })
                let middles = Set(cells.compactMap(\.middle))
                #expect(middles.isSubset(of: Set(there.map(\.handle))))
            }
        }
    }

    @Test("The summary of a tile changes with its entities only") func summaries() throws {
        let entities = try Self.entities(2000, seed: 5)
        var index = TileIndex(entities.map { ($0.handle, $0.place, $0.stamp) })
        let valencia = try Coordinate(latitude: 39.47, longitude: -0.376)
        let tile = try #require(MapTile(containing: valencia, zoom: 14))
        var steps = 0
        let before = index.summary(of: tile, steps: &steps)
        #expect(before.count > 500)
        let sydney = try Coordinate(latitude: -33.87, longitude: 151.2)
        index.insert(5000, at: sydney, stamp: 1)
        #expect(index.summary(of: tile, steps: &steps) == before)
        index.insert(5001, at: valencia, stamp: 2)
        let after = index.summary(of: tile, steps: &steps)
        #expect(after != before)
        index.remove(5001, at: valencia)
        #expect(index.summary(of: tile, steps: &steps) == before)
        index.insert(5001, at: valencia, stamp: 3)
        #expect(![before, after].contains(index.summary(of: tile, steps: &steps)), "another stamp")
    }

    @Test("The work for a tile of two hundred thousand entities is a fraction of a read's") func work() throws {
        let entities = try Self.entities(RandomCases.count(50_000, all: 200_000), seed: 9)
        let index = TileIndex(entities.map { ($0.handle, $0.place, $0.stamp) })
        for zoom in MapTile.zooms {
            let tile = try #require(MapTile(containing: try Coordinate(latitude: 39.47, longitude: -0.376), zoom: zoom))
            var steps = 0
            _ = index.summary(of: tile, steps: &steps)
            _ = index.cells(of: tile, steps: &steps)
            #expect(steps < 2000, "\(zoom)")
        }
    }
}
