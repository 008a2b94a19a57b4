internal import Algorithms
internal import Geo
public import Model
internal import Structures

/// In which order products are listed; among equals by id.
public enum ProductOrder: String, CaseIterable, Sendable {
    case id
    /// By the recommended price in the filter's currency, the least or the greatest first.
    case price
    case priceDescending = "price_desc"
    /// By name, whatever its capitals and accents.
    case name
    /// Those made last first.
    case newest
}

/// A place in a list of products.
public struct ProductPosition: Hashable, Comparable, Sendable {
    /// What the list is sorted by, smallest first; 0 where that is a text.
    public var number: Int64
    /// What the list is sorted by if that is a text.
    public var text: String
    /// The id of the product.
    public var id: ProductID

    /// The place of a product with such keys.
    public init(number: Int64, text: String, id: ProductID) {
        self.number = number
        self.text = text
        self.id = id
    }

    /// Whether one place comes before another.
    public static func < (a: ProductPosition, b: ProductPosition) -> Bool {
        if a.number != b.number { return a.number < b.number }
        if a.text != b.text { return a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
        return a.id < b.id
    }
}

/// A product of a list.
public struct ListedProduct: Sendable {
    /// The document with its number and revision.
    public var record: Versioned<Product>
    /// When it was made.
    public var made: Timestamp
    /// How many people have it among their favourites.
    public var favourites: Int
    /// Where it stands in the list.
    public var position: ProductPosition
}

/// The products that match a filter, in an order, after a place in it, looked for in parts.
///
/// Between two the picture may change. By price only those come that have one in the filter's currency.
/// What keeps its keys in the order meanwhile comes exactly once, as it was when it was looked at.
public struct ProductListing: SearchInParts {
    private let conditions: ProductConditions
    private let order: ProductOrder
    private let after: ProductPosition?
    private let limit: Int
    /// Nil before the first part.
    private var terms: ProductTerms?
    /// Those that can match, if they are few.
    private var few: [ProductNumber]?
    private var next = 0
    /// What was found so far, in the order.
    public private(set) var products: [ListedProduct] = []

    /// A list of at most `limit` products.
    ///
    /// - Precondition: the filter names a currency if the order is by price.
    public init(
        _ filter: ProductFilter, by order: ProductOrder = .id, after: ProductPosition? = nil, limit: Int
    ) {
        conditions = ProductConditions(filter)
        self.order = order
        self.after = after
        self.limit = limit
    }

    /// - Complexity: O(`most` * log `limit`); of the first part also O(products that can match) if these are few.
    package mutating func look(at picture: borrowing Picture, steps most: Int) -> Bool {
        var steps = 0
        defer { Effort.count(steps) }
        let inventory = picture.catalogue.inventory
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
            add(number, entry, picture, &steps)
        } while steps < most
        return next == count
    }

    package var course: SearchCourse { SearchCourse([few == nil ? .all : .each], looked: next) }

    private func matches(_ entry: Inventory.Entry, _ terms: ProductTerms, _ steps: inout Int) -> Bool {
        for facet in Inventory.Facet.allCases where facet != .size {
            guard terms.match(entry, facet, &steps) else { return false }
        }
        steps += conditions.filter.sizes.count * entry.terms[Inventory.Facet.size.rawValue].count / 20
        return conditions.filter.fits(entry.record.value)
    }

    private mutating func add(
        _ number: ProductNumber, _ entry: Inventory.Entry, _ picture: borrowing Picture, _ steps: inout Int
    ) {
        steps += 5
        let position = entry.position(by: order)
        if let after, position <= after { return }
        if products.count == limit {
            guard let last = products.last, position < last.position else { return }
            products.removeLast()
        }
        let product = ListedProduct(
            record: entry.record, made: entry.made, favourites: picture.favourites(.products, number.any),
            position: position)
        products.insert(product, at: products.partitioningIndex { $0.position >= position })
    }
}

extension ProductFilter {
    /// Whether a recommended price is one that is asked for.
    func allows(_ price: Money?) -> Bool {
        guard let asked = self.price else { return true }
        return price.map { $0.currency == asked.currency && asked.range.contains($0.minor) } ?? false
    }

    /// Whether a product by itself has a price and a size that are asked for.
    fileprivate func fits(_ product: Product) -> Bool {
        (sizes.isEmpty || product.sizes.contains(where: sizes.contains)) && allows(product.price)
    }
}

extension Inventory.Entry {
    fileprivate func position(by order: ProductOrder) -> ProductPosition {
        let product = record.value
        let price = product.price?.minor ?? 0
        return switch order {
        case .id: ProductPosition(number: 0, text: "", id: product.id)
        case .price: ProductPosition(number: price, text: "", id: product.id)
        case .priceDescending: ProductPosition(number: -price, text: "", id: product.id)
        case .name: ProductPosition(number: 0, text: name, id: product.id)
        case .newest: ProductPosition(number: -made.milliseconds, text: "", id: product.id)
        }
    }
}
