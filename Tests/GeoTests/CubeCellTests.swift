import Geo
import Testing

@Suite struct CubeCellTests {
    @Test("A cell round-trips through its id, and invalid ids are refused") func identifiers() throws {
        let cell = CubeCell(containing: try Coordinate(latitude: 39.47, longitude: -0.376), level: 13)
        #expect(CubeCell(id: cell.id) == cell)
        #expect(cell.level == 13)
        #expect(cell.ancestor(5).level == 5)
        for impossible: UInt64 in [0, 2, 0xffff_ffff_ffff_ffff, 7 << 61 | 1, 1 << 61] {
            #expect(CubeCell(id: impossible) == nil, "\(impossible)")
        }
    }

    @Test("The center of the first face is 0°, 0°") func firstFace() throws {
        let face = CubeCell(containing: try Coordinate(latitude: 1, longitude: 1), level: 0)
        #expect(try face.centre == Coordinate(latitude: 0, longitude: 0))
    }

    /// Covers every face, and both sides of the 180° meridian.
    @Test("The corners of a cell go counterclockwise around its center") func cornerOrder() throws {
        for (latitude, longitude) in [(39.47, -0.376), (0, 90), (10, 179.9999), (-10, -90), (89.9, 5), (-89.9, 5)] {
            let cell = CubeCell(containing: try Coordinate(latitude: latitude, longitude: longitude), level: 13)
            let bearings = cell.corners.map { Geodesic.bearing(from: cell.centre, to: $0) }
            let turns = zip(bearings, bearings.dropFirst() + bearings.prefix(1)).map { before, after in
                (before - after + 720).truncatingRemainder(dividingBy: 360)
            }
            #expect(turns.allSatisfy { $0 > 50 && $0 < 130 }, "\(latitude), \(longitude): \(bearings)")
            #expect(cell.corners.allSatisfy { abs(cell.depth(of: $0)) < 0.001 })
        }
    }

    @Test("The distance outside of a cell is measured in cell sides") func outside() throws {
        let here = try Coordinate(latitude: 39.47, longitude: -0.376)
        let cell = CubeCell(containing: here, level: 13)
        let east = Geodesic.destination(from: cell.centre, bearing: 90, metres: 5000)
        let overshoot = cell.overshoot(of: east)
        #expect(overshoot > 3.5 && overshoot < 6)
        let opposite = try Coordinate(latitude: -39.47, longitude: 179.624)
        #expect(cell.overshoot(of: opposite) == .infinity)
    }
}
