package import Cities
package import Foundation
package import Geo
package import Model

/// All cities, read once.
package let gazetteer = Gazetteer()

/// 2026-11-20T10:00:00Z, which clocks of tests say.
package let morning = Timestamp(milliseconds: 1_795_168_800_000)

/// Time as it is written in ISO 8601, to the second.
package func instant(_ text: String) throws -> Timestamp {
    Timestamp(milliseconds: Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970) * 1000)
}

/// A place by its degrees.
package func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try Coordinate(latitude: latitude, longitude: longitude)
}

/// Where a test may make a folder of its own, which is gone afterwards.
package func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cerca-test-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// A place so many metres east of the middle of Valencia.
package func east(_ metres: Double) -> Coordinate {
    Geodesic.destination(from: valencia, bearing: 90, metres: metres)
}

/// The middle of Valencia.
package let valencia: Coordinate = {
    guard let place = try? Coordinate(latitude: 39.4699, longitude: -0.3763) else { preconditionFailure("is a place") }
    return place
}()

/// A closed ring in the shape of a comb near Valencia, of four corners for each tooth and three more.
///
/// The way between the two places of ``besideComb`` crosses all teeth.
package func comb(teeth: Int = 249) -> [(longitude: Double, latitude: Double)] {
    let corners = (0..<teeth).flatMap { tooth in
        let (west, east) = (-0.4 + Double(tooth) * 0.0002, -0.4 + Double(tooth) * 0.0002 + 0.0001)
        return [(west, 39.46), (west, 39.48), (east, 39.48), (east, 39.46)]
    }
    let ring = [(-0.4, 39.45)] + corners + [(-0.4 + Double(teeth) * 0.0002, 39.45), (-0.4, 39.45)]
    return ring.map { (longitude: $0.0, latitude: $0.1) }
}

/// A place west of the comb of 249 teeth, and one east of it.
package let besideComb: [Coordinate] = [-0.401, -0.349].map { longitude in
    guard let side = try? Coordinate(latitude: 39.47, longitude: longitude) else {
        preconditionFailure("is a place")
    }
    return side
}
