/// What can be a person's favorite.
public enum FavouriteKind: String, Codable, Hashable, Sendable, CaseIterable {
    case people, places, products

    /// The table that holds those of a kind.
    package var table: String { "favourite_\(rawValue)" }
}
