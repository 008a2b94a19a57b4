internal import Storage

/// What products can be narrowed down by.
public enum ProductFacet: String, CaseIterable, Sendable {
    case brand, category, gender, color, material, size, currency

    /// The words of products that belong to it; nil for the currency, which is no word.
    fileprivate var words: Shelves.Facet? {
        switch self {
        case .brand: .brand
        case .category: .category
        case .gender: .gender
        case .color: .color
        case .material: .material
        case .size: .size
        case .currency: nil
        }
    }
}

/// A value of a facet.
public struct FacetValue: Hashable, Sendable {
    /// As the product writes it that was made first of those that count.
    public var text: String
    /// How many products carry it.
    public var count: Int
    /// Of a currency the least and the greatest recommended price, in minor units.
    public var prices: ClosedRange<Int64>?
}

/// The values of one facet.
public struct FacetValues: Sendable {
    /// Which facet.
    public var facet: ProductFacet
    /// The most frequent first, of equally frequent ones in the order of their bytes.
    public var values: [FacetValue]
    /// Whether there are more.
    public var hasMore: Bool
}

extension Picture {
    /// What products that match a filter can be narrowed down by, and how many there are.
    ///
    /// A value is counted as if the filter had nothing of the value's own facet, so that the alternatives to what is chosen
    /// are there too; a range of prices belongs to the currency. Sizes are those that products are made in, and prices the
    /// recommended ones.
    ///
    /// - Parameters:
    ///   - facets: the facets that are wanted.
    ///   - filter: which products count.
    ///   - brand: only brands that have words which begin with the words of this text; nil for all.
    ///   - limit: how many values of each facet are told.
    /// - Returns: how many products the filter lets through, and the facets in the order they were asked for.
    /// - Complexity: O(products).
    public func facets(
        _ facets: [ProductFacet], of filter: ProductFilter, brand: String? = nil, limit: Int
    ) -> (count: Int, facets: [FacetValues]) {
        var tally = FacetTally(facets, filter, catalogue.shelves)
        for product in catalogue.shelves.products { tally.count(product) }
        return (tally.matching, facets.map { tally.values(of: $0, brand: brand, limit: limit) })
    }
}

/// Counts products by what they carry.
private struct FacetTally {
    private let shelves: Shelves
    private let facets: [ProductFacet]
    /// The products that the filter names, or that have the words that are looked for; nil for all.
    private let named: NumberSet?
    /// The terms that the filter asks for, by facet; nil for any.
    private let wanted: [[Int32]?]
    private let price: (range: ClosedRange<Int64>, currency: Currency)?
    /// How many products carry a term, and the first of them, by facet.
    private var counts: [[Int32: (count: Int, first: Int32)]]
    private var currencies: [Currency: (count: Int, prices: ClosedRange<Int64>)] = [:]
    /// How many products the whole filter lets through.
    private(set) var matching = 0

    init(_ facets: [ProductFacet], _ filter: ProductFilter, _ shelves: Shelves) {
        self.facets = facets
        self.shelves = shelves
        var named = filter.products.isEmpty ? nil : NumberSet(filter.products.compactMap { shelves.numbers[$0] })
        if let numbers = filter.numbers {
            let found = NumberSet(numbers)
            if named?.formIntersection(found) == nil { named = found }
        }
        self.named = named
        let asked = [
            filter.brands, filter.categories, filter.genders, filter.colors, filter.materials, filter.sizes.map(\.text),
        ]
        wanted = asked.map { $0.isEmpty ? nil : shelves.words.terms($0) }
        price = filter.price
        counts = Array(repeating: [:], count: Shelves.Facet.allCases.count)
    }

    mutating func count(_ number: Int32) {
        guard named?.contains(number) ?? true, let entry = shelves[number] else { return }
        let product = entry.record.value.value
        var failed: ProductFacet?
        for facet in ProductFacet.allCases where !passes(entry, product, facet) {
            // Who fails two tests is no alternative within either facet.
            guard failed == nil else { return }
            failed = facet
        }
        if failed == nil { matching += 1 }
        for facet in facets where failed == nil || failed == facet {
            guard let words = facet.words?.rawValue else {
                if let price = product.price { add(price) }
                continue
            }
            for term in entry.terms[words] { counts[words][term, default: (0, number)].count += 1 }
        }
    }

    private func passes(_ entry: Shelves.Entry, _ product: Product, _ facet: ProductFacet) -> Bool {
        guard let words = facet.words?.rawValue else {
            guard let price else { return true }
            return product.price.map { $0.currency == price.currency && price.range.contains($0.minor) } ?? false
        }
        return wanted[words].map { $0.contains(where: entry.terms[words].contains) } ?? true
    }

    private mutating func add(_ price: Money) {
        let (minor, known) = (price.minor, currencies[price.currency])
        let prices = known.map { min($0.prices.lowerBound, minor)...max($0.prices.upperBound, minor) }
        currencies[price.currency] = ((known?.count ?? 0) + 1, prices ?? minor...minor)
    }

    func values(of facet: ProductFacet, brand: String?, limit: Int) -> FacetValues {
        var values: [FacetValue]
        if let words = facet.words {
            values = counts[words.rawValue].map { term, entry in
                FacetValue(text: spelling(of: term, words, in: entry.first), count: entry.count)
            }
        } else {
            values = currencies.map { FacetValue(text: $0.code, count: $1.count, prices: $1.prices) }
        }
        if facet == .brand, let brand {
            let beginnings = Words(brand).words
            values.removeAll { value in
                let words = Words(value.text).words
                return !beginnings.allSatisfy { beginning in words.contains { $0.hasPrefix(beginning) } }
            }
        }
        values.sort { a, b in
            a.count == b.count ? a.text.utf8.lexicographicallyPrecedes(b.text.utf8) : a.count > b.count
        }
        return FacetValues(facet: facet, values: Array(values.prefix(limit)), hasMore: values.count > limit)
    }

    private func spelling(of term: Int32, _ facet: Shelves.Facet, in number: Int32) -> String {
        guard let product = shelves[number]?.record.value.value else { return "" }
        return product.words(of: facet).first { shelves.words.term($0) == term } ?? ""
    }
}
