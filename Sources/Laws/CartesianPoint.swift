public import Geo

/// A point in meters from the center of the Earth, for many fast distances.
public struct CartesianPoint: Hashable, Sendable {
    private let x, y, z: Double

    /// The point of a coordinate on the WGS 84 ellipsoid.
    public init(_ place: Coordinate) {
        let (φ, λ) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
        let (sinφ, cosφ) = (Double.sin(φ), Double.cos(φ))
        let e2 = 0.006_694_379_990_141_3
        let n = 6_378_137 / (1 - e2 * sinφ * sinφ).squareRoot()
        x = n * cosφ * Double.cos(λ)
        y = n * cosφ * Double.sin(λ)
        z = n * (1 - e2) * sinφ
    }

    /// The geodesic distance in meters, to a centimeter up to 100 km: the arc over the chord.
    public func distance(to other: CartesianPoint) -> Double {
        let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
        let chord = (dx * dx + dy * dy + dz * dz).squareRoot()
        return chord * (1 + chord * chord / (24 * 6_371_000.0 * 6_371_000))
    }
}
