internal import Model
internal import Structures

/// A filter of products with its words folded, which needs no shelves and is done once.
struct ProductConditions: Sendable {
    let filter: ProductFilter
    /// The products that have the words that are looked for; nil for all.
    fileprivate let found: NumberSet?
    /// What is asked for, by ``Shelves/Facet``; empty for anything.
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

/// A filter in the terms of the shelves.
struct ProductTerms: Sendable {
    /// So many products are looked at one by one without going through all.
    private static let mostLookups = 20_000

    /// The products that the filter names, or that have the words that are looked for; nil for all.
    fileprivate let named: NumberSet?
    /// The terms that the filter asks for, by ``Shelves/Facet``; nil for any.
    private let wanted: [[Int32]?]

    /// - Complexity: O(values of the filter), and O(products named).
    init(_ conditions: ProductConditions, _ shelves: Shelves, _ steps: inout Int) {
        let filter = conditions.filter
        var named = filter.products.isEmpty ? nil : NumberSet(filter.products.compactMap { shelves.numbers[$0] })
        steps += filter.products.count
        if let found = conditions.found {
            steps += found.width / 20
            if named?.formIntersection(found) == nil { named = found }
        }
        self.named = named
        wanted = conditions.words.map { words in
            steps += words.count
            return words.isEmpty ? nil : words.compactMap(shelves.words.term(folded:))
        }
    }

    /// Whether the filter names a product, or nothing that it is not.
    func names(_ product: Int32) -> Bool { named?.contains(product) ?? true }

    /// Whether a product has what is asked of a facet; `steps` grows by what it took (``Effort``).
    func match(_ entry: Shelves.Entry, _ facet: Shelves.Facet, _ steps: inout Int) -> Bool {
        guard let wanted = wanted[facet.rawValue] else { return true }
        let terms = entry.terms[facet.rawValue]
        steps += terms.count * wanted.count / 200
        return terms.contains(where: wanted.contains)
    }

    /// The lists of products that together hold whatever has what is asked of a facet; nil for all.
    func carriers(of facet: Shelves.Facet, _ shelves: Shelves) -> [[Int32]]? {
        wanted[facet.rawValue].map { terms in terms.map { shelves.products(carrying: $0, as: facet).numbers } }
    }

    /// The products that can match, in order, if they are few; nil for all.
    func few(_ shelves: Shelves, _ steps: inout Int) -> [Int32]? {
        // Sizes are compared as sizes, not as words.
        let lists = Shelves.Facet.allCases.filter { $0 != .size }.compactMap { carriers(of: $0, shelves) }
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
    private var facets: [Shelves.Facet] = [.brand, .category, .gender, .color, .material]
    private var gathered = NumberSet()
    /// How many lists of the first facet are gathered.
    private var lists = 0
    private(set) var products: NumberSet?

    init(_ terms: ProductTerms) {
        self.terms = terms
        products = terms.named
    }

    /// Gathers until the steps are `end`.
    ///
    /// - Returns: whether this was the last part.
    mutating func look(_ shelves: Shelves, _ steps: inout Int, until end: Int) -> Bool {
        while let facet = facets.first {
            if let carriers = terms.carriers(of: facet, shelves) {
                while lists < carriers.count {
                    guard steps < end else { return false }
                    for product in carriers[lists] { gathered.insert(product) }
                    steps += 1 + carriers[lists].count / 20
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
