internal import Storage

/// The products of the live picture, and which store has which of them.
struct Shelves: Sendable {
    /// What a product can be asked for by.
    enum Facet: Int, CaseIterable { case brand, category, gender, color, material, size }

    /// A product with the terms that filters ask for.
    struct Entry: Sendable {
        var record: Shared<Record<Product>>
        /// By ``Facet``; sorted.
        var terms: [[Int32]]
    }

    /// A product in a store.
    struct Item: Sendable {
        var product: Int32
        var price: Money?
        var sizes: Shared<[SizeQuantity]>
    }

    private(set) var numbers: [EntityID: Int32] = [:]
    private(set) var words = Vocabulary()
    private var entries: ContiguousArray<Entry?> = []
    /// By store's number: the products it has, by their numbers.
    private var shelves: [[Item]] = []
    /// By product's number: the stores that have it.
    private var stores: [SortedNumbers] = []
    /// By facet and term: the products that carry it.
    private var carriers: [[Int32: SortedNumbers]] = Array(repeating: [:], count: Facet.allCases.count)

    var count: Int { numbers.count }

    /// The number that the next new product gets.
    var nextNumber: Int32 { Int32(entries.count) }

    subscript(product: Int32) -> Entry? { entries.indices.contains(Int(product)) ? entries[Int(product)] : nil }

    func record(of id: EntityID) -> Record<Product>? { numbers[id].flatMap { self[$0]?.record.value } }

    /// All products, by number.
    var products: [Int32] { entries.indices.lazy.map(Int32.init).filter { entries[Int($0)] != nil } }

    /// The products that carry a term.
    func products(carrying term: Int32, as facet: Facet) -> SortedNumbers {
        carriers[facet.rawValue][term] ?? SortedNumbers()
    }

    /// The stores that have a product.
    func stores(having product: Int32) -> SortedNumbers {
        stores.indices.contains(Int(product)) ? stores[Int(product)] : SortedNumbers()
    }

    /// What a store has, by product's number.
    func items(of store: Int32) -> [Item] { shelves.indices.contains(Int(store)) ? shelves[Int(store)] : [] }

    func item(of store: Int32, _ product: Int32) -> Item? {
        let shelf = items(of: store)
        let position = Self.position(of: product, in: shelf)
        return position < shelf.count && shelf[position].product == product ? shelf[position] : nil
    }

    // MARK: - Changes

    mutating func put(_ record: Record<Product>) {
        let number = Int(record.number)
        if number < entries.count, let old = entries[number] {
            uncarry(record.number, old.terms)
        } else {
            entries.append(contentsOf: repeatElement(nil, count: max(0, number + 1 - entries.count)))
            numbers[record.value.id] = record.number
        }
        let terms = terms(of: record.value)
        entries[number] = Entry(record: Shared(record), terms: terms)
        for facet in Facet.allCases {
            for term in terms[facet.rawValue] {
                carriers[facet.rawValue][term, default: SortedNumbers()].insert(record.number)
            }
        }
    }

    mutating func remove(_ product: Int32) {
        guard let entry = self[product] else { return }
        for store in stores(having: product).numbers { unstock(store: store, product: product) }
        uncarry(product, entry.terms)
        numbers[entry.record.value.value.id] = nil
        entries[Int(product)] = nil
    }

    mutating func stock(store: Int32, _ item: Item) {
        if Int(store) >= shelves.count {
            shelves.append(contentsOf: repeatElement([], count: Int(store) + 1 - shelves.count))
        }
        if Int(item.product) >= stores.count {
            stores.append(contentsOf: repeatElement(SortedNumbers(), count: Int(item.product) + 1 - stores.count))
        }
        let position = Self.position(of: item.product, in: shelves[Int(store)])
        if position < shelves[Int(store)].count, shelves[Int(store)][position].product == item.product {
            shelves[Int(store)][position] = item
        } else {
            shelves[Int(store)].insert(item, at: position)
            stores[Int(item.product)].insert(store)
        }
    }

    mutating func unstock(store: Int32, product: Int32) {
        guard item(of: store, product) != nil else { return }
        shelves[Int(store)].remove(at: Self.position(of: product, in: shelves[Int(store)]))
        stores[Int(product)].remove(store)
    }

    mutating func clear(store: Int32) {
        for item in items(of: store) { unstock(store: store, product: item.product) }
    }

    private mutating func uncarry(_ product: Int32, _ terms: [[Int32]]) {
        for facet in Facet.allCases {
            for term in terms[facet.rawValue] { carriers[facet.rawValue][term]?.remove(product) }
        }
    }

    private mutating func terms(of product: Product) -> [[Int32]] {
        Facet.allCases.map { facet in
            let words: [String] =
                switch facet {
                case .brand: product.brand.map { [$0] } ?? []
                case .category: product.category.map { [$0] } ?? []
                case .gender: product.gender.map { [$0] } ?? []
                case .color: product.colors
                case .material: product.materials
                case .size: product.sizes.map(\.text)
                }
            return Set(words.map { self.words.insert($0) }).sorted()
        }
    }

    private static func position(of product: Int32, in shelf: [Item]) -> Int {
        var low = 0
        var high = shelf.count
        while low < high {
            let middle = (low + high) / 2
            if shelf[middle].product < product { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
