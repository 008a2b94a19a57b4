internal import Cities
internal import Model
internal import Structures

/// The places, the products, and which place has which of them.
struct Catalogue: ~Copyable, Sendable {
    var directory: Directory
    var shelves = Shelves()

    init(gazetteer: Gazetteer) { directory = Directory(gazetteer: gazetteer) }

    private init(_ directory: consuming Directory, _ shelves: Shelves) {
        self.directory = directory
        self.shelves = shelves
    }

    func copy() -> Catalogue { Catalogue(directory.copy(), shelves) }

    /// Follows a change of places, products or stock.
    mutating func apply(_ change: CatalogueChange) {
        switch change {
        case .place(let record): directory.put(record, isStocked: shelves.hasItems(record.number))
        case .placeDeleted(let number):
            shelves.clear(store: number)
            directory.remove(number)
        case .product(let record, let made): shelves.put(record, made: made)
        case .productDeleted(let number):
            let stores = shelves.stores(having: number).numbers
            shelves.remove(number)
            for store in stores { directory.setStocked(store, shelves.hasItems(store)) }
        case .stock(let store, let product, let price, let sizes):
            shelves.stock(store: store, Shelves.Item(product: product, price: price, sizes: sizes))
            directory.setStocked(store, true)
        case .stockDeleted(let store, let product):
            shelves.unstock(store: store, product: product)
            directory.setStocked(store, shelves.hasItems(store))
        }
    }
}
