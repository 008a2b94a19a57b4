public import Storage

extension Live {
    /// Whether the database answers.
    public func probe() async throws(StorageError) { try await store.probe() }

    /// The stored pings of a person in the half-open interval of fix times, oldest first, after a given one.
    ///
    /// What is still in the log is read first, then the table: a ping that moves from one to the other meanwhile is seen
    /// once.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)`` or ``StorageError``.
    public func history(
        of id: EntityID, from: Timestamp, to: Timestamp, after: (time: Timestamp, sequence: UInt8)? = nil, limit: Int
    ) async throws -> [StoredPing] {
        let (number, tail) = try read { picture throws(Refusal) in
            guard let number = picture.crowd.number(of: id) else { throw .unknown(.person, id) }
            return (number, picture.crowd.tail(of: number).pings.map(\.ping))
        }
        let logged = tail.filter { ping in
            guard ping.time >= from, ping.time < to else { return false }
            return after.map { (ping.time, ping.sequence) > $0 } ?? true
        }
        let folded = try await store.pings(of: number, from: from, to: to, after: after, limit: limit)
        let keys = Set(folded.map { PingKey($0) })
        let all = folded + logged.filter { !keys.contains(PingKey($0)) }
        return Array(all.sorted { ($0.time, $0.sequence) < ($1.time, $1.sequence) }.prefix(limit))
    }
}
