/// What is found by any of its words, in a table of the storage.
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

/// A person among those found by name, as a keyset: those who have the very words come before those whose names only begin with
/// them, and among these earlier ones before later ones.
public struct PersonFound: Hashable, Sendable {
    /// Whether the name only begins with the words.
    public var isBeginning: Bool
    /// The person's number.
    public var number: PersonNumber

    /// A person found.
    public init(isBeginning: Bool, number: PersonNumber) {
        self.isBeginning = isBeginning
        self.number = number
    }
}
