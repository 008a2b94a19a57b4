internal import GRDB

extension Schema {
    /// The outbox of a webhook consists of the stored events it has not received; its progress determines them.
    @Sendable static func addWebhooks(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE webhooks (
                    number INTEGER PRIMARY KEY,
                    id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 128),
                    revision INTEGER NOT NULL,
                    document TEXT NOT NULL,
                    secret BLOB NOT NULL CHECK (length(secret) >= 24),
                    former_secret BLOB CHECK (length(former_secret) >= 24),
                    former_until_ms INTEGER,
                    progress TEXT NOT NULL,
                    CHECK ((former_secret IS NULL) = (former_until_ms IS NULL))
                ) STRICT;
                """)
    }
}
