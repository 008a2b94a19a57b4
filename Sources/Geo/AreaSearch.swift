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
        let way = StraightPieces(from: start, to: end, margin: margin)
        return touched(by: way, steps: &steps)?.filter(isWanted) ?? []
    }

    /// The same of all areas, unless the search takes more than so many steps.
    ///
    /// - Returns: nil if it does, which for the same areas is so however the index came to be.
    /// - Complexity: that of the whole search, but O(`most`).
    public func mayTouch(
        from start: Coordinate, to end: Coordinate, margin: Double, atMost most: Int?, steps: inout Int
    ) -> [UInt32]? {
        touched(by: StraightPieces(from: start, to: end, margin: margin), atMost: most, steps: &steps)
    }

    /// The same of all areas that the way touches, with what is known of those near it.
    ///
    /// - Complexity: O(1) where what is known reaches so far.
    public func mayTouch(
        from start: Coordinate, to end: Coordinate, keeping near: inout NearAreas?, steps: inout Int
    ) -> [UInt32] {
        let way = StraightPieces(from: start, to: end, margin: 0)
        let known = NearAreas.numbers(in: way.cap, ofBorders: false, of: self, keeping: &near, steps: &steps)
        return known ?? touched(by: way, steps: &steps) ?? []
    }

    /// The length of a chord from the middle of a cap, in metres, within which no area is; negative where none is known.
    ///
    /// - Complexity: O(1) where what is known of the areas near reaches over the cap; else O(levels + cells near).
    public func clearance(about cap: Cap, keeping near: inout NearAreas?, steps: inout Int) -> Double {
        NearAreas.clearance(about: cap, of: self, keeping: &near, steps: &steps)
    }

    private func touched(by way: StraightPieces, atMost most: Int? = nil, steps: inout Int) -> [UInt32]? {
        steps += way.count
        // What a window holds of a way that is shorter is near it.
        return candidates(near: way.cap, along: way.isLong ? way : nil, atMost: most, steps: &steps) { _ in true }
    }

    /// Metres from a place to the nearest border of a wanted area, within it or outside: a lower bound, as
    /// ``FencedArea/distanceToBorder(from:upTo:steps:)`` tells it; the limit when none is nearer.
    ///
    /// - Complexity: O(levels + areas of which a cell that the border crosses is within the limit).
    public func distanceToNextBorder(
        from place: Coordinate, upTo limit: Double, steps: inout Int, where isWanted: (UInt32) -> Bool = { _ in true }
    ) -> Double {
        let cap = Cap(around: place, metres: limit)
        let numbers = candidates(near: cap, along: nil, steps: &steps) { !$0.isInside } ?? []
        return distance(from: place, toBordersOf: numbers.filter(isWanted), upTo: limit, steps: &steps)
    }

    /// The same, or nil if it takes more than so many steps.
    ///
    /// - Complexity: that of the whole search, but O(`most`).
    public func distanceToNextBorder(
        from place: Coordinate, upTo limit: Double, atMost most: Int, steps: inout Int, where isWanted: (UInt32) -> Bool
    ) -> Double? {
        let (cap, end) = (Cap(around: place, metres: limit), steps + most)
        let numbers = candidates(near: cap, along: nil, atMost: most, steps: &steps) { !$0.isInside }
        guard let numbers else { return nil }
        var border = limit
        for number in numbers where isWanted(number) {
            guard steps <= end else { return nil }
            border = self[number]?.distanceToBorder(from: place, upTo: border, steps: &steps) ?? border
        }
        return border
    }

    /// The same with what is known of the areas near.
    ///
    /// - Complexity: that of the areas' borders within the limit where what is known reaches so far.
    public func distanceToNextBorder(
        from place: Coordinate, upTo limit: Double, keeping near: inout NearAreas?, steps: inout Int,
        where isWanted: (UInt32) -> Bool
    ) -> Double {
        let cap = Cap(around: place, metres: limit)
        let numbers =
            NearAreas.numbers(in: cap, ofBorders: true, of: self, keeping: &near, steps: &steps)
            ?? candidates(near: cap, along: nil, steps: &steps) { !$0.isInside } ?? []
        return distance(from: place, toBordersOf: numbers.filter(isWanted), upTo: limit, steps: &steps)
    }

    private func distance(
        from place: Coordinate, toBordersOf numbers: [UInt32], upTo limit: Double, steps: inout Int
    ) -> Double {
        numbers.reduce(limit) { self[$1]?.distanceToBorder(from: place, upTo: $0, steps: &steps) ?? $0 }
    }

    /// The numbers of all areas that come into a cap, and of some others, in ascending order, and whether their border may.
    ///
    /// - Returns: nil if more than so many covers were met.
    /// - Complexity: O(levels + cells in the cap with covers of several areas, but no more than `most`).
    func near(_ cap: Cap, atMost most: Int, steps: inout Int) -> [(number: UInt32, hasBorder: Bool)]? {
        var (met, bordering): ([UInt32], [UInt32]) = ([], [])
        collect(&met, near: cap, along: nil, atMost: most, steps: &steps) { cover in
            if !cover.isInside, bordering.last != cover.number { bordering.append(cover.number) }
            return true
        }
        return met.count > most ? nil : Self.distinct(met).map { ($0, bordering.contains($0)) }
    }

    /// Calls `met` with the covers of all cells that hold a smallest cell.
    private func descend(_ leaf: CubeCell, steps: inout Int, met: (Cover) -> Void) {
        var node = leaf.face
        steps += 1
        for level in 0..<leaf.level {
            forEachCover(of: node, steps: &steps, met)
            let children = nodes[node].children
            guard children >= 0 else { return }
            node = Int(children) + leaf.child(below: level)
        }
        forEachCover(of: node, steps: &steps, met)
    }

    private func forEachCover(of node: Int, until end: Int = .max, steps: inout Int, _ met: (Cover) -> Void) {
        var next = nodes[node].covers
        while next >= 0, steps <= end {
            let cover = covers[Int(next)]
            met(cover)
            steps += 1
            next = cover.next
        }
    }

    /// The numbers of the areas with a cover of some kind that may touch a cap, and a way if one is given, in ascending order.
    ///
    /// - Returns: nil if it takes more than so many steps.
    private func candidates(
        near cap: Cap, along way: StraightPieces?, atMost most: Int? = nil, steps: inout Int,
        where isMeant: (Cover) -> Bool
    ) -> [UInt32]? {
        var found: [UInt32] = []
        let end = most.map { steps + $0 } ?? .max
        collect(&found, near: cap, along: way, atMost: nil, until: end, steps: &steps, where: isMeant)
        return steps > end ? nil : Self.distinct(found)
    }

    /// Collects the numbers of such covers, in no order; not all of them if it takes more steps than up to an end.
    ///
    /// With a limit, of more only some more; and of a cell in which there is but one area, that it is there.
    private func collect(
        _ found: inout [UInt32], near cap: Cap, along way: StraightPieces?, atMost most: Int?, until end: Int = .max,
        steps: inout Int, where isMeant: (Cover) -> Bool
    ) {
        for face in CubeFace.all {
            guard let window = FaceWindow(cap, on: face) else { continue }
            var (node, cell) = (face.number, FaceCell(face: face, i: 0, j: 0, level: 0))
            // While one quarter holds all of the window the others need no look.
            while node >= 0, let child = window.onlyChild(of: cell) {
                steps += 1
                forEachCover(of: node, until: end, steps: &steps) { cover in
                    if isMeant(cover) { found.append(cover.number) }
                }
                let children = Int(nodes[node].children)
                (node, cell) = (children < 0 ? -1 : children + child, cell.child(child))
            }
            if node >= 0 { gather(node, cell, in: window, along: way, &found, most, end, &steps, where: isMeant) }
        }
    }

    private static func distinct(_ numbers: [UInt32]) -> [UInt32] {
        guard numbers.count > 1 else { return numbers }
        var distinct: [UInt32] = []
        for number in numbers.sorted() where distinct.last != number { distinct.append(number) }
        return distinct
    }

    private func gather(
        _ node: Int, _ cell: FaceCell, in window: FaceWindow, along way: StraightPieces?, _ found: inout [UInt32],
        _ most: Int?, _ end: Int, _ steps: inout Int, where isMeant: (Cover) -> Bool
    ) {
        steps += 1
        if steps > end { return }
        if let way, !way.mayTouch(cell) { return }
        if let most {
            guard found.count <= most else { return }
            let only = nodes[node].only
            if only != Self.several, nodes[node].children >= 0 {
                if isMeant(Cover(number: only, isInside: false, next: -1)) { found.append(only) }
                return
            }
        }
        forEachCover(of: node, until: end, steps: &steps) { cover in
            if isMeant(cover) { found.append(cover.number) }
        }
        let children = Int(nodes[node].children)
        guard children >= 0 else { return }
        for child in 0..<4 {
            let quarter = cell.child(child)
            guard window.touches(quarter) else { continue }
            let next = nodes[children + child]
            guard next.children >= 0 || next.covers >= 0 else { continue }
            gather(children + child, quarter, in: window, along: way, &found, most, end, &steps, where: isMeant)
        }
    }
}
