public import Foundation

extension CercaClient {
    /// Sends positions; a retry is safe, because their times identify positions that are already stored.
    ///
    /// - Returns: a verdict per position. A position that is not stored is not an error.
    /// - Throws: ``CercaError``.
    public func send(_ pings: [Ping]) async throws -> PingReport {
        var request = Request(.POST, "/v1/pings" as Path, Query(), try JSON.text(pings))
        request.mayBeRepeated = true
        return try await ask(request)
    }

    /// Returns the stored positions of a person in order of time.
    ///
    /// - Parameters:
    ///   - id: the person's id.
    ///   - from: the start of the interval, inclusive; nil for no bound.
    ///   - to: the end of the interval, exclusive; nil for no bound.
    ///   - area: a polygon that contains the positions.
    ///   - bbox: a box that contains the positions.
    ///   - simplifyM: the tolerance of line simplification in meters.
    ///   - limit: maximum number of items per page, at most 10,000; the service's default if nil.
    /// - Returns: pages that are requested on demand.
    /// - Throws: an `EncodingError` for an invalid area; the pages throw ``CercaError``.
    public func history(
        of id: String, from: Date? = nil, to: Date? = nil, in area: Area? = nil, bbox: BoundingBox? = nil,
        simplifyM: Double? = nil, limit: Int? = nil
    ) throws -> Pages<StoredPing> {
        var query = Query()
        if from != nil || to != nil {
            query.add("datetime", [from, to].map { $0.map(Instant.text) ?? ".." }.joined(separator: "/"))
        }
        query.add("in", try area.map(JSON.text))
        query.add("bbox", bbox)
        query.add("simplify_m", simplifyM)
        query.add("limit", limit)
        return Pages(of: self, "/v1/people/\(id)/history", query)
    }
}
