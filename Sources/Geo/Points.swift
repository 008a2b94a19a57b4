/// Where entities are, by handle: for looking at many known ones without searching for each.
public struct Points: Sendable {
    private var points = Pages<SIMD3<Int32>>()

    /// Nothing yet.
    public init() {}

    /// The bytes of memory that the entities occupy; copies share what neither has changed.
    public var bytes: Int { points.bytes }

    /// Notes where an entity is.
    public mutating func put(_ handle: Int32, at place: Coordinate) {
        points.fill(upTo: Int(handle) + 1, with: .zero)
        points[Int(handle)] = GridEntity.quantized(EarthCentred(place))
    }

    /// The entities of a list that are nearest to a place, in the same order and by the same rules as ``Grid``'s answer.
    ///
    /// - Parameters:
    ///   - query: what is asked; `filter` and `maxScan` do not apply. After `maxSteps` the rest of the list is not looked at.
    ///   - origin: where distances are measured from.
    ///   - handles: of entities, each at most once. Those in the grid were put here where they are there, others are not in
    ///     the answer.
    ///   - grid: where the entities are found exactly.
    ///   - ids: what the handles stand for.
    ///   - isWanted: the last condition, asked only of entities that may be in the answer by their place; it adds what it costs to
    ///     the steps.
    /// - Returns: At most `query.limit` of the entities among the first `scanned`.
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
