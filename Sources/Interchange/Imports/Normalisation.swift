public import Cities
public import Model
public import Normaliser

/// How rows of products, places or stock are put right before they are read.
public struct Normalisation: Sendable {
    package let normaliser: RowNormaliser

    /// What puts rows of a kind right; nil for a kind that has nothing to put right.
    ///
    /// - Parameters:
    ///   - kind: what is imported.
    ///   - lexicon: the words for products.
    ///   - gazetteer: the cities that positions are compared with.
    ///   - currency: that of prices which name none.
    public init?(_ kind: ImportKind, lexicon: Lexicon, gazetteer: Gazetteer, currency: Currency? = nil) {
        switch kind {
        case .products: normaliser = RowNormaliser(.products(ProductNormaliser(lexicon: lexicon, currency: currency)))
        case .places: normaliser = RowNormaliser(.places(PlaceNormaliser(gazetteer: gazetteer)))
        case .stock: normaliser = RowNormaliser(.stock(StockNormaliser(currency: currency)))
        case .people, .friends, .pings: return nil
        }
    }
}
