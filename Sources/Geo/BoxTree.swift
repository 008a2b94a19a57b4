/// A bounding volume hierarchy over a sequence of items: finds the items whose box holds a point or is near one, in
/// order, without visiting each.
struct BoxTree: Codable, Hashable, Sendable {
    /// A closed range of longitudes and latitudes in the plane, in 1e-7 degrees.
    struct Extent: Codable, Hashable, Sendable {
        var west, south, east, north: Int32

        @inline(__always)
        func holds(_ x: Int64, _ y: Int64) -> Bool {
            Int64(west) <= x && x <= Int64(east) && Int64(south) <= y && y <= Int64(north)
        }

        func joined(_ other: Extent) -> Extent {
            Extent(
                west: min(west, other.west), south: min(south, other.south), east: max(east, other.east),
                north: max(north, other.north))
        }
    }

    private struct Node: Codable, Hashable, Sendable {
        var extent: Extent
        var first, end: Int32
        /// The number of nodes in this subtree, including this node; descendants follow their node.
        var size: Int32 = 1
    }

    /// The number of items in a leaf, which are visited one by one.
    private static let run = 8

    private var nodes: [Node] = []

    /// - Complexity: O(extents).
    init(_ extents: [Extent]) {
        if !extents.isEmpty { _ = add(extents[...]) }
    }

    private mutating func add(_ extents: ArraySlice<Extent>) -> Extent {
        let place = nodes.count
        nodes.append(
            Node(extent: extents[extents.startIndex], first: Int32(extents.startIndex), end: Int32(extents.endIndex)))
        let extent: Extent
        if extents.count <= Self.run {
            extent = extents.dropFirst().reduce(extents[extents.startIndex]) { $0.joined($1) }
        } else {
            let middle = extents.startIndex + extents.count / 2
            let first = add(extents[..<middle])
            extent = first.joined(add(extents[middle...]))
        }
        nodes[place].extent = extent
        nodes[place].size = Int32(nodes.count - place)
        return extent
    }

    /// Calls `met` with the runs whose box may matter, until it returns false, and `missed` with the runs between them.
    ///
    /// `mayMatter` is called with the box of a run and then with the boxes of its parts. `looked` grows by the number
    /// of boxes and items visited.
    @inline(__always)
    func visit(
        looked: inout Int, where mayMatter: (Extent) -> Bool, missed: (Range<Int>) -> Void = { _ in },
        met: (Range<Int>) -> Bool
    ) {
        var index = 0
        while index < nodes.count {
            let node = nodes[index]
            let things = Int(node.first)..<Int(node.end)
            looked += 1
            if !mayMatter(node.extent) {
                missed(things)
                index += Int(node.size)
            } else {
                if node.size == 1 {
                    looked += things.count
                    guard met(things) else { return }
                }
                index += 1
            }
        }
    }

    /// Visits the runs whose box holds a point.
    func visit(
        _ x: Int64, _ y: Int64, looked: inout Int, missed: (Range<Int>) -> Void = { _ in },
        met: (Range<Int>) -> Bool
    ) {
        visit(looked: &looked, where: { $0.holds(x, y) }, missed: missed, met: met)
    }
}
