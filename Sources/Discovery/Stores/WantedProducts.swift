internal import Model
internal import Structures

/// A product filter in the terms of the shelves, which are given anew each time: they may have changed.
struct WantedProducts: Sendable {
    /// The products that match but for size in stock and price; nil when all do.
    private let products: NumberSet?
    /// The same when they are so few that looking each up in a shelf costs less than going through it.
    private let few: [Int32]?
    /// The sizes of which one must be in stock; nil for any.
    private let sizes: [Int32]?
    private let sizeBits: UInt64
    private let wish: ProductFilter
    private let price: (range: ClosedRange<Int64>, currency: Int16)?

    private static let mostLookups = 4

    /// What is wanted of some products, or of all for nil; nil if there is nothing.
    init?(_ filter: ProductFilter, of products: NumberSet?, _ shelves: Shelves) {
        wish = filter
        if products?.isEmpty ?? false { return nil }
        self.products = products
        few = products.flatMap { $0.count <= Self.mostLookups ? $0.numbers : nil }
        let sizes = filter.sizes.isEmpty ? nil : filter.sizes.compactMap { shelves.sizes.number(of: $0) }
        self.sizes = sizes
        sizeBits = sizes.map { $0.reduce(0) { $0 | Shelf.bit(ofSize: $1) } } ?? .max
        price = filter.price.map { price in
            // A currency in which nothing is priced is none that a row has.
            (price.range, shelves.currencies.number(of: price.currency).map { Int16(clamping: $0) } ?? .max)
        }
    }

    // MARK: - In stores

    /// Whether a store has one of the products in stock, in size and price; `steps` grows by what it took.
    func isStocked(by store: Int32, _ shelves: Shelves, _ steps: inout Int) -> Bool {
        guard let summary = shelves.summary(of: store), mayHold(summary), let shelf = shelves.shelf(of: store)
        else { return false }
        if let few {
            return few.contains { product in shelf.row(of: product).map { matches($0, shelf, shelves) } ?? false }
        }
        let row = shelf.rows.firstIndex { matches($0, shelf, shelves) }
        steps += (row ?? shelf.rows.count) / 10
        return row != nil
    }

    /// The products that match but for size in stock and price; nil when all do.
    func matchingProducts(_ steps: inout Int) -> [Int32]? {
        steps += (products?.width ?? 0) / 20
        return products?.numbers
    }

    /// Those of them of which all stores together may have a wanted size at a wanted price.
    func likelyProducts(_ shelves: Shelves, _ steps: inout Int) -> [Int32] {
        steps += (products?.width ?? Int(shelves.nextNumber)) / 10
        return shelves.products(among: products?.numbers) { mayBeStocked($0, $1, shelves) }
    }

    private func mayBeStocked(_ product: Int32, _ summary: Shelves.Summary, _ shelves: Shelves) -> Bool {
        guard mayHold(summary) else { return false }
        guard let price, summary.isSoldAsRecommended else { return true }
        return summary.overlaps(price.range) || isWithin(shelves.recommendedPrice(of: product))
    }

    /// Whether what is wanted may be among what a summary is of.
    private func mayHold(_ summary: Shelves.Summary) -> Bool {
        guard summary.sizes & sizeBits != 0 else { return false }
        guard let price else { return true }
        return summary.isSoldAsRecommended || summary.overlaps(price.range)
    }

    private func matches(_ row: Shelf.Row, _ shelf: Shelf, _ shelves: Shelves) -> Bool {
        guard products?.contains(row.product) ?? true, row.sizesInStock & sizeBits != 0 else { return false }
        if let sizes, !shelf.pieces(of: row).contains(where: { $0.quantity > 0 && sizes.contains($0.size) }) {
            return false
        }
        return price == nil || isWithin(price(of: row, shelves))
    }

    /// What a row costs: the store's own price, or else the recommended one.
    private func price(of row: Shelf.Row, _ shelves: Shelves) -> Shelves.Price? {
        row.currency == Shelf.Row.noPrice
            ? shelves.recommendedPrice(of: row.product) : Shelves.Price(minor: row.price, currency: row.currency)
    }

    private func isWithin(_ asked: Shelves.Price?) -> Bool {
        guard let asked, let price else { return false }
        return asked.currency == price.currency && price.range.contains(asked.minor)
    }

    /// The least price at which a store has one of the products; nil if it has none that matches at a price in the filter's
    /// currency.
    func bestPrice(in store: Int32, _ shelves: Shelves, _ steps: inout Int) -> Int64? {
        guard let shelf = shelves.shelf(of: store) else { return nil }
        steps += shelf.rows.count / 10
        return shelf.rows.lazy.filter { matches($0, shelf, shelves) }.compactMap { price(of: $0, shelves)?.minor }.min()
    }

    /// What a store has of what is wanted: the cheapest, of equally cheap ones the first by id.
    func offers(of store: Int32, _ shelves: Shelves, _ steps: inout Int) -> [Offer] {
        guard let shelf = shelves.shelf(of: store) else { return [] }
        steps += shelf.rows.count / 10
        var best: [(row: Shelf.Row, price: Int64)] = []
        for row in shelf.rows where matches(row, shelf, shelves) {
            let price = price(of: row, shelves)?.minor ?? .max
            func isBefore(_ other: (row: Shelf.Row, price: Int64)) -> Bool {
                price == other.price
                    ? shelves.id(of: row.product) < shelves.id(of: other.row.product) : price < other.price
            }
            if best.count == StoreNearby.mostOffers {
                guard let last = best.last, isBefore(last) else { continue }
                best.removeLast()
            }
            steps += 2
            best.insert((row, price), at: best.firstIndex(where: isBefore) ?? best.count)
        }
        return best.map { offer($0.row, of: shelf, shelves) }
    }

    private func offer(_ row: Shelf.Row, of shelf: Shelf, _ shelves: Shelves) -> Offer {
        let item = shelves.item(row, of: shelf)
        let product = shelves.product(row.product)
        return Offer(
            product: product, price: item.price ?? product.price,
            sizes: item.sizes.filter { $0.quantity > 0 && (wish.sizes.isEmpty || wish.sizes.contains($0.size)) })
    }
}

extension Shelves {
    /// How many stores have some products, those that have several counted for each; `steps` grows by what it took.
    func countStores(having products: [Int32], _ steps: inout Int) -> Int {
        steps += products.count / 20
        return products.reduce(0) { $0 + storeCount(of: $1) }
    }

    /// The stores that have one of some products, in any size and at any price.
    func stores(having products: [Int32], _ steps: inout Int) -> [Int32] {
        var stores = NumberSet()
        for product in products {
            let some = self.stores(having: product).numbers
            steps += 1 + some.count / 20
            for store in some { stores.insert(store) }
        }
        return stores.numbers
    }

    fileprivate func id(of product: Int32) -> EntityID { self.product(product).id }

    fileprivate func product(_ number: Int32) -> Product {
        guard let entry = self[number] else { preconditionFailure("a product that is gone is on no shelf") }
        return entry.record.value.value
    }
}
