public import Storage

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
    public var id: EntityID

    /// The place of a product with such keys.
    public init(number: Int64, text: String, id: EntityID) {
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
    public var record: Record<Product>
    /// When it was made.
    public var made: Timestamp
    /// Where it stands in the list.
    public var position: ProductPosition
}

extension Picture {
    /// The products that match a filter, in an order, after a place in it.
    ///
    /// By price only those come that have one in the filter's currency.
    ///
    /// - Precondition: the filter names a currency if the order is by price.
    /// - Complexity: O(products that match * log `limit`).
    public func products(
        _ filter: ProductFilter, by order: ProductOrder = .id, after: ProductPosition?, limit: Int
    ) -> [ListedProduct] {
        guard let wanted = WantedProducts(filter, catalogue.shelves) else { return [] }
        var best: [(position: ProductPosition, number: Int32)] = []
        for number in wanted.listed {
            guard let entry = catalogue.shelves[number] else { continue }
            let position = entry.position(by: order)
            if let after, position <= after { continue }
            if best.count == limit {
                guard let last = best.last, position < last.position else { continue }
                best.removeLast()
            }
            best.insert((position, number), at: Self.place(of: position, in: best))
        }
        return best.compactMap { position, number in
            catalogue.shelves[number].map {
                ListedProduct(record: $0.record.value, made: $0.made, position: position)
            }
        }
    }

    private static func place(
        of position: ProductPosition, in list: [(position: ProductPosition, number: Int32)]
    ) -> Int {
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if list[middle].position < position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Shelves.Entry {
    fileprivate func position(by order: ProductOrder) -> ProductPosition {
        let product = record.value.value
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
