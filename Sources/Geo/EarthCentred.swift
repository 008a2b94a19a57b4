internal import Glibc

/// A point of the ellipsoid in earth-centered, earth-fixed coordinates, in meters.
///
/// x points toward 0° N 0° E, z toward the North Pole. Conversion from a ``Coordinate`` is within 4 nm of the true
/// point.
public struct EarthCentred: Codable, Hashable, Sendable {
    /// Meters from the center of the Earth along each axis.
    public var x, y, z: Double

    /// The surface point at a place.
    public init(_ place: Coordinate) {
        self.init(φ: place.latitude * .pi / 180, λ: place.longitude * .pi / 180)
    }

    /// The surface point at a latitude and a longitude in radians.
    init(φ: Double, λ: Double) {
        let sinφ = sin(φ)
        let cosφ = cos(φ)
        let normal = Geodesic.equatorialRadius / (1 - Self.eccentricity² * sinφ * sinφ).squareRoot()
        x = normal * cosφ * cos(λ)
        y = normal * cosφ * sin(λ)
        z = normal * (1 - Self.eccentricity²) * sinφ
    }

    init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    init(_ vector: SIMD3<Double>) { self.init(x: vector.x, y: vector.y, z: vector.z) }

    /// The length of the chord to another point, in meters.
    public func chord(to other: EarthCentred) -> Double {
        let Δx = x - other.x
        let Δy = y - other.y
        let Δz = z - other.z
        return (Δx * Δx + Δy * Δy + Δz * Δz).squareRoot()
    }

    var vector: SIMD3<Double> { SIMD3(x, y, z) }

    /// Square of the first eccentricity, f(2 - f).
    static let eccentricity² = Geodesic.flattening * (2 - Geodesic.flattening)
}

extension Coordinate {
    /// The lattice place nearest to a point of the ellipsoid.
    init(_ point: EarthCentred) {
        let fromAxis = (point.x * point.x + point.y * point.y).squareRoot()
        self.init(
            clamping: atan2(point.z, fromAxis * (1 - EarthCentred.eccentricity²)) * 180 / .pi,
            atan2(point.y, point.x) * 180 / .pi)
    }
}
