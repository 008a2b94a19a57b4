internal import Glibc

/// The border lines of polygons: all edges except those that cut an area at the 180° meridian and those along a pole,
/// which are not lines on Earth.
struct PolygonBorder: Codable, Hashable, Sendable {
    private let rings: [Outline]
    private let boxes: BoxTree
    /// The edges along the 180° meridian, except where the area lies on both sides.
    private let seams: [ClosedRange<Int64>]

    /// - Complexity: O(n log n).
    init(_ polygons: [Polygon]) {
        rings = polygons.flatMap { [$0.outer] + $0.holes }
        boxes = BoxTree(rings.map(\.extent))
        seams = Self.seams(of: polygons)
    }

    /// Visits the edge that seems nearest first, so that most others need only a box comparison; a test takes any
    /// order.
    ///
    /// - Complexity: O(log n + lines near the place).
    func visit(_ approach: inout Approach, looked: inout Int) {
        if !approach.isTest { visitNearest(&approach, looked: &looked) }
        visitEdges(near: &approach, looked: &looked) { _, _ in
            true
        } met: { approach, a, b in
            if approach.leastDistance(to: a, b) < approach.chord { approach.look(at: StraightEdge(a, b)) }
        }
        looked += seams.count
        let end = Int64(Coordinate.halfTurn)
        for seam in seams {
            let (a, b) = (Outline.Vertex(x: end, y: seam.lowerBound), Outline.Vertex(x: end, y: seam.upperBound))
            if approach.mayMatter(Self.extent(a, b)) { approach.look(at: StraightEdge(a, b)) }
        }
    }

    private func visitNearest(_ approach: inout Approach, looked: inout Int) {
        var (least, nearest): (Double, (Outline.Vertex, Outline.Vertex)?) = (.infinity, nil)
        visitEdges(near: &approach, looked: &looked) { approach, extent in
            approach.leastDistance(to: extent) < least
        } met: { approach, a, b in
            let distance = approach.leastDistance(to: a, b)
            if distance < least { (least, nearest) = (distance, (a, b)) }
        }
        if let (a, b) = nearest { approach.look(at: StraightEdge(a, b)) }
    }

    /// Calls `met` with the ends of the edges that may matter, in the boxes that are wanted, until the search is done.
    @inline(__always)
    private func visitEdges(
        near approach: inout Approach, looked: inout Int, where isWanted: (Approach, BoxTree.Extent) -> Bool,
        met: (inout Approach, Outline.Vertex, Outline.Vertex) -> Void
    ) {
        var edges = 0
        boxes.visit(looked: &looked) {
            approach.mayMatter($0)
        } met: { some in
            for ring in some where approach.mayMatter(rings[ring].extent) {
                rings[ring].edges.visit(looked: &edges) {
                    approach.mayMatter($0) && isWanted(approach, $0)
                } met: { some in
                    for edge in some where !approach.isDone {
                        let (a, b) = (rings[ring].vertices[edge], rings[ring].vertices[edge + 1])
                        guard approach.mayMatter(Self.extent(a, b)), !Self.isSeam(a, b), !Self.isPole(a, b) else {
                            continue
                        }
                        met(&approach, a, b)
                    }
                    return !approach.isDone
                }
            }
            return !approach.isDone
        }
        looked += edges
    }

    @inline(__always)
    private static func extent(_ a: Outline.Vertex, _ b: Outline.Vertex) -> BoxTree.Extent {
        BoxTree.Extent(
            west: Int32(truncatingIfNeeded: min(a.x, b.x)), south: Int32(truncatingIfNeeded: min(a.y, b.y)),
            east: Int32(truncatingIfNeeded: max(a.x, b.x)), north: Int32(truncatingIfNeeded: max(a.y, b.y)))
    }

    private static func isSeam(_ a: Outline.Vertex, _ b: Outline.Vertex) -> Bool {
        a.x == b.x && abs(a.x) == Int64(Coordinate.halfTurn)
    }

    private static func isPole(_ a: Outline.Vertex, _ b: Outline.Vertex) -> Bool {
        a.y == b.y && abs(a.y) == Int64(Coordinate.quarterTurn)
    }

    /// The edges along the 180° meridian, except where the area lies on both sides.
    private static func seams(of polygons: [Polygon]) -> [ClosedRange<Int64>] {
        // Counts by y the polygons on the east and on the west of the meridian, and the edges along it.
        var changes: [(y: Int64, counts: SIMD3<Int>)] = []
        for polygon in polygons where reachesSeam(polygon) {
            for side in [-Int64(Coordinate.halfTurn), Int64(Coordinate.halfTurn)] {
                let edges = seamEdges(of: polygon, at: side)
                for edge in edges {
                    changes += [(edge.lowerBound, SIMD3(0, 0, 1)), (edge.upperBound, SIMD3(0, 0, -1))]
                }
                // Each end of an edge starts or ends an area beside the meridian (even-odd rule).
                for (number, y) in edges.flatMap({ [$0.lowerBound, $0.upperBound] }).sorted().enumerated() {
                    let change = number.isMultiple(of: 2) ? 1 : -1
                    changes.append((y, side < 0 ? SIMD3(change, 0, 0) : SIMD3(0, change, 0)))
                }
            }
        }
        changes.sort { $0.y < $1.y }
        var counts = SIMD3<Int>.zero
        var seams: [ClosedRange<Int64>] = []
        for (change, next) in zip(changes, changes.dropFirst()) {
            counts &+= change.counts
            if counts[2] > 0, counts[0] == 0 || counts[1] == 0, change.y < next.y { seams.append(change.y...next.y) }
        }
        return seams
    }

    private static func seamEdges(of polygon: Polygon, at side: Int64) -> [ClosedRange<Int64>] {
        ([polygon.outer] + polygon.holes).flatMap { ring in
            zip(ring.vertices, ring.vertices.dropFirst()).compactMap { a, b in
                isSeam(a, b) && a.x == side && a.y != b.y ? min(a.y, b.y)...max(a.y, b.y) : nil
            }
        }
    }

    private static func reachesSeam(_ polygon: Polygon) -> Bool {
        let extent = polygon.outer.extent
        return extent.west == -Coordinate.halfTurn || extent.east == Coordinate.halfTurn
            || polygon.holes.contains {
                $0.extent.west == -Coordinate.halfTurn || $0.extent.east == Coordinate.halfTurn
            }
    }
}

private struct StraightEdge: Curve {
    /// Radians.
    private let φ, λ, Δφ, Δλ: Double

    init(_ a: Outline.Vertex, _ b: Outline.Vertex) {
        let unit = Double.pi / 180 / Coordinate.unitsPerDegree
        (φ, λ) = (Double(a.y) * unit, Double(a.x) * unit)
        (Δφ, Δλ) = (Double(b.y - a.y) * unit, Double(b.x - a.x) * unit)
    }

    func point(at share: Double) -> SIMD3<Double> { EarthCentred(φ: φ + share * Δφ, λ: λ + share * Δλ).vector }

    /// An eighth of the greatest second derivative.
    ///
    /// With every radius below 6,420 km that is at most R (Δφ² + 2 |Δφ Δλ| + Δλ² cos φ), with φ nearest to the equator.
    func bulge(_ first: Double, _ last: Double) -> Double {
        let (height, width) = (abs(Δφ) * (last - first), abs(Δλ) * (last - first))
        let (low, high) = (φ + first * Δφ, φ + last * Δφ)
        let widest = low * high <= 0 ? 1 : cos(min(abs(low), abs(high)))
        return 6.42e6 / 8 * (height * height + 2 * height * width + width * width * widest)
    }
}
