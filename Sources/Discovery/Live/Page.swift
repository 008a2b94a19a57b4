public import Geo

/// Part of a list, and where the rest begins.
public struct Page<Item: Sendable>: Sendable {
    /// The items of this part, in the order of the whole; empty when nothing is left.
    public var items: [Item]
    /// The place from which the whole is in order.
    public var origin: Coordinate
    /// The position to go on after; nil at the end.
    public var next: KeysetPosition?
    /// Whether the search was cut off because it had looked at as much as one search may, or a list without a next page has
    /// more.
    public var isTruncated = false
}
