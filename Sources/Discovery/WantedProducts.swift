internal import Storage

/// A product filter in the terms of the shelves.
struct WantedProducts {
    private let shelves: Shelves
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

    /// Nil if no product matches, or none in stock can.
    init?(_ filter: ProductFilter, _ shelves: Shelves) {
        self.shelves = shelves
        wish = filter
        let products = shelves.products(for: filter)
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

    /// Whether a store has one of the products in stock, in size and price.
    func isStocked(by store: Int32) -> Bool {
        guard let summary = shelves.summary(of: store), mayHold(summary), let shelf = shelves.shelf(of: store)
        else { return false }
        if let few { return few.contains { product in shelf.row(of: product).map { matches($0, shelf) } ?? false } }
        return shelf.rows.contains { matches($0, shelf) }
    }

    /// The products that match but for size in stock and price; nil when all do.
    var matchingProducts: [Int32]? { products?.numbers }

    /// Those of them of which all stores together may have a wanted size at a wanted price.
    var likelyProducts: [Int32] { shelves.products(among: products?.numbers, where: mayBeStocked) }

    /// How many stores have some products, those that have several counted for each.
    func countStores(having products: [Int32]) -> Int {
        products.reduce(0) { $0 + shelves.stores(having: $1).count }
    }

    /// The stores that have one of some products, in any size and at any price.
    func stores(having products: [Int32]) -> NumberSet {
        var stores = NumberSet()
        for product in products { for store in shelves.stores(having: product).numbers { stores.insert(store) } }
        return stores
    }

    private func mayBeStocked(_ product: Int32, _ summary: Shelves.Summary) -> Bool {
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

    private func matches(_ row: Shelf.Row, _ shelf: Shelf) -> Bool {
        guard products?.contains(row.product) ?? true, row.sizesInStock & sizeBits != 0 else { return false }
        if let sizes, !shelf.pieces(of: row).contains(where: { $0.quantity > 0 && sizes.contains($0.size) }) {
            return false
        }
        return price == nil || isWithin(price(of: row))
    }

    /// What a row costs: the store's own price, or else the recommended one.
    private func price(of row: Shelf.Row) -> Shelves.Price? {
        row.currency == Shelf.Row.noPrice
            ? shelves.recommendedPrice(of: row.product) : Shelves.Price(minor: row.price, currency: row.currency)
    }

    private func isWithin(_ asked: Shelves.Price?) -> Bool {
        guard let asked, let price else { return false }
        return asked.currency == price.currency && price.range.contains(asked.minor)
    }

    /// The least price at which a store has one of the products; nil if it has none that matches at a price in the filter's
    /// currency.
    func bestPrice(in store: Int32) -> Int64? {
        guard let shelf = shelves.shelf(of: store) else { return nil }
        return shelf.rows.lazy.filter { matches($0, shelf) }.compactMap { price(of: $0)?.minor }.min()
    }

    /// What a store has of what is wanted: the cheapest, of equally cheap ones the first by id.
    func offers(of store: Int32) -> [Offer] {
        guard let shelf = shelves.shelf(of: store) else { return [] }
        let rows = shelf.rows.filter { matches($0, shelf) }.map { (row: $0, price: price(of: $0)?.minor ?? .max) }
        return rows.sorted { a, b in
            a.price == b.price ? id(a.row.product) < id(b.row.product) : a.price < b.price
        }
        .prefix(StoreNearby.mostOffers).map { offer($0.row, of: shelf) }
    }

    private func offer(_ row: Shelf.Row, of shelf: Shelf) -> Offer {
        let item = shelves.item(row, of: shelf)
        let product = product(row.product)
        return Offer(
            product: product, price: item.price ?? product.price,
            sizes: item.sizes.filter { $0.quantity > 0 && (wish.sizes.isEmpty || wish.sizes.contains($0.size)) })
    }

    private func id(_ product: Int32) -> EntityID { self.product(product).id }

    private func product(_ number: Int32) -> Product {
        guard let entry = shelves[number] else { preconditionFailure("a product that is gone is on no shelf") }
        return entry.record.value.value
    }
}

extension Shelves {
    /// The products that match a filter but for size and price; nil when all do.
    func products(for filter: ProductFilter) -> NumberSet? {
        var common = filter.products.isEmpty ? nil : NumberSet(filter.products.compactMap { numbers[$0] })
        if let numbers = filter.numbers {
            // The index of text may be a commit ahead.
            let found = NumberSet(numbers.filter { self[$0] != nil })
            if common?.formIntersection(found) == nil { common = found }
        }
        let facets: [(Facet, [String])] = [
            (.brand, filter.brands), (.category, filter.categories), (.gender, filter.genders),
            (.color, filter.colors), (.material, filter.materials),
        ]
        for (facet, words) in facets where !words.isEmpty {
            var carriers = NumberSet()
            for term in self.words.terms(words) {
                for product in self.products(carrying: term, as: facet).numbers { carriers.insert(product) }
            }
            if common?.formIntersection(carriers) == nil { common = carriers }
        }
        return common
    }
}
