import Geo
import Testing

@Suite struct CoordinateTests {
    @Test("Coordinates are rounded to 1e-7 degrees") func rounding() throws {
        let place = try Coordinate(latitude: 39.469_912_345_6, longitude: -0.376_288_888_8)
        #expect(place.latitudeE7 == 394_699_123)
        #expect(place.longitudeE7 == -3_762_889)
        #expect(place.latitude == 39.469_912_3)
        #expect(place.longitude == -0.376_288_9)
    }

    @Test("Equal places have equal coordinates, also at 180°, at a pole, and for negative zero")
    func canonical() throws {
        #expect(try Coordinate(latitude: 10, longitude: -180) == Coordinate(latitude: 10, longitude: 180))
        #expect(try Coordinate(latitude: 10, longitude: -179.999_999_99).longitude == 180)
        #expect(try Coordinate(latitude: 90, longitude: 40) == Coordinate(latitude: 90, longitude: -120))
        #expect(try Coordinate(latitude: 89.999_999_99, longitude: 40).longitude == 0)
        #expect(try Coordinate(latitude: -0.0, longitude: -0.0) == Coordinate(latitude: 0, longitude: 0))
        #expect(try Coordinate(latitude: -.leastNonzeroMagnitude, longitude: 1e-9).longitude.sign == .plus)
    }

    @Test(
        "Coordinates out of range are refused, with a hint if latitude and longitude may be swapped",
        arguments: [
            (91.0, 10.0, CoordinateError.Axis.latitude, true), (139.7, 35.6, .latitude, true),
            (-91, -170, .latitude, false),
            (45, 181, .longitude, false), (10, 180.000_000_1, .longitude, false), (.nan, 0, .latitude, false),
            (0, .infinity, .longitude, false),
        ])
    func outOfRange(latitude: Double, longitude: Double, axis: CoordinateError.Axis, fitsExchanged: Bool) {
        let error = #expect(throws: CoordinateError.self) {
            try Coordinate(latitude: latitude, longitude: longitude)
        }
        #expect(error?.axis == axis)
        #expect(error?.fitsExchanged == fitsExchanged)
    }

    @Test("The ends of both ranges are accepted") func rangeEnds() throws {
        for (latitude, longitude) in [(90.0, 180.0), (-90, -180), (90, -180), (0, 180)] {
            _ = try Coordinate(latitude: latitude, longitude: longitude)
        }
    }
}
