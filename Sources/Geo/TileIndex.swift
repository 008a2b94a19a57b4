/// Entities in the order in which tiles nest (Z-order), so that a tile of any zoom level is a range of them.
///
/// Each block of entities has a sum, so that the entities of a tile are counted without visiting each. An entity has a
/// handle and a stamp. The caller changes the stamp whenever the entity changes.
public struct TileIndex: Sendable {
    private struct Item {
        let code: UInt64
        let handle: Int32
        let stamp: UInt32

        func precedes(_ other: Item) -> Bool { (code, handle) < (other.code, other.handle) }
    }

    private struct Block {
        var items: [Item]
        var stamps: UInt64

        init(_ items: [Item]) {
            self.items = items
            stamps = items.reduce(0) { $0 &+ UInt64($1.stamp) }
        }
    }

    /// The index of a block, and of an item in it; the last position is after the last block.
    private struct Position {
        var block = 0
        var row = 0
    }

    /// A block that grows beyond this is split.
    private static let largest = 256

    /// The blocks, none of which is empty.
    private var blocks: [Block] = []

    /// Creates an empty index.
    public init() {}

    /// Creates an index of entities; those at places that are on no Web Mercator map are left out.
    ///
    /// - Complexity: O(n log n).
    public init(_ entities: some Sequence<(handle: Int32, place: Coordinate, stamp: UInt32)>) {
        let items = entities.compactMap { Self.item($0.handle, $0.place, $0.stamp) }.sorted { $0.precedes($1) }
        blocks = stride(from: 0, to: items.count, by: Self.largest).map { start in
            Block(Array(items[start..<min(start + Self.largest, items.count)]))
        }
    }

    /// Whether there are no entities.
    public var isEmpty: Bool { blocks.isEmpty }

    /// The bytes of memory that the entities occupy.
    public var bytes: Int {
        blocks.reduce(0) { $0 + 48 + $1.items.capacity * MemoryLayout<Item>.stride }
    }

    /// Inserts an entity that is not in the index, unless its place is on no Web Mercator map.
    ///
    /// - Complexity: O(log n + blocks if one is split).
    public mutating func insert(_ handle: Int32, at place: Coordinate, stamp: UInt32) {
        guard let item = Self.item(handle, place, stamp) else { return }
        guard !blocks.isEmpty else { return blocks.append(Block([item])) }
        let block = block(of: item)
        let row = blocks[block].items.prefixEnd { $0.precedes(item) }
        blocks[block].items.insert(item, at: row)
        blocks[block].stamps &+= UInt64(stamp)
        guard blocks[block].items.count > Self.largest else { return }
        let half = blocks[block].items.count / 2
        blocks.insert(Block(Array(blocks[block].items[half...])), at: block + 1)
        blocks[block] = Block(Array(blocks[block].items[..<half]))
    }

    /// Removes an entity that was inserted at a place.
    ///
    /// - Complexity: as ``insert(_:at:stamp:)``.
    public mutating func remove(_ handle: Int32, at place: Coordinate) {
        guard let item = Self.item(handle, place, 0), !blocks.isEmpty else { return }
        let block = block(of: item)
        let row = blocks[block].items.prefixEnd { $0.precedes(item) }
        guard row < blocks[block].items.count, blocks[block].items[row].handle == handle else { return }
        let removed = blocks[block].items.remove(at: row)
        blocks[block].stamps &-= UInt64(removed.stamp)
        if blocks[block].items.isEmpty { blocks.remove(at: block) }
    }

    /// The index of the last block that does not begin after an item, or of the first block.
    private func block(of item: Item) -> Int { max(1, blocks.prefixEnd { !item.precedes($0.items[0]) }) - 1 }

    private static func item(_ handle: Int32, _ place: Coordinate, _ stamp: UInt32) -> Item? {
        MapPoint(place).map { Item(code: $0.code, handle: handle, stamp: stamp) }
    }
}

/// The number of entities in a tile, and the sum of their stamps, which together change when an entity does.
public struct TileSummary: Hashable, Sendable {
    /// The number of entities.
    public fileprivate(set) var count = 0
    fileprivate var stamps: UInt64 = 0

    /// The summary of no entities.
    public init() {}

    fileprivate init(count: Int, stamps: UInt64) { (self.count, self.stamps) = (count, stamps) }

    /// The summary of the entities of both.
    public static func + (a: TileSummary, b: TileSummary) -> TileSummary {
        TileSummary(count: a.count + b.count, stamps: a.stamps &+ b.stamps)
    }
}

extension TileIndex {
    /// The cells along a side of a tile.
    public static let cellsAcross = 1 << cellBits
    private static let cellBits = 4

    /// Counts the entities of a tile; `steps` grows by the work done (`WorkBudget`).
    ///
    /// - Complexity: O(log n + blocks of the tile).
    public func summary(of tile: MapTile, steps: inout Int) -> TileSummary {
        let codes = tile.codes
        return summary(from: position(of: codes.lowerBound), to: position(of: codes.upperBound), &steps)
    }

    /// The handles of the entities of a tile in Z-order; `steps` grows by the work done (`WorkBudget`).
    ///
    /// - Complexity: O(log n + entities of the tile).
    public func handles(in tile: MapTile, steps: inout Int) -> [Int32] {
        let codes = tile.codes
        var handles: [Int32] = []
        let start = position(of: codes.lowerBound)
        var row = start.row
        search: for block in blocks[start.block...] {
            for item in block.items[row...] {
                guard item.code < codes.upperBound else { break search }
                handles.append(item.handle)
            }
            row = 0
        }
        steps += 4 + handles.count / 32
        return handles
    }

    /// Counts the entities of each cell of a tile, with the handle of the one in the middle of their Z-order.
    ///
    /// Cells are in Z-order; the handle of an empty cell is nil. `steps` grows by the work done (`WorkBudget`).
    ///
    /// - Complexity: O(cells * log n + blocks of the tile).
    public func cells(of tile: MapTile, steps: inout Int) -> [(count: Int, middle: Int32?)] {
        let codes = tile.codes
        let count = Self.cellsAcross * Self.cellsAcross
        let width = (codes.upperBound - codes.lowerBound) / UInt64(count)
        var start = position(of: codes.lowerBound)
        return (0..<count).map { cell in
            let end = position(of: codes.lowerBound + UInt64(cell + 1) * width)
            defer { start = end }
            let count = summary(from: start, to: end, &steps).count
            return (count, count == 0 ? nil : handle(count / 2, after: start, &steps))
        }
    }

    /// The position of the first item with at least this code.
    private func position(of code: UInt64) -> Position {
        let block = blocks.prefixEnd { $0.items[$0.items.count - 1].code < code }
        guard block < blocks.count else { return Position(block: block) }
        return Position(block: block, row: blocks[block].items.prefixEnd { $0.code < code })
    }

    private func summary(from start: Position, to end: Position, _ steps: inout Int) -> TileSummary {
        steps += 4 + (end.block - start.block) / 16
        guard start.block < end.block else { return summary(of: start.row..<end.row, inBlock: start.block) }
        var summary = summary(of: start.row..<blocks[start.block].items.count, inBlock: start.block)
        for block in blocks[start.block + 1..<end.block] {
            summary = summary + TileSummary(count: block.items.count, stamps: block.stamps)
        }
        return summary + self.summary(of: 0..<end.row, inBlock: end.block)
    }

    private func summary(of rows: Range<Int>, inBlock block: Int) -> TileSummary {
        guard !rows.isEmpty else { return TileSummary() }
        let stamps = blocks[block].items[rows].reduce(0 as UInt64) { $0 &+ UInt64($1.stamp) }
        return TileSummary(count: rows.count, stamps: stamps)
    }

    /// The handle that comes a number of items after the first of a position; nil beyond the end.
    private func handle(_ distance: Int, after start: Position, _ steps: inout Int) -> Int32? {
        var rest = start.row + distance
        for (index, block) in blocks[start.block...].enumerated() {
            if rest < block.items.count {
                steps += index / 16
                return block.items[rest].handle
            }
            rest -= block.items.count
        }
        return nil
    }
}

extension RandomAccessCollection where Index == Int {
    /// The end of the longest prefix whose elements satisfy a predicate that no later element does.
    ///
    /// - Complexity: O(log n).
    fileprivate func prefixEnd(_ isInPrefix: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isInPrefix(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
