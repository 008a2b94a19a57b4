internal import Glibc

/// Bounds of how far an entity can be from its estimated position.
public enum Reach {
    /// The greatest distance, in meters, between a point of a geodesic and a place with bounded distances to the
    /// geodesic's ends.
    ///
    /// The ellipsoid is nowhere more curved than a sphere of radius b, and has no closed geodesic shorter than that
    /// sphere's great circle. Therefore its triangles are no fatter than triangles with equal sides on the sphere (M.
    /// R. Bridson and A. Haefliger, "Metric Spaces of Non-Positive Curvature", 1999, II.4.16,
    /// https://doi.org/10.1007/978-3-662-12494-9). There Stewart's theorem gives the distance of a corner from a point
    /// of the opposite side, which grows with both other sides.
    ///
    /// - Parameters:
    ///   - along: the distance of the point from the start of the geodesic, in meters; 0 to `length`.
    ///   - length: the length of the geodesic, which must be a shortest one, in meters.
    ///   - start: the greatest distance of the place from the start, in meters.
    ///   - end: the greatest distance of the place from the end, in meters; `start + end` is at least `length`, or
    ///     such a place does not exist.
    /// - Returns: the distance, at most half the circumference of the Earth.
    public static func farthest(
        from along: Double, ofGeodesic length: Double, within start: Double, and end: Double
    ) -> Double {
        // Distances are known to 15 nm (C. F. F. Karney, https://doi.org/10.1007/s00190-012-0578-z). Over long
        // distances such an error along a line is decimeters across it.
        let margin = 1e-7
        let (start, end) = (min(start, end + length) + margin, min(end, start + length) + margin)
        let simple = min(along + start, length - along + end, Geodesic.longestDistance)
        guard length > 0, length + start + end < 2 * .pi * polarRadius * 0.999 else { return simple }
        let half = 1 / (2 * polarRadius)
        let (d, x) = (length * half, along * half)
        let above = haversine(start * half) * sin(2 * (d - x)) + haversine(end * half) * sin(2 * x)
        let square = (above - 2 * sin(d) * sin(d - x) * sin(x)) / sin(2 * d)
        return min(simple, asin(min(1, max(0, square)).squareRoot()) / half)
    }

    private static let polarRadius = Geodesic.equatorialRadius * (1 - Geodesic.flattening)

    /// The haversine of an angle, given half of the angle.
    private static func haversine(_ half: Double) -> Double { sin(half) * sin(half) }
}
