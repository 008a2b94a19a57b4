internal import Glibc

/// How far something can be from where it is thought to be.
public enum Reach {
    /// The greatest distance, in metres, from a point of a geodesic of anything that lies within one distance of the
    /// geodesic's start and within another of its end.
    ///
    /// The ellipsoid is nowhere more curved than a sphere of radius b, and has no closed geodesic shorter than that sphere's
    /// great circle: its triangles are no fatter than those with the same sides on the sphere (M. R. Bridson and A.
    /// Haefliger, "Metric Spaces of Non-Positive Curvature", 1999, II.4.16, https://doi.org/10.1007/978-3-662-12494-9). There
    /// Stewart's theorem tells how far a corner is from a point of the opposite side, and that grows with both other sides.
    ///
    /// - Parameters:
    ///   - along: where the point lies, in metres from the start; 0 to `length`.
    ///   - length: of the geodesic, which is a shortest one, in metres.
    ///   - start: the greatest distance from the start, in metres.
    ///   - end: the greatest distance from the end, in metres; together with `start` at least `length`, or nothing lies there.
    /// - Returns: at most half the circumference of the Earth.
    public static func farthest(
        from along: Double, ofGeodesic length: Double, within start: Double, and end: Double
    ) -> Double {
        // Distances are known to 15 nm (C. F. F. Karney, https://doi.org/10.1007/s00190-012-0578-z): far apart, that along a
        // line is decimetres across it.
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

    /// The haversine of an angle, given half of it.
    private static func haversine(_ half: Double) -> Double { sin(half) * sin(half) }
}
