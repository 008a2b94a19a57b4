package import GRDB
internal import Model

/// The migrations of the database file, oldest first.
///
/// Migrations are only ever appended: a test compares the result of each with its recorded result.
package enum Schema {
    /// The version that this program writes.
    static let version = migrations.count

    package static let migrations: [(String, @Sendable (Database) throws -> Void)] = [
        ("1 people, places, pings", create),
        ("2 what later pings tell of a position", addHindsight),
        ("3 finding suspect pings", indexSuspects),
        ("4 how long positions of a person are kept", addRetention),
        ("5 who was where and when", indexPresence),
        ("6 devices", addDevices),
        ("7 finding by text", addText),
        ("8 gaps in stays", addGaps),
        ("9 comments", addComments),
        ("10 favourites", addFavourites),
        ("11 when places were made", addCreation),
        ("12 when products were made", addMade),
        ("13 groups", addGroups),
        ("14 labels", addNotes("label", in: "labels")),
        ("15 what people share", addSharing),
        ("16 levels of cells", addLevels),
        ("17 discovery positions", addViewpoints),
        ("18 where people in zones are", addPlaceCells),
        ("19 finding believed pings", indexBelieved),
        ("20 counting erased words", countErasedWords),
        ("21 what time it is at least", addKnownTime),
        ("22 words of every script", addTextVersion),
        ("23 how long the clock has gone on", addClockPace),
        ("24 begun deletions", addLeaving),
        ("25 stays of a stop", addStayLog),
        ("26 events", addEvents),
        ("27 fences", addFences),
        ("28 fences of friends", addWatches),
        ("29 links", addShares),
        ("30 webhooks", addWebhooks),
        ("31 live positions", addLivePositions),
        ("32 areas of places", addAreas),
        ("33 how far a log was followed", addFollowedLog),
        ("34 ended tokens", addEndedTokens),
        ("35 areas of fences", addFenceAreas),
        ("36 when devices were last heard", addLastHeard),
        ("37 whose fences may tell of a person, by friend", addNotes("alerts", in: "friend_alerts")),
        ("38 finding events of groups and comments", indexEvents),
        ("39 indexes without triggers", dropIndexTriggers),
    ]

    /// Migrates a file to ``version``.
    ///
    /// - Throws: ``StorageError/newerSchema(found:known:)`` for a file that a later program wrote.
    static func migrate(_ writer: some DatabaseWriter) throws {
        try writer.read { db in try refuseNewer(db) }
        try migrator.migrate(writer)
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (name, migration) in migrations {
            // No migration recreates a table, so the references of the whole file need not be checked after each.
            migrator.registerMigration(name, foreignKeyChecks: .immediate, migrate: migration)
        }
        return migrator
    }

    private static func refuseNewer(_ db: Database) throws {
        let applied = try migrator.appliedIdentifiers(db)
        guard applied.isSubset(of: Set(migrations.map(\.0))) else {
            let found = applied.compactMap { Int($0.prefix { $0.isNumber }) }.max() ?? 0
            throw StorageError.newerSchema(found: found, known: version)
        }
    }

    /// The version of a file.
    ///
    /// - Throws: ``StorageError/newerSchema(found:known:)``, or ``StorageError/damaged(_:)`` for a file of another
    ///   program.
    static func version(of db: Database) throws -> Int {
        try refuseNewer(db)
        let count = try migrator.appliedIdentifiers(db).count
        guard count > 0 else { throw StorageError.damaged("it is none of Cerca's") }
        return count
    }

    /// `InitSpatialMetaData(1)` fails inside a transaction; `'WGS84'` works and adds only the SRIDs of that datum.
    ///
    /// Positions of people are plain columns registered as geometry: SpatiaLite's triggers would cost a third of the
    /// ingest rate, and no query needs the R*Tree that `places` has.
    @Sendable private static func create(_ db: Database) throws {
        try db.execute(
            sql: """
                SELECT InitSpatialMetaData('WGS84');

                CREATE TABLE secrets (
                    name TEXT PRIMARY KEY,
                    value BLOB NOT NULL CHECK (length(value) = 32)
                ) STRICT, WITHOUT ROWID;
                INSERT INTO secrets VALUES ('order', randomblob(32)), ('cursor', randomblob(32));

                CREATE TABLE people (
                    number INTEGER PRIMARY KEY,
                    id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 128),
                    revision INTEGER NOT NULL,
                    name TEXT, surname TEXT, city TEXT,
                    born TEXT CHECK (born IS date(born)),
                    sex TEXT CHECK (sex IN ('female', 'male', 'other')),
                    relationship TEXT CHECK (relationship IN ('single', 'partnered', 'married', 'separated',
                        'divorced', 'widowed', 'open', 'complicated')),
                    email TEXT, phone TEXT, photo TEXT, about TEXT,
                    attributes TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(attributes)),
                    discoverable INTEGER NOT NULL DEFAULT 0 CHECK (discoverable IN (0, 1)),
                    throttle_distance_m REAL CHECK (throttle_distance_m >= 0),
                    throttle_interval_ms INTEGER CHECK (throttle_interval_ms >= 0),
                    home_cell INTEGER
                ) STRICT;

                CREATE TABLE friendships (
                    a INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
                    b INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
                    asked_by INTEGER NOT NULL CHECK (asked_by IN (a, b)),
                    asked_ms INTEGER NOT NULL,
                    since_ms INTEGER CHECK (since_ms >= asked_ms),
                    PRIMARY KEY (a, b),
                    CHECK (a < b)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX friendships_of_b ON friendships (b);

                CREATE TABLE blocks (
                    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
                    other INTEGER NOT NULL REFERENCES people ON DELETE CASCADE CHECK (other <> person),
                    since_ms INTEGER NOT NULL,
                    PRIMARY KEY (person, other)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX blocks_of_other ON blocks (other);

                CREATE TABLE decisions (
                    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
                    other INTEGER NOT NULL REFERENCES people ON DELETE CASCADE CHECK (other <> person),
                    likes INTEGER NOT NULL CHECK (likes IN (0, 1)),
                    at_ms INTEGER NOT NULL,
                    PRIMARY KEY (person, other)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX decisions_about_other ON decisions (other);

                CREATE TABLE ping_log (
                    number INTEGER PRIMARY KEY,
                    pings BLOB NOT NULL
                ) STRICT;

                CREATE TABLE pings (
                    number INTEGER PRIMARY KEY,
                    \(pingColumns),
                    UNIQUE (person, time_ms, sequence)
                );

                CREATE TABLE positions (
                    \(pingColumns),
                    PRIMARY KEY (person)
                );

                CREATE TABLE places (
                    number INTEGER PRIMARY KEY,
                    id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 128),
                    revision INTEGER NOT NULL,
                    kind TEXT NOT NULL, name TEXT NOT NULL,
                    address TEXT, category TEXT,
                    tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
                    hours TEXT, timezone TEXT, owner TEXT,
                    attributes TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(attributes))
                );
                SELECT AddGeometryColumn('places', 'position', 4326, 'POINT', 'XY');
                SELECT CreateSpatialIndex('places', 'position');

                CREATE TABLE products (
                    number INTEGER PRIMARY KEY,
                    id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 128),
                    revision INTEGER NOT NULL,
                    brand TEXT, name TEXT NOT NULL, category TEXT, gender TEXT,
                    colors TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(colors)),
                    materials TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(materials)),
                    sizes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(sizes)),
                    price INTEGER CHECK (price >= 0), currency TEXT CHECK (length(currency) = 3),
                    description TEXT, url TEXT, photo TEXT,
                    CHECK ((price IS NULL) = (currency IS NULL))
                ) STRICT;

                CREATE TABLE stock (
                    store INTEGER NOT NULL REFERENCES places ON DELETE CASCADE,
                    product INTEGER NOT NULL REFERENCES products ON DELETE CASCADE,
                    price INTEGER CHECK (price >= 0), currency TEXT CHECK (length(currency) = 3),
                    sizes TEXT NOT NULL CHECK (json_valid(sizes)),
                    PRIMARY KEY (store, product),
                    CHECK ((price IS NULL) = (currency IS NULL))
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX stock_of_product ON stock (product);

                INSERT INTO geometry_columns
                    (f_table_name, f_geometry_column, geometry_type, coord_dimension, srid, spatial_index_enabled)
                    VALUES ('pings', 'position', 1, 2, 4326, 0), ('positions', 'position', 1, 2, 4326, 0);
                """)
    }

    @Sendable private static func addHindsight(_ db: Database) throws {
        for table in ["pings", "positions"] {
            try db.execute(
                sql: """
                    ALTER TABLE \(table) ADD COLUMN seen_until_ms BIGINT CHECK (seen_until_ms >= time_ms);
                    ALTER TABLE \(table) ADD COLUMN suspect INTEGER NOT NULL DEFAULT 0 CHECK (suspect IN (0, 1));
                    """)
        }
    }

    @Sendable private static func indexSuspects(_ db: Database) throws {
        try db.execute(sql: "CREATE INDEX suspect_pings ON pings (person, time_ms) WHERE suspect = 1")
    }

    /// Finds the believed pings around any number of consecutive suspect pings at once.
    @Sendable private static func indexBelieved(_ db: Database) throws {
        try db.execute(sql: "CREATE INDEX believed_pings ON pings (person, time_ms, sequence) WHERE suspect = 0")
    }

    @Sendable private static func addRetention(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE people ADD COLUMN retention_ms INTEGER CHECK (retention_ms > 0);
                CREATE INDEX people_with_retention ON people (number) WHERE retention_ms IS NOT NULL;
                """)
    }

    @Sendable private static func addEndedTokens(_ db: Database) throws {
        try db.execute(
            sql: "ALTER TABLE people ADD COLUMN tokens_not_before_ms INTEGER CHECK (tokens_not_before_ms >= 0)")
    }

    /// Indexes stays of more than an hour by duration, in classes of a factor of four.
    ///
    /// So a search examines few stays that ended before its interval.
    @Sendable private static func indexPresence(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE INDEX pings_of_cell ON pings (public_cell, time_ms);
                CREATE INDEX long_stays ON pings (public_cell, CASE
                    WHEN seen_until_ms - time_ms <= 14400000 THEN 1 WHEN seen_until_ms - time_ms <= 57600000 THEN 2
                    WHEN seen_until_ms - time_ms <= 230400000 THEN 3 WHEN seen_until_ms - time_ms <= 921600000 THEN 4
                    WHEN seen_until_ms - time_ms <= 3686400000 THEN 5 ELSE 6 END, time_ms)
                    WHERE seen_until_ms > time_ms + 3600000;

                CREATE TABLE former_friendships (
                    a INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
                    b INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
                    since_ms INTEGER NOT NULL,
                    until_ms INTEGER NOT NULL CHECK (until_ms >= since_ms),
                    PRIMARY KEY (a, b, since_ms),
                    CHECK (a < b)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX former_friendships_of_b ON former_friendships (b);
                """)
    }

    @Sendable private static func addGaps(_ db: Database) throws {
        for table in ["pings", "positions"] { try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN gaps BLOB") }
    }

    /// For existing products only the time of the last change is known.
    @Sendable private static func addMade(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE products ADD COLUMN created_ms INTEGER NOT NULL DEFAULT 0;
                UPDATE products SET created_ms = revision;
                """)
    }

    /// A token is stored only on its device; the table has the SHA-256 of its secret.
    @Sendable private static func addDevices(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE devices (
                    number INTEGER PRIMARY KEY,
                    person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
                    id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 128),
                    token_hash BLOB NOT NULL CHECK (length(token_hash) = 32),
                    since_ms INTEGER NOT NULL,
                    UNIQUE (person, id)
                ) STRICT;
                """)
    }

    private static let pingColumns = """
        person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
        time_ms BIGINT NOT NULL,
        sequence INTEGER NOT NULL CHECK (sequence BETWEEN 0 AND 255),
        received_ms BIGINT NOT NULL,
        device TEXT NOT NULL,
        public_cell BIGINT NOT NULL,
        accuracy_m REAL, altitude_m REAL, speed_mps REAL, heading REAL, battery REAL,
        position POINT NOT NULL CHECK (length(position) = 60)
        """
}
