public import Cities
public import Model
public import Normaliser

/// Normalizes rows of products, places or stock before they are read.
public struct Normalisation: Sendable {
    package let normaliser: RowNormaliser

    /// Creates the normalizer for a kind; nil for a kind that is never normalized.
    ///
    /// - Parameters:
    ///   - kind: the kind of the import.
    ///   - lexicon: the words for products.
    ///   - gazetteer: the cities with which positions are compared.
    ///   - currency: the currency of prices without one.
    public init?(_ kind: ImportKind, lexicon: Lexicon, gazetteer: Gazetteer, currency: Currency? = nil) {
        switch kind {
        case .products: normaliser = RowNormaliser(.products(ProductNormaliser(lexicon: lexicon, currency: currency)))
        case .places: normaliser = RowNormaliser(.places(PlaceNormaliser(gazetteer: gazetteer)))
        case .stock: normaliser = RowNormaliser(.stock(StockNormaliser(currency: currency)))
        case .people, .friends, .pings: return nil
        }
    }
}
