internal import Geo
internal import Model
internal import Storage
internal import Structures

/// A facet of products.
public enum ProductFacet: String, CaseIterable, Sendable {
    case brand, category, gender, color, material, size, currency

    /// The indexed words of the facet; nil for the currency, which has none.
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

/// A search that counts the products matching a filter, and their facet values, in parts between which the state may
/// change.
///
/// A value's count ignores the filter's condition on the value's own facet or attribute, so that alternatives to a
/// choice are counted too; a price range belongs to the currency facet. Sizes and prices are the products' own, not a store's.
public struct ProductFacets: SearchInParts {
    private let facets: [ProductFacet]
    private let conditions: ProductConditions
    private let brand: String?
    /// nil before the first part.
    private var terms: ProductTerms?
    private var next = 0

    private var counts = Array(repeating: WordFacet(), count: Inventory.Facet.allCases.count)
    private var currencies: [Currency: (count: Int, prices: ClosedRange<Int64>)] = [:]
    private var attributes: AttributeFacets
    /// The number of products that pass the whole filter.
    private var matching = 0

    /// The only condition that a product fails.
    private enum Mismatch: Equatable { case facet(ProductFacet), attribute(String) }

    /// Facets of the products that pass a filter.
    ///
    /// - Parameters:
    ///   - facets: the requested facets.
    ///   - attributes: the requested attributes; nil for all.
    ///   - filter: the filter for products.
    ///   - brand: only brands with words that begin with the words of this text; nil for all.
    public init(
        _ facets: [ProductFacet], attributes: Set<String>? = nil, of filter: ProductFilter, brand: String? = nil
    ) {
        self.facets = facets
        self.attributes = AttributeFacets(attributes)
        conditions = ProductConditions(filter)
        self.brand = brand
    }

    /// Returns the counts so far, with at most `limit` values per facet.
    ///
    /// - Complexity: O(n log n) in the number of values.
    public func counts(limit: Int) -> FacetCounts {
        let words = facets.map { FacetValues($0.rawValue, values(of: $0), limit: limit) }
        let (attributes, more) = attributes.values(limit: limit)
        return FacetCounts(matching, words + attributes, more: more)
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

    /// Counts the matches among the next products, for about `most` work units (``WorkBudget``).
    ///
    /// - Returns: whether this was the last part.
    /// - Complexity: O(`most`); the first part also O(products named).
    package mutating func look(at state: borrowing LiveState, steps most: Int) -> Bool {
        var steps = 0
        defer { WorkBudget.count(steps) }
        let inventory = state.catalogue.inventory
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

    package var course: QueryTrace { QueryTrace([.all], looked: next) }

    private mutating func add(
        _ entry: Inventory.Entry, _ terms: ProductTerms, _ inventory: Inventory, _ steps: inout Int
    ) {
        let product = entry.record.value
        var failed: Mismatch?
        for facet in ProductFacet.allCases where !passes(entry, product, facet, terms, &steps) {
            // A product that fails two conditions is not an alternative in either facet.
            guard failed == nil else { return }
            failed = .facet(facet)
        }
        for term in conditions.attributes where !term.match(product.attributes, &steps) {
            guard failed == nil else { return }
            failed = .attribute(term.name)
        }
        count(entry, failed, inventory, &steps)
    }

    private mutating func count(
        _ entry: Inventory.Entry, _ failed: Mismatch?, _ inventory: Inventory, _ steps: inout Int
    ) {
        let product = entry.record.value
        if case .attribute(let name)? = failed {
            if let value = product.attributes[name] { attributes.add(name, value, &steps) }
            return
        }
        if failed == nil {
            matching += 1
            attributes.add(product.attributes, &steps)
        }
        for facet in facets where failed == nil || failed == .facet(facet) {
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
    /// The product's spelling of one of its terms.
    fileprivate func spelling(of term: Int32, _ facet: Facet, in product: Product) -> String {
        product.words(of: facet).first { words.term($0) == term } ?? ""
    }
}
