internal import GRDB
public import Model

/// What is known of the time, as it is written now and then.
public struct KnownTime: Equatable, Sendable {
    /// An instant that is certainly past.
    public var certain: Timestamp
    /// What the clock showed then, right or wrong, or would have shown as it went before it was put further ahead.
    public var shown: Timestamp
    /// For how long it had gone on evenly then, in all runs together.
    public var even: Duration

    /// Nothing but an instant that is certainly past, unless the rest is said.
    public init(certain: Timestamp, shown: Timestamp? = nil, even: Duration = .zero) {
        self.certain = certain
        self.shown = shown ?? certain
        self.even = even
    }
}

extension Store {
    /// What was known of the time when it was last written, or when one of the newest positions was received last; nil if there
    /// is nothing yet.
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

    /// Writes what is known of the time.
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
