internal import GRDB
internal import Geo
public import Model

/// Storage of people's locations that are newer than the stored positions: written on stop and occasionally.
///
/// A row older than the stored position is obsolete; compaction deletes it.
extension Schema {
    /// Reuses the fixes at the last fence transition, whose accuracy is unknown.
    @Sendable static func addLivePositions(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE fence_fixes RENAME TO live_positions;
                ALTER TABLE live_positions ADD COLUMN accuracy_m REAL;
                ALTER TABLE live_positions ADD COLUMN veiled INTEGER NOT NULL DEFAULT 0 CHECK (veiled IN (0, 1));
                UPDATE live_positions SET veiled = 1;
                """)
    }

    /// Names the mark of positions in privacy zones, and the cells that strangers are shown, as the interface does.
    @Sendable static func renameHidden(_ db: Database) throws {
        for table in ["pings", "positions", "live_positions"] {
            try db.execute(sql: "ALTER TABLE \(table) RENAME COLUMN veiled TO hidden")
        }
        try db.execute(sql: "ALTER TABLE haunts RENAME TO remembered_places")
    }
}

extension Transaction {
    /// Writes a person's location; nil deletes it.
    func writeLive(_ person: PersonNumber, _ fix: LiveFix?) throws {
        guard let fix else {
            erases = true
            return try run("DELETE FROM live_positions WHERE person = ?", [person])
        }
        try run(Self.liveInsertion, Self.columns(of: fix, person))
    }

    /// Deletes the location of a person if it is not after the erased position at `time`; nil deletes it always.
    func eraseLive(of person: PersonNumber, through time: Timestamp?) throws {
        try run(
            "DELETE FROM live_positions WHERE person = ?1 AND time_ms <= ifnull(?2, time_ms)",
            [person, time?.milliseconds])
    }

    fileprivate static let liveInsertion = """
        INSERT OR REPLACE INTO live_positions (person, time_ms, latitude_e7, longitude_e7, accuracy_m, hidden)
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
    /// Deletes a person's location that is not newer than the stored position.
    static let overtakenLive = """
        DELETE FROM live_positions
        WHERE person = ?1 AND time_ms <= (SELECT time_ms FROM positions WHERE person = ?1)
        """

    /// The query for all locations, for integrity checks.
    static let livePositions = """
        SELECT person, time_ms, latitude_e7, longitude_e7, accuracy_m, hidden FROM live_positions ORDER BY person
        """

    /// Calls `body` with each person's stored location.
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

    /// Saves the locations of people for the next start.
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
