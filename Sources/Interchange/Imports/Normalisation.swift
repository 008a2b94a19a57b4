public import Cities
public import Model
public import Normaliser
public import Storage

/// Normalizes rows of products, places or stock before they are read.
public struct Normalisation: Sendable {
    package let normaliser: RowNormaliser
    /// The places that lists of stock may name; nil if there are none.
    package let places: Store?

    /// Creates the normalizer for a kind; nil for a kind that is never normalized.
    ///
    /// - Parameters:
    ///   - kind: the kind of the import.
    ///   - lexicon: the words for products.
    ///   - gazetteer: the cities with which positions are compared.
    ///   - currency: the currency of prices without one.
    ///   - places: the store whose places lists of stock may name by name or address; nil for none.
    ///   - now: the time at which prices are paid, which decides whether a sale counts.
    public init?(
        _ kind: ImportKind, lexicon: Lexicon, gazetteer: Gazetteer, currency: Currency? = nil,
        places: Store? = nil, now: Timestamp
    ) {
        self.places = kind == .stock ? places : nil
        switch kind {
        case .products:
            normaliser = RowNormaliser(
                .products(ProductNormaliser(lexicon: lexicon, currency: currency, now: now)))
        case .places: normaliser = RowNormaliser(.places(PlaceNormaliser(gazetteer: gazetteer)))
        case .stock: normaliser = RowNormaliser(.stock(StockNormaliser(currency: currency, now: now)))
        case .people, .friends, .pings: return nil
        }
    }
}
