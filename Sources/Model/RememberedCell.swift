public import Geo

/// A place where a person stayed, or a privacy zone, with the public cell recorded there.
public struct RememberedCell: Hashable, Sendable {
    /// The key of the stored position, which identifies the cell on deletion; nil for a zone.
    public var key: PingKey?
    /// The place; for a zone its true center.
    public var place: Coordinate
    /// The public cell that was recorded there.
    public var cell: CubeCell

    /// Creates the cell of a stored position or a zone.
    public init(key: PingKey?, place: Coordinate, cell: CubeCell) {
        self.key = key
        self.place = place
        self.cell = cell
    }
}
