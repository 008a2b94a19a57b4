internal import Foundation
public import Geo
public import Model

/// Places that lie in one cell of a map together.
public struct PlaceCluster: Sendable {
    /// How many there are.
    public var count: Int
    /// Where the place is, or the middle of several.
    public var coordinate: Coordinate
    /// The place, if it is alone.
    public var place: Place?
}

/// The places of an area by cells of a map, gathered in parts, between which the picture may change.
public struct PlaceClusters: SearchInParts {
    /// The side of a face of the cube, in metres.
    private static let face = 1.0e7
    /// The area is no more than about so many cells wide.
    private static let mostAcross = 64.0

    private let query: PlaceListQuery
    private let conditions: PlaceConditions
    private let region: Region
    private let level: Int
    /// Nil before the first part.
    private var search: PlaceSearch?
    private var gathered: GridClusters?
    /// How many of those were looked at that can match at all, if these are few.
    private var looked = 0
    /// What was found, once all parts were looked at, along the cells' ids.
    public private(set) var items: [PlaceCluster] = []

    /// Places that match a query, of whose area nothing is left out however large it is.
    ///
    /// On a Web Mercator map of that zoom, whose tiles have 256 pixels, a cell has about 64. A larger area has larger cells.
    public init(of query: PlaceListQuery, in region: Region, zoom: Int) {
        (self.query, self.region) = (query, region)
        conditions = PlaceConditions(query.filter)
        let across = region.circles.map { 2 * ($0.map(\.radius).max() ?? 0) } ?? 4 * Self.face
        level = min(zoom, max(0, Int(log2(Self.mostAcross * Self.face / max(1, across)))))
    }

    /// - Complexity: O(places of the area), of all parts together.
    package mutating func look(at picture: borrowing Picture, steps most: Int) -> Bool {
        var steps = 0
        defer { Effort.count(steps) }
        if search == nil {
            search = PlaceSearch(query, conditions, fewInside: 0, picture.catalogue.placeIndex, &steps)
            gathered = search.map { GridClusters(in: region, $0.signature, level: level) }
        }
        guard let search, gather(search, picture.catalogue.placeIndex, &steps, most) else { return search == nil }
        steps += 3 * (gathered?.clusters.count ?? 0)
        items = (gathered?.clusters ?? [:]).sorted { $0.key.id < $1.key.id }.compactMap { _, cluster in
            guard cluster.count == 1 else { return PlaceCluster(count: cluster.count, coordinate: cluster.middle) }
            // Whoever is gone meanwhile is not told.
            guard let place = picture.catalogue.placeIndex[PlaceNumber(cluster.handle)]?.record.value,
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

    package var course: SearchCourse {
        let ways: [SearchCourse.Way] = search.map { $0.few == nil ? [.all] : [.each] } ?? []
        return SearchCourse(ways, looked: gathered?.looked ?? 0)
    }
}
