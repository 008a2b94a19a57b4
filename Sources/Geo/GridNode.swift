/// An inner cell of the grid: 8 x 8 slots in Z-order, each empty, part of a leaf, or a node one level below.
///
/// A leaf may span 1, 4, 16 or all 64 slots (a quadrant of a quadrant ...); each of these slots refers to it.
struct GridNode: ~Copyable {
    /// The value of an empty slot.
    ///
    /// Other values are a node's number, or the complement of a leaf's number.
    static let empty = Int32.min

    /// The number of the parent node, or -1 at the root of a face, and this node's slot there.
    let parent: Int32
    let slotInParent: UInt8
    let face: UInt8
    /// 0 at the root of a face; the slots of a node at level n are cube cells of level 3(n + 1).
    let level: UInt8
    /// The low corner in steps of ``CubePoint``.
    let i, j: Int32
    /// The occupied slots, and the first slot of each child.
    private(set) var taken: UInt64 = 0
    private(set) var starts: UInt64 = 0
    /// The two bits of each child's span, repeated in each of its slots.
    private var spanLow: UInt64 = 0
    private var spanHigh: UInt64 = 0
    var children = InlineArray<64, Int32>(repeating: GridNode.empty)
    /// The union of each child's signatures, at the child's first slot.
    var signatures = InlineArray<64, UInt64>(repeating: 0)
    let walls: GridWalls
    /// The middle of the cell on the ellipsoid, and an upper bound of the chord from it to any point of the cell, in
    /// meters.
    let centre: EarthCentred
    let radius: Double

    init(parent: Int32, slotInParent: UInt8, face: UInt8, level: UInt8, i: Int32, j: Int32) {
        self.parent = parent
        self.slotInParent = slotInParent
        self.face = face
        self.level = level
        self.i = i
        self.j = j
        let cube = CubeFace(number: Int(face))
        let side = Double(1 << (CubePoint.bits - 3 * Int(level)))
        let corners = [(0.0, 0.0), (0, side), (side, 0), (side, side)].map { corner in
            cube.surface((Double(i) + corner.0) * 0x1p-30, (Double(j) + corner.1) * 0x1p-30)
        }
        let centre = cube.surface((Double(i) + side / 2) * 0x1p-30, (Double(j) + side / 2) * 0x1p-30)
        self.centre = centre
        // On a sphere the farthest point of the cell from its middle is a corner; the ellipsoid is within 0.6 % of a
        // sphere.
        radius = (corners.map { centre.chord(to: $0) }.max() ?? 0) * 1.01
        walls = GridWalls(level: Int(level), i: i, j: j)
    }

    /// The slot, 0...63, of a point in the node of this level that holds it.
    @inline(__always)
    static func slot(of point: CubePoint, atLevel level: UInt8) -> Int {
        let shift = Int32(CubePoint.bits - 3 * (Int(level) + 1))
        return zOrder(Int(point.i >> shift) & 7, Int(point.j >> shift) & 7)
    }

    /// The slot at column i and row j, 0...7 each.
    static func zOrder(_ i: Int, _ j: Int) -> Int { spread(i) | spread(j) << 1 }

    /// The column and the row of a slot.
    static func column(_ slot: Int) -> Int { slot & 1 | slot >> 1 & 2 | slot >> 2 & 4 }
    static func row(_ slot: Int) -> Int { column(slot >> 1) }

    /// The slots of each column and of each row.
    @inline(__always)
    static var columnSlots: SIMD8<UInt64> {
        0x0000_0505_0000_0505 &<< SIMD8(0, 1, 4, 5, 16, 17, 20, 21)
    }
    @inline(__always)
    static var rowSlots: SIMD8<UInt64> {
        0x0000_0000_0033_0033 &<< SIMD8(0, 2, 8, 10, 32, 34, 40, 42)
    }

    private static func spread(_ n: Int) -> Int { n & 1 | (n & 2) << 1 | (n & 4) << 2 }

    /// The slots, starting at `slot`, of a child that spans 2^span slots along each side.
    static func mask(_ slot: Int, _ span: Int) -> UInt64 {
        span == 3 ? .max : ((1 << (1 << UInt64(2 * span))) - 1) << UInt64(slot)
    }

    /// The union of the signatures of all children.
    @inline(__always)
    var signature: UInt64 {
        var union: UInt64 = 0
        var left = starts
        while left != 0 {
            union |= signatures[left.trailingZeroBitCount]
            left &= left - 1
        }
        return union
    }
}

extension GridNode {
    /// The log2 of the slots that the child in a slot spans along each side.
    @inline(__always)
    func span(_ slot: Int) -> Int {
        Int(spanLow >> UInt64(slot) & 1 | (spanHigh >> UInt64(slot) & 1) << 1)
    }

    /// Puts a child into all slots of `mask`, which are empty.
    mutating func fill(_ mask: UInt64, span: Int, with child: Int32) {
        let first = mask.trailingZeroBitCount
        starts |= 1 << UInt64(first)
        taken |= mask
        if span & 1 != 0 { spanLow |= mask }
        if span & 2 != 0 { spanHigh |= mask }
        for slot in first..<64 - mask.leadingZeroBitCount { children[slot] = child }
    }

    /// Empties the slots of `mask`, whose lowest slot is `first`.
    mutating func clear(_ mask: UInt64, first: Int) {
        starts &= ~mask
        taken &= ~mask
        spanLow &= ~mask
        spanHigh &= ~mask
        for slot in first..<64 - mask.leadingZeroBitCount { children[slot] = Self.empty }
        signatures[first] = 0
    }
}
