internal import GRDB

extension Schema {
    /// The area as well-known binary, and the radius of a circle or corridor around it in meters.
    @Sendable static func addAreas(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE places ADD COLUMN area BLOB;
                ALTER TABLE places ADD COLUMN area_within_m REAL CHECK (area_within_m >= 0);
                """)
    }

    @Sendable static func addProductAttributes(_ db: Database) throws {
        try db.execute(
            sql: "ALTER TABLE products ADD COLUMN attributes TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(attributes))")
    }
}
