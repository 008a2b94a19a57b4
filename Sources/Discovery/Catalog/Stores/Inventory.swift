internal import Model
internal import Structures

/// The products in memory, and the stock of each store.
struct Inventory: Sendable {
    /// An indexed attribute of products.
    enum Facet: Int, CaseIterable { case brand, category, gender, color, material, size }

    /// A product with its indexed terms.
    struct Entry: Sendable {
        var record: Versioned<Product>
        var made: Timestamp
        /// The folded name (``PlainText``), by which lists are sorted.
        var name: String
        /// Sorted terms by ``Facet``.
        var terms: [[Int32]]
    }

    /// A product's stock in a store.
    struct Item: Sendable {
        var product: ProductNumber
        var price: Money?
        var sizes: [SizeQuantity]
    }

    /// An amount in the minor unit of a currency, which is an index of ``currencies``.
    struct Price: Sendable {
        var minor: Int64
        var currency: Int16
    }

    /// Bounds for a product in all stores, or for a store's whole stock; they may be loose, because they do not shrink
    /// when a product sells out.
    struct Summary: Sendable {
        /// The union of ``StoreInventory/Row/sizesInStock``.
        var sizes: UInt64 = 0
        /// The range of the stores' own prices across currencies; inverted if there are none.
        var least = Int64.max, greatest = Int64.min
        /// Whether the recommended price applies in some row.
        var isSoldAsRecommended = false
    }

    private(set) var numbers: [ProductID: ProductNumber] = [:]
    private(set) var words = Vocabulary()
    private var entries: ContiguousArray<Entry?> = []
    /// Interned sizes and currencies, referred to by index in rows.
    private(set) var sizes = Interner<ProductSize>()
    private(set) var currencies = Interner<Currency>()
    /// The size systems of products and stock.
    private(set) var systems = SizeSystems()
    /// By store number.
    private var stocks: [StoreInventory] = []
    private var summariesOfStores: [Summary] = []
    /// The stores that list a product, by product number.
    private var stores: [SortedNumbers<PlaceNumber>] = []
    /// By product number.
    private var summaries: [Summary] = []
    private var recommended: [Price?] = []
    /// The products with a term, by facet and term.
    private var postings: [[Int32: SortedNumbers<ProductNumber>]] = Array(repeating: [:], count: Facet.allCases.count)

    var count: Int { numbers.count }

    var nextNumber: ProductNumber { ProductNumber(entries.count) }

    subscript(product: ProductNumber) -> Entry? { entries.indices.contains(Int(product)) ? entries[Int(product)] : nil }

    func record(of id: ProductID) -> Versioned<Product>? { numbers[id].flatMap { self[$0]?.record } }

    /// All products, by number.
    var products: [ProductNumber] { (0..<nextNumber).filter { entries[Int($0)] != nil } }

    func products(carrying term: Int32, as facet: Facet) -> SortedNumbers<ProductNumber> {
        postings[facet.rawValue][term] ?? SortedNumbers()
    }

    func stores(having product: ProductNumber) -> SortedNumbers<PlaceNumber> {
        stores.indices.contains(Int(product)) ? stores[Int(product)] : SortedNumbers()
    }

    func storeCount(of product: ProductNumber) -> Int {
        stores.indices.contains(Int(product)) ? stores[Int(product)].count : 0
    }

    /// Filters products (nil for all) by their summaries.
    func products(
        among products: [ProductNumber]?, where mayMatch: (ProductNumber, Summary) -> Bool
    ) -> [ProductNumber] {
        let end = ProductNumber(summaries.count)
        guard let products else { return (0..<end).filter { mayMatch($0, summaries[Int($0)]) } }
        return products.filter { $0 < end && mayMatch($0, summaries[Int($0)]) }
    }

    func recommendedPrice(of product: ProductNumber) -> Price? { recommended[Int(product)] }

    /// The summary of a store; nil for a store that never had stock.
    func summary(of store: PlaceNumber) -> Summary? {
        summariesOfStores.indices.contains(Int(store)) ? summariesOfStores[Int(store)] : nil
    }

    /// The stock of a store in compact form; nil for a store that never had stock.
    func stock(of store: PlaceNumber) -> StoreInventory? {
        stocks.indices.contains(Int(store)) ? stocks[Int(store)] : nil
    }

    /// Whether a store lists any product, even if sold out.
    func hasItems(_ store: PlaceNumber) -> Bool { stock(of: store).map { !$0.rows.isEmpty } ?? false }

    func products(of store: PlaceNumber) -> [ProductNumber] { stock(of: store)?.rows.map(\.product) ?? [] }

    /// The stock of a store, by product number.
    func items(of store: PlaceNumber) -> [Item] {
        stock(of: store).map { stock in stock.rows.map { item($0, of: stock) } } ?? []
    }

    func item(of store: PlaceNumber, _ product: ProductNumber) -> Item? {
        stock(of: store).flatMap { stock in stock.row(of: product).map { item($0, of: stock) } }
    }

    func item(_ row: StoreInventory.Row, of stock: StoreInventory) -> Item {
        Item(
            product: row.product, price: ownPrice(of: row),
            sizes: stock.pieces(of: row).map { SizeQuantity(size: sizes[$0.size], quantity: Int($0.quantity)) })
    }

    /// The store's own price in a row; nil if the recommended price applies.
    func ownPrice(of row: StoreInventory.Row) -> Money? {
        row.currency == StoreInventory.Row.noPrice
            ? nil : Money(minor: row.price, currency: currencies[Int32(row.currency)])
    }

    /// Ensures that new numbers start at `number` or above.
    mutating func skip(to number: ProductNumber) {
        entries.append(contentsOf: repeatElement(nil, count: max(0, Int(number) - entries.count)))
        recommended.append(contentsOf: repeatElement(nil, count: entries.count - recommended.count))
    }

    mutating func put(_ record: Versioned<Product>, made: Timestamp) {
        let number = Int(record.number)
        let terms = terms(of: record.value)
        if number < entries.count, let old = entries[number] {
            uncarry(record.number, old.terms)
            systems.count(old.record.value.sizes, -1)
        } else {
            entries.append(contentsOf: repeatElement(nil, count: max(0, number + 1 - entries.count)))
            recommended.append(contentsOf: repeatElement(nil, count: entries.count - recommended.count))
            numbers[record.value.id] = record.number
        }
        entries[number] = Entry(
            record: record, made: made, name: PlainText.of(record.value.name), terms: terms)
        systems.count(record.value.sizes, 1)
        recommended[number] = record.value.price.map { self.price(of: $0) }
        for facet in Facet.allCases {
            for term in terms[facet.rawValue] {
                postings[facet.rawValue][term, default: SortedNumbers()].insert(record.number)
            }
        }
    }

    mutating func remove(_ product: ProductNumber) {
        guard let entry = self[product] else { return }
        for store in stores(having: product).numbers { unstock(store: store, product: product) }
        uncarry(product, entry.terms)
        systems.count(entry.record.value.sizes, -1)
        numbers[entry.record.value.id] = nil
        entries[Int(product)] = nil
    }

    mutating func stock(store: PlaceNumber, _ item: Item) {
        if Int(store) >= stocks.count {
            let missing = Int(store) + 1 - stocks.count
            stocks.append(contentsOf: repeatElement(StoreInventory(), count: missing))
            summariesOfStores.append(contentsOf: repeatElement(Summary(), count: missing))
        }
        if Int(item.product) >= stores.count {
            let missing = Int(item.product) + 1 - stores.count
            stores.append(contentsOf: repeatElement(SortedNumbers(), count: missing))
            summaries.append(contentsOf: repeatElement(Summary(), count: missing))
        }
        countSizes(self.item(of: store, item.product), -1)
        countSizes(item, 1)
        var pieces: [StoreInventory.Pieces] = []
        for entry in item.sizes {
            pieces.append(
                StoreInventory.Pieces(size: sizes.insert(entry.size), quantity: Int32(clamping: entry.quantity)))
        }
        let price = item.price.map { self.price(of: $0) }
        stocks[Int(store)].put(item.product, price: price, pieces)
        stores[Int(item.product)].insert(store)
        summaries[Int(item.product)].add(pieces, price)
        summariesOfStores[Int(store)].add(pieces, price)
    }

    mutating func unstock(store: PlaceNumber, product: ProductNumber) {
        guard stock(of: store)?.row(of: product) != nil else { return }
        countSizes(item(of: store, product), -1)
        stocks[Int(store)].remove(product)
        stores[Int(product)].remove(store)
        if stores[Int(product)].isEmpty { summaries[Int(product)] = Summary() }
        if !hasItems(store) { summariesOfStores[Int(store)] = Summary() }
    }

    mutating func clear(store: PlaceNumber) {
        for row in (stock(of: store)?.rows ?? []).reversed() { unstock(store: store, product: row.product) }
    }

    private mutating func countSizes(_ item: Item?, _ step: Int) {
        if let item { systems.count(item.sizes.map(\.size), step) }
    }

    private mutating func price(of money: Money) -> Price {
        Price(minor: money.minor, currency: Int16(clamping: currencies.insert(money.currency)))
    }

    private mutating func uncarry(_ product: ProductNumber, _ terms: [[Int32]]) {
        for facet in Facet.allCases {
            for term in terms[facet.rawValue] {
                postings[facet.rawValue].remove(product, of: term)
                words.giveBack(term)
            }
        }
    }

    private mutating func terms(of product: Product) -> [[Int32]] {
        Facet.allCases.map { facet in
            var terms: Set<Int32> = []
            for word in product.words(of: facet) {
                let term = words.take(word)
                if !terms.insert(term).inserted { words.giveBack(term) }
            }
            return terms.sorted()
        }
    }
}

extension Product {
    /// The words of a facet under which a product is indexed.
    func words(of facet: Inventory.Facet) -> [String] {
        switch facet {
        case .brand: brand.map { [$0] } ?? []
        case .category: category.map { [$0] } ?? []
        case .gender: gender.map { [$0] } ?? []
        case .color: colors
        case .material: materials
        case .size: sizes.map(\.text)
        }
    }
}

extension Inventory.Summary {
    /// Whether a store's own price may lie in a range.
    func overlaps(_ range: ClosedRange<Int64>) -> Bool { least <= range.upperBound && greatest >= range.lowerBound }

    fileprivate mutating func add(_ pieces: [StoreInventory.Pieces], _ price: Inventory.Price?) {
        for piece in pieces where piece.quantity > 0 { sizes |= StoreInventory.bit(ofSize: piece.size) }
        if let price {
            least = min(least, price.minor)
            greatest = max(greatest, price.minor)
        } else {
            isSoldAsRecommended = true
        }
    }
}

/// Interned values, numbered in order of insertion.
struct Interner<Value: Hashable & Sendable>: Sendable {
    private var values: [Value] = []
    private var numbers: [Value: Int32] = [:]

    subscript(number: Int32) -> Value { values[Int(number)] }

    /// The number of a value; nil if it was never inserted.
    func number(of value: Value) -> Int32? { numbers[value] }

    mutating func insert(_ value: Value) -> Int32 {
        if let number = numbers[value] { return number }
        let number = Int32(values.count)
        values.append(value)
        numbers[value] = number
        return number
    }
}
