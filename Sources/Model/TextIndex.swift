/// What is found by any of its words.
public enum TextIndex: Sendable {
    /// Places by name, address, category and tags.
    case places
    /// Products by brand, name, category, description, colours and materials.
    case products
}

/// A person among those found by name, as a keyset: those who have the very words come before those whose names only begin with
/// them, and among these earlier ones before later ones.
public struct PersonFound: Hashable, Sendable {
    /// Whether the name only begins with the words.
    public var isBeginning: Bool
    /// The person's number.
    public var number: Int32

    /// A person found.
    public init(isBeginning: Bool, number: Int32) {
        self.isBeginning = isBeginning
        self.number = number
    }
}
