internal import Geo
public import Model
internal import Structures

/// Creates or replaces a product.
public struct PutProduct: Action {
    package let write: Write<Product>

    /// The new document.
    public init(_ write: Write<Product>) { self.write = write }

    /// The document's weight.
    public var weight: Int { write.value.weight }

    /// - Returns: the document's revision.
    public func apply(to draft: inout Draft) throws -> Written {
        try draft.requireService()
        let product = write.value
        let old = draft.state.catalogue.inventory.record(of: product.id)
        let revision = try draft.revision(after: old?.revision, if: write.condition)
        if let old, old.value == product { return Written(isNew: false, revision: old.revision) }
        let number = old?.number ?? draft.state.catalogue.inventory.nextNumber
        let made = old.flatMap { draft.state.catalogue.inventory[$0.number]?.made } ?? draft.received
        try draft.write(
            .catalogue(.product(Versioned(number: number, revision: revision, value: product), made: made)))
        return Written(isNew: old == nil, revision: revision)
    }
}

/// Sets a store's stock of a product.
public struct PutStockItem: Action {
    /// The stock of a product in a store.
    public let item: StockItem

    /// An action for a stock item.
    public init(_ item: StockItem) { self.item = item }

    /// The weight of the sizes.
    public var weight: Int { item.weight }

    /// - Returns: whether the store did not list the product before.
    public func apply(to draft: inout Draft) throws -> Written {
        try draft.requireService()
        guard let store = draft.state.catalogue.placeIndex.number(ofStore: item.store) else {
            throw Refusal.unknown(.store, item.store.any)
        }
        guard let product = draft.state.catalogue.inventory.numbers[item.product] else {
            throw Refusal.unknown(.product, item.product.any)
        }
        let old = draft.state.catalogue.inventory.item(of: store, product)
        let sizes = item.sizes.sorted { $0.size < $1.size }
        if old == nil || old?.price != item.price || old?.sizes != sizes {
            try draft.write(.catalogue(.stock(store: store, product: product, price: item.price, sizes: sizes)))
        }
        return Written(isNew: old == nil, revision: draft.received.milliseconds)
    }
}

/// Removes a product from a store.
public struct RemoveStock: Action {
    let store: PlaceID, product: ProductID

    /// The store, and the product.
    public init(store: PlaceID, product: ProductID) { (self.store, self.product) = (store, product) }

    /// Removes the stock, for services.
    public func apply(to draft: inout Draft) throws {
        try draft.requireService()
        guard let number = draft.state.catalogue.placeIndex.number(ofStore: store) else {
            throw Refusal.unknown(.store, store.any)
        }
        guard let item = draft.state.catalogue.inventory.numbers[product],
            draft.state.catalogue.inventory.item(of: number, item) != nil
        else { throw Refusal.unknown(.stock, product.any) }
        try draft.write(.catalogue(.stockDeleted(store: number, product: item)))
    }
}
