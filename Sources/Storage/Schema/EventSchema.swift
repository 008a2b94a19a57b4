internal import GRDB

extension Schema {
    /// Events about a person are deleted with the person.
    @Sendable static func addEvents(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE last_event (number INTEGER NOT NULL) STRICT;
                INSERT INTO last_event VALUES (0);
                CREATE TABLE events (
                    number INTEGER PRIMARY KEY,
                    at_ms INTEGER NOT NULL,
                    type TEXT NOT NULL,
                    person INTEGER REFERENCES people ON DELETE CASCADE,
                    other INTEGER REFERENCES people ON DELETE CASCADE,
                    subject TEXT,
                    happened_ms INTEGER,
                    is_through INTEGER NOT NULL CHECK (is_through IN (0, 1)),
                    note TEXT
                ) STRICT;
                CREATE INDEX events_by_time ON events (at_ms);
                CREATE INDEX events_of_person ON events (person) WHERE person IS NOT NULL;
                CREATE INDEX events_of_other ON events (other) WHERE other IS NOT NULL;
                """)
    }

    /// Indexes the visible events that do not name a person: membership events of groups, and comments.
    @Sendable static func indexEvents(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE INDEX events_of_groups ON events (subject) WHERE type IN ('group.joined', 'group.left');
                CREATE INDEX events_of_comments ON events (type)
                    WHERE type IN ('comment.created', 'comment.changed', 'comment.deleted');
                """)
    }
}
