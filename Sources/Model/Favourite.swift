/// The kind of a favorite.
public enum FavouriteKind: String, Codable, Hashable, Sendable, CaseIterable {
    case people, places, products

    /// The table of the favorites of a kind.
    package var table: String { "favourite_\(rawValue)" }
}
