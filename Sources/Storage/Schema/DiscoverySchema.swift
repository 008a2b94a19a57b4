internal import GRDB

extension Schema {
    /// `cell_levels` has at most one row.
    @Sendable static func addLevels(_ db: Database) throws {
        try db.execute(
            sql: """
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
                """)
    }

    @Sendable static func addViewpoints(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE discovery_positions (
                    person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE,
                    moved_ms BIGINT NOT NULL,
                    position POINT CHECK (length(position) = 60)
                );
                INSERT INTO geometry_columns
                    (f_table_name, f_geometry_column, geometry_type, coord_dimension, srid, spatial_index_enabled)
                    VALUES ('discovery_positions', 'position', 1, 2, 4326, 0);
                """)
    }
}
