import Discovery
import Geo
import Hours
import Laws
import Model
import Storage
import TestSupport
import Testing

@Suite struct CatalogueTests {
    /// Returns hours, but does not require open places.
    private let returned = OpeningQuery(at: morning)
    let words = (
        brands: ["Brinquesa", "Horma", "Talón"], colors: ["red", "Black", "azul"], materials: ["leather", "canvas"],
        genders: ["female", "male", "unisex"], categories: ["pump", "boot", "sandal"],
        sizes: ["EU:36", "EU:37", "EU:37.5", "UK:4"], shops: ["shoes", "Outlet"], tags: ["repair", "kids"]
    )

    @Test("Nearest stores of random catalogs and filters equal a full join") func nearestStores() async throws {
        for seed in RandomCases.seeds(0..<40) {
            var random = SeededGenerator(seed: seed)
            try await withEngine { engine in
                let places = (0..<random.integer(1...120)).map { shop($0, &random) }
                let products = (0..<random.integer(1...30)).map { shoe($0, &random) }
                let stock = (0..<random.integer(0...400)).map { _ in item(places, products, &random) }
                try await engine.perform(PutPlaces(places.map { Write($0) }))
                try await engine.perform(PutProducts(products.map { Write($0) }))
                try await engine.perform(PutStock(stock))
                for store in places.prefix(random.integer(0...3)) {
                    try await engine.perform(DeletePlace(store.id))
                }
                let left = Set(
                    engine.engine.read { state in places.filter { (try? state.place($0.id)) != nil } }.map(\.id))
                for _ in 0..<20 {
                    let (filter, shops) = (wish(products, &random), shops(&random))
                    var query = NearestQuery(limit: random.pick([1, 3, 1000]))
                    if random.chance(0.3) { query.within = 5000 }
                    let origin = random.jittered(valencia, metres: 9000)
                    // All search strategies find the same stores.
                    var plan = StorePlan()
                    plan.few = random.pick([0, 10, plan.few])
                    plan.firstLook = random.pick([1, 40, plan.firstLook])
                    plan.many = random.pick([0, plan.many])
                    plan.patience = random.pick([1, 1000])
                    var stores = NearestStores(to: origin, having: filter, among: shops, returned, query, plan)
                    let part = random.pick([1, 100, WorkBudget.stepsPerChunk])
                    while !engine.engine.read({ stores.look(at: $0, steps: part) }) {}
                    let page = stores.page
                    let wanted = places.filter { left.contains($0.id) && isAmong(shops, $0) }
                    let found = join(wanted, products, stock, filter, origin, query)
                    let expected = lines(found, query.limit)
                    #expect(
                        page.items.map { "\($0.store.value.id) \($0.decimetres) \(offers($0.offers))" } == expected,
                        "seed \(seed), \(filter), \(shops)")
                }
            }
        }
    }

    @Test("The cheapest stores, and those cheaper than every nearer one, equal a full join")
    func bargains() async throws {
        for seed in RandomCases.seeds(0..<40) {
            var random = SeededGenerator(seed: seed)
            try await withEngine { engine in
                var places = (0..<random.integer(1...900)).map { shop($0, &random) }
                // Shops of one building.
                for place in places.indices.dropFirst() where random.chance(0.2) {
                    places[place].coordinate = places[place - 1].coordinate
                }
                let products = (0..<random.integer(1...10)).map { shoe($0, &random) }
                let stock = (0..<random.integer(0...2000)).map { _ in item(places, products, &random) }
                try await engine.perform(PutPlaces(places.map { Write($0) }))
                try await engine.perform(PutProducts(products.map { Write($0) }))
                try await engine.perform(PutStock(stock))
                for _ in 0..<5 {
                    var filter = wish(products, &random)
                    filter.price = Currency("EUR").map { (0...Int64(random.integer(0...20_000)), $0) }
                    let shops = shops(&random)
                    var query = NearestQuery(limit: 1000)
                    if random.chance(0.5) { query.within = 5000 }
                    let origin = random.jittered(valencia, metres: 9000)
                    let wanted = places.filter { isAmong(shops, $0) }
                    let found = join(wanted, products, stock, filter, origin, query)
                    query.limit = random.pick([1, 3, 100])
                    for onlyCheaper in [false, true] {
                        var search = StoresByPriceSearch(
                            near: origin, having: filter, among: shops, returned, query, onlyCheaper: onlyCheaper)
                        let part = random.pick([1, 300, WorkBudget.stepsPerChunk])
                        while !engine.engine.read({ search.look(at: $0, steps: part) }) {}
                        let expected = storesByPrice(found, onlyCheaper: onlyCheaper).map(\.place.id)
                        #expect(
                            search.page.items.map(\.store.value.id) == Array(expected.prefix(query.limit)),
                            "seed \(seed), \(onlyCheaper), \(filter), \(shops)")
                        #expect(search.page.isTruncated == (expected.count > query.limit))
                    }
                }
            }
        }
    }

    /// Stores in a line, each cheaper than the ones before.
    @Test("The cheapest of many stores is found at any distance") func distantBargain() async throws {
        try await withEngine { engine in
            let count = 1300
            let places = (0..<count).map { number in
                var place = Place(id: id("s\(number)"), kind: "store", name: "S")
                place.coordinate = east(Double(number) * 10)
                return place
            }
            let euro = try #require(Currency("EUR"))
            let stock = (0..<count).map { number in
                StockItem(
                    store: id("s\(number)"), product: id("shoe"),
                    price: Money(minor: Int64(5000 - number), currency: euro),
                    sizes: [SizeQuantity(size: .none, quantity: 1)])
            }
            try await engine.perform(PutPlaces(places.map { Write($0) }))
            try await engine.perform(PutProducts([Write(Product(id: id("shoe"), name: "Shoe"))]))
            try await engine.perform(PutStock(stock))
            var filter = ProductFilter()
            filter.price = (0...Int64.max, euro)
            var query = NearestQuery(limit: 2)
            query.within = 100_000
            let page = engine.engine.read { [filter, query] in
                StoresByPriceSearch(near: valencia, having: filter, returned, query, onlyCheaper: false).whole(in: $0)
                    .page
            }
            #expect(page.items.map(\.store.value.id.text) == ["s\(count - 1)", "s\(count - 2)"] && page.isTruncated)
            query.limit = count
            let front = engine.engine.read { [filter, query] in
                StoresByPriceSearch(near: valencia, having: filter, returned, query, onlyCheaper: true).whole(in: $0)
                    .page
            }
            #expect(front.items.count == count && !front.isTruncated)
        }
    }

    @Test("A price range includes both ends") func priceRange() async throws {
        try await withEngine { engine in
            let euro = try #require(Currency("EUR"))
            var shoe = Product(id: id("shoe"), name: "Shoe")
            shoe.price = Money(minor: 700, currency: euro)
            try await engine.perform(PutProducts([Write(shoe)]))
            for (number, price) in [499, 500, 900, 901].enumerated() {
                var shop = Place(id: id("s\(price)"), kind: "store", name: "S")
                shop.coordinate = east(Double(number))
                let item = StockItem(
                    store: shop.id, product: shoe.id, price: Money(minor: Int64(price), currency: euro),
                    sizes: [SizeQuantity(size: .none, quantity: 1)])
                try await engine.perform(PutPlaces([Write(shop)]))
                try await engine.perform(PutStock([item]))
            }
            var filter = ProductFilter()
            filter.price = (500...900, euro)
            for few in [0, 4000] {
                var plan = StorePlan()
                plan.few = few
                var stores = NearestStores(to: valencia, having: filter, returned, NearestQuery(limit: 9), plan)
                while !engine.engine.read({ stores.look(at: $0) }) {}
                #expect(stores.page.items.map(\.store.value.id.text) == ["s500", "s900"])
            }
            for (range, isListed) in [(700...701, true), (699...700, true), (701...900, false), (500...699, false)] {
                filter.price = (Int64(range.lowerBound)...Int64(range.upperBound), euro)
                var list = ProductListing(filter, limit: 9)
                while !engine.engine.read({ list.look(at: $0) }) {}
                #expect(list.products.isEmpty == !isListed, "\(range)")
            }
        }
    }

    /// Otherwise a document that is replaced repeatedly would fill the memory.
    @Test("Words that no document has any longer are dropped") func unusedWords() async throws {
        try await withEngine { engine in
            func words() -> String { engine.canonicalDump.first { $0.hasPrefix("words") } ?? "" }
            func write(_ number: Int) async throws {
                var place = Place(id: id("here"), kind: "kind \(number)", name: "Here")
                place.coordinate = east(10)
                place.category = "category \(number)"
                place.tags = ["Tag \(number)", "tag \(number)", "tag \(number + 1)", "always"]
                try await engine.perform(PutPlaces([Write(place)]))
                var product = Product(id: id("shoe"), name: "Shoe")
                product.brand = "brand \(number)"
                product.colors = ["Color \(number)", "color \(number)", "color \(number + 1)", "always"]
                try await engine.perform(PutProducts([Write(product)]))
            }
            for number in 0..<20 { try await write(number) }
            #expect(words() == "words 5 of places, 4 of products")
            var filter = PlaceFilter()
            for (tag, isThere) in [("tag 18", false), ("TAG 19", true), ("tag 20", true), ("Always", true)] {
                filter.tags = [tag]
                let found = engine.engine.read { [filter] in
                    NearestPlaces(to: valencia, filter, returned, NearestQuery(limit: 9)).whole(in: $0).page.items
                }
                #expect(found.count == (isThere ? 1 : 0), "\(tag)")
            }
            let restarted = try await engine.restarted()
            #expect(difference(restarted.canonicalDump, engine.canonicalDump) == [])
            try await restarted.perform(DeletePlace(id("here")))
            try await restarted.perform(DeleteProduct(id("shoe")))
            #expect(restarted.canonicalDump.contains("words 0 of places, 0 of products"))
            try restarted.store.close()
        }
    }

    @Test("Words match without regard to case and accents") func caseAndAccents() async throws {
        try await withEngine { engine in
            var shop = Place(id: id("shop"), kind: "store", name: "Sol")
            shop.coordinate = east(10)
            var shoe = Product(id: id("shoe"), name: "Pump")
            shoe.brand = "Talón"
            shoe.colors = ["ROJO"]
            let item = StockItem(
                store: shop.id, product: shoe.id, price: nil, sizes: [SizeQuantity(size: .none, quantity: 1)])
            try await engine.perform(PutPlaces([Write(shop)]))
            try await engine.perform(PutProducts([Write(shoe)]))
            try await engine.perform(PutStock([item]))
            var filter = ProductFilter()
            filter.brands = ["TALON"]
            filter.colors = ["rojo", "verde"]
            let found = engine.engine.read { [filter] in
                NearestStores(to: valencia, having: filter, returned, NearestQuery(limit: 5)).whole(in: $0).page
            }
            #expect(found.items.map(\.store.value.id.text) == ["shop"])
            filter.colors = ["verde"]
            let none = engine.engine.read { [filter] in
                NearestStores(to: valencia, having: filter, returned, NearestQuery(limit: 5)).whole(in: $0).page
            }
            #expect(none.items.isEmpty)
        }
    }

    @Test("Nearest places match every filter") func nearestPlaces() async throws {
        var random = SeededGenerator(seed: 9)
        try await withEngine { engine in
            let places = (0..<500).map { number in
                var place = Place(
                    id: id("p\(number)"), kind: random.pick(["store", "topic", "recipe"]), name: "\(number)")
                place.coordinate = random.chance(0.9) ? random.jittered(valencia, metres: 20_000) : nil
                place.category = random.pick([nil, "shoes", "Food", "art"])
                place.tags = [["new"], ["old", "big"], []][random.integer(0...2)]
                return place
            }
            try await engine.perform(PutPlaces(places.map { Write($0) }))
            for (kind, categories, tags) in [
                (nil, [], []), ("store", [], []), ("topic", ["SHOES", "food"], []), (nil, ["art"], ["big"]),
                ("recipe", [], ["old", "new"]), ("museum", [], []), (nil, ["nothing"], []),
            ] as [(String?, [String], [String])] {
                var filter = PlaceFilter()
                filter.kind = kind
                filter.categories = categories
                filter.tags = tags
                let found = engine.engine.read { [filter] in
                    NearestPlaces(to: valencia, filter, returned, NearestQuery(limit: 1000)).whole(in: $0).page
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
}
