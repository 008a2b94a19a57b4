/// A mutable spatial index of points on Earth with exact nearest-neighbor and radius queries.
///
/// The grid adapts to density: six faces of a cube, nodes of 8 x 8 slots, leaves of a few dozen entities. An entity is
/// a non-negative handle, which the caller maps to its own data. Every entity has a signature of 64 bits that the
/// caller defines. Every cell has the union of its entities' signatures, so that a query skips cells in which nothing
/// can match.
///
/// The grid is a plain value without synchronization, and it is not copied implicitly (see ``copy()``). Two grids after
/// equal changes in equal order are identical in every bit.
public struct Grid: ~Copyable, @unchecked Sendable {  // it owns its memory, and only `mutating` methods write it
    /// A leaf with more entities is split; siblings with at most half as many are merged.
    static let leafLimit: Int32 = 48

    var nodes: GridStore<GridNode>
    var leaves: GridStore<GridLeaf>
    /// The leaf of each handle; -1 for none.
    var leafOf: [Int32] = []
    /// The number of entities.
    public private(set) var count = 0

    /// Creates an empty grid.
    public init() {
        nodes = GridStore()
        leaves = GridStore()
        for face in CubeFace.all {
            _ = nodes.insert(
                GridNode(parent: -1, slotInParent: 0, face: UInt8(face.number), level: 0, i: 0, j: 0))
        }
    }

    private init(copying other: borrowing Grid) {
        nodes = other.nodes.copy()
        leaves = other.leaves.copy()
        leaves.forEach { $0.pointee = $0.pointee.copied() }
        leafOf = other.leafOf
        count = other.count
    }

    deinit { leaves.forEach { $0.pointee.deallocate() } }

    /// A deep copy of the grid.
    ///
    /// - Complexity: O(count).
    public func copy() -> Grid { Grid(copying: self) }

    /// Whether an entity is in the grid.
    public func contains(_ handle: Int32) -> Bool { leaf(of: handle) != nil }

    /// The place of an entity; nil if it is not in the grid.
    public func place(of handle: Int32) -> Coordinate? {
        leaf(of: handle).map { leaves[$0].place(leaves[$0].row(of: handle)) }
    }

    /// The signature of an entity; nil if it is not in the grid.
    public func signature(of handle: Int32) -> UInt64? {
        leaf(of: handle).map { leaves[$0].signatures[leaves[$0].row(of: handle)] }
    }

    private func leaf(of handle: Int32) -> Int32? {
        guard leafOf.indices.contains(Int(handle)), leafOf[Int(handle)] >= 0 else { return nil }
        return leafOf[Int(handle)]
    }

    /// Inserts an entity, or updates its place and signature.
    ///
    /// - Precondition: `handle` is not negative.
    /// - Complexity: a few stores within a leaf's cell, else O(depth); the depth is at most ten.
    public mutating func upsert(_ handle: Int32, at place: Coordinate, signature: UInt64) {
        precondition(handle >= 0, "a handle is not negative")
        let point = EarthCentred(place)
        let cell = CubePoint(point)
        let entity = GridEntity(
            handle: handle, place: place, point: GridEntity.quantized(point), signature: signature)
        if let number = leaf(of: handle) {
            let row = leaves[number].row(of: handle)
            if holds(leaves[number], cell) {
                let before = leaves[number].signatures[row]
                leaves[number].write(entity, at: row)
                if before != signature { signatureChanged(of: number) }
                return
            }
            take(row, from: number)
        } else {
            if leafOf.count <= Int(handle) {
                leafOf.append(contentsOf: repeatElement(-1, count: Int(handle) + 1 - leafOf.count))
            }
            count += 1
        }
        insert(entity, cell)
    }

    /// Removes an entity.
    ///
    /// - Returns: whether it was in the grid.
    @discardableResult
    public mutating func remove(_ handle: Int32) -> Bool {
        guard let number = leaf(of: handle) else { return false }
        take(leaves[number].row(of: handle), from: number)
        leafOf[Int(handle)] = -1
        count -= 1
        return true
    }

    func holds(_ leaf: GridLeaf, _ cell: CubePoint) -> Bool {
        let node = nodes.pointer(leaf.node)
        guard Int(node.pointee.face) == cell.face.number else { return false }
        let shift = Int32(CubePoint.bits - 3 * Int(node.pointee.level))
        guard cell.i >> shift == node.pointee.i >> shift, cell.j >> shift == node.pointee.j >> shift else {
            return false
        }
        return GridNode.mask(Int(leaf.slot), Int(leaf.span)) & 1
            << UInt64(GridNode.slot(of: cell, atLevel: node.pointee.level)) != 0
    }
}

extension Grid {
    /// The bytes of memory that the entities and cells occupy.
    public var bytes: Int {
        var bytes = nodes.bytes + leaves.bytes + leafOf.capacity * MemoryLayout<Int32>.stride
        leaves.forEach { bytes += $0.pointee.bytes }
        return bytes
    }
}
