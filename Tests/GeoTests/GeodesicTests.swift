import Foundation
import Geo
import Testing

@Suite struct GeodesicTests {
    /// 5,000 of Karney's own test geodesics, accurate to 0.1 µm, from nearly antipodal pairs to a few meters.
    @Test("Distances agree with Karney's test set to 1 µm") func karneyDistances() throws {
        let rows = try referenceRows()
        #expect(rows.count == 5000)
        for row in rows {
            let (distance, _) = Geodesic.inverse(row[2], row[3], row[5], row[6])
            #expect(abs(distance - row[7]) < 1e-6, "line \(Int(row[0])): \(distance) instead of \(row[7])")
        }
    }

    @Test("Bearings agree with Karney's test set to 1e-6 degrees") func karneyBearings() throws {
        for row in try referenceRows() where row[7] > 1 && row[7] < 19_000_000 {
            let (_, azimuth) = Geodesic.inverse(row[2], row[3], row[5], row[6])
            let difference = abs((azimuth - row[4] + 540).truncatingRemainder(dividingBy: 360) - 180)
            #expect(difference < 1e-6 || abs(row[2]) > 89.999, "line \(Int(row[0])): \(azimuth) instead of \(row[4])")
        }
    }

    @Test("The distance from the equator to a pole is the meridian quadrant") func meridianQuadrant() throws {
        let equator = try Coordinate(latitude: 0, longitude: 0)
        let pole = try Coordinate(latitude: 90, longitude: 0)
        #expect(abs(Geodesic.distance(from: equator, to: pole) - 10_001_965.729_313) < 1e-6)
    }

    @Test("Bearings are clockwise from north, in whole degrees below 360") func compass() throws {
        let here = try Coordinate(latitude: 40, longitude: -3)
        let bearings = [(41.0, -3.0), (40, -2), (39, -3), (40, -4)].map { pair in
            (try? Coordinate(latitude: pair.0, longitude: pair.1)).map { Origin(here).course(to: $0).bearing }
        }
        #expect(bearings == [0, 90, 180, 270])
        #expect(Geodesic.bearing(from: here, to: here) == 0)
        let justWestOfNorth = try Coordinate(latitude: 50, longitude: -3.000_1)
        #expect(Origin(here).course(to: justWestOfNorth).bearing == 0)
    }

    @Test("Destinations cross 180° and the poles") func destinations() throws {
        let fiji = try Coordinate(latitude: -17.8, longitude: 179.97)
        #expect(Geodesic.destination(from: fiji, bearing: 90, metres: 10_000).longitude < -179.9)
        let north = try Coordinate(latitude: 89.95, longitude: 40)
        #expect(abs(Geodesic.destination(from: north, bearing: 0, metres: 10_000).longitude + 140) < 1e-6)
    }

    private func referenceRows() throws -> [[Double]] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "../../data/geodesy/geodtest.csv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
        return lines.map { line in line.split(separator: ",").map { Double($0) ?? .nan } }
    }
}
