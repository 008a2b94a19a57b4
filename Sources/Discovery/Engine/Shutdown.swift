public import Model
internal import Storage
internal import Synchronization

extension Engine {
    /// Persists all state that is only in memory and closes the store.
    ///
    /// Unwritten stays are saved for the next start, which merges them into the positions. Live positions are written.
    ///
    /// - Parameter time: the time limit for compacting the log, apart from its last few ten thousand pings; nil for no
    ///   limit. The next start compacts the rest.
    /// - Returns: the number of pings that are still in the log.
    /// - Throws: ``StorageError``; the store is closed then, too.
    @discardableResult
    public func close(compactingFor time: Duration? = nil) async throws(StorageError) -> Int {
        let end = time.map { ContinuousClock.now + $0 }
        do {
            // A node of a replicated log already has all of that in its file.
            let (stays, fixes) = replicatedLog == nil ? unwritten : ([], [])
            try await store.leave(stays)
            try await store.leave(fixes)
            if replicatedLog == nil { try await store.leave(contacts: lastHeard.withLock { $0.all }) }
            try await keepClock()
            while end.map({ ContinuousClock.now < $0 }) ?? true, try await store.compact() != nil {}
            try await store.scrub()
        } catch {
            try? store.close()
            throw error
        }
        try store.close()
        return store.uncompactedCount
    }

    private var unwritten: (stays: [PendingStay], fixes: [(person: PersonNumber, fix: LiveFix)]) {
        var stays: [PendingStay] = []
        var fixes: [(person: PersonNumber, fix: LiveFix)] = []
        var first: PersonNumber? = 0
        while let start = first {
            first = read { state in
                let (pending, next) = state.pending(from: start, dueAt: nil)
                stays += pending.compactMap { state.people.pendingStay($0) }
                fixes += pending.compactMap { one in
                    one.key == nil ? state.people.live(of: one.person).map { (one.person, $0) } : nil
                }
                return next
            }
        }
        return (stays, fixes)
    }
}

extension People {
    fileprivate func pendingStay(_ one: PendingWrite) -> PendingStay? {
        guard let key = one.key, let stay = pendingStays.stay(of: one.person, at: key) else { return nil }
        return PendingStay(person: one.person, key: key, stay: stay)
    }
}
