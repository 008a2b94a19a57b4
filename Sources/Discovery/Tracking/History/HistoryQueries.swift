public import Model
internal import Storage

extension Engine {
    /// Checks that the database responds.
    public func probe() async throws(StorageError) { try await store.probe() }

    /// Returns a person's stored pings in a half-open interval of fix times, oldest first, after a cursor.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)`` or ``StorageError``.
    public func history(
        of id: PersonID, from: Timestamp, to: Timestamp, after: (time: Timestamp, sequence: UInt8)? = nil, limit: Int
    ) async throws -> [StoredPing] {
        let number = try number(of: id)
        var start = after.map { HistoryStart.after(PingKey(time: $0.time, sequence: $0.sequence)) } ?? .beginning
        var pings: [StoredPing] = []
        while pings.count < limit {
            let rows = try await self.pings(of: number, in: from..<to, from: start, limit: limit - pings.count)
            pings += rows.items
            guard !rows.isLast, let last = pings.last else { break }
            start = .after(last.key)
        }
        return pings
    }

    /// Returns the number of a person.
    ///
    /// - Throws: ``Refusal/unknown(_:_:)``.
    package func number(of id: PersonID) throws(Refusal) -> PersonNumber {
        try read { state throws(Refusal) in
            guard let number = state.people.number(of: id) else { throw .unknown(.person, id.any) }
            return number
        }
    }

    /// Returns the first pings of a person in a half-open interval of fix times, at most `limit`.
    ///
    /// The log is read first, then the table: a ping that is compacted in the meantime is read once.
    func pings(
        of number: PersonNumber, in times: Range<Timestamp>, from start: HistoryStart, limit: Int
    ) async throws(StorageError) -> Rows<StoredPing> {
        let (logTail, pendingStays) = read { state in
            (state.people.logTail[number].pings, state.people.pendingStays[number])
        }
        var rows = try await store.pings(of: number, in: times, from: start, limit: limit)
        let end = rows.isLast ? nil : rows.items.last?.key
        let compacted = Set(rows.items.map(\.key))
        let logged = logTail.lazy.map(\.ping).filter { ping in
            times.contains(ping.time) && start.admits(ping.key) && end.map { ping.key < $0 } ?? true
                && !compacted.contains(ping.key)
        }
        if !logged.isEmpty {
            rows.items = (rows.items + logged).sorted { $0.key < $1.key }
            if rows.items.count > limit {
                rows.items.removeLast(rows.items.count - limit)
                rows.isLast = false
            }
        }
        if let stays = pendingStays?.stays { rows.items = rows.items.map { $0.staying(stays[$0.key]) } }
        return rows
    }
}

extension StoredPing {
    /// Returns the ping with a stay that includes unwritten changes.
    func staying(_ stay: Stay?) -> StoredPing {
        guard let stay else { return self }
        var ping = self
        ping.stay = stay
        return ping
    }
}
