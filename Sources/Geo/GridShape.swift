/// Insertion: the tree grows where entities are dense.
extension Grid {
    /// Inserts an entity that is not in the grid.
    mutating func insert(_ entity: GridEntity, _ cell: CubePoint) {
        var number = Int32(cell.face.number)
        while true {
            let node = nodes.pointer(number)
            let slot = GridNode.slot(of: cell, atLevel: node.pointee.level)
            let child = node.pointee.children[slot]
            if child >= 0 {
                node.pointee.signatures[slot] |= entity.signature
                number = child
            } else if child == GridNode.empty {
                let leaf = plant(in: number, around: slot)
                return append(entity, to: leaf)
            } else {
                return append(entity, to: ~child)
            }
        }
    }

    /// Creates a leaf for an empty slot, as wide as the free space around it allows.
    private mutating func plant(in number: Int32, around slot: Int) -> Int32 {
        let node = nodes.pointer(number)
        var span = 0
        var mask: UInt64 = 1 << UInt64(slot)
        let taken = node.pointee.taken
        for wider in 1...3 {
            let widerMask = GridNode.mask(slot & ~(1 << (2 * wider) - 1), wider)
            guard taken & widerMask == 0 else { break }
            span = wider
            mask = widerMask
        }
        return plant(in: number, mask: mask, span: span)
    }

    private mutating func plant(in number: Int32, mask: UInt64, span: Int) -> Int32 {
        let first = mask.trailingZeroBitCount
        let leaf = leaves.insert(GridLeaf(node: number, slot: UInt8(first), span: UInt8(span)))
        nodes.pointer(number).pointee.fill(mask, span: span, with: ~leaf)
        return leaf
    }

    private mutating func append(_ entity: GridEntity, to number: Int32) {
        leafOf[Int(entity.handle)] = number
        let leaf = leaves.pointer(number)
        leaf.pointee.append(entity)
        nodes.pointer(leaf.pointee.node).pointee.signatures[Int(leaf.pointee.slot)] |= entity.signature
        if leaf.pointee.count > Self.leafLimit { split(number) }
    }

    /// Divides a full leaf among the four quadrants of its cell; a cell that cannot be divided stays as it is.
    private mutating func split(_ number: Int32) {
        let leaf = leaves[number]
        let node = nodes.pointer(leaf.node)
        let parent: Int32
        var span = Int(leaf.span)
        if span > 0 {
            parent = leaf.node
            node.pointee.clear(GridNode.mask(Int(leaf.slot), span), first: Int(leaf.slot))
        } else {
            guard let child = descend(from: leaf) else { return }
            parent = child
            span = 3
        }
        leaves.remove(number)
        for row in 0..<Int(leaf.count) {
            let entity = leaf.entity(row)
            let cell = CubePoint(EarthCentred(entity.place))
            let slot = GridNode.slot(of: cell, atLevel: nodes.pointer(parent).pointee.level)
            let child = nodes.pointer(parent).pointee.children[slot]
            let quadrant = GridNode.mask(slot & ~(1 << (2 * (span - 1)) - 1), span - 1)
            let target = child == GridNode.empty ? plant(in: parent, mask: quadrant, span: span - 1) : ~child
            append(entity, to: target)
        }
        leaf.deallocate()
    }

    /// Replaces a leaf that spans a single slot by a node; nil at the last level.
    private mutating func descend(from leaf: GridLeaf) -> Int32? {
        let above = nodes.pointer(leaf.node)
        let level = Int(above.pointee.level) + 1
        guard level < GridWalls.rotations.count else { return nil }
        let side = Int32(1) << Int32(CubePoint.bits - 3 * level)
        let slot = Int(leaf.slot)
        let child = nodes.insert(
            GridNode(
                parent: leaf.node, slotInParent: leaf.slot, face: above.pointee.face, level: UInt8(level),
                i: above.pointee.i + Int32(GridNode.column(slot)) * side,
                j: above.pointee.j + Int32(GridNode.row(slot)) * side))
        nodes.pointer(leaf.node).pointee.children[slot] = child
        return child
    }
}

/// Removal: the tree shrinks where entities are sparse.
extension Grid {
    /// Removes the entity of a row from a leaf.
    mutating func take(_ row: Int, from number: Int32) {
        let leaf = leaves.pointer(number)
        leaf.pointee.remove(row: row)
        if leaf.pointee.count == 0 {
            uproot(number)
        } else {
            signatureChanged(of: number)
            if leaf.pointee.count <= Self.leafLimit / 4 { join(number) }
        }
    }

    private mutating func uproot(_ number: Int32) {
        let leaf = leaves[number]
        leaves.remove(number)
        leaf.deallocate()
        var node = leaf.node
        nodes.pointer(node).pointee.clear(GridNode.mask(Int(leaf.slot), Int(leaf.span)), first: Int(leaf.slot))
        while nodes.pointer(node).pointee.starts == 0, nodes.pointer(node).pointee.parent >= 0 {
            let parent = nodes.pointer(node).pointee.parent
            let slot = Int(nodes.pointer(node).pointee.slotInParent)
            nodes.remove(node)
            nodes.pointer(parent).pointee.clear(1 << UInt64(slot), first: slot)
            node = parent
        }
        passOnSignature(of: node)
    }

    /// Merges a sparse leaf with its siblings, repeatedly while they have few entities.
    private mutating func join(_ sparse: Int32) {
        var number = sparse
        while true {
            let leaf = leaves[number]
            let node = nodes.pointer(leaf.node)
            if leaf.span == 3 {
                guard node.pointee.parent >= 0 else { return }
                number = replaceNode(of: leaf, number)
                continue
            }
            let span = Int(leaf.span) + 1
            let first = Int(leaf.slot) & ~(1 << (2 * span) - 1)
            let mask = GridNode.mask(first, span)
            var total: Int32 = 0
            var left = node.pointee.starts & mask
            while left != 0 {
                let child = node.pointee.children[left.trailingZeroBitCount]
                guard child < 0 else { return }
                total += leaves.pointer(~child).pointee.count
                left &= left - 1
            }
            guard total <= Self.leafLimit / 2 else { return }
            number = gather(node.pointee.starts & mask, of: leaf.node, mask: mask, span: span)
        }
    }

    /// Moves the entities of several leaves of a node into a new leaf that spans `mask`.
    private mutating func gather(_ starts: UInt64, of node: Int32, mask: UInt64, span: Int) -> Int32 {
        var old: [GridLeaf] = []
        var left = starts
        while left != 0 {
            let slot = left.trailingZeroBitCount
            let child = ~nodes.pointer(node).pointee.children[slot]
            old.append(leaves[child])
            leaves.remove(child)
            nodes.pointer(node).pointee.signatures[slot] = 0
            left &= left - 1
        }
        nodes.pointer(node).pointee.clear(mask, first: mask.trailingZeroBitCount)
        let number = plant(in: node, mask: mask, span: span)
        for leaf in old {
            for row in 0..<Int(leaf.count) { append(leaf.entity(row), to: number) }
            leaf.deallocate()
        }
        return number
    }

    /// Replaces a node by its only child, a leaf.
    private mutating func replaceNode(of leaf: GridLeaf, _ number: Int32) -> Int32 {
        let (parent, slot) = (nodes.pointer(leaf.node).pointee.parent, nodes.pointer(leaf.node).pointee.slotInParent)
        nodes.remove(leaf.node)
        let moved = leaves.pointer(number)
        moved.pointee.node = parent
        moved.pointee.slot = slot
        moved.pointee.span = 0
        nodes.pointer(parent).pointee.children[Int(slot)] = ~number
        return number
    }

    mutating func signatureChanged(of number: Int32) {
        let leaf = leaves.pointer(number)
        let signature = leaf.pointee.signature
        let node = nodes.pointer(leaf.pointee.node)
        guard node.pointee.signatures[Int(leaf.pointee.slot)] != signature else { return }
        node.pointee.signatures[Int(leaf.pointee.slot)] = signature
        passOnSignature(of: leaf.pointee.node)
    }

    /// Updates the signature unions of a node's ancestors.
    private mutating func passOnSignature(of number: Int32) {
        var node = nodes.pointer(number)
        while node.pointee.parent >= 0 {
            let parent = nodes.pointer(node.pointee.parent)
            let slot = Int(node.pointee.slotInParent)
            let union = node.pointee.signature
            guard parent.pointee.signatures[slot] != union else { return }
            parent.pointee.signatures[slot] = union
            node = parent
        }
    }
}
