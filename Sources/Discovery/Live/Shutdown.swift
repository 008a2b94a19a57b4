public import Model
internal import Storage

extension Live {
    /// Keeps all that is only in memory and closes the store.
    ///
    /// How long people were seen near positions is left to the next start, which writes it to the positions.
    ///
    /// - Parameter time: how long pings may be moved from the log into the tables, apart from the last few ten thousand of
    ///   them; nil for as long as it takes. The next start moves those that are left.
    /// - Returns: how many are left.
    /// - Throws: ``StorageError``; it is closed then, too.
    @discardableResult
    public func close(foldingFor time: Duration? = nil) async throws(StorageError) -> Int {
        let end = time.map { ContinuousClock.now + $0 }
        do {
            try await store.leave(unwrittenStays)
            try await keepClock()
            while end.map({ ContinuousClock.now < $0 }) ?? true, try await store.fold() != nil {}
            try await store.scrub()
        } catch {
            try? store.close()
            throw error
        }
        try store.close()
        return store.unfoldedCount
    }

    private var unwrittenStays: [UnwrittenStay] {
        var stays: [UnwrittenStay] = []
        var first: PersonNumber? = 0
        while let start = first {
            let (some, next) = read { picture in
                let (sighted, next) = picture.sighted(from: start, dueAt: nil)
                return (sighted.compactMap { picture.people.unwrittenStay($0) }, next)
            }
            stays += some
            first = next
        }
        return stays
    }
}

extension People {
    fileprivate func unwrittenStay(_ one: Sighted) -> UnwrittenStay? {
        unwrittenStays[one.person]?.stays[one.key].map {
            UnwrittenStay(person: one.person, key: one.key, stay: $0)
        }
    }
}
