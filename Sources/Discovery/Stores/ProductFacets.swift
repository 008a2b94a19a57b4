internal import Geo
internal import Model
internal import Storage
internal import Structures

/// What products can be narrowed down by.
public enum ProductFacet: String, CaseIterable, Sendable {
    case brand, category, gender, color, material, size, currency

    /// The words of products that belong to it; nil for the currency, which is no word.
    var words: Inventory.Facet? {
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
public struct ProductFacets: SearchInParts {
    private let facets: [ProductFacet]
    private let conditions: ProductConditions
    private let brand: String?
    /// Nil before the first part.
    private var terms: ProductTerms?
    private var next = 0

    private var counts = Array(repeating: WordFacet(), count: Inventory.Facet.allCases.count)
    private var currencies: [Currency: (count: Int, prices: ClosedRange<Int64>)] = [:]
    /// How many products the whole filter lets through.
    private var matching = 0

    /// Facets of the products that a filter lets through.
    ///
    /// - Parameters:
    ///   - facets: the facets that are wanted.
    ///   - filter: which products count.
    ///   - brand: only brands that have words which begin with the words of this text; nil for all.
    public init(_ facets: [ProductFacet], of filter: ProductFilter, brand: String? = nil) {
        self.facets = facets
        conditions = ProductConditions(filter)
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
        let beginnings = PlainText.words(of: brand)
        return values.filter { value in
            guard case .text(let text) = value.content else { return false }
            let words = PlainText.words(of: text)
            return beginnings.allSatisfy { beginning in words.contains { $0.hasPrefix(beginning) } }
        }
    }

    /// Counts those that match among the next products, for about so many steps (``Effort``).
    ///
    /// - Returns: whether this was the last part.
    /// - Complexity: O(`most`); of the first part also O(products named).
    package mutating func look(at picture: borrowing Picture, steps most: Int) -> Bool {
        var steps = 0
        defer { Effort.count(steps) }
        let inventory = picture.catalogue.inventory
        let terms = self.terms ?? ProductTerms(conditions, inventory, &steps)
        self.terms = terms
        repeat {
            guard next < Int(inventory.nextNumber) else { return true }
            steps += 1
            let number = ProductNumber(next)
            if terms.names(number), let entry = inventory[number] { add(entry, terms, inventory, &steps) }
            next += 1
        } while steps < most
        return next == Int(inventory.nextNumber)
    }

    package var course: SearchCourse { SearchCourse([.all], looked: next) }

    private mutating func add(
        _ entry: Inventory.Entry, _ terms: ProductTerms, _ inventory: Inventory, _ steps: inout Int
    ) {
        let product = entry.record.value
        var failed: ProductFacet?
        for facet in ProductFacet.allCases where !passes(entry, product, facet, terms, &steps) {
            // Who fails two tests is no alternative within either facet.
            guard failed == nil else { return }
            failed = facet
        }
        if failed == nil { matching += 1 }
        for facet in facets where failed == nil || failed == facet {
            steps += 1
            guard let words = facet.words else {
                if let price = product.price { add(price) }
                continue
            }
            for term in entry.terms[words.rawValue] {
                steps += 5
                counts[words.rawValue].add(term, inventory.spelling(of: term, words, in: product))
            }
        }
    }

    private func passes(
        _ entry: Inventory.Entry, _ product: Product, _ facet: ProductFacet, _ terms: ProductTerms,
        _ steps: inout Int
    ) -> Bool {
        guard let words = facet.words else { return conditions.filter.allows(product.price) }
        return terms.match(entry, words, &steps)
    }

    private mutating func add(_ price: Money) {
        let (minor, known) = (price.minor, currencies[price.currency])
        let prices = known.map { min($0.prices.lowerBound, minor)...max($0.prices.upperBound, minor) }
        currencies[price.currency] = ((known?.count ?? 0) + 1, prices ?? minor...minor)
    }
}

extension Inventory {
    /// How a product writes a term that it carries.
    fileprivate func spelling(of term: Int32, _ facet: Facet, in product: Product) -> String {
        product.words(of: facet).first { words.term($0) == term } ?? ""
    }
}
