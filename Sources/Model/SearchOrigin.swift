public import Geo

/// The search origin of a person among strangers.
public struct SearchOrigin: Hashable, Sendable {
    /// When it last moved, by the service clock.
    public var moved: Timestamp
    /// The place; nil if the position it was taken from was deleted.
    public var place: Coordinate?

    /// Creates a search origin.
    public init(place: Coordinate?, moved: Timestamp) {
        self.place = place
        self.moved = moved
    }
}

/// Since when a person can be found in a neighborhood.
public struct Residence: Hashable, Sendable {
    /// The person's cell at level ``CellLevels/coarsest``.
    public var cell: CubeCell
    /// Since when the person has been there and discoverable without interruption, by the service clock.
    public var since: Timestamp

    /// Creates a residence.
    public init(cell: CubeCell, since: Timestamp) {
        self.cell = cell
        self.since = since
    }
}
