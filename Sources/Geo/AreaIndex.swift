/// Many areas by number, found by place: a quadtree of the cells that cover them.
///
/// Copies share what neither has changed. After the same changes in the same order two indexes answer alike in all but the
/// steps that it took.
public struct AreaIndex: Sendable {
    /// A cell, with the numbers of its children and the first of its covers; -1 for none.
    struct Node: Sendable {
        /// The first of four that follow each other.
        var children: Int32 = -1
        var covers: Int32 = -1
        /// The area of which all covers of the cell and of those in it are; ``several`` if there are more.
        var only = AreaIndex.several

        var isEmpty: Bool { children < 0 && covers < 0 }
    }

    /// No number of an area.
    static let several = UInt32.max

    /// That an area covers a cell, or a part of it.
    struct Cover: Sendable {
        var number: UInt32
        var isInside: Bool
        var next: Int32
    }

    /// The six faces come first.
    private(set) var nodes = Pages<Node>()
    private(set) var covers = Pages<Cover>()
    private var areas = Pages<FencedArea?>()
    /// A cap for each number that holds its area; empty where there is none or that takes several.
    private var balls = Pages<Cap>()
    private var freeNodes: [Int32] = []
    private var freeCovers: [Int32] = []
    /// The number of areas.
    public private(set) var count = 0
    /// How many times an area was put in or taken out.
    private(set) var revision = 0

    /// No areas.
    public init() { nodes.fill(upTo: CubeCell.faces.count, with: Node()) }

    /// The area with a number, nil for none.
    public subscript(number: UInt32) -> FencedArea? {
        Int(number) < areas.count ? areas[Int(number)] : nil
    }

    /// Calls `body` with caps that together hold the area with a number, if there is one.
    func forEachBall(of number: UInt32, _ body: (Cap) -> Void) {
        let ball = balls[Int(number)]
        if ball.radius >= 0 { return body(ball) }
        for ball in self[number].map({ $0.caps ?? [.all] }) ?? [] { body(ball) }
    }

    /// Puts an area in, in place of the one with that number; memory grows with the largest number, by up to 48 bytes for each.
    ///
    /// - Complexity: O(cells of the cover · levels) looks at the area, at most 64 cells; counted as `Effort`.
    public mutating func insert(_ area: FencedArea, as number: UInt32) { insert(CoveredArea(area), as: number) }

    /// The same of an area whose cover is known.
    ///
    /// - Complexity: O(cells of the cover · levels), and that of ``remove(_:)`` if the number has an area.
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
        Effort.count(covered.levels)
    }

    /// Takes out the area with a number, if there is one.
    ///
    /// - Complexity: that of putting it in.
    public mutating func remove(_ number: UInt32) {
        if let area = self[number] { remove(number, coveredBy: CoveredArea(area)) }
    }

    /// The same of an area whose cover is known.
    ///
    /// It is the area with that number, or there is none.
    ///
    /// - Complexity: O(cells of the cover · levels).
    public mutating func remove(_ number: UInt32, coveredBy covered: CoveredArea) {
        guard self[number] != nil else { return }
        areas[Int(number)] = nil
        balls[Int(number)] = .empty
        count -= 1
        revision += 1
        for cover in covered.cover { take(number, cover.cell, level: 0, node: Int32(cover.cell.face)) }
        Effort.count(covered.levels)
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

    /// Takes note that a cell will have a cover of an area, in it or below.
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

    /// Cells that have become empty are given back.
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

    /// The area of which all covers of a cell and of those in it are.
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
        Effort.count(looked / 10)
        guard cover >= 0 else { return }
        let next = covers[Int(cover)].next
        if before < 0 { nodes[node].covers = next } else { covers[Int(before)].next = next }
        freeCovers.append(cover)
    }

    /// The bytes of memory that the cells occupy, without the areas; copies share what neither has changed.
    public var bytes: Int {
        nodes.bytes + covers.bytes + areas.bytes + balls.bytes
            + (freeNodes.capacity + freeCovers.capacity) * MemoryLayout<Int32>.stride
    }
}

extension CubeCell {
    /// The number of the face.
    var face: Int { Int(id >> 61) }

    /// Which of the four children of its ancestor of a level holds this cell.
    func child(below level: Int) -> Int { Int(id >> UInt64(2 * (CubePoint.bits - level) - 1) & 3) }
}
