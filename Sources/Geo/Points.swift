/// The positions of entities by handle, for scanning a list of known entities without a search for each.
public struct Points: Sendable {
    private var points = Pages<SIMD3<Int32>>()

    /// Creates an empty table.
    public init() {}

    /// The bytes of memory that the entities occupy; copies share unchanged pages.
    public var bytes: Int { points.bytes }

    /// Sets the position of an entity.
    public mutating func put(_ handle: Int32, at place: Coordinate) {
        points.fill(upTo: Int(handle) + 1, with: .zero)
        points[Int(handle)] = GridEntity.quantized(EarthCentred(place))
    }

    /// The entities of a list that are nearest to a place, ordered and selected like ``Grid``'s answer.
    ///
    /// - Parameters:
    ///   - query: the query; `filter` and `maxScan` do not apply. After `maxSteps` the rest of the list is skipped.
    ///   - origin: the place from which distances are measured.
    ///   - handles: the handles of the entities, each at most once. The position of each one in the grid must have been
    ///     set here; handles not in the grid are ignored.
    ///   - grid: the index with the exact places.
    ///   - ids: the ids of the handles.
    ///   - isWanted: the last condition, evaluated only for entities that may be in the answer by their place; it adds
    ///     its cost to the steps.
    /// - Returns: at most `query.limit` of the entities among the first `scanned`.
    /// - Complexity: O(count + limit log limit).
    public func nearest(
        _ query: NearestQuery, to origin: Coordinate, among handles: some Sequence<Int32>, of grid: borrowing Grid,
        ids: borrowing Identifiers, where isWanted: (Int32, inout Int) -> Bool
    ) -> NearestAnswer {
        var answer = NearestAnswer(neighbours: [])
        guard query.limit > 0 else { return answer }
        return withUnsafeTemporaryAllocation(of: Candidate.self, capacity: Candidates.room) { room in
            let ring = Ring(query, around: origin)
            let point = GridEntity.quantized(EarthCentred(origin))
            var candidates = Candidates(limit: query.limit, reach: ring.farthest, room)
            for handle in handles {
                guard answer.steps + answer.scanned / 20 < query.maxSteps else { break }
                answer.scanned += 1
                guard (0..<points.count).contains(Int(handle)) else { continue }
                let Δ = SIMD3<Float>(points[Int(handle)] &- point)
                let squared = (Δ * Δ).sum()
                guard squared <= candidates.reach, let place = grid.place(of: handle) else { continue }
                answer.steps += 1
                let candidate = Candidate(squared: squared, handle: handle, place: place)
                guard ring.holds(candidate, ids: ids),
                    query.region?.contains(place, steps: &answer.steps) ?? true, isWanted(handle, &answer.steps)
                else { continue }
                candidates.insert(candidate)
            }
            answer.neighbours = candidates.resolved(from: origin, ids: ids)
            answer.steps += answer.scanned / 20
            return answer
        }
    }
}
