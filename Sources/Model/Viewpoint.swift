public import Geo

/// From where a person looks for strangers.
public struct Viewpoint: Hashable, Sendable {
    /// When it last moved, by the clock of the service.
    public var moved: Timestamp
    /// The place; nil when the position that it was is deleted.
    public var place: Coordinate?

    /// A place since an instant.
    public init(place: Coordinate?, moved: Timestamp) {
        self.place = place
        self.moved = moved
    }
}

/// How long a person can have been found in a neighborhood.
public struct Residence: Hashable, Sendable {
    /// The cell of level ``CellLevels/coarsest`` in which the person is.
    public var cell: CubeCell
    /// Since when the person is there and discoverable without a break, by the clock of the service.
    public var since: Timestamp

    /// A cell since an instant.
    public init(cell: CubeCell, since: Timestamp) {
        self.cell = cell
        self.since = since
    }
}
