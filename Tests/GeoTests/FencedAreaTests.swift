import Geo
import Testing

@Suite struct FencedAreaTests {
    private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try Coordinate(latitude: latitude, longitude: longitude)
    }

    private func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) throws -> Polygon {
        try Polygon(rings: [[(west, south), (east, south), (east, north), (west, north), (west, south)]])
    }

    private func holds(_ area: FencedArea, _ place: Coordinate) -> Bool {
        var steps = 0
        return area.contains(place, steps: &steps)
    }

    private func border(_ area: FencedArea, _ place: Coordinate) -> Double {
        var steps = 0
        return area.distanceToBorder(from: place, upTo: .infinity, steps: &steps)
    }

    private func parts(_ area: FencedArea, _ start: Coordinate, _ end: Coordinate) -> [ClosedRange<Double>] {
        var steps = 0
        return area.passages(from: start, to: end, tolerance: 1, steps: &steps)
    }

    // MARK: - Circles

    @Test("A circle contains points within its radius and returns their distance to its border")
    func circleBorder() throws {
        let centre = try place(39.47, -0.376)
        let circle = FencedArea.circle(centre, metres: 100)
        let near = Geodesic.destination(from: centre, bearing: 40, metres: 99.9)
        let far = Geodesic.destination(from: centre, bearing: 40, metres: 130)
        #expect(holds(circle, near) && !holds(circle, far))
        #expect(abs(border(circle, near) - 0.1) < 0.02 && abs(border(circle, far) - 30) < 0.02)
        #expect(abs(border(circle, centre) - 100) < 0.001)
        var steps = 0
        #expect(circle.isOutside(far, by: 29, steps: &steps) && !circle.isOutside(far, by: 31, steps: &steps))
        #expect(!circle.isOutside(near, by: 0, steps: &steps))
    }

    @Test("A circle around a pole covers every meridian") func polarCircle() throws {
        let circle = FencedArea.circle(try place(90, 0), metres: 1000)
        for longitude in [0.0, 90, 180, -45] {
            #expect(try holds(circle, place(89.992, longitude)) && !holds(circle, place(89.99, longitude)))
        }
    }

    // MARK: - Polygons

    @Test("The seam between two polygons that meet at 180° is not a border") func cutAt180() throws {
        let fiji = FencedArea.polygons([try box(179, -18, 180, -17), try box(-180, -18, -179, -17)])
        #expect(try holds(fiji, place(-17.5, 180)) && holds(fiji, place(-17.5, -179.5)))
        #expect(try !holds(fiji, place(-17.5, -178.9)))
        // Half a degree of latitude is nearer than the outer meridians.
        #expect(try border(fiji, place(-17.5, 180)) > 55_000 && border(fiji, place(-17.5, -179.999)) > 55_000)
        #expect(try parts(fiji, place(-17.5, 179.9), place(-17.5, -179.9)) == [0...1])
    }

    @Test("A part of the 180° seam with the area on one side only is a border") func partialSeam() throws {
        let step = FencedArea.polygons([try box(179, -18, 180, -17), try box(-180, -18, -179, -17.5)])
        #expect(try abs(border(step, place(-17.2, 180))) < 0.01)
        #expect(try abs(border(step, place(-17.6, 180)) - 11_066) < 60)
    }

    @Test("A polar cap has no border at the pole") func polarCap() throws {
        let cap = FencedArea.polygons([try box(-180, 89, 180, 90)])
        #expect(try holds(cap, place(90, 0)))
        #expect(try abs(border(cap, place(90, 0)) - 111_694) < 300)
        #expect(try parts(cap, place(89.9, 10), place(89.9, -170)) == [0...1])
    }

    @Test("An area that covers the whole Earth has no border") func wholeEarth() throws {
        let earth = FencedArea.polygons([try box(-180, -90, 0, 90), try box(0, -90, 180, 90)])
        #expect(
            try holds(earth, place(12, 34))
                && border(FencedArea.polygons([box(-180, -90, 180, 90)]), place(1, 2)) == .infinity)
    }

    @Test("The border of a hole is a border of the area") func holeBorder() throws {
        let ring = try Polygon(rings: [
            [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)], [(0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6), (0.4, 0.4)],
        ])
        let area = FencedArea.polygons([ring])
        #expect(try !holds(area, place(0.5, 0.5)))
        #expect(try abs(border(area, place(0.5, 0.5)) - 11_057) < 60)
        #expect(area.vertexCount == 10)
        let through = try parts(area, place(0.5, -0.1), place(0.5, 1.1))
        #expect(through.count == 2)
        #expect(
            zip(through.flatMap { [$0.lowerBound, $0.upperBound] }, [1, 5, 7, 11]).allSatisfy {
                abs($0 - $1 / 12.0) < 2e-5
            })
    }

    // MARK: - Corridors

    @Test("A corridor follows the geodesic, not the parallel") func corridorGeodesic() throws {
        let (oslo, bergen) = (try place(60, 5), try place(60, 11))
        let corridor = FencedArea.corridor([oslo, bergen], metres: 500)
        // At its midpoint the geodesic is 4 km north of the parallel.
        #expect(try !holds(corridor, place(60, 8)))
        let bearing = Geodesic.bearing(from: oslo, to: bergen)
        let middle = Geodesic.destination(
            from: oslo, bearing: bearing, metres: Geodesic.distance(from: oslo, to: bergen) / 2)
        #expect(holds(corridor, middle) && abs(border(corridor, middle) - 500) < 3)
        let aside = Geodesic.destination(from: middle, bearing: 0, metres: 700)
        #expect(abs(border(corridor, aside) - 200) < 2)
    }

    @Test("A corridor crosses 180° and the poles") func corridorCrossings() throws {
        let over = FencedArea.corridor([try place(89.9, 0), try place(89.9, 180)], metres: 100)
        #expect(try holds(over, place(90, 0)) && holds(over, place(89.95, 180)) && !holds(over, place(89.95, 90)))
        let across = FencedArea.corridor([try place(0, 179.99), try place(0, -179.99)], metres: 100)
        #expect(
            try holds(across, place(0.000_5, 180)) && holds(across, place(0, -179.995)) && !holds(across, place(0, 0)))
    }

    @Test("A corridor of one place is a circle, and a corridor of none is empty") func shortCorridors() throws {
        let centre = try place(1, 2)
        let one = FencedArea.corridor([centre], metres: 10)
        #expect(
            holds(one, centre)
                && abs(border(one, Geodesic.destination(from: centre, bearing: 9, metres: 30)) - 20) < 0.1)
        let none = FencedArea.corridor([], metres: 10)
        #expect(!holds(none, centre) && border(none, centre) == .infinity)
    }

    // MARK: - Ways

    @Test("A path that passes through an area between two places outside of it is found") func passThrough() throws {
        let centre = try place(10, 180)
        let circle = FencedArea.circle(centre, metres: 100)
        let (start, end) = (
            Geodesic.destination(from: centre, bearing: 90, metres: 1000),
            Geodesic.destination(from: centre, bearing: 270, metres: 1000)
        )
        let through = parts(circle, start, end)
        #expect(through.count == 1)
        #expect(
            abs((through.first?.lowerBound ?? 0) - 0.45) < 0.001 && abs((through.first?.upperBound ?? 0) - 0.55) < 0.001
        )
        #expect(parts(circle, start, start).isEmpty && parts(circle, centre, centre) == [0...1])
    }

    @Test("A path along a border takes bounded work") func alongBorder() throws {
        let area = FencedArea.polygons([try box(0, 0, 10, 1)])
        var steps = 0
        _ = area.passages(from: try place(0, 0), to: try place(0, 10), tolerance: 0.1, steps: &steps)
        #expect(steps < 200_000)
    }
}
