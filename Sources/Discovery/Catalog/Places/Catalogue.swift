internal import Cities
internal import Model
internal import Structures

/// The places, the products, and the stock of each place.
struct Catalogue: ~Copyable, Sendable {
    var placeIndex: PlaceIndex
    var inventory = Inventory()

    init(gazetteer: Gazetteer) { placeIndex = PlaceIndex(gazetteer: gazetteer) }

    private init(_ placeIndex: consuming PlaceIndex, _ inventory: Inventory) {
        self.placeIndex = placeIndex
        self.inventory = inventory
    }

    func copy() -> Catalogue { Catalogue(placeIndex.copy(), inventory) }

    mutating func apply(_ change: CatalogueChange) {
        switch change {
        case .place(let record): placeIndex.put(record, isStocked: inventory.hasItems(record.number))
        case .placeDeleted(let number):
            inventory.clear(store: number)
            placeIndex.remove(number)
        case .product(let record, let made): inventory.put(record, made: made)
        case .productDeleted(let number):
            let stores = inventory.stores(having: number).numbers
            inventory.remove(number)
            for store in stores { placeIndex.setStocked(store, inventory.hasItems(store)) }
        case .stock(let store, let product, let price, let sizes):
            inventory.stock(store: store, Inventory.Item(product: product, price: price, sizes: sizes))
            placeIndex.setStocked(store, true)
        case .stockDeleted(let store, let product):
            inventory.unstock(store: store, product: product)
            placeIndex.setStocked(store, inventory.hasItems(store))
        }
    }
}
