internal import GRDB
public import Model

/// Whose deletion has begun: it goes on in turns, and after whatever broke it off.
extension Schema {
    /// The row goes with its person.
    @Sendable static func addLeaving(_ db: Database) throws {
        try db.execute(
            sql: "CREATE TABLE leaving (person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE) STRICT")
    }
}

extension Store {
    /// Calls `body` with each person whose deletion has begun, in the order of numbers.
    public func forEachLeaving(_ body: (_ person: PersonNumber) throws -> Void) throws(StorageError) {
        try forEach("SELECT person FROM leaving ORDER BY person") { row in try body(try row.integer(0)) }
    }
}
