/// How a search came to its answer, for who wants to know why it took so long, or why there is not more.
public struct SearchCourse: Hashable, Sendable {
    /// How things are looked for.
    public enum Way: String, CaseIterable, Sendable {
        /// The nearest first, with the index of places.
        case byDistance = "by_distance"
        /// One after the other in the order that is asked for.
        case inOrder = "in_order"
        /// The stores that have one of the products.
        case byProduct = "by_product"
        /// Each of a few that alone can match: friends, places of an owner, what has the words, what lies in a small area.
        case each
        /// All that there are, one after the other.
        case all
    }

    /// The ways that were gone, in this order; none if nothing could match.
    public let ways: [Way]
    /// How many things were looked at; those twice that were met on two ways.
    public let looked: Int
    /// Whether so many were looked at that the search ended.
    public let isCutOff: Bool

    /// A search that went these ways.
    init(_ ways: [Way], looked: Int, isCutOff: Bool = false) {
        (self.ways, self.looked, self.isCutOff) = (ways, looked, isCutOff)
    }
}
