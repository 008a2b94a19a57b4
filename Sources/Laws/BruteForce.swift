public import Geo

/// The reference for the index: measures every entity with Karney's geodesic, then sorts and filters.
///
/// It takes no shortcuts.
public struct BruteForce: Sendable {
    /// The position of each entity, by handle.
    public private(set) var places: [Int32: Coordinate] = [:]
    /// The 64-bit signature of each entity, by handle.
    public private(set) var signatures: [Int32: UInt64] = [:]

    /// Creates a reference without entities.
    public init() {}

    /// Inserts an entity, or updates its position and signature.
    public mutating func upsert(_ handle: Int32, at place: Coordinate, signature: UInt64) {
        places[handle] = place
        signatures[handle] = signature
    }

    /// Removes an entity, if present.
    public mutating func remove(_ handle: Int32) {
        places[handle] = nil
        signatures[handle] = nil
    }

    /// The expected result of the index.
    public func nearest(
        _ query: NearestQuery, to origin: Coordinate, ids: Identifiers, where isWanted: (Int32) -> Bool = { _ in true }
    ) -> [Neighbour] {
        var found: [(micrometres: Int64, id: String, neighbour: Neighbour)] = []
        for (handle, place) in places {
            let distance = Geodesic.distance(from: origin, to: place)
            let micrometres = Int64((distance * 1e6).rounded())
            let id = ids.id(of: handle)
            guard distance <= query.within, distance >= query.beyond, query.filter.matches(signatures[handle] ?? 0),
                query.region?.contains(place) ?? true, isWanted(handle)
            else { continue }
            if let after = query.after, (micrometres, id) <= (after.micrometres, after.id) { continue }
            found.append((micrometres, id, Neighbour(handle: handle, place: place)))
        }
        return found.sorted { ($0.micrometres, $0.id) < ($1.micrometres, $1.id) }.prefix(query.limit).map(\.neighbour)
    }
}
