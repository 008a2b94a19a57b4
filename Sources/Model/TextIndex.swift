/// A full-text index, in a table of the storage.
public struct TextIndex<Thing>: Sendable {
    package let table: String
}

extension TextIndex<Place> {
    /// Places by name, address, category and tags.
    public static var places: Self { TextIndex(table: "places_text") }
}

extension TextIndex<Product> {
    /// Products by brand, name, category, description, colors and materials.
    public static var products: Self { TextIndex(table: "products_text") }
}

/// A person in a search by name, as a keyset: exact word matches come before prefix matches, each in the order of
/// numbers.
public struct PersonFound: Hashable, Sendable {
    /// Whether the name matches only as a prefix.
    public var isBeginning: Bool
    /// The person's number.
    public var number: PersonNumber

    /// Creates a search result.
    public init(isBeginning: Bool, number: PersonNumber) {
        self.isBeginning = isBeginning
        self.number = number
    }
}
