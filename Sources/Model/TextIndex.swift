/// A full-text index, in a table of the storage.
public struct TextIndex<Thing>: Sendable {
    package let table: String
    /// The columns with the name, as a filter of FTS5.
    package let names: String
}

extension TextIndex<Place> {
    /// Places by name, address, category and tags.
    public static var places: Self { TextIndex(table: "places_text", names: "{name}") }
}

extension TextIndex<Product> {
    /// Products by brand, name, category, description, colors and materials.
    public static var products: Self { TextIndex(table: "products_text", names: "{brand name}") }
}

/// The documents with the words of a search, by relevance.
public struct WordMatches<Thing>: Hashable, Sendable {
    /// The numbers of all documents found, in order.
    public var numbers: [Number<Thing>] = []
    /// The documents whose name has all words, in any form; in order.
    public var named: [Number<Thing>] = []
    /// The documents whose name has all words exactly as typed, in order; all are in ``named``.
    public var exact: [Number<Thing>] = []

    /// Creates the matches without a distinction by relevance.
    public init(_ numbers: [Number<Thing>]) { self.numbers = numbers }
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
