/// A closed line in the plane of longitude and latitude, with a box tree of its edges.
struct Outline: Codable, Hashable, Sendable {
    /// A vertex in 1e-7 degrees; unlike in ``Coordinate``, -180° and 180° are the two ends of the plane.
    struct Vertex: Codable, Hashable, Sendable {
        var x, y: Int64
    }

    /// The position of a point relative to the outline.
    enum Side { case inside, outside, border }

    /// The last vertex equals the first.
    let vertices: [Vertex]
    let extent: BoxTree.Extent
    /// The boxes of the edges; edge n leads from vertex n to the next.
    let edges: BoxTree

    /// - Precondition: there are at least two vertices.
    init(_ vertices: [Vertex]) {
        self.vertices = vertices
        let extents = zip(vertices, vertices.dropFirst()).map { a, b in
            BoxTree.Extent(
                west: Int32(min(a.x, b.x)), south: Int32(min(a.y, b.y)), east: Int32(max(a.x, b.x)),
                north: Int32(max(a.y, b.y)))
        }
        extent = extents.dropFirst().reduce(extents[0]) { $0.joined($1) }
        edges = BoxTree(extents)
    }

    /// Even-odd rule: counts the edges that a ray to the east crosses.
    ///
    /// For a piece of the line whose box does not hold the point, the number of crossings has the same parity as for
    /// the straight line between its ends. Both lie in the box, and together they are closed. So distant pieces cost
    /// one comparison, and the result is exact.
    ///
    /// `looked` grows by the number of boxes and edges visited.
    ///
    /// - Complexity: O(log edges + edges whose box holds the point).
    func side(of point: Vertex, looked: inout Int) -> Side {
        var isInside = false
        var isOnBorder = false
        edges.visit(point.x, point.y, looked: &looked) { piece in
            if Self.crosses(vertices[piece.lowerBound], vertices[piece.upperBound], point) { isInside.toggle() }
        } met: { piece in
            for edge in piece {
                let (a, b) = (vertices[edge], vertices[edge + 1])
                if Self.holds(a, b, point) {
                    isOnBorder = true
                    return false
                }
                if Self.crosses(a, b, point) { isInside.toggle() }
            }
            return true
        }
        return isOnBorder ? .border : isInside ? .inside : .outside
    }

    /// Products of lattice numbers stay below 6.5e18.
    private static func products(_ a: Vertex, _ b: Vertex, _ point: Vertex) -> (left: Int64, right: Int64) {
        ((b.x - a.x) * (point.y - a.y), (point.x - a.x) * (b.y - a.y))
    }

    /// Whether a ray from the point to the east crosses the straight line between two vertices.
    private static func crosses(_ a: Vertex, _ b: Vertex, _ point: Vertex) -> Bool {
        guard (a.y > point.y) != (b.y > point.y) else { return false }
        let (left, right) = products(a, b, point)
        return (right < left) == (b.y > a.y)
    }

    private static func holds(_ a: Vertex, _ b: Vertex, _ point: Vertex) -> Bool {
        let (left, right) = products(a, b, point)
        return left == right && (min(a.x, b.x)...max(a.x, b.x)).contains(point.x)
            && (min(a.y, b.y)...max(a.y, b.y)).contains(point.y)
    }
}
