import Discovery
import Geo
import Laws
import Model
import TestSupport
import Testing

/// Bounds of the distance between people and their visible positions.
@Suite struct ReachTests {
    /// The greatest distance from `middle`, in a direction, of a place that a cell or a remembered cell covers.
    private func farthest(_ cell: CubeCell, from middle: Coordinate, bearing: Double) -> Double {
        var (near, far) = (0.0, 40_000.0)
        while far - near > 0.5 {
            let metres = (near + far) / 2
            let place = Geodesic.destination(from: middle, bearing: bearing, metres: metres)
            if cell.overshoot(of: place) <= RememberedCell.overhang { near = metres } else { far = metres }
        }
        return near
    }

    /// A random place, often where cells are longest.
    private func place(_ random: inout SeededGenerator) throws -> Coordinate {
        guard random.chance(0.5) else { return random.place() }
        let corner = try Coordinate(
            latitude: random.pick([1, -1]) * 35.45, longitude: random.pick([-135.0, -45, 45, 135]))
        return random.jittered(corner, metres: random.pick([100, 3000, 100_000]))
    }

    @Test("A public cell reaches no farther than its stated bound") func cellReach() throws {
        var most = 0.0
        for seed in RandomCases.seeds(0..<300) {
            var random = SeededGenerator(seed: seed)
            let cell = CubeCell(containing: try place(&random), level: 13)
            for _ in 0..<40 {
                let metres = farthest(cell, from: cell.centre, bearing: random.number(0..<360))
                #expect(metres <= Position.reachOfPublicCell - PingRules().maximumErrorRadius, "seed \(seed)")
                most = max(most, metres)
            }
        }
        #expect(!RandomCases.runsAll || most > 1600, "the bound is no larger than it must be: \(most)")
    }

    @Test("The region of a city reaches no farther than its stated bound") func cityReach() throws {
        var most = 0.0
        for seed in RandomCases.seeds(0..<300) {
            var random = SeededGenerator(seed: seed)
            let region = CubeCell(containing: try place(&random), level: 9)
            for _ in 0..<40 {
                let bearing = random.number(0..<360)
                // A public cell near a border of the region.
                var (near, far) = (0.0, 20_000.0)
                while far - near > 100 {
                    let metres = (near + far) / 2
                    let place = Geodesic.destination(from: region.centre, bearing: bearing, metres: metres)
                    if region.contains(place) { near = metres } else { far = metres }
                }
                let inside = Geodesic.destination(from: region.centre, bearing: bearing, metres: near)
                let cell = CubeCell(containing: inside, level: 13)
                let outermost = farthest(cell, from: cell.centre, bearing: bearing)
                let place = Geodesic.destination(from: cell.centre, bearing: bearing, metres: outermost)
                let metres = Geodesic.distance(from: region.centre, to: place)
                #expect(metres + 30_000 + PingRules().maximumErrorRadius <= Position.reachOfCity, "seed \(seed)")
                most = max(most, metres)
            }
        }
        #expect(!RandomCases.runsAll || most > 15_500, "the bound is no larger than it must be: \(most)")
    }
}
