/// Entities in the same cell of a map.
public struct GridCluster: Hashable, Sendable {
    /// The number of entities.
    public fileprivate(set) var count = 0
    /// The handle of one of the entities.
    public fileprivate(set) var handle: Int32
    /// The sum of the entities' earth-centered coordinates.
    private var sum: SIMD3<Double> = .zero

    fileprivate init(handle: Int32) { self.handle = handle }

    /// The surface place below the mean of all entities, which is no farther from the cell than its neighbors.
    public var middle: Coordinate { Coordinate(EarthCentred(sum / Double(count))) }

    fileprivate mutating func add(_ point: SIMD3<Double>) {
        count += 1
        sum += point
    }
}

/// The entities of an area grouped by cell, collected in parts, between which the grid may change.
///
/// The grid is traversed in the order of the cells' ids. An entity that does not move during the traversal is in
/// exactly one cluster.
public struct GridClusters: Sendable {
    /// The clusters so far.
    public private(set) var clusters: [CubeCell: GridCluster] = [:]
    /// The number of entities examined.
    public private(set) var looked = 0

    private let region: Region
    private let filter: SignatureFilter
    private let level: Int
    /// The smallest id not yet visited, of the smallest cells.
    private var next: UInt64 = 0

    private static let end: UInt64 = 6 << 61

    /// - Parameters:
    ///   - region: the area of the entities.
    ///   - filter: the filter that their signatures must match.
    ///   - level: the level of the cells, 0...30.
    public init(in region: Region, _ filter: SignatureFilter, level: Int) {
        (self.region, self.filter, self.level) = (region, filter, level)
    }

    /// Continues the traversal until `steps` (of about 100 ns) exceed `most`.
    ///
    /// `isWanted` decides whether an entity of the area is included, and adds its cost to `steps`.
    ///
    /// - Returns: whether the traversal is complete.
    /// - Complexity: O(leaves of the area), and the cost of `isWanted` for each of its entities.
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

    /// Adds an entity that was found by other means.
    public mutating func add(_ handle: Int32, at place: Coordinate) {
        looked += 1
        guard region.contains(place) else { return }
        add(handle, EarthCentred(place).vector, to: CubeCell(containing: place, level: level))
    }

    private mutating func add(_ handle: Int32, _ point: SIMD3<Double>, to cell: CubeCell) {
        clusters[cell, default: GridCluster(handle: handle)].add(point)
    }

    /// - Returns: whether the whole node was visited.
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

    /// Collects the entities of a leaf, given the first id and the level of its cell.
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
            // Some entities of a leaf may have been visited before leaves were merged.
            if smallest.id > next { add(handle, point.vector, to: smallest.ancestor(level)) }
        }
    }
}
