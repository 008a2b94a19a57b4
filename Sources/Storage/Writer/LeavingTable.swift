internal import GRDB
public import Model

/// The people whose deletion has begun. It goes on in turns, also after a restart.
extension Store {
    /// Calls `body` with each person whose deletion has begun, ordered by number.
    public func forEachLeaving(_ body: (_ person: PersonNumber) throws -> Void) throws(StorageError) {
        try forEach("SELECT person FROM leaving ORDER BY person") { row in try body(try row.integer(0)) }
    }
}
