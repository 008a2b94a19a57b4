internal import GRDB

/// The tables of release 0.2.0, which had schema 25.
extension Schema {
    /// `InitSpatialMetaData(1)` fails inside a transaction; `'WGS84'` works and adds only the SRIDs of that datum.
    ///
    /// Positions of people are plain columns registered as geometry. SpatiaLite's triggers would cost a third of the
    /// ingest rate, and no query needs the R*Tree that `places` has.
    @Sendable static func create(_ db: Database) throws {
        try db.execute(sql: "SELECT InitSpatialMetaData('WGS84')")
        for sql in [tablesOfPeople, tablesOfPositions, tablesOfPlaces, tablesOfText] { try db.execute(sql: sql) }
        for kind in ["people", "places", "products"] { try db.execute(sql: tableOfFavorites(kind)) }
        for table in TextTable.all { try db.execute(sql: table.creation()) }
    }

    /// `devices` has the SHA-256 of tokens, which are stored only on their devices.
    ///
    /// A row of `memberships` with an inviter is an invitation.
    private static let tablesOfPeople = """
        CREATE TABLE secrets (
            name TEXT PRIMARY KEY,
            value BLOB NOT NULL CHECK (length(value) = 32)
        ) STRICT, WITHOUT ROWID;

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
            home_cell INTEGER,
            retention_ms INTEGER CHECK (retention_ms > 0),
            searchable INTEGER NOT NULL DEFAULT 1 CHECK (searchable IN (0, 1)),
            searchable_by_email INTEGER NOT NULL DEFAULT 0 CHECK (searchable_by_email IN (0, 1)),
            sharing TEXT CHECK (sharing IS NULL OR json_valid(sharing))
        ) STRICT;
        CREATE INDEX people_with_retention ON people (number) WHERE retention_ms IS NOT NULL;
        CREATE INDEX people_by_email ON people (lower(email)) WHERE searchable_by_email = 1;

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

        CREATE TABLE sharings (
            person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
            since_ms INTEGER NOT NULL,
            sharing TEXT CHECK (sharing IS NULL OR json_valid(sharing)),
            PRIMARY KEY (person, since_ms)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE labels (
            person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
            friend INTEGER NOT NULL REFERENCES people ON DELETE CASCADE CHECK (friend <> person),
            label TEXT NOT NULL CHECK (label <> ''),
            PRIMARY KEY (person, friend)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX labels_of_friend ON labels (friend);

        CREATE TABLE leaving (person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE) STRICT;

        CREATE TABLE devices (
            number INTEGER PRIMARY KEY,
            person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
            id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 128),
            token_hash BLOB NOT NULL CHECK (length(token_hash) = 32),
            since_ms INTEGER NOT NULL,
            UNIQUE (person, id)
        ) STRICT;

        CREATE TABLE former_friendships (
            a INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
            b INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
            since_ms INTEGER NOT NULL,
            until_ms INTEGER NOT NULL CHECK (until_ms >= since_ms),
            PRIMARY KEY (a, b, since_ms),
            CHECK (a < b)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX former_friendships_of_b ON former_friendships (b);

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

        INSERT INTO secrets VALUES ('order', randomblob(32)), ('cursor', randomblob(32)), ('zones', randomblob(32));
        """

    /// `long_stays` finds stays of more than an hour by their length, in steps of a factor of four.
    ///
    /// `believed_pings` finds the believed neighbors of a run of suspect pings. `cell_levels` has at most one row.
    private static let tablesOfPositions = """
        CREATE TABLE ping_log (
            number INTEGER PRIMARY KEY,
            pings BLOB NOT NULL
        ) STRICT;

        CREATE TABLE pings (
            number INTEGER PRIMARY KEY,
            \(pingColumns),
            place_cell BIGINT,
            UNIQUE (person, time_ms, sequence)
        );
        CREATE INDEX suspect_pings ON pings (person, time_ms) WHERE suspect = 1;
        CREATE INDEX pings_of_cell ON pings (ifnull(place_cell, public_cell), time_ms);
        CREATE INDEX long_stays ON pings (ifnull(place_cell, public_cell), CASE
            WHEN seen_until_ms - time_ms <= 14400000 THEN 1 WHEN seen_until_ms - time_ms <= 57600000 THEN 2
            WHEN seen_until_ms - time_ms <= 230400000 THEN 3 WHEN seen_until_ms - time_ms <= 921600000 THEN 4
            WHEN seen_until_ms - time_ms <= 3686400000 THEN 5 ELSE 6 END, time_ms)
            WHERE seen_until_ms > time_ms + 3600000;
        CREATE INDEX believed_pings ON pings (person, time_ms, sequence) WHERE suspect = 0;

        CREATE TABLE positions (
            \(pingColumns),
            PRIMARY KEY (person)
        );

        CREATE TABLE stay_log (number INTEGER PRIMARY KEY, stays BLOB NOT NULL) STRICT;

        CREATE TABLE residences (
            person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE,
            cell INTEGER NOT NULL,
            since_ms INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE cell_levels (
            number INTEGER PRIMARY KEY CHECK (number = 0),
            made_ms INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE haunts (
            person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE,
            places BLOB NOT NULL CHECK (length(places) % 25 = 0)
        ) STRICT;

        CREATE TABLE dense_cells (cell INTEGER PRIMARY KEY, since_ms INTEGER NOT NULL) STRICT;

        CREATE TABLE discovery_positions (
            person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE,
            moved_ms BIGINT NOT NULL,
            position POINT CHECK (length(position) = 60)
        );

        CREATE TABLE known_time (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            time_ms INTEGER NOT NULL,
            shown_ms INTEGER,
            even_ms INTEGER NOT NULL DEFAULT 0 CHECK (even_ms >= 0)
        ) STRICT;

        INSERT INTO geometry_columns
            (f_table_name, f_geometry_column, geometry_type, coord_dimension, srid, spatial_index_enabled)
            VALUES ('pings', 'position', 1, 2, 4326, 0), ('positions', 'position', 1, 2, 4326, 0),
            ('discovery_positions', 'position', 1, 2, 4326, 0);
        """

    private static let tablesOfPlaces = """
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
        ALTER TABLE places ADD COLUMN created_ms BIGINT;

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
            created_ms INTEGER NOT NULL DEFAULT 0,
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
        """

    private static func tableOfFavorites(_ kind: String) -> String {
        """
        CREATE TABLE favourite_\(kind) (
            other INTEGER NOT NULL REFERENCES \(kind) ON DELETE CASCADE,
            person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
            since_ms INTEGER NOT NULL,
            PRIMARY KEY (other, person)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX favourite_\(kind)_of_person ON favourite_\(kind) (person);
        """
    }

    /// `text_version` is the version of the words in the text indexes.
    ///
    /// A program that folds words differently rebuilds the indexes.
    private static let tablesOfText = """
        CREATE TABLE text_version (version INTEGER NOT NULL) STRICT;
        INSERT INTO text_version VALUES (0);
        CREATE TABLE text_erasures (
            name TEXT PRIMARY KEY,
            count INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    private static let pingColumns = """
        person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
        time_ms BIGINT NOT NULL,
        sequence INTEGER NOT NULL CHECK (sequence BETWEEN 0 AND 255),
        received_ms BIGINT NOT NULL,
        device TEXT NOT NULL,
        public_cell BIGINT NOT NULL,
        accuracy_m REAL, altitude_m REAL, speed_mps REAL, heading REAL, battery REAL,
        position POINT NOT NULL CHECK (length(position) = 60),
        seen_until_ms BIGINT CHECK (seen_until_ms >= time_ms),
        suspect INTEGER NOT NULL DEFAULT 0 CHECK (suspect IN (0, 1)),
        gaps BLOB,
        veiled INTEGER NOT NULL DEFAULT 0 CHECK (veiled IN (0, 1))
        """
}
