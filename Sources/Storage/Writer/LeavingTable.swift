internal import GRDB
public import Model

/// The people whose deletion has begun, so that it continues in turns and after an interruption.
extension Schema {
    /// The row is deleted with its person.
    @Sendable static func addLeaving(_ db: Database) throws {
        try db.execute(
            sql: "CREATE TABLE leaving (person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE) STRICT")
    }
}

extension Store {
    /// Calls `body` with each person whose deletion has begun, ordered by number.
    public func forEachLeaving(_ body: (_ person: PersonNumber) throws -> Void) throws(StorageError) {
        try forEach("SELECT person FROM leaving ORDER BY person") { row in try body(try row.integer(0)) }
    }
}
