public import Foundation

extension CercaClient {
    /// Sends positions, which may be sent again: each has its time, so that what is stored twice is known.
    ///
    /// - Returns: a verdict for each. A ping that is not stored is no error.
    /// - Throws: ``CercaError``.
    public func send(_ pings: [Ping]) async throws -> PingReport {
        var request = Request(.POST, "/v1/pings" as Path, Query(), try JSON.text(pings))
        request.mayBeRepeated = true
        return try await ask(request)
    }

    /// The stored positions of a person, in the order of time.
    ///
    /// - Parameters:
    ///   - id: the person.
    ///   - from: the first time, if any.
    ///   - to: the time before which they are, if any.
    ///   - area: in this polygon.
    ///   - bbox: in this box.
    ///   - simplifyM: those are left out that are so near to the line of the others, in metres.
    ///   - limit: items of a page, at most 10,000; the service's own number if nil.
    /// - Returns: pages, none of which is asked for yet.
    /// - Throws: an `EncodingError` for an area that cannot be written; the pages throw ``CercaError``.
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
