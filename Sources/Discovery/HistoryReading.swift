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
        let (number, tail, sightings) = try read { picture throws(Refusal) in
            guard let number = picture.crowd.number(of: id) else { throw .unknown(.person, id) }
            return (
                number, picture.crowd.tail(of: number).pings.map(\.ping), picture.crowd.hindsight.sightings[number]
            )
        }
        let logged = tail.filter { ping in
            guard ping.time >= from, ping.time < to else { return false }
            return after.map { (ping.time, ping.sequence) > $0 } ?? true
        }
        let folded = try await store.pings(of: number, from: from, to: to, after: after, limit: limit)
        let keys = Set(folded.map(\.key))
        let all = folded + logged.filter { !keys.contains($0.key) }
        return all.sorted { $0.key < $1.key }.prefix(limit).map { $0.seen(until: sightings?.until[$0.key]) }
    }
}

extension StoredPing {
    /// The same, seen at least until a time.
    func seen(until time: Timestamp?) -> StoredPing {
        var ping = self
        if let time { ping.seenUntil = max(time, seenUntil ?? time) }
        return ping
    }
}
