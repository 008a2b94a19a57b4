internal import Algorithms

/// A sorted set in blocks, so that a change moves only the values of one block.
///
/// Other modules specialize it: unspecialized, its insertions took 7 % of an import of places.
package struct SortedBlocks<Element: Comparable & Sendable>: Sendable {
    /// A block that grows beyond this is split.
    @inlinable
    static var largest: Int { 256 }

    /// The blocks, none of which is empty.
    @usableFromInline
    var blocks: [[Element]] = []

    @inlinable
    package init() {}

    /// Creates a set from sorted, distinct values.
    ///
    /// - Complexity: O(count).
    @inlinable
    package init(sorted elements: [Element]) { blocks = elements.chunks(ofCount: Self.largest).map(Array.init) }

    @inlinable
    package var isEmpty: Bool { blocks.isEmpty }

    /// The bytes of memory allocated for values.
    @inlinable
    package var bytes: Int { blocks.reduce(0) { $0 + 40 + $1.capacity * MemoryLayout<Element>.stride } }

    /// - Complexity: O(log count + blocks if one is split).
    @inlinable
    package mutating func insert(_ element: Element) {
        guard !blocks.isEmpty else { return blocks.append([element]) }
        let block = block(of: element)
        let position = blocks[block].partitioningIndex { $0 >= element }
        if position < blocks[block].count, blocks[block][position] == element { return }
        blocks[block].insert(element, at: position)
        guard blocks[block].count > Self.largest else { return }
        // Values inserted in order leave full blocks behind.
        let isLast = block == blocks.count - 1 && position == blocks[block].count - 1
        let cut = isLast ? blocks[block].count - 1 : blocks[block].count / 2
        blocks.insert(Array(blocks[block][cut...]), at: block + 1)
        blocks[block].removeSubrange(cut...)
    }

    @inlinable
    package mutating func remove(_ element: Element) {
        guard !blocks.isEmpty else { return }
        let block = block(of: element)
        let position = blocks[block].partitioningIndex { $0 >= element }
        guard position < blocks[block].count, blocks[block][position] == element else { return }
        blocks[block].remove(at: position)
        if blocks[block].isEmpty { blocks.remove(at: block) }
    }

    /// Calls `body` with the values after `last`, or with all for nil, in order, until it returns false.
    ///
    /// - Complexity: O(log count + values visited).
    @inlinable
    package func visit(after last: Element?, _ body: (Element) -> Bool) {
        guard !blocks.isEmpty else { return }
        var block = 0
        var position = 0
        if let last {
            block = self.block(of: last)
            position = blocks[block].partitioningIndex { $0 >= last }
            if position < blocks[block].count, blocks[block][position] == last { position += 1 }
        }
        while block < blocks.count {
            for element in blocks[block][position...] { guard body(element) else { return } }
            block += 1
            position = 0
        }
    }

    /// The index of the last block that does not begin after a value, or the first block.
    @inlinable
    func block(of element: Element) -> Int {
        max(1, blocks.partitioningIndex { $0[0] > element }) - 1
    }
}
