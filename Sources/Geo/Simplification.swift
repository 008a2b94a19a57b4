internal import Glibc

/// Line simplification.
public enum Simplification {
    /// The indexes of the points of a line to keep, so that no omitted point is farther than `tolerance` meters from
    /// the simplified line.
    ///
    /// The distance is measured from the segment between the kept points before and after the omitted one. The first
    /// and the last point are kept. Distances are overestimated by at most 1.1 %, so that the tolerance holds. Segments
    /// are great circles, which deviate from the geodesic of length L by less than 1.4e-10 L² m⁻¹: 0.4 m at 50 km.
    ///
    /// Source: D. H. Douglas and T. K. Peucker, "Algorithms for the reduction of the number of points required to
    /// represent a digitized line or its caricature", Cartographica 10, 112-122, 1973,
    /// https://doi.org/10.3138/FM57-6770-U75U-7727.
    ///
    /// - Complexity: O(count · log count) for most lines, O(count²) at worst.
    public static func kept(_ line: [Coordinate], tolerance: Double) -> [Int] {
        guard line.count > 2 else { return Array(line.indices) }
        let points = line.map(Direction.init)
        var isKept = [Bool](repeating: false, count: line.count)
        isKept[0] = true
        isKept[line.count - 1] = true
        var open = [(first: 0, last: line.count - 1)]
        while let (first, last) = open.popLast() {
            let arc = Arc(points[first], points[last])
            var farthest = (index: first, distance: tolerance)
            for index in first + 1..<last {
                let distance = arc.distance(to: points[index])
                if distance > farthest.distance { farthest = (index, distance) }
            }
            guard farthest.index > first else { continue }
            isKept[farthest.index] = true
            if farthest.index - first > 1 { open.append((first, farthest.index)) }
            if last - farthest.index > 1 { open.append((farthest.index, last)) }
        }
        return isKept.indices.filter { isKept[$0] }
    }
}

/// A unit vector from the Earth's center.
private struct Direction {
    let vector: SIMD3<Double>

    init(_ place: Coordinate) {
        let point = EarthCentred(place)
        let vector = SIMD3(point.x, point.y, point.z)
        self.vector = vector / (vector * vector).sum().squareRoot()
    }

    func distance(to other: Direction) -> Double {
        let Δ = vector - other.vector
        return 2 * asin(min(1, (Δ * Δ).sum().squareRoot() / 2)) * ChordBounds.largestRadius
    }
}

/// The shorter arc of a great circle between two places.
private struct Arc {
    private let start, end: Direction
    /// The unit normal of the arc's plane; nil for an arc without length.
    private let normal: SIMD3<Double>?

    init(_ start: Direction, _ end: Direction) {
        self.start = start
        self.end = end
        let cross = Self.cross(start.vector, end.vector)
        let length = (cross * cross).sum().squareRoot()
        normal = length > 1e-12 ? cross / length : nil
    }

    /// The distance of a place from the nearest point of the arc, in meters.
    func distance(to place: Direction) -> Double {
        if let normal, (Self.cross(start.vector, place.vector) * normal).sum() >= 0,
            (Self.cross(place.vector, end.vector) * normal).sum() >= 0
        {
            return asin(min(1, abs((place.vector * normal).sum()))) * ChordBounds.largestRadius
        }
        return min(start.distance(to: place), end.distance(to: place))
    }

    private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }
}
