internal import Model
internal import Structures

/// A filter of products with its words folded, which needs no inventory and is done once.
struct ProductConditions: Sendable {
    let filter: ProductFilter
    /// The products that have the words that are looked for; nil for all.
    fileprivate let found: NumberSet<Product>?
    /// What is asked for, by ``Inventory/Facet``; empty for anything.
    fileprivate let words: [[String]]

    init(_ filter: ProductFilter) {
        self.filter = filter
        found = filter.numbers.map { NumberSet($0) }
        words = [
            filter.brands, filter.categories, filter.genders, filter.colors, filter.materials,
            filter.sizes.map(\.text),
        ].map { $0.map(PlainText.of) }
    }
}

/// A filter in the terms of the inventory.
struct ProductTerms: Sendable {
    /// So many products are looked at one by one without going through all.
    private static let mostLookups = 20_000

    /// The products that the filter names, or that have the words that are looked for; nil for all.
    fileprivate let named: NumberSet<Product>?
    /// The terms that the filter asks for, by ``Inventory/Facet``; nil for any.
    private let wanted: [[Int32]?]

    /// - Complexity: O(values of the filter), and O(products named).
    init(_ conditions: ProductConditions, _ inventory: Inventory, _ steps: inout Int) {
        let filter = conditions.filter
        var named = filter.products.isEmpty ? nil : NumberSet(filter.products.compactMap { inventory.numbers[$0] })
        steps += filter.products.count
        if let found = conditions.found {
            steps += found.width / 20
            if named?.formIntersection(found) == nil { named = found }
        }
        self.named = named
        wanted = conditions.words.map { words in
            steps += words.count
            return words.isEmpty ? nil : words.compactMap(inventory.words.term(folded:))
        }
    }

    /// Whether the filter names a product, or nothing that it is not.
    func names(_ product: ProductNumber) -> Bool { named?.contains(product) ?? true }

    /// Whether a product has what is asked of a facet; `steps` grows by what it took (``Effort``).
    func match(_ entry: Inventory.Entry, _ facet: Inventory.Facet, _ steps: inout Int) -> Bool {
        guard let wanted = wanted[facet.rawValue] else { return true }
        let terms = entry.terms[facet.rawValue]
        steps += terms.count * wanted.count / 200
        return terms.contains(where: wanted.contains)
    }

    /// The lists of products that together hold whatever has what is asked of a facet; nil for all.
    func postings(of facet: Inventory.Facet, _ inventory: Inventory) -> [[ProductNumber]]? {
        wanted[facet.rawValue].map { terms in terms.map { inventory.products(carrying: $0, as: facet).numbers } }
    }

    /// The products that can match, in order, if they are few; nil for all.
    func few(_ inventory: Inventory, _ steps: inout Int) -> [ProductNumber]? {
        // Sizes are compared as sizes, not as words.
        let lists = Inventory.Facet.allCases.filter { $0 != .size }.compactMap { postings(of: $0, inventory) }
        let least = lists.map { lists in (lists, lists.reduce(0) { $0 + $1.count }) }.min { $0.1 < $1.1 }
        let count = named?.count
        if let least, least.1 <= Self.mostLookups, least.1 <= count ?? .max {
            steps += least.1 / 10
            return NumberSet(least.0.joined()).numbers
        }
        guard let named, let count, count <= Self.mostLookups else { return nil }
        steps += count / 10
        return named.numbers
    }
}

/// The products that match a filter but for size and price, gathered in parts: nil when all do.
struct ProductSelection: Sendable {
    private let terms: ProductTerms
    /// What is left to be gathered.
    private var facets: [Inventory.Facet] = [.brand, .category, .gender, .color, .material]
    private var gathered = NumberSet<Product>()
    /// How many lists of the first facet are gathered.
    private var lists = 0
    private(set) var products: NumberSet<Product>?

    init(_ terms: ProductTerms) {
        self.terms = terms
        products = terms.named
    }

    /// Gathers until the steps are `end`.
    ///
    /// - Returns: whether this was the last part.
    mutating func look(_ inventory: Inventory, _ steps: inout Int, until end: Int) -> Bool {
        while let facet = facets.first {
            if let postings = terms.postings(of: facet, inventory) {
                while lists < postings.count {
                    guard steps < end else { return false }
                    for product in postings[lists] { gathered.insert(product) }
                    steps += 1 + postings[lists].count / 20
                    lists += 1
                }
                if products?.formIntersection(gathered) == nil { products = gathered }
                (lists, gathered) = (0, NumberSet())
            }
            facets.removeFirst()
        }
        return true
    }
}
