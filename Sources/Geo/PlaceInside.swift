extension Polygon {
    /// A place inside the polygon: the middle of the widest interior section of the parallel halfway up.
    ///
    /// If the polygon is thinner than the lattice, the place is a vertex.
    ///
    /// - Complexity: O(n log n).
    public var placeInside: Coordinate {
        let middle = (Int64(outer.extent.south) + Int64(outer.extent.north)) >> 1
        // Halfway between two rows of the lattice there cannot be a vertex.
        let y = Double(middle) + 0.5
        let crossings = ([outer] + holes).flatMap { Self.crossings(of: $0.vertices, y) }.sorted()
        var widest = (west: 0.0, east: -1.0)
        for part in stride(from: 0, to: crossings.count - 1, by: 2)
        where crossings[part + 1] - crossings[part] > widest.east - widest.west {
            widest = (crossings[part], crossings[part + 1])
        }
        let first = Self.place(outer.vertices[0].x, outer.vertices[0].y)
        guard widest.west < widest.east else { return first }
        let x = Int64(((widest.west + widest.east) / 2).rounded())
        return [middle, middle + 1].map { Self.place(x, $0) }.first(where: contains) ?? first
    }

    /// The longitudes at which the edges of a ring cross a parallel without vertices.
    private static func crossings(of ring: [Vertex], _ y: Double) -> [Double] {
        zip(ring, ring.dropFirst()).compactMap { a, b in
            guard (Double(a.y) < y) != (Double(b.y) < y) else { return nil }
            return Double(a.x) + (y - Double(a.y)) * Double(b.x - a.x) / Double(b.y - a.y)
        }
    }

    private static func place(_ x: Int64, _ y: Int64) -> Coordinate {
        Coordinate(clamping: Double(y) / Coordinate.unitsPerDegree, Double(x) / Coordinate.unitsPerDegree)
    }
}

extension [Polygon] {
    /// A place inside the polygon that is largest in longitude and latitude; nil if there is none.
    ///
    /// - Complexity: O(n log n).
    public var placeInside: Coordinate? {
        func size(_ polygon: Polygon) -> Double {
            let extent = polygon.outer.extent
            return (Double(extent.east) - Double(extent.west)) * (Double(extent.north) - Double(extent.south))
        }
        return self.max { size($0) < size($1) }?.placeInside
    }
}
