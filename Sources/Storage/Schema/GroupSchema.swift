internal import GRDB

extension Schema {
    /// A row with an inviter is an invitation, a row without one is a membership.
    @Sendable static func addGroups(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE groups (
                    number INTEGER PRIMARY KEY,
                    id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 128),
                    revision INTEGER NOT NULL,
                    name TEXT NOT NULL, photo TEXT,
                    hours TEXT, timezone TEXT,
                    owner INTEGER NOT NULL REFERENCES people,
                    CHECK ((hours IS NULL) = (timezone IS NULL))
                ) STRICT;
                CREATE INDEX groups_of_owner ON groups (owner);

                CREATE TABLE memberships (
                    group_number INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
                    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
                    invited_by INTEGER REFERENCES people ON DELETE CASCADE CHECK (invited_by <> person),
                    since_ms INTEGER NOT NULL,
                    PRIMARY KEY (group_number, person)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX memberships_of_person ON memberships (person);
                CREATE INDEX memberships_by_inviter ON memberships (invited_by);
                """)
    }

    static func addNotes(_ name: String, in table: String) -> @Sendable (Database) throws -> Void {
        let sql = """
            CREATE TABLE \(table) (
                person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
                friend INTEGER NOT NULL REFERENCES people ON DELETE CASCADE CHECK (friend <> person),
                \(name) TEXT NOT NULL CHECK (\(name) <> ''),
                PRIMARY KEY (person, friend)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX \(table)_of_friend ON \(table) (friend);
            """
        return { db in try db.execute(sql: sql) }
    }
}
