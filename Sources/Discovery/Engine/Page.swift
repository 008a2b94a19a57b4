public import Geo

/// A page of a list, and the cursor of the next.
public struct Page<Item: Sendable>: Sendable {
    /// The items of the page, in the order of the list; empty at the end.
    public var items: [Item]
    /// The point from which the list is ordered by distance.
    public var origin: Coordinate
    /// The keyset cursor of the next page; nil at the end.
    public var next: KeysetPosition?
    /// Whether the search was cut off at its work limit, or a list without pagination has more items.
    public var isTruncated = false
}
