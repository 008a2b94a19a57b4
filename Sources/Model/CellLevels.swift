public import Geo

/// How fine public cells are, place by place.
public struct CellLevels: Hashable, Sendable {
    /// The level of the cells in which positions are recorded, and that nobody's public cell is finer than.
    public static let finest = 13
    /// The level where fewest people are.
    public static let coarsest = 10

    /// When this was last made anew, by the clock of the service; nil for never.
    public var made: Timestamp?
    /// The cells of levels finer than the coarsest that have enough people, and since when they have been listed.
    public var dense: [CubeCell: Timestamp] = [:]

    /// No cell has enough people.
    public init() {}

    /// The level in force where a cell of the finest level lies, for a position that was received at an instant.
    ///
    /// Whoever was recorded before a cell was listed stays coarse until the next position.
    public func level(of cell: CubeCell, received: Timestamp) -> Int {
        for level in stride(from: Self.finest, to: Self.coarsest, by: -1) {
            if let since = dense[cell.ancestor(level)], since <= received { return level }
        }
        return Self.coarsest
    }
}
