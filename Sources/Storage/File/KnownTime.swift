internal import GRDB
public import Model

/// The persisted knowledge about the current time.
public struct KnownTime: Equatable, Sendable {
    /// An instant that is certainly past.
    public var certain: Timestamp
    /// The reading of the clock then, right or wrong, or the reading it would have had without being set further ahead.
    public var shown: Timestamp
    /// How long the clock had run steadily by then, over all runs.
    public var even: Duration

    /// Creates knowledge of a past instant; by default nothing else is known.
    public init(certain: Timestamp, shown: Timestamp? = nil, even: Duration = .zero) {
        self.certain = certain
        self.shown = shown ?? certain
        self.even = even
    }
}

extension Store {
    /// The knowledge as last written, or the latest reception time of a newest position; nil if there is none.
    ///
    /// - Throws: ``StorageError``.
    public func knownTime() throws(StorageError) -> KnownTime? {
        try readNow { db in
            let sql = """
                SELECT time_ms, shown_ms, even_ms FROM known_time
                UNION ALL SELECT max(received_ms), NULL, 0 FROM positions LIMIT 1
                """
            guard let row = try Row.fetchOne(db, sql: sql), let certain = row[0] as Int64? else { return nil }
            return KnownTime(
                certain: Timestamp(milliseconds: certain),
                shown: (row[1] as Int64?).map { Timestamp(milliseconds: $0) }, even: .milliseconds(row[2] as Int64))
        }
    }

    /// Writes the knowledge about the time.
    ///
    /// - Throws: ``StorageError``.
    public func keepKnownTime(_ known: KnownTime) async throws(StorageError) {
        do {
            try await pool.write { db in
                try db.execute(
                    sql: "INSERT OR REPLACE INTO known_time (only, time_ms, shown_ms, even_ms) VALUES (1, ?, ?, ?)",
                    arguments: [
                        known.certain.milliseconds, known.shown.milliseconds, known.even.milliseconds,
                    ])
            }
        } catch { throw StorageError(error) }
    }
}
