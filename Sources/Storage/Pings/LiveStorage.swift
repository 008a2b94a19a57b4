internal import GRDB
internal import Geo
public import Model

/// Where people are, as far as that is newer than what is stored and was written: at a stop, and now and then.
///
/// A row that a stored position has overtaken means nothing. Folding takes it away.
extension Schema {
    /// Where people were when a fence last told of them is the same; how exact that was, nobody knows.
    @Sendable static func addLivePositions(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE fence_fixes RENAME TO live_positions;
                ALTER TABLE live_positions ADD COLUMN accuracy_m REAL;
                ALTER TABLE live_positions ADD COLUMN veiled INTEGER NOT NULL DEFAULT 0 CHECK (veiled IN (0, 1));
                UPDATE live_positions SET veiled = 1;
                """)
    }
}

extension Transaction {
    /// Writes where a person is; nil for nowhere but where they are stored.
    func writeLive(_ person: PersonNumber, _ fix: LiveFix?) throws {
        guard let fix else {
            erases = true
            return try run("DELETE FROM live_positions WHERE person = ?", [person])
        }
        try run(Self.liveInsertion, Self.columns(of: fix, person))
    }

    /// Erases where a person was up to an instant, at which a position was stored that is erased now; for nil whenever it was.
    func eraseLive(of person: PersonNumber, through time: Timestamp?) throws {
        try run(
            "DELETE FROM live_positions WHERE person = ?1 AND time_ms <= ifnull(?2, time_ms)",
            [person, time?.milliseconds])
    }

    fileprivate static let liveInsertion = """
        INSERT OR REPLACE INTO live_positions (person, time_ms, latitude_e7, longitude_e7, accuracy_m, veiled)
        VALUES (?, ?, ?, ?, ?, ?)
        """

    fileprivate static func columns(of fix: LiveFix, _ person: PersonNumber) -> [(any DatabaseValueConvertible)?] {
        [
            person, fix.time.milliseconds, fix.place.latitudeE7, fix.place.longitudeE7, fix.accuracy,
            fix.isInPrivacyZone,
        ]
    }
}

extension Store {
    /// Takes away what a stored position of a person has overtaken.
    static let overtakenLive = """
        DELETE FROM live_positions
        WHERE person = ?1 AND time_ms <= (SELECT time_ms FROM positions WHERE person = ?1)
        """

    /// The query of all, for whoever checks a file.
    static let livePositions = """
        SELECT person, time_ms, latitude_e7, longitude_e7, accuracy_m, veiled FROM live_positions ORDER BY person
        """

    /// Calls `body` with each person of whom it is written where they are.
    public func forEachLivePosition(
        _ body: (_ person: PersonNumber, LiveFix) throws -> Void
    ) throws(StorageError) {
        try forEach(Self.livePositions) { row in try body(try row.integer(0), Self.livePosition(row)) }
    }

    static func livePosition(_ row: Row) throws -> LiveFix {
        guard let place = Coordinate(latitudeE7: row[2], longitudeE7: row[3]) else {
            throw StorageError.damaged("a live position")
        }
        var fix = LiveFix(try row.timestamp(1), place, accuracy: try row.number(4))
        fix.isInPrivacyZone = row[5]
        return fix
    }

    /// Leaves to the next start where people are.
    ///
    /// - Complexity: O(`fixes`.count * log of all), in one transaction.
    public func leave(_ fixes: [(person: PersonNumber, fix: LiveFix)]) async throws(StorageError) {
        guard !fixes.isEmpty else { return }
        do {
            try await pool.writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    let statement = try db.cachedStatement(sql: Transaction.liveInsertion)
                    for (person, fix) in fixes {
                        statement.setUncheckedArguments(StatementArguments(Transaction.columns(of: fix, person)))
                        try statement.execute()
                    }
                    return .commit
                }
            }
        } catch { throw StorageError(error) }
    }
}
