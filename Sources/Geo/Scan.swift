/// Nearest neighbors by linear scan: faster than an index if there are few candidates.
public enum Scan {
    /// The entities of a list that are nearest to a place, ordered and selected like ``Grid``'s answer.
    ///
    /// - Parameters:
    ///   - query: the query; `filter` and `maxScan` do not apply.
    ///   - origin: the place from which distances are measured.
    ///   - entities: handles, each at most once, with their places.
    ///   - ids: the ids of the handles.
    /// - Returns: at most `query.limit` of the entities.
    /// - Complexity: O(count + limit log limit).
    public static func nearest(
        _ query: NearestQuery, to origin: Coordinate, among entities: some Sequence<Neighbour>,
        ids: borrowing Identifiers
    ) -> [Neighbour] {
        guard query.limit > 0 else { return [] }
        return withUnsafeTemporaryAllocation(of: Candidate.self, capacity: Candidates.room) { room in
            let ring = Ring(query, around: origin)
            let point = GridEntity.quantized(EarthCentred(origin))
            var candidates = Candidates(limit: query.limit, reach: ring.farthest, room)
            for entity in entities {
                let Δ = SIMD3<Float>(GridEntity.quantized(EarthCentred(entity.place)) &- point)
                let candidate = Candidate(squared: (Δ * Δ).sum(), handle: entity.handle, place: entity.place)
                guard candidate.squared <= candidates.reach else { continue }
                if let region = query.region, !region.contains(entity.place) { continue }
                if ring.holds(candidate, ids: ids) { candidates.insert(candidate) }
            }
            return candidates.resolved(from: origin, ids: ids)
        }
    }
}
