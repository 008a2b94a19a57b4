extension AreaIndex {
    /// The numbers of the areas that a place lies in, in ascending order; only of those that are wanted.
    ///
    /// - Complexity: O(levels + areas of which a cell that the border crosses holds the place).
    public func containing(
        _ place: Coordinate, steps: inout Int, where isWanted: (UInt32) -> Bool = { _ in true }
    ) -> [UInt32] {
        var found: [UInt32] = []
        var looks = 0
        descend(CubeCell(containing: place, level: CubePoint.bits), steps: &steps) { cover in
            guard isWanted(cover.number) else { return }
            if cover.isInside || self[cover.number]?.contains(place, steps: &looks) ?? false {
                found.append(cover.number)
            }
        }
        steps += looks
        return found.sorted()
    }

    /// The numbers of the areas of which a cell holds a place, in ascending order: those that it lies in, and some others.
    ///
    /// - Returns: Nil if there are more than so many.
    /// - Complexity: O(levels + areas, but no more than `most`).
    public func covering(_ place: Coordinate, atMost most: Int, steps: inout Int) -> [UInt32]? {
        let leaf = CubeCell(containing: place, level: CubePoint.bits)
        var found: [UInt32] = []
        defer { steps += 1 + found.count }
        var node = leaf.face
        for level in 0...leaf.level {
            var next = nodes[node].covers
            while next >= 0 {
                guard found.count < most else { return nil }
                found.append(covers[Int(next)].number)
                next = covers[Int(next)].next
            }
            guard level < leaf.level, nodes[node].children >= 0 else { break }
            node = Int(nodes[node].children) + leaf.child(below: level)
        }
        return found.sorted()
    }

    /// The numbers of all wanted areas that the shortest way between two places comes as near to as a margin in metres, in
    /// ascending order, and of some others.
    ///
    /// - Complexity: O(levels + cells near the way).
    public func mayTouch(
        from start: Coordinate, to end: Coordinate, margin: Double, steps: inout Int,
        where isWanted: (UInt32) -> Bool = { _ in true }
    ) -> [UInt32] {
        let way = StraightPieces(from: start, to: end)
        steps += way.count
        var found: [UInt32] = []
        search(way.cap(margin), steps: &steps) { cell, reach in
            way.distance(to: cell) <= reach + margin
        } met: { cover in
            if isWanted(cover.number) { found.append(cover.number) }
        }
        guard found.count > 1 else { return found }
        found.sort()
        return found.indices.filter { $0 == 0 || found[$0 - 1] != found[$0] }.map { found[$0] }
    }

    /// Metres from a place to the nearest border of a wanted area, within it or outside: a lower bound, as
    /// ``FencedArea/distanceToBorder(from:upTo:steps:)`` tells it; the limit when none is nearer.
    ///
    /// - Complexity: O(levels + areas of which a cell that the border crosses is within the limit).
    public func distanceToNextBorder(
        from place: Coordinate, upTo limit: Double, steps: inout Int, where isWanted: (UInt32) -> Bool = { _ in true }
    ) -> Double {
        var nearest = limit
        var seen: Set<UInt32> = []
        let point = EarthCentred(place)
        let cap = Cap(centre: point, radius: ChordBounds.longestChord(within: limit))
        var looks = 0
        search(cap, steps: &steps) { cell, reach in
            point.chord(to: cell) - reach <= nearest
        } met: { cover in
            guard !cover.isInside, isWanted(cover.number), seen.insert(cover.number).inserted else { return }
            nearest = self[cover.number]?.distanceToBorder(from: place, upTo: nearest, steps: &looks) ?? nearest
        }
        steps += looks
        return nearest
    }

    /// Calls `met` with the covers of all cells that hold a cell, and returns the node of the cell if there is one.
    @discardableResult
    private func descend(_ cell: CubeCell, steps: inout Int, met: (Cover) -> Void) -> Int? {
        var node = cell.face
        steps += 1
        for level in 0..<cell.level {
            forEachCover(of: node, steps: &steps, met)
            let children = nodes[node].children
            guard children >= 0 else { return nil }
            node = Int(children) + cell.child(below: level)
        }
        forEachCover(of: node, steps: &steps, met)
        return node
    }

    private func forEachCover(of node: Int, steps: inout Int, _ met: (Cover) -> Void) {
        var next = nodes[node].covers
        while next >= 0 {
            let cover = covers[Int(next)]
            met(cover)
            steps += 1
            next = cover.next
        }
    }

    /// Calls `met` with the covers of all cells around a cap, and of the smaller ones for whose middle and reach in metres
    /// `isNear` says so.
    private func search(
        _ cap: Cap, steps: inout Int, where isNear: (EarthCentred, Double) -> Bool, met: (Cover) -> Void
    ) {
        guard let cell = CubeCell(holding: cap) else {
            for face in CubeCell.faces { visit(face.face, level: 0, steps: &steps, where: isNear, met: met) }
            return
        }
        guard let node = descend(cell, steps: &steps, met: met) else { return }
        visitChildren(of: node, level: cell.level, steps: &steps, where: isNear, met: met)
    }

    private func visitChildren(
        of node: Int, level: Int, steps: inout Int, where isNear: (EarthCentred, Double) -> Bool, met: (Cover) -> Void
    ) {
        let first = Int(nodes[node].children)
        guard first >= 0 else { return }
        for child in first..<first + 4 where nodes[child].children >= 0 || nodes[child].covers >= 0 {
            visit(child, level: level + 1, steps: &steps, where: isNear, met: met)
        }
    }

    private func visit(
        _ node: Int, level: Int, steps: inout Int, where isNear: (EarthCentred, Double) -> Bool, met: (Cover) -> Void
    ) {
        steps += 1
        guard isNear(nodes[node].middle, CubeCell.reach(level) + Node.rounding) else { return }
        forEachCover(of: node, steps: &steps, met)
        visitChildren(of: node, level: level, steps: &steps, where: isNear, met: met)
    }
}

extension CubeCell {
    /// The point at the middle of the cell's angles.
    var middle: EarthCentred {
        let (face, i, j, side) = extent
        return face.surface(i + side / 2, j + side / 2)
    }
}

/// The shortest way between two places in straight pieces through the Earth, of which none is much longer than 20 km if the way
/// is at most 1,280 km long.
private struct StraightPieces {
    private let points: [SIMD3<Double>]
    /// How far the way leaves the pieces at most, in metres.
    private let bulge: Double

    init(from start: Coordinate, to end: Coordinate) {
        let ends = (EarthCentred(start), EarthCentred(end))
        let length = ChordBounds.upper(ends.0.chord(to: ends.1))
        let count = min(64, max(1, (length / 20_000).rounded(.up)))
        bulge = GeodesicEdge.bulge(length / count)
        if count == 1 {
            points = [ends.0.vector, ends.1.vector]
        } else {
            let edge = GeodesicEdge(start, end)
            points = (0...Int(count)).map { edge.point(at: Double($0) / count) }
        }
    }

    var count: Int { points.count }

    /// A cap that holds all places within a margin of the way, in metres.
    func cap(_ margin: Double) -> Cap {
        let middle = points.reduce(SIMD3<Double>.zero) { $0 + $1 } / Double(points.count)
        let radius = points.reduce(0) { max($0, Approach.distance(from: middle, to: $1, $1)) }
        return Cap(centre: EarthCentred(middle), radius: radius + bulge + margin)
    }

    /// No point of the way is nearer to another than this, in metres.
    func distance(to point: EarthCentred) -> Double {
        zip(points, points.dropFirst()).reduce(.infinity) {
            min($0, Approach.distance(from: point.vector, to: $1.0, $1.1))
        } - bulge
    }
}
