internal import GRDB

extension Schema {
    /// A fence is a document that is only read whole, because the spatial index of fences is in memory.
    @Sendable static func addFences(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE fences (
                    number INTEGER PRIMARY KEY,
                    id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 128),
                    owner INTEGER REFERENCES people ON DELETE CASCADE,
                    revision INTEGER NOT NULL,
                    document TEXT NOT NULL
                ) STRICT;
                CREATE UNIQUE INDEX fences_by_id ON fences (ifnull(owner, -1), id);

                CREATE TABLE fence_visits (
                    fence INTEGER NOT NULL REFERENCES fences ON DELETE CASCADE,
                    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
                    since_ms INTEGER NOT NULL,
                    is_dwelling INTEGER NOT NULL CHECK (is_dwelling IN (0, 1)),
                    PRIMARY KEY (fence, person)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX fence_visits_of_person ON fence_visits (person);

                CREATE TABLE fence_fixes (
                    person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE,
                    time_ms INTEGER NOT NULL,
                    latitude_e7 INTEGER NOT NULL,
                    longitude_e7 INTEGER NOT NULL
                ) STRICT;
                """)
    }

    /// The consent of people to friends' fences, and the precision of the reported locations.
    @Sendable static func addWatches(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE fence_watches (
                    fence INTEGER NOT NULL REFERENCES fences ON DELETE CASCADE,
                    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
                    state TEXT NOT NULL CHECK (state IN ('asked', 'accepted', 'ended')),
                    asked_ms INTEGER NOT NULL,
                    answered_ms INTEGER,
                    PRIMARY KEY (fence, person)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX fence_watches_of_person ON fence_watches (person);
                ALTER TABLE events ADD COLUMN precision TEXT
                    CHECK (precision IN ('exact', 'approximate', 'city'));
                """)
    }

    /// Which fences may report a person, by friend.
    @Sendable static func addFriendAlerts(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE friend_alerts (
                    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
                    friend INTEGER NOT NULL REFERENCES people ON DELETE CASCADE CHECK (friend <> person),
                    alerts TEXT NOT NULL CHECK (alerts <> ''),
                    PRIMARY KEY (person, friend)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX friend_alerts_of_friend ON friend_alerts (friend);
                """)
    }
}
