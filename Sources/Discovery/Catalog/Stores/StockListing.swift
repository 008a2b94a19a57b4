internal import Geo
public import Model
internal import Structures

/// A store's stock, read in parts between which the state may change.
public struct StockListing: SearchInParts {
    private let id: PlaceID
    /// The last product read.
    private var last: ProductNumber = -1
    /// The result so far, in no particular order.
    public private(set) var items: [StockItem] = []

    /// The whole stock of a store.
    public init(of id: PlaceID) { self.id = id }

    package var course: QueryTrace { QueryTrace([.each], looked: items.count) }

    /// Reads further stock, for about `most` work units (``WorkBudget``).
    ///
    /// - Returns: whether this was the last part.
    /// - Throws: ``Refusal/unknown(_:_:)``, also for a place that is not a store.
    package mutating func look(at state: borrowing LiveState, steps most: Int) throws(Refusal) -> Bool {
        guard let store = state.catalogue.placeIndex.number(ofStore: id) else { throw .unknown(.store, id.any) }
        var steps = 0
        defer { WorkBudget.count(steps) }
        let inventory = state.catalogue.inventory
        guard let stock = inventory.stock(of: store) else { return true }
        for row in stock.rows(after: last) {
            guard steps < most else { return false }
            last = row.product
            steps += 5 + Int(row.pieceCount)
            guard let entry = inventory[row.product] else { continue }
            let item = inventory.item(row, of: stock)
            items.append(
                StockItem(store: id, product: entry.record.value.id, price: item.price, sizes: item.sizes))
        }
        return true
    }
}
