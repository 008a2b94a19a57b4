public import Geo

/// The resolution of public cells by location (k-anonymity).
public struct CellLevels: Hashable, Sendable {
    /// The level of the cells in which positions are recorded, and the finest level of a public cell.
    public static let finest = 13
    /// The coarsest level of a public cell, where no finer cell has enough people.
    public static let coarsest = 10

    /// When the levels were last computed, by the service clock; nil for never.
    public var made: Timestamp?
    /// The cells finer than the coarsest level that have enough people, and since when they have been listed.
    public var dense: [CubeCell: Timestamp] = [:]

    /// Creates levels without any dense cell.
    public init() {}

    /// The level that applies to a position in a cell of the finest level, received at an instant.
    ///
    /// A person recorded before a cell was listed stays coarse until the next position.
    public func level(of cell: CubeCell, received: Timestamp) -> Int {
        for level in stride(from: Self.finest, to: Self.coarsest, by: -1) {
            if let since = dense[cell.ancestor(level)], since <= received { return level }
        }
        return Self.coarsest
    }
}
