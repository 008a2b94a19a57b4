/// Nearest neighbours among a few known candidates, one by one: what a query does when an index would not pay.
public enum Scan {
    /// The entities of a list that are nearest to a place, in the same order and by the same rules as ``Grid``'s answer.
    ///
    /// - Parameters:
    ///   - query: what is asked; `filter` and `maxScan` do not apply.
    ///   - origin: where distances are measured from.
    ///   - entities: handles, each at most once, with their places.
    ///   - ids: what the handles stand for.
    /// - Returns: At most `query.limit` of the entities.
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
