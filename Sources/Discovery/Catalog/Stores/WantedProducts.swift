internal import Model
internal import Structures

/// A product filter compiled to the inventory, which is passed to each call because it may have changed.
struct WantedProducts: Sendable {
    /// The products that match except for size in stock and price; nil if all do.
    private let products: NumberSet<Product>?
    /// The products, if they are few enough to look up each in a stock instead of scanning it.
    private let few: [ProductNumber]?
    /// The sizes of which one must be in stock; nil for any.
    private let sizes: [Int32]?
    private let sizeBits: UInt64
    private let wish: ProductFilter
    private let price: (range: ClosedRange<Int64>, currency: Int16)?

    private static let mostLookups = 4

    /// Compiles a filter for some products (nil for all); nil if nothing can match.
    init?(_ filter: ProductFilter, of products: NumberSet<Product>?, _ inventory: Inventory) {
        wish = filter
        if products?.isEmpty ?? false { return nil }
        self.products = products
        few = products.flatMap { $0.count <= Self.mostLookups ? $0.numbers : nil }
        let sizes = filter.sizes.isEmpty ? nil : filter.sizes.compactMap { inventory.sizes.number(of: $0) }
        self.sizes = sizes
        sizeBits = sizes.map { $0.reduce(0) { $0 | StoreInventory.bit(ofSize: $1) } } ?? .max
        price = filter.price.map { price in
            // A currency without any prices matches no row.
            (price.range, inventory.currencies.number(of: price.currency).map { Int16(clamping: $0) } ?? .max)
        }
    }

    /// Whether a store has a match in stock, by size and price; `steps` grows by the work done.
    func isStocked(by store: PlaceNumber, _ inventory: Inventory, _ steps: inout Int) -> Bool {
        guard let summary = inventory.summary(of: store), mayHold(summary), let stock = inventory.stock(of: store)
        else { return false }
        if let few {
            return few.contains { product in stock.row(of: product).map { matches($0, stock, inventory) } ?? false }
        }
        let row = stock.rows.firstIndex { matches($0, stock, inventory) }
        steps += (row ?? stock.rows.count) / 10
        return row != nil
    }

    /// The products that match except for size in stock and price; nil if all do.
    func matchingProducts(_ steps: inout Int) -> [ProductNumber]? {
        steps += (products?.width ?? 0) / 20
        return products?.numbers
    }

    /// The matching products whose summary admits a requested size and price.
    func likelyProducts(_ inventory: Inventory, _ steps: inout Int) -> [ProductNumber] {
        steps += (products?.width ?? Int(inventory.nextNumber)) / 10
        return inventory.products(among: products?.numbers) { mayBeStocked($0, $1, inventory) }
    }

    private func mayBeStocked(_ product: ProductNumber, _ summary: Inventory.Summary, _ inventory: Inventory) -> Bool {
        guard mayHold(summary) else { return false }
        guard let price, summary.isSoldAsRecommended else { return true }
        return summary.overlaps(price.range) || isWithin(inventory.recommendedPrice(of: product))
    }

    /// Whether a summary admits a match.
    private func mayHold(_ summary: Inventory.Summary) -> Bool {
        guard summary.sizes & sizeBits != 0 else { return false }
        guard let price else { return true }
        return summary.isSoldAsRecommended || summary.overlaps(price.range)
    }

    private func matches(_ row: StoreInventory.Row, _ stock: StoreInventory, _ inventory: Inventory) -> Bool {
        guard products?.contains(row.product) ?? true, row.sizesInStock & sizeBits != 0 else { return false }
        if let sizes, !stock.pieces(of: row).contains(where: { $0.quantity > 0 && sizes.contains($0.size) }) {
            return false
        }
        return price == nil || isWithin(price(of: row, inventory))
    }

    /// The price in a row: the store's own, or the recommended one.
    private func price(of row: StoreInventory.Row, _ inventory: Inventory) -> Inventory.Price? {
        row.currency == StoreInventory.Row.noPrice
            ? inventory.recommendedPrice(of: row.product) : Inventory.Price(minor: row.price, currency: row.currency)
    }

    private func isWithin(_ asked: Inventory.Price?) -> Bool {
        guard let asked, let price else { return false }
        return asked.currency == price.currency && price.range.contains(asked.minor)
    }

    /// The lowest price of a match in a store; nil if no match has a price in the filter's currency.
    func bestPrice(in store: PlaceNumber, _ inventory: Inventory, _ steps: inout Int) -> Int64? {
        guard let stock = inventory.stock(of: store) else { return nil }
        steps += stock.rows.count / 10
        return stock.rows.lazy.filter { matches($0, stock, inventory) }.compactMap { price(of: $0, inventory)?.minor }
            .min()
    }

    /// A store's matching offers, cheapest first with ties by id, up to the limit.
    func offers(of store: PlaceNumber, _ inventory: Inventory, _ steps: inout Int) -> [Offer] {
        guard let stock = inventory.stock(of: store) else { return [] }
        steps += stock.rows.count / 10
        var best: [(row: StoreInventory.Row, price: Int64)] = []
        for row in stock.rows where matches(row, stock, inventory) {
            let price = price(of: row, inventory)?.minor ?? .max
            func isBefore(_ other: (row: StoreInventory.Row, price: Int64)) -> Bool {
                price == other.price
                    ? inventory.id(of: row.product) < inventory.id(of: other.row.product) : price < other.price
            }
            if best.count == StoreNearby.mostOffers {
                guard let last = best.last, isBefore(last) else { continue }
                best.removeLast()
            }
            steps += 2
            best.insert((row, price), at: best.firstIndex(where: isBefore) ?? best.count)
        }
        return best.map { offer($0.row, of: stock, inventory) }
    }

    private func offer(_ row: StoreInventory.Row, of stock: StoreInventory, _ inventory: Inventory) -> Offer {
        let item = inventory.item(row, of: stock)
        let product = inventory.product(row.product)
        return Offer(
            product: product, price: item.price ?? product.price,
            sizes: item.sizes.filter { $0.quantity > 0 && (wish.sizes.isEmpty || wish.sizes.contains($0.size)) })
    }
}

extension Inventory {
    /// The sum of some products' store counts; `steps` grows by the work done.
    func countStores(having products: [ProductNumber], _ steps: inout Int) -> Int {
        steps += products.count / 20
        return products.reduce(0) { $0 + storeCount(of: $1) }
    }

    /// The stores that list one of some products, in any size and at any price.
    func stores(having products: [ProductNumber], _ steps: inout Int) -> [PlaceNumber] {
        var stores = NumberSet<Place>()
        for product in products {
            let some = self.stores(having: product).numbers
            steps += 1 + some.count / 20
            for store in some { stores.insert(store) }
        }
        return stores.numbers
    }

    fileprivate func id(of product: ProductNumber) -> ProductID { self.product(product).id }

    fileprivate func product(_ number: ProductNumber) -> Product {
        guard let entry = self[number] else { preconditionFailure("a product that is gone is on no shelf") }
        return entry.record.value
    }
}
