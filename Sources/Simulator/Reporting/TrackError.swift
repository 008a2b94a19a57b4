internal import Foundation
package import Geo
internal import Histogram

/// Statistics of distances between stored and true positions.
package struct TrackError: Sendable {
    /// Decimeters.
    private var histogram = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
    private var sum = 0.0
    private var count = 0

    package init() {}

    /// Adds a distance in meters.
    mutating func add(_ metres: Double) {
        histogram.record(UInt64((metres * 10).rounded()))
        sum += metres
        count += 1
    }

    mutating func add(_ other: TrackError) {
        histogram.add(other.histogram)
        sum += other.sum
        count += other.count
    }

    /// Meters.
    struct Summary: Encodable, Sendable {
        var samples: Int
        var mean_m, p50_m, p95_m, max_m: Double
    }

    var summary: Summary {
        func percentile(_ p: Double) -> Double { Double(histogram.valueAtPercentile(p)) / 10 }
        return Summary(
            samples: count, mean_m: count == 0 ? 0 : (sum / Double(count) * 10).rounded() / 10,
            p50_m: percentile(50), p95_m: percentile(95), max_m: percentile(100))
    }
}

/// A line of stored positions from which distances are measured.
///
/// Its segments are arcs of great circles between the ellipsoid's normals, whose lengths are within 0.6 % of the
/// geodesic.
package struct StoredLine: Sendable {
    private static let radius = 6_371_008.8

    private let points: [SIMD3<Double>]

    package init(_ places: [Coordinate]) { points = places.map(Self.normal) }

    private static func normal(_ place: Coordinate) -> SIMD3<Double> {
        let (φ, λ) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
        return SIMD3(cos(φ) * cos(λ), cos(φ) * sin(λ), sin(φ))
    }

    /// The distance in meters from a place to the nearest point of the line; nil for an empty line.
    package func distance(to place: Coordinate) -> Double? {
        let here = Self.normal(place)
        guard let first = points.first else { return nil }
        var least = Self.arc(here, first)
        for (a, b) in zip(points, points.dropFirst()) {
            let cross = Self.cross(a, b)
            let length = (cross * cross).sum().squareRoot()
            let isBeside =
                length > 1e-12 && (Self.cross(a, here) * cross).sum() >= 0 && (Self.cross(here, b) * cross).sum() >= 0
            let across = isBeside ? asin(min(1, abs((here * cross).sum()) / length)) : Self.arc(here, b)
            least = min(least, across)
        }
        return least * Self.radius
    }

    private static func arc(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
        let Δ = a - b
        return 2 * asin(min(1, (Δ * Δ).sum().squareRoot() / 2))
    }

    private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }
}
