import Geo
import Testing

@Suite struct AreaTests {
    private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try Coordinate(latitude: latitude, longitude: longitude)
    }

    // MARK: - Boxes

    @Test("A box whose west is greater than its east crosses 180°") func antimeridian() throws {
        let fiji = try Box(west: 177, south: -20, east: -178, north: -12)
        #expect(try fiji.contains(place(-17, 179)))
        #expect(try fiji.contains(place(-17, 180)))
        #expect(try fiji.contains(place(-17, -179)))
        #expect(try !fiji.contains(place(-17, 0)))
        #expect(try !fiji.contains(place(-17, 176.999_999_9)))
    }

    @Test("A box contains its border, and 180° is the same meridian from both sides") func boxBorder() throws {
        let east = try Box(west: 170, south: 0, east: 180, north: 1)
        let west = try Box(west: -180, south: 0, east: -170, north: 1)
        for box in [east, west] { #expect(try box.contains(place(0.5, 180)) && box.contains(place(0.5, -180))) }
        #expect(try east.contains(place(1, 170)))
    }

    @Test("A box that reaches a pole contains the pole") func poleInBox() throws {
        let arctic = try Box(west: 10, south: 80, east: 20, north: 90)
        #expect(try arctic.contains(place(90, -77)))
        #expect(try !arctic.contains(place(89.999, -77)))
    }

    @Test("A box can cover the whole Earth") func wholeEarth() throws {
        let earth = try Box(west: -180, south: -90, east: 180, north: 90)
        for (latitude, longitude) in [(0.0, 0.0), (90, 0), (-90, 0), (0, 180), (5, -179)] {
            #expect(try earth.contains(place(latitude, longitude)))
        }
    }

    @Test("Impossible boxes are refused") func impossibleBoxes() {
        #expect(throws: BoxError.southAboveNorth) { try Box(west: 0, south: 2, east: 1, north: 1) }
        #expect(throws: BoxError.self) { try Box(west: 0, south: -91, east: 1, north: 1) }
    }

    // MARK: - Polygons

    private let square: [(longitude: Double, latitude: Double)] = [(0, 0), (10, 0), (10, 10), (0, 10), (0, 0)]
    private let hole: [(longitude: Double, latitude: Double)] = [(4, 4), (6, 4), (6, 6), (4, 6), (4, 4)]

    @Test("A polygon contains its interior and its borders but not its holes") func containment() throws {
        let polygon = try Polygon(rings: [square, hole])
        #expect(try polygon.contains(place(2, 2)))
        #expect(try polygon.contains(place(0, 5)) && polygon.contains(place(10, 10)))
        #expect(try !polygon.contains(place(5, 5)))
        #expect(try polygon.contains(place(4, 5)), "the border of a hole belongs to the area")
        #expect(try !polygon.contains(place(-0.000_000_1, 5)))
        #expect(polygon.vertexCount == 10)
    }

    @Test("A polygon along 180° and a pole contains both") func poleInPolygon() throws {
        let cap = try Polygon(rings: [[(-180, 60), (180, 60), (180, 90), (-180, 90), (-180, 60)]])
        #expect(try cap.contains(place(90, 0)) && cap.contains(place(70, 180)) && cap.contains(place(70, -180)))
        #expect(try !cap.contains(place(59, 0)))
    }

    @Test("A polygon with an edge at 180° contains the meridian") func edgeAt180() throws {
        for (edge, other) in [(180.0, 170.0), (-180, -170)] {
            let ring = [(other, 0.0), (edge, 0), (edge, 10), (other, 10), (other, 0)]
            let polygon = try Polygon(rings: [ring.map { (longitude: $0.0, latitude: $0.1) }])
            for longitude in [180.0, -180] {
                #expect(try polygon.contains(place(5, longitude)) && !polygon.contains(place(11, longitude)))
                #expect(try Region.polygons([polygon]).contains(place(5, longitude)))
            }
            #expect(try polygon.contains(place(5, edge - (edge - other) / 2)) && !polygon.contains(place(5, 0)))
            #expect(try !polygon.contains(place(5, -other)))
        }
    }

    @Test("The work of a containment test does not grow with the number of distant edges") func fewEdges() throws {
        let comb = (0..<5000).flatMap { tooth -> [(longitude: Double, latitude: Double)] in
            let x = Double(tooth) * 0.002
            return [(x, 10), (x + 0.001, -10)]
        }
        let polygon = try Polygon(rings: [comb + [(10, -20), (0, -20), comb[0]]])
        let region = Region.polygons([polygon])
        for longitude in [0.0005, 1, 5.0003, 9.9] {
            var steps = 0
            _ = region.contains(try place(3, longitude), steps: &steps)
            #expect(steps < 20)
        }
    }

    @Test("An invalid polygon is refused with its ring, vertex, and cause") func polygonErrors() {
        func fault(_ rings: [[(longitude: Double, latitude: Double)]]) -> PolygonError? {
            do {
                _ = try Polygon(rings: rings)
                return nil
            } catch { return error }
        }
        #expect(fault([]) == .noRing)
        #expect(fault([[(0, 0), (1, 1), (0, 0)]]) == .ring(0, vertex: 2, .fewerThanFour))
        #expect(fault([[(0, 0), (1, 0), (1, 1), (0, 1)]]) == .ring(0, vertex: 3, .notClosed))
        #expect(fault([[(0, 0), (1, 0), (2, 0), (0, 0)]]) == .ring(0, vertex: 3, .noArea))
        #expect(fault([[(170, 0), (-170, 0), (-170, 5), (170, 0)]]) == .ring(0, vertex: 1, .edgeWiderThanHalfTurn))
        guard case .ring(1, vertex: 2, .coordinate(let error))? = fault([square, [(1, 1), (2, 1), (2, 91), (1, 1)]])
        else {
            Issue.record("a vertex beyond the pole was accepted")
            return
        }
        #expect(error.axis == .latitude)
    }
}
