internal import Algorithms
internal import Discovery
internal import Geo
internal import Laws
internal import Model

/// Synthetic stores, products and stock.
struct Warehouse {
    /// A filter with its expected matches.
    struct Kind {
        let name: String
        let filter: ProductFilter
        /// Whether queries come from the other side of the Earth.
        var isFar = false
        let matches: @Sendable (Row) -> Bool
    }

    struct Row: Sendable {
        var store: Int32
        var product: Int32
        var price: Int32
        var size: Int32
    }

    private let places: [Coordinate]
    private let products: Int
    private var rows: [Row] = []
    private var work: Work

    // Products with these numbers are in a fixed share of the stores; the products after them are anywhere.
    private static let one = 0, thousandth = 1, tenth = 2, far = 3, special = 4
    private static let sizes = 36...45, rareSize = 99
    private static let prices = 1000...20_000, rarePrice = 5

    init(stores: Int, products: Int, rows count: Int, seed: UInt64) throws {
        work = try Work(seed: seed)
        self.products = products
        var work = work
        places = (0..<stores).map { _ in work.place() }
        var random = SeededGenerator(seed: seed)
        var taken = Set<Int64>()
        rows.reserveCapacity(count)
        func add(_ store: Int, _ product: Int, _ rows: inout [Row], size: Int? = nil, price: Int? = nil) {
            guard taken.insert(Int64(store) << 32 | Int64(product)).inserted else { return }
            rows.append(
                Row(
                    store: Int32(store), product: Int32(product),
                    price: Int32(price ?? random.integer(Self.prices)), size: Int32(size ?? random.integer(Self.sizes)))
            )
        }
        add(stores / 2, Self.one, &rows)
        for store in 0..<stores {
            if store % 1000 == 7 { add(store, Self.thousandth, &rows) }
            if store % 10 == 3 { add(store, Self.tenth, &rows) }
            if store % 5 == 0, places[store].longitude < -30 { add(store, Self.far, &rows) }
            if store % 1000 == 11 {
                add(store, Self.special, &rows, size: Self.rareSize)
                add(store, Self.special + 1, &rows, price: Self.rarePrice)
            }
        }
        while rows.count < count {
            add(random.integer(0...stores - 1), random.integer(Self.special...products - 1), &rows)
        }
        self.work = work
    }

    var kinds: [Kind] {
        func filter(_ change: (inout ProductFilter) -> Void) -> ProductFilter {
            var filter = ProductFilter()
            change(&filter)
            return filter
        }
        func product(_ number: Int) -> ProductFilter {
            filter { $0.products = [Self.id("q", number)].compactMap { $0 } }
        }
        func size(_ number: Int) -> [ProductSize] { ProductSize("EU:\(number)").map { [$0] } ?? [] }
        let rarePrice = filter { filter in
            filter.price = Currency("EUR").map { (0...Int64(Self.rarePrice), $0) }
        }
        return [
            Kind(name: "a product of one store", filter: product(Self.one)) { $0.product == Self.one },
            Kind(name: "a product of 0.1 %", filter: product(Self.thousandth)) { $0.product == Self.thousandth },
            Kind(name: "a product of 10 %", filter: product(Self.tenth)) { $0.product == Self.tenth },
            Kind(name: "a product far away only", filter: product(Self.far), isFar: true) { $0.product == Self.far },
            Kind(name: "a brand, a tenth of products", filter: filter { $0.brands = ["Brand 3"] }) {
                $0.product % 10 == 3
            },
            Kind(name: "any product", filter: ProductFilter()) { _ in true },
            Kind(name: "a size", filter: filter { $0.sizes = size(40) }) { $0.size == 40 },
            Kind(name: "a size of 0.1 %", filter: filter { $0.sizes = size(Self.rareSize) }) {
                $0.size == Self.rareSize
            },
            Kind(name: "a price of 0.1 %", filter: rarePrice) { $0.price <= Self.rarePrice },
            Kind(
                name: "a brand, size and price",
                filter: filter { filter in
                    filter.brands = ["Brand 7"]
                    filter.sizes = size(37)
                    filter.price = Currency("EUR").map { (0...2000, $0) }
                }
            ) { $0.product % 10 == 7 && $0.size == 37 && $0.price <= 2000 },
            Kind(
                name: "a brand in a size it has nowhere",
                filter: filter { filter in
                    filter.brands = ["Brand 7"]
                    filter.sizes = size(Self.rareSize)
                }
            ) { $0.product % 10 == 7 && $0.size == Self.rareSize },
        ]
    }

    private static func id<Thing>(_ prefix: String, _ number: Int) -> ID<Thing>? { try? ID("\(prefix)\(number)") }

    mutating func fill(_ engine: Engine) async throws {
        try await send(places.count, engine) { number in
            Self.id("s", number).map { id in
                var place = Place(id: id, kind: "store", name: "Store \(number)")
                place.coordinate = places[number]
                return PutPlace(Write(place))
            }
        }
        try await send(products, engine) { number in
            Self.id("q", number).map { id in
                var product = Product(id: id, name: "Product \(number)")
                product.brand = "Brand \(number % 10)"
                return PutProduct(Write(product))
            }
        }
        let currency = Currency("EUR")
        try await send(rows.count, engine) { number -> PutStockItem? in
            let row = rows[number]
            guard let store: PlaceID = Self.id("s", Int(row.store)),
                let product: ProductID = Self.id("q", Int(row.product)),
                let size = ProductSize("EU:\(row.size)"), let currency
            else { return nil }
            return PutStockItem(
                StockItem(
                    store: store, product: product, price: Money(minor: Int64(row.price), currency: currency),
                    sizes: [SizeQuantity(size: size, quantity: 1)]))
        }
    }

    private func send<A: Action>(_ count: Int, _ engine: Engine, _ action: (Int) -> A?) async throws {
        for numbers in (0..<count).chunks(ofCount: 10_000) {
            let received = Timestamp(milliseconds: 1_800_000_000_000)
            try await engine.perform(Batch(numbers.compactMap(action)), by: .service, at: received)
        }
    }

    /// The origin of a query of a kind.
    mutating func origin(_ kind: Kind) -> Coordinate {
        while true {
            let place = work.place()
            if !kind.isFar || place.longitude > 60 { return place }
        }
    }

    /// The number of stores that match a kind.
    func count(_ kind: Kind) -> Int { Set(rows.lazy.filter(kind.matches).map(\.store)).count }

    func join(_ kind: Kind, _ origin: Coordinate, _ query: NearestQuery) -> [PlaceID] {
        let stores = Set(rows.lazy.filter(kind.matches).map(\.store))
        var found: [(micrometres: Int64, id: PlaceID)] = []
        for store in stores {
            guard let id: PlaceID = Self.id("s", Int(store)) else { continue }
            found.append((Geodesic.micrometres(from: origin, to: places[Int(store)]), id))
        }
        found.sort { ($0.micrometres, $0.id) < ($1.micrometres, $1.id) }
        return found.prefix(query.limit).map(\.id)
    }
}
