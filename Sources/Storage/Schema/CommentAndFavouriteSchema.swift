internal import GRDB

extension Schema {
    @Sendable static func addComments(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE comments (
                    number INTEGER PRIMARY KEY,
                    id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 128),
                    place INTEGER NOT NULL REFERENCES places ON DELETE CASCADE,
                    author INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
                    at_ms INTEGER NOT NULL,
                    edited_ms INTEGER CHECK (edited_ms >= at_ms),
                    revision INTEGER NOT NULL,
                    text TEXT NOT NULL
                ) STRICT;
                CREATE INDEX comments_of_place ON comments (place);
                CREATE INDEX comments_of_author ON comments (author);
                """)
    }

    @Sendable static func addFavourites(_ db: Database) throws {
        for (kind, table) in [("people", "people"), ("places", "places"), ("products", "products")] {
            try db.execute(
                sql: """
                    CREATE TABLE favourite_\(kind) (
                        other INTEGER NOT NULL REFERENCES \(table) ON DELETE CASCADE,
                        person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
                        since_ms INTEGER NOT NULL,
                        PRIMARY KEY (other, person)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX favourite_\(kind)_of_person ON favourite_\(kind) (person);
                    """)
        }
    }

    /// The creation time of older places is unknown; their numbers are in order of creation.
    @Sendable static func addCreation(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE places ADD COLUMN created_ms BIGINT")
    }
}
