/// A product on a store's shelves.
public struct StockItem: Codable, Hashable, Sendable {
    /// The id of the place that has it.
    public var store: PlaceID
    /// The id of what it has.
    public var product: ProductID
    /// The store's own price; nil where the recommended one holds.
    public var price: Money?
    /// How many of each size; a product without sizes has one entry with the size `-`.
    public var sizes: [SizeQuantity]

    /// What a store has of a product.
    public init(store: PlaceID, product: ProductID, price: Money?, sizes: [SizeQuantity]) {
        self.store = store
        self.product = product
        self.price = price
        self.sizes = sizes
    }
}

/// How many pieces of a size there are.
public struct SizeQuantity: Codable, Hashable, Sendable {
    /// The size; ``ProductSize/none`` for a product without sizes.
    public var size: ProductSize
    /// The number of pieces; 0 when it is sold out.
    public var quantity: Int

    /// So many pieces of a size.
    public init(size: ProductSize, quantity: Int) {
        self.size = size
        self.quantity = quantity
    }
}
