import Discovery
import Foundation
import Laws
import Model
import TestSupport
import Testing

/// Laws of lists and facets of products, on random catalogs.
@Suite struct ProductListLawTests {
    private let words = (
        brands: ["Brinquesa", "brinquesa", "Horma", "Talón"], colors: ["red", "Black", "azul"],
        sizes: ["EU:36", "EU:37", "M"], genders: ["female", "male", "unisex"]
    )

    private func shoe(_ number: Int, _ random: inout SeededGenerator) -> Product {
        var product = Product(id: id("q\(number)"), name: random.pick(["Zoom", "áncora", "Ancora", "eco", "Eco 2"]))
        product.brand = random.chance(0.8) ? random.pick(words.brands) : nil
        product.gender = random.pick(words.genders)
        product.colors = words.colors.filter { _ in random.chance(0.4) }
        product.sizes = words.sizes.filter { _ in random.chance(0.4) }.compactMap { ProductSize($0) }
        product.attributes["heel"] = random.pick([nil, .text("flat"), .text("High")])
        product.attributes["care"] = random.chance(0.3) ? .list(["wax"]) : nil
        if let currency = Currency(random.pick(["EUR", "USD"])), random.chance(0.8) {
            product.price = Money(minor: Int64(random.integer(0...20)), currency: currency)
        }
        return product
    }

    private func wish(_ random: inout SeededGenerator) -> ProductFilter {
        var filter = ProductFilter()
        if random.chance(0.3) { filter.brands = [random.pick(words.brands + ["Nobody"])] }
        if random.chance(0.3) { filter.genders = [random.pick(words.genders), random.pick(words.genders)] }
        if random.chance(0.3) { filter.colors = [random.pick(words.colors).uppercased()] }
        if random.chance(0.3) { filter.sizes = [random.pick(words.sizes)].compactMap { ProductSize($0) } }
        if random.chance(0.3), let currency = Currency("EUR") { filter.price = (5...15, currency) }
        if random.chance(0.2) { filter.numbers = (0..<20).map { Number($0) } }
        for (name, value) in [("heel", "high"), ("care", "Wax")] where random.chance(0.2) {
            filter.attributes.append(attribute(name, value))
        }
        return filter
    }

    private func attribute(_ name: String, _ value: String) -> AttributeFilter {
        var filter = AttributeFilter(name: name)
        filter.values = [value]
        return filter
    }

    /// The filter with a single value for a facet.
    private func narrowed(_ filter: ProductFilter, _ name: String, to text: String) throws -> ProductFilter {
        var filter = filter
        if name.hasPrefix("attr.") {
            let attribute = attribute(String(name.dropFirst(5)), text)
            filter.attributes.removeAll { $0.name == attribute.name }
            filter.attributes.append(attribute)
            return filter
        }
        switch try #require(ProductFacet(rawValue: name)) {
        case .brand: filter.brands = [text]
        case .category: filter.categories = [text]
        case .gender: filter.genders = [text]
        case .color: filter.colors = [text]
        case .material: filter.materials = [text]
        case .size: filter.sizes = [text].compactMap { ProductSize($0) }
        case .currency: filter.price = Currency(text).map { (0...Int64.max, $0) }
        }
        return filter
    }

    /// The products that match a filter, by a direct evaluation.
    private func matching(_ products: [Product], _ filter: ProductFilter) -> [ProductID] {
        func any(_ wanted: [String], _ has: [String]) -> Bool {
            func plain(_ text: String) -> String { text.lowercased().replacing("ó", with: "o") }
            return wanted.isEmpty || wanted.contains { word in has.contains { plain($0) == plain(word) } }
        }
        return products.filter { product in
            let number = Int(product.id.text.dropFirst()) ?? -1
            let price = filter.price.map { asked in
                product.price.map { price in
                    price.currency == asked.currency && price.minor >= asked.range.lowerBound
                        && price.minor <= asked.range.upperBound
                } ?? false
            }
            return price ?? true && any(filter.brands, product.brand.map { [$0] } ?? [])
                && any(filter.genders, product.gender.map { [$0] } ?? []) && any(filter.colors, product.colors)
                && any(filter.sizes.map(\.text), product.sizes.map(\.text))
                && filter.numbers.map { $0.contains(Number(number)) } ?? true
                && filter.attributes.allSatisfy { wanted in
                    switch product.attributes[wanted.name] {
                    case .text(let text)?: any(wanted.values, [text])
                    case .list(let texts)?: any(wanted.values, texts)
                    default: false
                    }
                }
        }.map(\.id).sorted()
    }

    @Test("The count of a facet value equals a list filtered by the value") func facetCounts() async throws {
        for seed in RandomCases.seeds(0..<40) {
            var random = SeededGenerator(seed: seed)
            try await withEngine { engine in
                let products = (0..<random.integer(0...60)).map { shoe($0, &random) }
                try await engine.perform(PutProducts(products.map { Write($0) }))
                let left = products.filter { _ in random.chance(0.9) }
                for product in products where !left.contains(where: { $0.id == product.id }) {
                    try await engine.perform(DeleteProduct(product.id))
                }
                for _ in 0..<10 {
                    let filter = wish(&random)
                    let listed = list(filter, engine, part: random.integer(1...80)).map(\.record.value.id)
                    #expect(listed == matching(left, filter), "seed \(seed), \(filter)")
                    var search = ProductFacets(ProductFacet.allCases, of: filter)
                    while !engine.engine.read({ search.look(at: $0, steps: random.integer(1...80)) }) {}
                    let counts = search.counts(limit: 1000)
                    #expect(counts.count == list(filter, engine).count, "seed \(seed)")
                    for facet in counts.facets {
                        for value in facet.values {
                            guard case .text(let text) = value.content else {
                                Issue.record("\(value) is no text")
                                continue
                            }
                            #expect(
                                try value.count == list(narrowed(filter, facet.name, to: text), engine).count,
                                "seed \(seed), \(facet.name) \(value), \(filter)")
                        }
                        let counts = facet.values.map(\.count)
                        #expect(counts == counts.sorted(by: >) && !facet.hasMore)
                    }
                }
            }
        }
    }

    private func list(
        _ filter: ProductFilter, by order: ProductOrder = .id, after: ProductPosition? = nil, limit: Int = 1000,
        _ engine: TestEngine, part: Int = 1000
    ) -> [ListedProduct] {
        var list = ProductListing(filter, by: order, after: after, limit: limit)
        while !engine.engine.read({ list.look(at: $0, steps: part) }) {}
        return list.products
    }

    @Test("Pages in any order form the whole sorted list") func sortedPages() async throws {
        for seed in RandomCases.seeds(0..<40) {
            var random = SeededGenerator(seed: seed)
            try await withEngine { engine in
                for number in 0..<random.integer(1...40) {
                    try await engine.perform(
                        PutProducts([Write(shoe(number, &random))]), at: morning + .seconds(random.integer(0...5)))
                }
                for order in ProductOrder.allCases {
                    var filter = wish(&random)
                    if order == .price || order == .priceDescending {
                        filter.price = Currency("EUR").map { (0...Int64.max, $0) }
                    }
                    let limit = random.integer(1...7)
                    let whole = list(filter, by: order, engine)
                    let sorted = whole.sorted { precedes($0, $1, order) }
                    #expect(whole.map(\.record.value.id) == sorted.map(\.record.value.id), "seed \(seed), \(order)")
                    var pages: [ListedProduct] = []
                    while pages.count < whole.count {
                        let page = list(
                            filter, by: order, after: pages.last?.position, limit: limit, engine, part: limit)
                        guard !page.isEmpty else { break }
                        pages += page
                    }
                    #expect(pages.map(\.record.value.id) == whole.map(\.record.value.id), "seed \(seed), \(order)")
                }
            }
        }
    }

    private func precedes(_ a: ListedProduct, _ b: ListedProduct, _ order: ProductOrder) -> Bool {
        let (first, second) = (a.record.value, b.record.value)
        func plain(_ product: Product) -> String {
            product.name.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        }
        let (price, other) = (first.price?.minor ?? 0, second.price?.minor ?? 0)
        switch order {
        case .price where price != other: return price < other
        case .priceDescending where price != other: return price > other
        case .name where plain(first) != plain(second): return plain(first) < plain(second)
        case .newest where a.made != b.made: return a.made > b.made
        default: return first.id < second.id
        }
    }
}
