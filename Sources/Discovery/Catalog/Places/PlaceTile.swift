public import Geo
internal import Model

/// A tile of a map of the places of a kind, as a caller sees it: owned places only for their owner and services.
///
/// A tile with up to ``mostPlaces`` has each of them. A fuller one has a cluster for each of its cells with several.
public struct PlaceTile: Sendable {
    /// The maximum number of places that a tile has one by one.
    public static let mostPlaces = 500

    private let kind: String
    private let tile: MapTile
    private let owner: PlaceTiles.Owner

    /// A tile for a caller.
    public init(_ tile: MapTile, ofKind kind: String, for caller: Caller) {
        self.tile = tile
        self.kind = PlainText.of(kind)
        owner = if case .person(let person) = caller { .person(person) } else { .any }
    }

    /// The places without an owner, which every caller sees; nil if this caller sees owned places, too.
    ///
    /// It changes whenever a place of the tile does.
    ///
    /// - Complexity: O(log n + n / 256).
    public func publicSummary(in state: borrowing LiveState) -> TileSummary? {
        var steps = 0
        defer { WorkBudget.count(steps) }
        let index = index(of: owner, in: state)
        guard index?.summary(of: tile, steps: &steps).count ?? 0 == 0 else { return nil }
        return self.index(of: .none, in: state)?.summary(of: tile, steps: &steps) ?? TileSummary()
    }

    /// The places and clusters of the tile.
    ///
    /// - Complexity: O(``mostPlaces`` + cells * log n + n / 256).
    public func items(in state: borrowing LiveState) -> [PlaceCluster] {
        var steps = 0
        defer { WorkBudget.count(steps) }
        let indexes = [index(of: .none, in: state), index(of: owner, in: state)].compactMap(\.self)
        let count = indexes.reduce(0) { $0 + $1.summary(of: tile, steps: &steps).count }
        guard count > Self.mostPlaces else {
            steps += 10 * count
            return indexes.flatMap { $0.handles(in: tile, steps: &steps) }.compactMap { Self.item(1, $0, in: state) }
        }
        let cells = indexes.map { $0.cells(of: tile, steps: &steps) }
        let numbers = cells.first?.indices ?? 0..<0
        steps += 10 * numbers.count
        return numbers.compactMap { number in
            let parts = cells.map { $0[number] }
            let middle = parts.max { $0.count < $1.count }?.middle
            return middle.flatMap { Self.item(parts.reduce(0) { $0 + $1.count }, $0, in: state) }
        }
    }

    private func index(of owner: PlaceTiles.Owner, in state: borrowing LiveState) -> TileIndex? {
        guard let term = state.catalogue.placeIndex.words.term(folded: kind) else { return nil }
        return state.catalogue.placeIndex.tiles.index(ofKind: term, ownedBy: owner)
    }

    /// A single place, or a cluster at the position of one of its places.
    private static func item(_ count: Int, _ handle: Int32, in state: borrowing LiveState) -> PlaceCluster? {
        guard let place = state.catalogue.placeIndex[PlaceNumber(handle)]?.record.value,
            let coordinate = place.coordinate
        else { return nil }
        return PlaceCluster(count: count, coordinate: coordinate, place: count == 1 ? place : nil)
    }
}
