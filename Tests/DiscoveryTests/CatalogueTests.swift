import Discovery
import Geo
import Laws
import Storage
import Testing

@Suite struct CatalogueTests {
    private let words = (
        brands: ["Brinquesa", "Horma", "Talón"], colors: ["red", "Black", "azul"], materials: ["leather", "canvas"],
        genders: ["female", "male", "unisex"], categories: ["pump", "boot", "sandal"],
        sizes: ["EU:36", "EU:37", "EU:37.5", "UK:4"]
    )

    /// Random catalogues and filters: what the index answers is what a join of everything with everything answers.
    @Test func nearestStoresAreThoseOfAJoin() async throws {
        for seed in 0..<40 {
            var dice = Dice(seed: UInt64(seed))
            try await withLive { live in
                let places = (0..<dice.integer(1...120)).map { shop($0, &dice) }
                let products = (0..<dice.integer(1...30)).map { shoe($0, &dice) }
                let stock = (0..<dice.integer(0...400)).map { _ in item(places, products, &dice) }
                try await live.perform(.putPlaces(places.map { Write($0) }))
                try await live.perform(.putProducts(products.map { Write($0) }))
                try await live.perform(.putStock(stock))
                for store in places.prefix(dice.integer(0...3)) {
                    try await live.perform(.deletePlace(store.id, .always))
                }
                let left = Set(
                    live.live.read { picture in places.filter { (try? picture.place($0.id)) != nil } }.map(\.id))
                for _ in 0..<20 {
                    let filter = wish(products, &dice)
                    var query = NearestQuery(limit: dice.pick([1, 3, 1000]))
                    if dice.chance(0.3) { query.within = 5000 }
                    let origin = dice.jittered(valencia, metres: 9000)
                    // Whichever way stores are looked for, they are the same.
                    var plan = StorePlan()
                    plan.few = dice.pick([0, 10, plan.few])
                    plan.firstLook = dice.pick([1, 40, plan.firstLook])
                    plan.many = dice.pick([0, plan.many])
                    plan.patience = dice.pick([1, 1000])
                    let page = live.live.read { [query, plan] in
                        $0.nearestStores(to: origin, having: filter, told, query, plan)
                    }
                    let expected = join(places.filter { left.contains($0.id) }, products, stock, filter, origin, query)
                    #expect(
                        page.items.map { "\($0.store.value.id) \($0.decimetres) \(offers($0.offers))" } == expected,
                        "seed \(seed), \(filter)")
                }
            }
        }
    }

    /// Random catalogues: the cheapest stores, and those cheaper than every nearer one, are what the whole list says.
    @Test func bargainsAreThoseOfTheWholeList() async throws {
        for seed in 0..<40 {
            var dice = Dice(seed: UInt64(seed))
            try await withLive { live in
                var places = (0..<dice.integer(1...900)).map { shop($0, &dice) }
                // Shops of one building.
                for place in places.indices.dropFirst() where dice.chance(0.2) {
                    places[place].coordinate = places[place - 1].coordinate
                }
                let products = (0..<dice.integer(1...10)).map { shoe($0, &dice) }
                let stock = (0..<dice.integer(0...2000)).map { _ in item(places, products, &dice) }
                try await live.perform(.putPlaces(places.map { Write($0) }))
                try await live.perform(.putProducts(products.map { Write($0) }))
                try await live.perform(.putStock(stock))
                for _ in 0..<5 {
                    var filter = wish(products, &dice)
                    filter.price = Currency("EUR").map { (0...Int64(dice.integer(0...20_000)), $0) }
                    var query = NearestQuery(limit: 1000)
                    if dice.chance(0.5) { query.within = 5000 }
                    let origin = dice.jittered(valencia, metres: 9000)
                    let all = live.live.read { [query, filter] in
                        $0.nearestStores(to: origin, having: filter, told, query)
                    }
                    let prices = all.items.map { $0.offers.first?.price?.minor ?? -1 }
                    query.limit = dice.pick([1, 3, 100])
                    for onlyCheaper in [false, true] {
                        let page = live.live.read { [query, filter] in
                            $0.bargains(near: origin, having: filter, told, query, onlyCheaper: onlyCheaper)
                        }
                        let expected = all.items.indices.filter { store in
                            !onlyCheaper
                                || prices[..<store].allSatisfy { prices[store] < $0 }
                                    && !prices.indices.contains { other in
                                        other > store && prices[other] < prices[store]
                                            && all.items[other].store.value.coordinate
                                                == all.items[store].store.value.coordinate
                                    }
                        }
                        .sorted { onlyCheaper || prices[$0] == prices[$1] ? $0 < $1 : prices[$0] < prices[$1] }
                        .map { all.items[$0].store.value.id }
                        #expect(
                            page.items.map(\.store.value.id) == Array(expected.prefix(query.limit)),
                            "seed \(seed), \(onlyCheaper), \(filter)")
                        #expect(page.isTruncated == (expected.count > query.limit))
                    }
                }
            }
        }
    }

    @Test func wordsMatchWithoutRegardToCapitalsAndAccents() async throws {
        try await withLive { live in
            var shop = Place(id: id("shop"), kind: "store", name: "Sol")
            shop.coordinate = east(10)
            var shoe = Product(id: id("shoe"), name: "Pump")
            shoe.brand = "Talón"
            shoe.colors = ["ROJO"]
            let item = StockItem(
                store: shop.id, product: shoe.id, price: nil, sizes: [SizeQuantity(size: .none, quantity: 1)])
            try await live.perform(.putPlaces([Write(shop)]))
            try await live.perform(.putProducts([Write(shoe)]))
            try await live.perform(.putStock([item]))
            var filter = ProductFilter()
            filter.brands = ["TALON"]
            filter.colors = ["rojo", "verde"]
            let found = live.live.read { [filter] in
                $0.nearestStores(to: valencia, having: filter, told, NearestQuery(limit: 5))
            }
            #expect(found.items.map(\.store.value.id.text) == ["shop"])
            filter.colors = ["verde"]
            let none = live.live.read { [filter] in
                $0.nearestStores(to: valencia, having: filter, told, NearestQuery(limit: 5))
            }
            #expect(none.items.isEmpty)
        }
    }

    @Test func nearestPlacesMatchEveryFilter() async throws {
        var dice = Dice(seed: 9)
        try await withLive { live in
            let places = (0..<500).map { number in
                var place = Place(
                    id: id("p\(number)"), kind: dice.pick(["store", "topic", "recipe"]), name: "\(number)")
                place.coordinate = dice.chance(0.9) ? dice.jittered(valencia, metres: 20_000) : nil
                place.category = dice.pick([nil, "shoes", "Food", "art"])
                place.tags = [["new"], ["old", "big"], []][dice.integer(0...2)]
                return place
            }
            try await live.perform(.putPlaces(places.map { Write($0) }))
            for (kind, categories, tags) in [
                (nil, [], []), ("store", [], []), ("topic", ["SHOES", "food"], []), (nil, ["art"], ["big"]),
                ("recipe", [], ["old", "new"]), ("museum", [], []), (nil, ["nothing"], []),
            ] as [(String?, [String], [String])] {
                var filter = PlaceFilter()
                filter.kind = kind
                filter.categories = categories
                filter.tags = tags
                let found = live.live.read { [filter] in
                    $0.nearestPlaces(to: valencia, filter, told, NearestQuery(limit: 1000))
                }
                let expected = places.filter { place in
                    place.coordinate != nil && (kind == nil || place.kind == kind)
                        && (categories.isEmpty
                            || categories.contains { $0.lowercased() == place.category?.lowercased() })
                        && (tags.isEmpty || place.tags.contains(where: tags.contains))
                }
                .sorted { near($0) < near($1) }
                #expect(
                    found.items.map(\.place.value.id) == expected.map(\.id),
                    "\(String(describing: kind)) \(categories) \(tags)")
            }
        }
    }

    private func near(_ place: Place) -> Double {
        place.coordinate.map { Geodesic.distance(from: valencia, to: $0) } ?? 0
    }

    // MARK: - The reference

    private func join(
        _ places: [Place], _ products: [Product], _ stock: [StockItem], _ filter: ProductFilter, _ origin: Coordinate,
        _ query: NearestQuery
    ) -> [String] {
        // A later row for the same store and product replaces an earlier one.
        let rows = Dictionary(stock.map { ("\($0.store) \($0.product)", $0) }, uniquingKeysWith: { $1 }).values
        let found = places.compactMap { place -> (Double, Place, [String])? in
            guard let coordinate = place.coordinate else { return nil }
            let distance = Geodesic.distance(from: origin, to: coordinate)
            guard distance <= query.within else { return nil }
            let offers = rows.filter { $0.store == place.id }.compactMap { item -> (Int64, String, String)? in
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
            return (
                distance, place,
                Array(offers.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2).prefix(StoreNearby.mostOffers))
            )
        }
        return found.sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }.prefix(query.limit).map {
            "\($0.1.id) \(Int64(($0.0 * 10).rounded())) \($0.2)"
        }
    }

    private func offers(_ offers: [Offer]) -> [String] {
        offers.map { "\($0.product.id) \($0.price?.minor ?? -1) \($0.sizes.map(\.size.text).sorted())" }
    }

    private func matches(_ product: Product, _ filter: ProductFilter) -> Bool {
        func any(_ wanted: [String], _ has: [String]) -> Bool {
            wanted.isEmpty || wanted.contains { word in has.contains { $0.lowercased() == word.lowercased() } }
        }
        return (filter.products.isEmpty || filter.products.contains(product.id))
            && any(filter.brands, product.brand.map { [$0] } ?? [])
            && any(filter.categories, product.category.map { [$0] } ?? [])
            && any(filter.genders, product.gender.map { [$0] } ?? []) && any(filter.colors, product.colors)
            && any(filter.materials, product.materials)
    }

    // MARK: - Random catalogues

    private func shop(_ number: Int, _ dice: inout Dice) -> Place {
        var place = Place(id: id("s\(dice.next() % 100)-\(number)"), kind: "store", name: "Sol")
        place.coordinate = dice.chance(0.95) ? dice.jittered(valencia, metres: 9000) : nil
        return place
    }

    private func shoe(_ number: Int, _ dice: inout Dice) -> Product {
        var product = Product(id: id("q\(number)"), name: "Shoe")
        product.brand = dice.pick([nil] + words.brands)
        product.category = dice.pick(words.categories)
        product.gender = dice.pick(words.genders)
        product.colors = words.colors.filter { _ in dice.chance(0.4) }
        product.materials = words.materials.filter { _ in dice.chance(0.4) }
        product.price = dice.chance(0.5) ? money(&dice) : nil
        return product
    }

    private func money(_ dice: inout Dice) -> Money? {
        Currency(dice.pick(["EUR", "EUR", "USD"])).map {
            Money(minor: Int64(dice.integer(1...100)) * 100, currency: $0)
        }
    }

    private func item(_ places: [Place], _ products: [Product], _ dice: inout Dice) -> StockItem {
        let sizes = words.sizes.filter { _ in dice.chance(0.5) }.compactMap { ProductSize($0) }
        return StockItem(
            store: dice.pick(places).id, product: dice.pick(products).id, price: dice.chance(0.5) ? money(&dice) : nil,
            sizes: sizes.map { SizeQuantity(size: $0, quantity: dice.integer(0...2)) })
    }

    private func wish(_ products: [Product], _ dice: inout Dice) -> ProductFilter {
        var filter = ProductFilter()
        if dice.chance(0.2) { filter.products = [dice.pick(products).id, id("unknown")] }
        if dice.chance(0.3) { filter.brands = [dice.pick(words.brands + ["Nobody"])] }
        if dice.chance(0.3) { filter.categories = [dice.pick(words.categories), dice.pick(words.categories)] }
        if dice.chance(0.2) { filter.genders = [dice.pick(words.genders)] }
        if dice.chance(0.3) { filter.colors = [dice.pick(words.colors).uppercased()] }
        if dice.chance(0.2) { filter.materials = [dice.pick(words.materials)] }
        if dice.chance(0.4) {
            filter.sizes = [dice.pick(words.sizes), dice.pick(words.sizes)].compactMap { ProductSize($0) }
        }
        if dice.chance(0.4), let currency = Currency("EUR") {
            filter.price = (0...Int64(dice.integer(0...10_000)), currency)
        }
        return filter
    }
}

/// Hours are told, and nothing has to be open.
private let told = OpeningQuery(at: morning)
