internal import Foundation
public import Geo
public import Model

/// The places in one cell of a map.
public struct PlaceCluster: Sendable {
    /// The number of places.
    public var count: Int
    /// The position of a single place, or the mean position of several.
    public var coordinate: Coordinate
    /// The place, if it is the only one.
    public var place: Place?
}

/// A clustering of an area's places by map cells, in parts between which the state may change.
public struct PlaceClusters: SearchInParts {
    /// The side of a cube face, in meters.
    private static let face = 1.0e7
    /// The approximate maximum width of the area, in cells.
    private static let mostAcross = 64.0

    private let query: PlaceListQuery
    private let conditions: PlaceConditions
    private let region: Region
    private let level: Int
    /// nil before the first part.
    private var search: PlaceSearch?
    private var gathered: GridClusters?
    /// The number of candidates examined, if the candidates are few.
    private var looked = 0
    /// The result in the order of cell ids, once all parts are done.
    public private(set) var items: [PlaceCluster] = []

    /// A clustering of all places that match a query, for an area of any size.
    ///
    /// A cell is about 64 pixels wide at this zoom of a Web Mercator map with 256-pixel tiles, and larger in large
    /// areas.
    public init(of query: PlaceListQuery, in region: Region, zoom: Int) {
        (self.query, self.region) = (query, region)
        conditions = PlaceConditions(query.filter)
        let across = region.circles.map { 2 * ($0.map(\.radius).max() ?? 0) } ?? 4 * Self.face
        level = min(zoom, max(0, Int(log2(Self.mostAcross * Self.face / max(1, across)))))
    }

    /// - Complexity: O(places of the area), for all parts together.
    package mutating func look(at state: borrowing LiveState, steps most: Int) -> Bool {
        var steps = 0
        defer { WorkBudget.count(steps) }
        if search == nil {
            search = PlaceSearch(query, conditions, fewInside: 0, state.catalogue.placeIndex, &steps)
            gathered = search.map { GridClusters(in: region, $0.signature, level: level) }
        }
        guard let search, gather(search, state.catalogue.placeIndex, &steps, most) else { return search == nil }
        steps += 3 * (gathered?.clusters.count ?? 0)
        items = (gathered?.clusters ?? [:]).sorted { $0.key.id < $1.key.id }.compactMap { _, cluster in
            guard cluster.count == 1 else { return PlaceCluster(count: cluster.count, coordinate: cluster.middle) }
            // A place deleted in the meantime is omitted.
            guard let place = state.catalogue.placeIndex[PlaceNumber(cluster.handle)]?.record.value,
                let coordinate = place.coordinate
            else { return nil }
            return PlaceCluster(count: 1, coordinate: coordinate, place: place)
        }
        return true
    }

    /// - Returns: whether this was the last part.
    private mutating func gather(
        _ search: PlaceSearch, _ index: borrowing PlaceIndex, _ steps: inout Int, _ most: Int
    ) -> Bool {
        guard let few = search.few else {
            let isAny = search.isAny
            return gathered?.walk(index.grid, steps: &steps, most: most) { handle, steps in
                isAny || search.matches(PlaceNumber(handle), index, &steps)
            } ?? true
        }
        while looked < few.count {
            guard steps < most else { return false }
            let number = few[looked]
            looked += 1
            if search.matches(number, index, &steps), let place = index[number]?.record.value.coordinate {
                steps += 1
                gathered?.add(number.rawValue, at: place)
            }
        }
        return true
    }

    package var course: QueryTrace {
        let ways: [QueryTrace.Way] = search.map { $0.few == nil ? [.all] : [.each] } ?? []
        return QueryTrace(ways, looked: gathered?.looked ?? 0)
    }
}
