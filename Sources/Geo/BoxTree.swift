/// Boxes around things that come one after the other, and around runs of these: finds the things whose box holds a point or is
/// near one, in their order, without looking at each.
struct BoxTree: Codable, Hashable, Sendable {
    /// A closed range of longitudes and latitudes in the plane, in 1e-7 degrees.
    struct Extent: Codable, Hashable, Sendable {
        var west, south, east, north: Int32

        @inline(__always)
        func holds(_ x: Int64, _ y: Int64) -> Bool {
            Int64(west) <= x && x <= Int64(east) && Int64(south) <= y && y <= Int64(north)
        }

        /// The smallest extent that holds both.
        func joined(_ other: Extent) -> Extent {
            Extent(
                west: min(west, other.west), south: min(south, other.south), east: max(east, other.east),
                north: max(north, other.north))
        }
    }

    private struct Node: Codable, Hashable, Sendable {
        var extent: Extent
        var first, end: Int32
        /// How many nodes there are of the run, this one and those below it, which follow it.
        var size: Int32 = 1
    }

    /// So many things are looked at one by one.
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

    /// Calls `met` with the runs whose box may matter, until it returns false, and `missed` with those between.
    ///
    /// `mayMatter` is asked of the box of a run and, after that, of the boxes of its parts. `looked` grows by the number of
    /// boxes and things that were looked at.
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

    /// The same for the runs whose box holds a point.
    func visit(
        _ x: Int64, _ y: Int64, looked: inout Int, missed: (Range<Int>) -> Void = { _ in },
        met: (Range<Int>) -> Bool
    ) {
        visit(looked: &looked, where: { $0.holds(x, y) }, missed: missed, met: met)
    }
}
