/// A spatial index of areas by number: a quadtree of the cells that cover them.
///
/// Copies share unchanged pages. Two indexes after equal changes in equal order return equal results; only the number
/// of steps may differ.
public struct AreaIndex: Sendable {
    /// A cell, with the index of its children and of its first cover; -1 for none.
    struct Node: Sendable {
        /// The first of four consecutive nodes.
        var children: Int32 = -1
        var covers: Int32 = -1
        /// The area that owns all covers of this cell and of its descendants; ``several`` if there is more than one.
        var only = AreaIndex.several

        var isEmpty: Bool { children < 0 && covers < 0 }
    }

    /// A value that no area has as its number.
    static let several = UInt32.max

    /// An entry which records that an area covers a cell, wholly or partly.
    struct Cover: Sendable {
        var number: UInt32
        var isInside: Bool
        var next: Int32
    }

    /// The six faces are the first nodes.
    private(set) var nodes = Pages<Node>()
    private(set) var covers = Pages<Cover>()
    private var areas = Pages<FencedArea?>()
    /// A cap by number that holds its area; empty without an area or if the area needs several caps.
    private var balls = Pages<Cap>()
    private var freeNodes: [Int32] = []
    private var freeCovers: [Int32] = []
    /// The number of areas.
    public private(set) var count = 0
    /// The number of insertions and removals.
    private(set) var revision = 0

    /// Creates an empty index.
    public init() { nodes.fill(upTo: CubeCell.faces.count, with: Node()) }

    /// The area with a number; nil if there is none.
    public subscript(number: UInt32) -> FencedArea? {
        Int(number) < areas.count ? areas[Int(number)] : nil
    }

    /// Calls `body` with caps that together hold the area with a number, if it exists.
    func forEachBall(of number: UInt32, _ body: (Cap) -> Void) {
        let ball = balls[Int(number)]
        if ball.radius >= 0 { return body(ball) }
        for ball in self[number].map({ $0.caps ?? [.all] }) ?? [] { body(ball) }
    }

    /// Inserts an area and replaces the area with that number, if any.
    ///
    /// Memory grows with the largest number, by up to 48 bytes for each.
    ///
    /// - Complexity: O(cells of the cover · levels) tests of the area, at most 64 cells; counted as `WorkBudget`.
    public mutating func insert(_ area: FencedArea, as number: UInt32) { insert(CoveredArea(area), as: number) }

    /// Inserts an area whose cover is already computed.
    ///
    /// - Complexity: O(cells of the cover · levels), and the cost of ``remove(_:)`` if the number has an area.
    public mutating func insert(_ covered: CoveredArea, as number: UInt32) {
        remove(number)
        areas.fill(upTo: Int(number) + 1, with: nil)
        areas[Int(number)] = covered.area
        let caps = covered.area.caps ?? []
        balls.fill(upTo: Int(number) + 1, with: .empty)
        balls[Int(number)] = caps.count == 1 ? caps[0] : .empty
        count += 1
        revision += 1
        for cover in covered.cover { put(cover, number) }
        WorkBudget.count(covered.levels)
    }

    /// Removes the area with a number, if it exists.
    ///
    /// - Complexity: the cost of inserting it.
    public mutating func remove(_ number: UInt32) {
        if let area = self[number] { remove(number, coveredBy: CoveredArea(area)) }
    }

    /// Removes an area whose cover is already computed, if it exists.
    ///
    /// - Precondition: `covered` is the area with that number.
    /// - Complexity: O(cells of the cover · levels).
    public mutating func remove(_ number: UInt32, coveredBy covered: CoveredArea) {
        guard self[number] != nil else { return }
        areas.clear(Int(number))
        balls[Int(number)] = .empty
        count -= 1
        revision += 1
        for cover in covered.cover { take(number, cover.cell, level: 0, node: Int32(cover.cell.face)) }
        WorkBudget.count(covered.levels)
    }

    private mutating func put(_ cover: CoveringCell, _ number: UInt32) {
        var node = Int(cover.cell.face)
        for level in 0..<cover.cell.level {
            claim(node, number)
            if nodes[node].children < 0 { nodes[node].children = newChildren() }
            node = Int(nodes[node].children) + cover.cell.child(below: level)
        }
        claim(node, number)
        let entry = Cover(number: number, isInside: cover.isInside, next: nodes[node].covers)
        if let free = freeCovers.popLast() {
            covers[Int(free)] = entry
            nodes[node].covers = free
        } else {
            nodes[node].covers = Int32(covers.count)
            covers.append(entry)
        }
    }

    /// Records that a cell or one of its descendants will have a cover of an area.
    private mutating func claim(_ node: Int, _ number: UInt32) {
        if nodes[node].isEmpty {
            nodes[node].only = number
        } else if nodes[node].only != number, nodes[node].only != Self.several {
            nodes[node].only = Self.several
        }
    }

    private mutating func newChildren() -> Int32 {
        if let free = freeNodes.popLast() { return free }
        nodes.fill(upTo: nodes.count + 4, with: Node())
        return Int32(nodes.count - 4)
    }

    /// Frees cells that have become empty.
    private mutating func take(_ number: UInt32, _ cell: CubeCell, level: Int, node: Int32) {
        defer { if nodes[Int(node)].only == Self.several { nodes[Int(node)].only = only(in: Int(node)) } }
        guard level < cell.level else { return takeCover(of: number, from: Int(node)) }
        let children = nodes[Int(node)].children
        guard children >= 0 else { return }
        take(number, cell, level: level + 1, node: children + Int32(cell.child(below: level)))
        guard (children..<children + 4).allSatisfy({ nodes[Int($0)].children < 0 && nodes[Int($0)].covers < 0 }) else {
            return
        }
        freeNodes.append(children)
        nodes[Int(node)].children = -1
    }

    /// The area that owns all covers of a cell and of its descendants; ``several`` if there is more than one.
    private func only(in node: Int) -> UInt32 {
        var only: UInt32?
        var next = nodes[node].covers
        while next >= 0 {
            let cover = covers[Int(next)]
            if only ?? cover.number != cover.number { return Self.several }
            (only, next) = (cover.number, cover.next)
        }
        let children = Int(nodes[node].children)
        for child in children < 0 ? [] : Array(children..<children + 4) where !nodes[child].isEmpty {
            if only ?? nodes[child].only != nodes[child].only { return Self.several }
            only = nodes[child].only
        }
        return only ?? Self.several
    }

    private mutating func takeCover(of number: UInt32, from node: Int) {
        var before: Int32 = -1
        var cover = nodes[node].covers
        var looked = 0
        while cover >= 0, covers[Int(cover)].number != number {
            (before, cover) = (cover, covers[Int(cover)].next)
            looked += 1
        }
        WorkBudget.count(looked / 10)
        guard cover >= 0 else { return }
        let next = covers[Int(cover)].next
        if before < 0 { nodes[node].covers = next } else { covers[Int(before)].next = next }
        freeCovers.append(cover)
    }

    /// The bytes of memory that the cells occupy, without the areas; copies share unchanged pages.
    public var bytes: Int {
        nodes.bytes + covers.bytes + areas.bytes + balls.bytes
            + (freeNodes.capacity + freeCovers.capacity) * MemoryLayout<Int32>.stride
    }
}

extension CubeCell {
    var face: Int { Int(id >> 61) }

    /// The index of the child, of the ancestor of a level, that holds this cell.
    func child(below level: Int) -> Int { Int(id >> UInt64(2 * (CubePoint.bits - level) - 1) & 3) }
}
