internal import GRDB

extension Schema {
    /// A token is stored only in its link; the table has its SHA-256.
    @Sendable static func addShares(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE shares (
                    number INTEGER PRIMARY KEY,
                    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
                    id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 128),
                    token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
                    precision TEXT NOT NULL,
                    since_ms INTEGER NOT NULL,
                    expires_ms INTEGER NOT NULL,
                    place TEXT,
                    latitude_e7 INTEGER,
                    longitude_e7 INTEGER,
                    within_m REAL,
                    shows_trail INTEGER NOT NULL CHECK (shows_trail IN (0, 1)),
                    label TEXT,
                    views INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX shares_of_person ON shares (person);
                """)
    }
}
