/// A query trace: how a search was executed, to explain why it was slow or found no more.
public struct QueryTrace: Hashable, Sendable {
    /// An access path.
    public enum Way: String, CaseIterable, Sendable {
        /// Nearest first, with the index of places.
        case byDistance = "by_distance"
        /// A scan in the requested order.
        case inOrder = "in_order"
        /// The stores that have one of the products.
        case byProduct = "by_product"
        /// Each of a few candidates: friends, an owner's places, matches of the words, places in a small area.
        case each
        /// A full scan.
        case all
    }

    /// The access paths used, in order; empty if nothing could match.
    public let ways: [Way]
    /// Number of candidates examined; those met on two paths count twice.
    public let looked: Int
    /// Whether the search ended at its work limit.
    public let isCutOff: Bool

    /// A search along these access paths.
    init(_ ways: [Way], looked: Int, isCutOff: Bool = false) {
        (self.ways, self.looked, self.isCutOff) = (ways, looked, isCutOff)
    }
}
