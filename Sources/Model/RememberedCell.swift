public import Geo

/// A place where a person stayed, or a privacy zone, and the cell that strangers knew then.
public struct RememberedCell: Hashable, Sendable {
    /// The stored position, by which it is known when that is deleted; nil for a zone, with which its cell goes.
    public var key: PingKey?
    /// Where it is; of a zone the true middle.
    public var place: Coordinate
    /// The cell that was recorded there.
    public var cell: CubeCell

    /// A stored position, or a zone, with its cell.
    public init(key: PingKey?, place: Coordinate, cell: CubeCell) {
        self.key = key
        self.place = place
        self.cell = cell
    }
}
