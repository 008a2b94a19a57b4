internal import GRDB

extension Schema {
    /// The latest instant that is certainly past.
    @Sendable static func addKnownTime(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE known_time (
                    only INTEGER PRIMARY KEY CHECK (only = 1),
                    time_ms INTEGER NOT NULL
                ) STRICT;
                """)
    }
}

extension Store {
    /// The latest instant that is known to be past, as it was last written, or when one of the newest positions was received
    /// last; nil if there is nothing yet.
    ///
    /// - Throws: ``StorageError``.
    public func knownTime() throws(StorageError) -> Timestamp? {
        try StorageError.wrap {
            try pool.read { db in
                let sql = """
                    SELECT ifnull((SELECT time_ms FROM known_time), (SELECT max(received_ms) FROM positions))
                    """
                return try Int64.fetchOne(db, sql: sql).map { Timestamp(milliseconds: $0) }
            }
        }
    }

    /// Writes an instant that is certainly past.
    ///
    /// - Throws: ``StorageError``.
    public func keepKnownTime(_ time: Timestamp) async throws(StorageError) {
        do {
            try await pool.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO known_time VALUES (1, ?)
                        ON CONFLICT (only) DO UPDATE SET time_ms = excluded.time_ms
                        """, arguments: [time.milliseconds])
            }
        } catch { throw StorageError(error) }
    }
}
