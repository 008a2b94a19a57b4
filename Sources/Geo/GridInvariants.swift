extension Grid {
    /// The first broken invariant of the grid, nil if none; for property tests, which check it after every change.
    ///
    /// - Complexity: O(count).
    package func brokenInvariant() -> String? {
        var seen = 0
        for face in CubeFace.all {
            if let fault = brokenInvariant(ofNode: Int32(face.number), seen: &seen) { return fault }
        }
        guard seen == count else { return "\(seen) entities are in the tree, \(count) were counted" }
        let listed = leafOf.count { $0 >= 0 }
        return listed == count ? nil : "\(listed) handles have a leaf, \(count) entities were counted"
    }

    private func brokenInvariant(ofNode number: Int32, seen: inout Int) -> String? {
        let node = nodes.pointer(number)
        var taken: UInt64 = 0
        var left = node.pointee.starts
        while left != 0 {
            let slot = left.trailingZeroBitCount
            left &= left - 1
            let child = node.pointee.children[slot]
            guard child != GridNode.empty else { return "node \(number) has an empty child in slot \(slot)" }
            let span = child < 0 ? Int(leaves[~child].span) : 0
            let mask = GridNode.mask(slot, span)
            guard slot.isMultiple(of: 1 << (2 * span)), taken & mask == 0 else {
                return "node \(number) overlaps in slot \(slot)"
            }
            taken |= mask
            for other in 0..<64 where mask & 1 << UInt64(other) != 0 {
                guard node.pointee.children[other] == child, node.pointee.span(other) == span else {
                    return "slot \(other) of node \(number) lost its child"
                }
            }
            let fault =
                child < 0
                ? brokenInvariant(ofLeaf: ~child, in: number, slot, &seen)
                : brokenInvariant(ofChild: child, in: number, slot, &seen)
            if let fault { return fault }
        }
        for slot in 0..<64 where (node.pointee.children[slot] != GridNode.empty) != (taken & 1 << UInt64(slot) != 0) {
            return "slot \(slot) of node \(number) has no start"
        }
        guard taken == node.pointee.taken else { return "node \(number) does not know its taken slots" }
        return node.pointee.starts == 0 && node.pointee.parent >= 0 ? "node \(number) is empty" : nil
    }

    private func brokenInvariant(ofChild child: Int32, in number: Int32, _ slot: Int, _ seen: inout Int) -> String? {
        let node = nodes.pointer(child)
        guard node.pointee.parent == number, Int(node.pointee.slotInParent) == slot else {
            return "node \(child) does not know its parent"
        }
        guard nodes.pointer(number).pointee.signatures[slot] == node.pointee.signature else {
            return "the signature of node \(child) is out of date"
        }
        return brokenInvariant(ofNode: child, seen: &seen)
    }

    private func brokenInvariant(ofLeaf number: Int32, in node: Int32, _ slot: Int, _ seen: inout Int) -> String? {
        let leaf = leaves[number]
        let parent = nodes.pointer(node)
        seen += Int(leaf.count)
        guard leaf.node == node, Int(leaf.slot) == slot, leaf.count > 0 else {
            return "leaf \(number) is lost or empty"
        }
        guard
            leaf.count <= Self.leafLimit
                || (leaf.span == 0 && Int(parent.pointee.level) == GridWalls.rotations.count - 1)
        else { return "leaf \(number) should have been split" }
        guard parent.pointee.signatures[slot] == leaf.signature else {
            return "the signature of leaf \(number) is out of date"
        }
        for row in 0..<Int(leaf.count) {
            let entity = leaf.entity(row)
            let point = EarthCentred(entity.place)
            guard leafOf[Int(entity.handle)] == number else { return "handle \(entity.handle) does not know its leaf" }
            guard holds(leaf, CubePoint(point)) else { return "handle \(entity.handle) is in the wrong leaf" }
            guard entity.point == GridEntity.quantized(point) else {
                return "handle \(entity.handle) has moved in half"
            }
            guard parent.pointee.centre.chord(to: point) <= parent.pointee.radius else {
                return "node \(node) reaches farther than its radius, to \(entity.place)"
            }
            let axes = CubeFace(number: Int(parent.pointee.face)).axes(point)
            let own = wallDistances(parent, axes)
            guard own.squaredBound(slot: slot, span: Int(leaf.span)).squareRoot() <= ChordBounds.margin else {
                return "the walls of leaf \(number) keep out \(entity.place), which is in it"
            }
        }
        return nil
    }
}

extension Grid {
    /// The first lower bound of a cell, as seen from a place, that exceeds the chord to an entity of the cell; nil if
    /// none does.
    ///
    /// - Complexity: O(count · depth).
    package func brokenBound(from origin: Coordinate) -> String? {
        let centre = EarthCentred(origin)
        for handle in leafOf.indices where leafOf[handle] >= 0 {
            let leaf = leaves[leafOf[handle]]
            guard let place = place(of: Int32(handle)) else { return "handle \(handle) has no place" }
            let chord = centre.chord(to: EarthCentred(place)) + ChordBounds.margin
            if let fault = brokenBound(leaf.node, Int(leaf.slot), Int(leaf.span), centre, chord) {
                return "\(fault) from \(origin) to \(place)"
            }
        }
        return nil
    }

    private func brokenBound(
        _ number: Int32, _ slot: Int, _ span: Int, _ centre: EarthCentred, _ chord: Double
    ) -> String? {
        let node = nodes.pointer(number)
        let walls = wallDistances(node, CubeFace(number: Int(node.pointee.face)).axes(centre))
        guard walls.squaredBound(slot: slot, span: span).squareRoot() <= chord else {
            return "the bound of slot \(slot) of node \(number) exceeds the chord"
        }
        guard walls.slots(within: chord) & GridNode.mask(slot, span) != 0 else {
            return "slot \(slot) of node \(number) is not among those within the chord"
        }
        guard node.pointee.parent >= 0 else { return nil }
        return brokenBound(node.pointee.parent, Int(node.pointee.slotInParent), 0, centre, chord)
    }
}
