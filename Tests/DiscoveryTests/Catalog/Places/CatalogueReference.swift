import Discovery
import Geo
import Laws
import Model
import TestSupport

/// The expected answers of the index by a full join, and random catalogs.
extension CatalogueTests {
    /// A store with its matching offers.
    struct Found {
        var place: Place
        var distance: Double
        /// Cheapest first, with the price, the ID, and a description of the offer.
        var offers: [(price: Int64, product: String, text: String)]

        var micrometres: Int64 { Int64((distance * 1e6).rounded()) }
    }

    func join(
        _ places: [Place], _ products: [Product], _ stock: [StockItem], _ filter: ProductFilter, _ origin: Coordinate,
        _ query: NearestQuery
    ) -> [Found] {
        // A later row for the same store and product replaces an earlier one.
        let last = Dictionary(stock.map { ("\($0.store) \($0.product)", $0) }, uniquingKeysWith: { $1 }).values
        let rows = Dictionary(grouping: last, by: \.store)
        let found = places.compactMap { place -> Found? in
            guard let coordinate = place.coordinate else { return nil }
            let distance = Geodesic.distance(from: origin, to: coordinate)
            guard distance <= query.within else { return nil }
            let offers = rows[place.id, default: []].compactMap { item -> (Int64, String, String)? in
                guard let product = products.first(where: { $0.id == item.product }), matches(product, filter) else {
                    return nil
                }
                let price = item.price ?? product.price
                if let asked = filter.price {
                    guard let price, price.currency == asked.currency, asked.range.contains(price.minor) else {
                        return nil
                    }
                }
                let sizes = item.sizes.filter {
                    $0.quantity > 0 && (filter.sizes.isEmpty || filter.sizes.contains($0.size))
                }
                guard !sizes.isEmpty else { return nil }
                let text = "\(product.id) \(price?.minor ?? -1) \(sizes.map(\.size.text).sorted())"
                return (price?.minor ?? .max, product.id.text, text)
            }
            guard !offers.isEmpty else { return nil }
            return Found(place: place, distance: distance, offers: offers.sorted { ($0.0, $0.1) < ($1.0, $1.1) })
        }
        return found.sorted { ($0.micrometres, $0.place.id) < ($1.micrometres, $1.place.id) }
    }

    func lines(_ found: [Found], _ limit: Int) -> [String] {
        found.prefix(limit).map { store in
            let offers = store.offers.map(\.text).prefix(StoreNearby.mostOffers)
            return "\(store.place.id) \(Int64((store.distance * 10).rounded())) \(Array(offers))"
        }
    }

    /// The stores by price, or only those cheaper than every nearer one and the cheapest in their building.
    func storesByPrice(_ found: [Found], onlyCheaper: Bool) -> [Found] {
        func price(_ store: Found) -> Int64 { store.offers.first?.price ?? .max }
        guard onlyCheaper else {
            return found.enumerated().sorted { (price($0.element), $0.offset) < (price($1.element), $1.offset) }
                .map(\.element)
        }
        return found.filter { store in
            found.allSatisfy { other in
                if other.place.id == store.place.id || other.micrometres > store.micrometres { return true }
                if other.micrometres < store.micrometres { return price(store) < price(other) }
                return (price(store), store.place.id) < (price(other), other.place.id)
            }
        }
    }

    func offers(_ offers: [Offer]) -> [String] {
        offers.map { "\($0.product.id) \($0.price?.minor ?? -1) \($0.sizes.map(\.size.text).sorted())" }
    }

    func matches(_ product: Product, _ filter: ProductFilter) -> Bool {
        func any(_ wanted: [String], _ has: [String]) -> Bool {
            wanted.isEmpty || wanted.contains { word in has.contains { $0.lowercased() == word.lowercased() } }
        }
        return (filter.products.isEmpty || filter.products.contains(product.id))
            && any(filter.brands, product.brand.map { [$0] } ?? [])
            && any(filter.categories, product.category.map { [$0] } ?? [])
            && any(filter.genders, product.gender.map { [$0] } ?? []) && any(filter.colors, product.colors)
            && any(filter.materials, product.materials)
            && (filter.attributes.isEmpty || [.number(2), .text("3")].contains(product.attributes["weight"]))
    }

    // MARK: - Random catalogs

    func shop(_ number: Int, _ random: inout SeededGenerator) -> Place {
        var place = Place(id: id("s\(random.next() % 100)-\(number)"), kind: "store", name: "Sol")
        place.coordinate = random.chance(0.95) ? random.jittered(valencia, metres: 9000) : nil
        place.category = random.pick([nil] + words.shops)
        place.tags = words.tags.filter { _ in random.chance(0.4) }
        place.attributes["floors"] = random.chance(0.8) ? .number(Double(random.integer(1...4))) : nil
        return place
    }

    func shoe(_ number: Int, _ random: inout SeededGenerator) -> Product {
        var product = Product(id: id("q\(number)"), name: "Shoe")
        product.brand = random.pick([nil] + words.brands)
        product.category = random.pick(words.categories)
        product.gender = random.pick(words.genders)
        product.colors = words.colors.filter { _ in random.chance(0.4) }
        product.materials = words.materials.filter { _ in random.chance(0.4) }
        product.price = random.chance(0.5) ? money(&random) : nil
        product.attributes["weight"] = random.pick([nil, .number(1), .number(2), .text("3"), .text("light")])
        return product
    }

    func money(_ random: inout SeededGenerator) -> Money? {
        Currency(random.pick(["EUR", "EUR", "USD"])).map {
            Money(minor: Int64(random.integer(1...100)) * 100, currency: $0)
        }
    }

    func item(_ places: [Place], _ products: [Product], _ random: inout SeededGenerator) -> StockItem {
        let sizes = words.sizes.filter { _ in random.chance(0.5) }.compactMap { ProductSize($0) }
        return StockItem(
            store: random.pick(places).id, product: random.pick(products).id,
            price: random.chance(0.5) ? money(&random) : nil,
            sizes: sizes.map { SizeQuantity(size: $0, quantity: random.integer(0...2)) })
    }

    /// A random filter of stores, mostly an empty one.
    func shops(_ random: inout SeededGenerator) -> PlaceFilter {
        var filter = PlaceFilter()
        if random.chance(0.2) { filter.categories = [random.pick(words.shops + ["nothing"]).uppercased()] }
        if random.chance(0.2) { filter.tags = [random.pick(words.tags), random.pick(words.tags)] }
        if random.chance(0.2) {
            var floors = AttributeFilter(name: "floors")
            floors.bounds = [.atLeast(2), .below(4)]
            filter.attributes = [floors]
        }
        return filter
    }

    func isAmong(_ filter: PlaceFilter, _ shop: Place) -> Bool {
        (filter.categories.isEmpty || filter.categories.contains { $0.lowercased() == shop.category?.lowercased() })
            && (filter.tags.isEmpty || shop.tags.contains(where: filter.tags.contains))
            && (filter.attributes.isEmpty
                || [.number(2), .number(3)].contains(shop.attributes["floors"]))
    }

    func wish(_ products: [Product], _ random: inout SeededGenerator) -> ProductFilter {
        var filter = ProductFilter()
        if random.chance(0.2) { filter.products = [random.pick(products).id, id("unknown")] }
        if random.chance(0.3) { filter.brands = [random.pick(words.brands + ["Nobody"])] }
        if random.chance(0.3) { filter.categories = [random.pick(words.categories), random.pick(words.categories)] }
        if random.chance(0.2) { filter.genders = [random.pick(words.genders)] }
        if random.chance(0.3) { filter.colors = [random.pick(words.colors).uppercased()] }
        if random.chance(0.2) { filter.materials = [random.pick(words.materials)] }
        if random.chance(0.2) {
            var weight = AttributeFilter(name: "weight")
            weight.bounds = [.above(1), .atMost(3)]
            filter.attributes = [weight]
        }
        if random.chance(0.4) {
            filter.sizes = [random.pick(words.sizes), random.pick(words.sizes)].compactMap { ProductSize($0) }
        }
        if random.chance(0.4), let currency = Currency("EUR") {
            filter.price = (0...Int64(random.integer(0...10_000)), currency)
        }
        return filter
    }
}
