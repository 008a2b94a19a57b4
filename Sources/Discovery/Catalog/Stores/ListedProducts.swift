internal import Algorithms
internal import Geo
public import Model
internal import Structures

/// The sort order of products; ties are sorted by id.
public enum ProductOrder: String, CaseIterable, Sendable {
    case id
    /// By the recommended price in the filter's currency, ascending or descending.
    case price
    case priceDescending = "price_desc"
    /// By name, ignoring case and accents.
    case name
    /// Newest first.
    case newest
    /// By the match of the words of a search: a name with all words as typed, a name with forms of them, then others.
    case relevance
}

/// A keyset position in a list of products.
public struct ProductPosition: Hashable, Comparable, Sendable {
    /// The numeric sort key, ascending; 0 if the key is a text.
    public var number: Int64
    /// The textual sort key; empty if the key is numeric.
    public var text: String
    /// The id of the product.
    public var id: ProductID

    /// The position of a product with these keys.
    public init(number: Int64, text: String, id: ProductID) {
        self.number = number
        self.text = text
        self.id = id
    }

    /// Whether a position comes before another.
    public static func < (a: ProductPosition, b: ProductPosition) -> Bool {
        if a.number != b.number { return a.number < b.number }
        if a.text != b.text { return a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
        return a.id < b.id
    }
}

/// An entry of a list of products.
public struct ListedProduct: Sendable {
    /// The document with its number and revision.
    public var record: Versioned<Product>
    /// The time of creation.
    public var made: Timestamp
    /// The number of people with this favorite.
    public var favourites: Int
    /// The product's position in the list.
    public var position: ProductPosition
}

/// A sorted list of the products that match a filter, after a position; it is searched in parts.
///
/// The state may change between parts. Sorted by price, the list has only products priced in the filter's currency. A
/// product whose sort keys do not change in the meantime is listed exactly once, as of its examination.
public struct ProductListing: SearchInParts {
    private let conditions: ProductConditions
    private let relevance: Relevance<Product>?
    private let order: ProductOrder
    private let after: ProductPosition?
    private let limit: Int
    /// nil before the first part.
    private var terms: ProductTerms?
    /// The candidates, if they are few.
    private var few: [ProductNumber]?
    private var next = 0
    /// The result so far, in the order.
    public private(set) var products: [ListedProduct] = []

    /// A list of at most `limit` products.
    ///
    /// - Precondition: the filter specifies a currency if the order is by price.
    public init(
        _ filter: ProductFilter, by order: ProductOrder = .id, after: ProductPosition? = nil, limit: Int
    ) {
        conditions = ProductConditions(filter)
        relevance = filter.matches.map(Relevance.init)
        self.order = order
        self.after = after
        self.limit = limit
    }

    /// - Complexity: O(`most` * log `limit`); the first part also O(candidates) if these are few.
    package mutating func look(at state: borrowing LiveState, steps most: Int) -> Bool {
        var steps = 0
        defer { WorkBudget.count(steps) }
        let inventory = state.catalogue.inventory
        let terms = self.terms ?? ProductTerms(conditions, inventory, &steps)
        if self.terms == nil { few = terms.few(inventory, &steps) }
        self.terms = terms
        let count = few?.count ?? Int(inventory.nextNumber)
        repeat {
            guard next < count else { return true }
            let number = few?[next] ?? ProductNumber(next)
            next += 1
            steps += 1
            guard terms.names(number), let entry = inventory[number], matches(entry, terms, &steps) else { continue }
            add(number, entry, state, &steps)
        } while steps < most
        return next == count
    }

    package var course: QueryTrace { QueryTrace([few == nil ? .all : .each], looked: next) }

    private func matches(_ entry: Inventory.Entry, _ terms: ProductTerms, _ steps: inout Int) -> Bool {
        for facet in Inventory.Facet.allCases where facet != .size {
            guard terms.match(entry, facet, &steps) else { return false }
        }
        steps += conditions.filter.sizes.count * entry.terms[Inventory.Facet.size.rawValue].count / 20
        return conditions.filter.fits(entry.record.value) && terms.match(entry.record.value.attributes, &steps)
    }

    private mutating func add(
        _ number: ProductNumber, _ entry: Inventory.Entry, _ state: borrowing LiveState, _ steps: inout Int
    ) {
        steps += 5
        let position = entry.position(by: order, rank: relevance?.rank(of: number) ?? 0)
        if let after, position <= after { return }
        if products.count == limit {
            guard let last = products.last, position < last.position else { return }
            products.removeLast()
        }
        let product = ListedProduct(
            record: entry.record, made: entry.made, favourites: state.favourites(.products, number.any),
            position: position)
        products.insert(product, at: products.partitioningIndex { $0.position >= position })
    }
}

extension ProductFilter {
    /// Whether a recommended price passes the filter.
    func allows(_ price: Money?) -> Bool {
        guard let asked = self.price else { return true }
        return price.map { $0.currency == asked.currency && asked.range.contains($0.minor) } ?? false
    }

    /// Whether a product's recommended price and sizes pass the filter.
    fileprivate func fits(_ product: Product) -> Bool {
        (sizes.isEmpty || product.sizes.contains(where: sizes.contains)) && allows(product.price)
    }
}

extension Inventory.Entry {
    fileprivate func position(by order: ProductOrder, rank: Int32) -> ProductPosition {
        let product = record.value
        let price = product.price?.minor ?? 0
        return switch order {
        case .id: ProductPosition(number: 0, text: "", id: product.id)
        case .price: ProductPosition(number: price, text: "", id: product.id)
        case .priceDescending: ProductPosition(number: -price, text: "", id: product.id)
        case .name: ProductPosition(number: 0, text: name, id: product.id)
        case .newest: ProductPosition(number: -made.milliseconds, text: "", id: product.id)
        case .relevance: ProductPosition(number: -Int64(rank), text: "", id: product.id)
        }
    }
}
