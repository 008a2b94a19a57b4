internal import Algorithms
internal import Model

/// A store's stock by product number, in plain integers because there may be millions of rows.
struct StoreInventory: Sendable {
    /// A product's stock.
    struct Row: Sendable {
        var product: ProductNumber
        /// The currency of the store's own price, as an index of ``Inventory/currencies``; ``noPrice`` without one.
        var currency: Int16
        var pieceCount: UInt16
        /// The store's own price in the currency's minor unit.
        var price: Int64
        /// The sizes in stock, as bits of their numbers modulo 64.
        var sizesInStock: UInt64
        /// The index of the row's first element of ``pieces``.
        var firstPiece: Int32

        static let noPrice: Int16 = -1
    }

    /// The quantity of a size, which is an index of ``Inventory/sizes``.
    struct Pieces: Sendable {
        var size: Int32
        var quantity: Int32
    }

    private(set) var rows: [Row] = []
    private var pieces: [Pieces] = []

    static func bit(ofSize size: Int32) -> UInt64 { 1 << UInt64(size & 63) }

    func pieces(of row: Row) -> ArraySlice<Pieces> {
        pieces[Int(row.firstPiece)..<Int(row.firstPiece) + Int(row.pieceCount)]
    }

    /// The row of a product; nil if the store does not list it.
    func row(of product: ProductNumber) -> Row? {
        let position = position(of: product)
        return position < rows.count && rows[position].product == product ? rows[position] : nil
    }

    func rows(after product: ProductNumber) -> ArraySlice<Row> {
        let position = position(of: product)
        return rows[(row(of: product) == nil ? position : position + 1)...]
    }

    mutating func put(_ product: ProductNumber, price: Inventory.Price?, _ sizes: [Pieces]) {
        remove(product)
        let row = Row(
            product: product, currency: price?.currency ?? Row.noPrice, pieceCount: UInt16(sizes.count),
            price: price?.minor ?? 0,
            sizesInStock: sizes.reduce(0) { $0 | ($1.quantity > 0 ? Self.bit(ofSize: $1.size) : 0) },
            firstPiece: Int32(pieces.count))
        pieces += sizes
        rows.insert(row, at: position(of: product))
    }

    mutating func remove(_ product: ProductNumber) {
        guard let row = row(of: product) else { return }
        rows.remove(at: position(of: product))
        pieces.removeSubrange(Int(row.firstPiece)..<Int(row.firstPiece) + Int(row.pieceCount))
        for other in rows.indices where rows[other].firstPiece > row.firstPiece {
            rows[other].firstPiece -= Int32(row.pieceCount)
        }
    }

    /// The index of a product's row, or its insertion point.
    private func position(of product: ProductNumber) -> Int {
        if rows.last.map({ $0.product < product }) ?? true { return rows.count }
        return rows.partitioningIndex { $0.product >= product }
    }
}
