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

/// What products that match a filter can be narrowed down by, and how many there are: counted in parts, between which the
/// picture may change.
///
/// A value is counted as if the filter had nothing of the value's own facet, so that the alternatives to what is chosen
/// are there too; a range of prices belongs to the currency. Sizes are those that products are made in, and prices the
/// recommended ones.
public struct ProductFacets: Sendable {
    private let facets: [ProductFacet]
    private let filter: ProductFilter
    private let brand: String?
    /// Nil before the first part.
    private var scope: Scope?
    private var next: Int32 = 0

    private var counts = Array(repeating: WordFacet(), count: Shelves.Facet.allCases.count)
    private var currencies: [Storage.Currency: (count: Int, prices: ClosedRange<Int64>)] = [:]
    /// How many products the whole filter lets through.
    private var matching = 0

    /// A filter in the terms of the shelves.
    private struct Scope {
        /// The products that the filter names, or that have the words that are looked for; nil for all.
        let named: NumberSet?
        /// The terms that the filter asks for, by facet; nil for any.
        let wanted: [[Int32]?]

        init(_ filter: ProductFilter, _ shelves: Shelves) {
            var named = filter.products.isEmpty ? nil : NumberSet(filter.products.compactMap { shelves.numbers[$0] })
            if let numbers = filter.numbers {
                let found = NumberSet(numbers)
                if named?.formIntersection(found) == nil { named = found }
            }
            self.named = named
            let asked = [
                filter.brands, filter.categories, filter.genders, filter.colors, filter.materials,
                filter.sizes.map(\.text),
            ]
            wanted = asked.map { $0.isEmpty ? nil : shelves.words.terms($0) }
        }
    }

    /// Facets of the products that a filter lets through.
    ///
    /// - Parameters:
    ///   - facets: the facets that are wanted.
    ///   - filter: which products count.
    ///   - brand: only brands that have words which begin with the words of this text; nil for all.
    public init(_ facets: [ProductFacet], of filter: ProductFilter, brand: String? = nil) {
        self.facets = facets
        self.filter = filter
        self.brand = brand
    }

    /// What was counted so far, at most `limit` values of each facet.
    ///
    /// - Complexity: O(n log n) in the number of values.
    public func counts(limit: Int) -> FacetCounts {
        FacetCounts(matching, facets.map { FacetValues($0.rawValue, values(of: $0), limit: limit) })
    }

    private func values(of facet: ProductFacet) -> [FacetValue] {
        guard let words = facet.words else {
            return currencies.map { FacetValue(.text($0.code), count: $1.count, prices: $1.prices) }
        }
        let values = counts[words.rawValue].values
        guard facet == .brand, let brand else { return values }
        let beginnings = Words(brand).words
        return values.filter { value in
            guard case .text(let text) = value.content else { return false }
            let words = Words(text).words
            return beginnings.allSatisfy { beginning in words.contains { $0.hasPrefix(beginning) } }
        }
    }

    /// Counts those that match among the next products, so many at most.
    ///
    /// - Returns: whether this was the last part.
    /// - Complexity: O(`most`); of the first part also O(products named).
    public mutating func look(at picture: borrowing Picture, atMost most: Int = 5000) -> Bool {
        let shelves = picture.catalogue.shelves
        let scope = self.scope ?? Scope(filter, shelves)
        self.scope = scope
        let end = Int32(min(Int(next) + most, Int(shelves.nextNumber)))
        for number in next..<end where scope.named?.contains(number) ?? true {
            if let entry = shelves[number] { add(entry, scope, shelves) }
        }
        next = end
        return end == shelves.nextNumber
    }

    private mutating func add(_ entry: Shelves.Entry, _ scope: Scope, _ shelves: Shelves) {
        let product = entry.record.value.value
        var failed: ProductFacet?
        for facet in ProductFacet.allCases where !passes(entry, product, facet, scope) {
            // Who fails two tests is no alternative within either facet.
            guard failed == nil else { return }
            failed = facet
        }
        if failed == nil { matching += 1 }
        for facet in facets where failed == nil || failed == facet {
            guard let words = facet.words else {
                if let price = product.price { add(price) }
                continue
            }
            for term in entry.terms[words.rawValue] {
                counts[words.rawValue].add(term, shelves.spelling(of: term, words, in: product))
            }
        }
    }

    private func passes(
        _ entry: Shelves.Entry, _ product: Product, _ facet: ProductFacet, _ scope: Scope
    ) -> Bool {
        guard let words = facet.words?.rawValue else { return filter.allows(product.price) }
        return scope.wanted[words].map { $0.contains(where: entry.terms[words].contains) } ?? true
    }

    private mutating func add(_ price: Money) {
        let (minor, known) = (price.minor, currencies[price.currency])
        let prices = known.map { min($0.prices.lowerBound, minor)...max($0.prices.upperBound, minor) }
        currencies[price.currency] = ((known?.count ?? 0) + 1, prices ?? minor...minor)
    }
}

extension Shelves {
    /// How a product writes a term that it carries.
    fileprivate func spelling(of term: Int32, _ facet: Facet, in product: Product) -> String {
        product.words(of: facet).first { words.term($0) == term } ?? ""
    }
}
