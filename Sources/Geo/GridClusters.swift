/// Entities that lie in one cell of a map together.
public struct GridCluster: Hashable, Sendable {
    /// How many there are.
    public fileprivate(set) var count = 0
    /// One of them.
    public fileprivate(set) var handle: Int32
    /// The sum of their earth-centred coordinates.
    private var sum: SIMD3<Double> = .zero

    fileprivate init(handle: Int32) { self.handle = handle }

    /// The place under which the middle of all lies, which is no farther from the cell than its neighbours.
    public var middle: Coordinate { Coordinate(EarthCentred(sum / Double(count))) }

    fileprivate mutating func add(_ point: SIMD3<Double>) {
        count += 1
        sum += point
    }
}

/// The entities of an area by the cells of a level, gathered in parts, between which the grid may change.
///
/// The grid is walked along the cells' ids. What stands still meanwhile is in exactly one cluster.
public struct GridClusters: Sendable {
    /// What was gathered so far.
    public private(set) var clusters: [CubeCell: GridCluster] = [:]
    /// How many entities were looked at.
    public private(set) var looked = 0

    private let region: Region
    private let filter: SignatureFilter
    private let level: Int
    /// Smaller ids of smallest cells were walked over.
    private var next: UInt64 = 0

    private static let end: UInt64 = 6 << 61

    /// - Parameters:
    ///   - region: where the entities lie.
    ///   - filter: what their signatures must match.
    ///   - level: that of the cells, 0...30.
    public init(in region: Region, _ filter: SignatureFilter, level: Int) {
        (self.region, self.filter, self.level) = (region, filter, level)
    }

    /// Walks on, until `steps` (of about 100 ns) exceed `most`.
    ///
    /// `isWanted` says whether an entity of the area is gathered, and adds what that takes to `steps`.
    ///
    /// - Returns: whether the walk is at its end.
    /// - Complexity: O(leaves of the area), and what `isWanted` takes for each of its entities.
    public mutating func walk(
        _ grid: borrowing Grid, steps: inout Int, most: Int, where isWanted: (Int32, inout Int) -> Bool
    ) -> Bool {
        while next < Self.end {
            guard steps < most else { return false }
            let face = next >> 61
            if walk(Int32(face), of: grid, &steps, most, isWanted) { next = (face + 1) << 61 }
        }
        return true
    }

    /// Gathers an entity that was found by other means.
    public mutating func add(_ handle: Int32, at place: Coordinate) {
        looked += 1
        guard region.contains(place) else { return }
        add(handle, EarthCentred(place).vector, to: CubeCell(containing: place, level: level))
    }

    private mutating func add(_ handle: Int32, _ point: SIMD3<Double>, to cell: CubeCell) {
        clusters[cell, default: GridCluster(handle: handle)].add(point)
    }

    /// - Returns: whether the whole node was walked.
    private mutating func walk(
        _ number: Int32, of grid: borrowing Grid, _ steps: inout Int, _ most: Int,
        _ isWanted: (Int32, inout Int) -> Bool
    ) -> Bool {
        let node = grid.nodes.pointer(number)
        steps += 1
        guard mayHold(node) else { return true }
        let low =
            UInt64(node.pointee.face) << 61 | Morton.interleave(UInt32(node.pointee.i), UInt32(node.pointee.j)) << 1
        let slotLevel = 3 * (Int(node.pointee.level) + 1)
        let width = UInt64(2) << UInt64(2 * (CubePoint.bits - slotLevel))
        var left = node.pointee.starts
        while left != 0 {
            let slot = left.trailingZeroBitCount
            left &= left - 1
            let span = node.pointee.span(slot)
            let end = low + UInt64(slot + 1 << (2 * span)) * width
            guard end > next, filter.matches(node.pointee.signatures[slot]) else { continue }
            guard steps < most else { return false }
            let child = node.pointee.children[slot]
            if child >= 0 {
                guard walk(child, of: grid, &steps, most, isWanted) else { return false }
            } else {
                let first = low + UInt64(slot) * width
                gather(grid.leaves.pointer(~child), cell: first, level: slotLevel - span, &steps, isWanted)
            }
            next = end
        }
        return true
    }

    private func mayHold(_ node: UnsafeMutablePointer<GridNode>) -> Bool {
        guard let caps = region.caps else { return true }
        return caps.contains { $0.centre.chord(to: node.pointee.centre) <= $0.radius + node.pointee.radius }
    }

    /// Gathers the entities of a leaf, whose cell begins with an id and has a level.
    private mutating func gather(
        _ leaf: UnsafeMutablePointer<GridLeaf>, cell first: UInt64, level leafLevel: Int, _ steps: inout Int,
        _ isWanted: (Int32, inout Int) -> Bool
    ) {
        let count = Int(leaf.pointee.count)
        steps += 2 + count / 16
        looked += count
        let shared = leafLevel >= level ? CubeCell(unchecked: first | 1).ancestor(level) : nil
        for row in 0..<count {
            let (place, handle) = (leaf.pointee.place(row), leaf.pointee.handles[row])
            guard filter.matches(leaf.pointee.signatures[row]), region.contains(place, steps: &steps),
                isWanted(handle, &steps)
            else { continue }
            if let shared, first >= next {
                let entity = leaf.pointee.entity(row).point
                add(handle, SIMD3<Double>(entity) / GridEntity.stepsPerMetre, to: shared)
                continue
            }
            steps += 1
            let point = EarthCentred(place)
            let smallest = CubeCell(leaf: point)
            // Some of a leaf were walked over before leaves were joined.
            if smallest.id > next { add(handle, point.vector, to: smallest.ancestor(level)) }
        }
    }
}
