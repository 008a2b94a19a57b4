package import Cities
package import Foundation
package import Geo
package import Model

package let gazetteer = Gazetteer()

/// 2026-11-20T10:00:00Z, the time of the clocks in tests.
package let morning = Timestamp(milliseconds: 1_795_168_800_000)

/// Parses an ISO 8601 time, to the second.
package func instant(_ text: String) throws -> Timestamp {
    Timestamp(milliseconds: Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970) * 1000)
}

/// A coordinate in degrees.
package func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try Coordinate(latitude: latitude, longitude: longitude)
}

/// Gives `body` the path of a temporary folder, which is then removed.
package func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cerca-test-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// The place `metres` meters east of the center of Valencia.
package func east(_ metres: Double) -> Coordinate {
    Geodesic.destination(from: valencia, bearing: 90, metres: metres)
}

/// The center of Valencia.
package let valencia: Coordinate = {
    guard let place = try? Coordinate(latitude: 39.4699, longitude: -0.3763) else { preconditionFailure("is a place") }
    return place
}()

/// A closed ring in the shape of a comb near Valencia, with four corners for each tooth and three more.
///
/// The straight path between the two places of ``besideComb`` crosses all teeth.
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
