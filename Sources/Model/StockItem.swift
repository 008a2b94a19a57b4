/// The stock of a product in a store.
public struct StockItem: Codable, Hashable, Sendable {
    /// The id of the store.
    public var store: PlaceID
    /// The id of the product.
    public var product: ProductID
    /// The store's own price; nil if the recommended price applies.
    public var price: Money?
    /// The quantities by size; a product without sizes has one entry with the size `-`.
    public var sizes: [SizeQuantity]

    /// Creates the stock of a product in a store.
    public init(store: PlaceID, product: ProductID, price: Money?, sizes: [SizeQuantity]) {
        self.store = store
        self.product = product
        self.price = price
        self.sizes = sizes
    }
}

/// The quantity of a size.
public struct SizeQuantity: Codable, Hashable, Sendable {
    /// The size; ``ProductSize/none`` for a product without sizes.
    public var size: ProductSize
    /// The number of pieces; 0 if sold out.
    public var quantity: Int

    /// Creates a quantity.
    public init(size: ProductSize, quantity: Int) {
        self.size = size
        self.quantity = quantity
    }
}
