internal import Model
internal import Structures

/// A product filter with folded words, compiled once independently of the inventory.
struct ProductConditions: Sendable {
    let filter: ProductFilter
    /// The products found by a text search; nil for all.
    fileprivate let found: NumberSet<Product>?
    /// The accepted words by ``Inventory/Facet``; empty for any.
    fileprivate let words: [[String]]
    let attributes: [AttributeTerm]

    init(_ filter: ProductFilter) {
        self.filter = filter
        found = filter.numbers.map { NumberSet($0) }
        words = [
            filter.brands, filter.categories, filter.genders, filter.colors, filter.materials,
            filter.sizes.map(\.text),
        ].map { $0.map(PlainText.of) }
        attributes = filter.attributes.map(AttributeTerm.init)
    }
}

/// A product filter compiled to the inventory's terms.
struct ProductTerms: Sendable {
    /// The maximum number of candidates that are examined instead of a scan of all products.
    private static let mostLookups = 20_000

    /// The products that the filter lists or that a text search found; nil for all.
    fileprivate let named: NumberSet<Product>?
    /// The accepted terms by ``Inventory/Facet``; nil for any.
    private let wanted: [[Int32]?]
    fileprivate let attributes: [AttributeTerm]

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
        attributes = conditions.attributes
        wanted = conditions.words.map { words in
            steps += words.count
            return words.isEmpty ? nil : words.compactMap(inventory.words.term(folded:))
        }
    }

    /// Whether the filter's list of products, if any, contains a product.
    func names(_ product: ProductNumber) -> Bool { named?.contains(product) ?? true }

    /// Whether a product passes the condition on a facet; `steps` grows by the work done (``WorkBudget``).
    func match(_ entry: Inventory.Entry, _ facet: Inventory.Facet, _ steps: inout Int) -> Bool {
        guard let wanted = wanted[facet.rawValue] else { return true }
        let terms = entry.terms[facet.rawValue]
        steps += terms.count * wanted.count / 200
        return terms.contains(where: wanted.contains)
    }

    /// Whether attributes pass all conditions on them; `steps` grows by the work done (``WorkBudget``).
    func match(_ product: [String: AttributeValue], _ steps: inout Int) -> Bool {
        attributes.allSatisfy { $0.match(product, &steps) }
    }

    /// The posting lists whose union passes the condition on a facet; nil for all products.
    func postings(of facet: Inventory.Facet, _ inventory: Inventory) -> [[ProductNumber]]? {
        wanted[facet.rawValue].map { terms in terms.map { inventory.products(carrying: $0, as: facet).numbers } }
    }

    /// The candidates, sorted, if they are few; nil for all.
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

/// The products that match a filter except for size and price, collected in parts; nil if all do.
struct ProductSelection: Sendable {
    private let terms: ProductTerms
    /// The facets not yet collected.
    private var facets: [Inventory.Facet] = [.brand, .category, .gender, .color, .material]
    private var gathered = NumberSet<Product>()
    /// The number of lists of the first facet already collected.
    private var lists = 0
    /// The products whose attributes are compared; nil for all.
    private var candidates: [ProductNumber]?
    /// The number of these already compared; nil before the first.
    private var compared: Int?
    private(set) var products: NumberSet<Product>?

    init(_ terms: ProductTerms) {
        self.terms = terms
        products = terms.named
    }

    /// Collects products until the steps reach `end`.
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
        return terms.attributes.isEmpty || compare(inventory, &steps, until: end)
    }

    /// Keeps the products whose attributes match, until the steps reach `end`.
    ///
    /// - Returns: whether all candidates are compared.
    private mutating func compare(_ inventory: Inventory, _ steps: inout Int, until end: Int) -> Bool {
        if compared == nil {
            steps += (products?.width ?? 0) / 20
            candidates = products?.numbers
        }
        var next = compared ?? 0
        defer { compared = next }
        let count = candidates?.count ?? Int(inventory.nextNumber)
        while next < count {
            guard steps < end else { return false }
            let number = candidates?[next] ?? ProductNumber(next)
            next += 1
            steps += 1
            guard let entry = inventory[number] else { continue }
            if terms.match(entry.record.value.attributes, &steps) { gathered.insert(number) }
        }
        products = gathered
        return true
    }
}
