/// The rows of one product in a file of Shopify, which has the columns that they share only in the first.
struct ShopifyRows: Sendable {
    /// The columns that a variant does not share, beside those that begin with `variant`.
    private static let own: Set = [
        "sku", "barcode", "price", "price / international", "compare-at price", "compare-at price / international",
        "cost per item", "inventory quantity", "weight value (grams)",
    ]

    /// The previous row, with the columns that it shares.
    private var head: [String: JSON] = [:]
    /// The number of rows that have only a further picture.
    private(set) var pictures = 0

    /// Whether a row has only a further picture of the product in the previous row.
    mutating func isPicture(_ members: [String: JSON]) -> Bool {
        guard isOfHead(members), members.contains(where: { Self.isOfPicture($0.key) && $0.value.isGiven }),
            members.allSatisfy({ Self.isOfPicture($0.key) || !$0.value.isGiven || Self.handle($0.key) })
        else { return false }
        pictures += 1
        return true
    }

    /// A row with the columns that it shares with the previous one.
    mutating func completed(_ members: [String: JSON]) -> [String: JSON] {
        var whole = members
        if isOfHead(members) {
            for (column, value) in head
            where !column.hasPrefix("variant") && !Self.own.contains(column)
                && whole[column, default: .text("")] == .text("")
            {
                whole[column] = value
            }
        }
        head = whole
        return whole
    }

    private func isOfHead(_ members: [String: JSON]) -> Bool {
        guard members["title", default: .text("")] == .text(""),
            let handle = members.keys.first(where: Self.handle), let value = members[handle], value.isGiven
        else { return false }
        return value == head[handle]
    }

    private static func handle(_ column: String) -> Bool { column == "handle" || column == "url handle" }

    private static func isOfPicture(_ column: String) -> Bool {
        column.hasPrefix("image ") || column == "product image url"
    }
}

extension JSON {
    fileprivate var isGiven: Bool { self != .null && self != .text("") }
}
