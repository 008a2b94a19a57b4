internal import GRDB

extension Schema {
    /// Well-known binary, and how far in meters a circle or a corridor reaches around what it says.
    @Sendable static func addAreas(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE places ADD COLUMN area BLOB;
                ALTER TABLE places ADD COLUMN area_within_m REAL CHECK (area_within_m >= 0);
                """)
    }
}
