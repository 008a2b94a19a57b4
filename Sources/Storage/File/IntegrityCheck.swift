internal import Foundation
internal import GRDB
internal import Geo
public import Model

/// Integrity checks of a database: SQLite's pages, geometries, and consistency between tables.
extension DatabaseFile {
    /// The result of a check.
    public struct IntegrityCheck: Sendable {
        /// The faults, a sentence each; empty for an intact database.
        public var faults: [String] = []
        /// The numbers of rows of the tables of people, pings and places.
        public var counts = [(table: String, rows: Int)]()
        /// The number of pings in the log.
        public var waiting = 0
    }

    private typealias Check = (inout IntegrityCheck, Database) throws -> Void

    /// The maximum number of reported faults of each kind.
    static let mostFaults = 100

    /// Checks everything at one instant; for an older schema only what does not depend on it.
    ///
    /// - Parameter progress: called before each step with its index, from 0, and the number of steps.
    /// - Returns: the faults and the counts.
    /// - Throws: ``StorageError`` if the file cannot be read at all.
    /// - Complexity: O(size of the file).
    public func integrity(
        _ progress: (_ step: Int, _ count: Int) -> Void
    ) throws(StorageError) -> IntegrityCheck {
        let checks = Self.structure + (isNewest ? Self.contents : [])
        return try StorageError.wrap {
            try queue.unsafeRead { db in
                // GRDB's transaction would rethrow at its end the first error of a damaged page.
                try db.execute(sql: "BEGIN")
                defer { try? db.execute(sql: "ROLLBACK") }
                var integrity = IntegrityCheck()
                for (number, (name, check)) in checks.enumerated() {
                    progress(number, checks.count)
                    do { try check(&integrity, db) } catch {
                        integrity.faults.append("\(name): \(Self.words(for: error))")
                    }
                }
                return integrity
            }
        }
    }

    static func words(for error: any Error) -> String {
        switch StorageError(error) {
        case .damaged(let reason), .constraint(let reason), .other(let reason): reason
        case let error: "\(error)"
        }
    }

    private static var structure: [(String, Check)] {
        [("pages", pages), ("references", references), ("spatial index", spatialIndex)]
    }

    private static var contents: [(String, Check)] {
        [
            ("people", people), ("sharings", sharings), ("places", places), ("pings", { try points("pings", &$0, $1) }),
            ("positions", { try points("positions", &$0, $1) }), ("log", log), ("stays", stays),
            ("last positions", lastPositions), ("live positions", livePositions), ("text index", text),
            ("fences", fences), ("groups", groups), ("discovery", discovery),
        ]
    }

    /// Reads the rows of a query and reports those for which `read` throws, up to ``mostFaults``.
    static func examine(
        _ sql: String, _ integrity: inout IntegrityCheck, _ db: Database, _ name: (Row) -> String,
        _ read: (Row) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(db, sql: sql)
        var reported = 0
        while let row = try rows.next(), reported < mostFaults {
            do { try read(row) } catch {
                integrity.faults.append("\(name(row)): \(words(for: error))")
                reported += 1
            }
        }
    }

    private static func pages(_ integrity: inout IntegrityCheck, _ db: Database) throws {
        // Row by row, because the last result for a damaged page is an error.
        let said = try String.fetchCursor(db, sql: "PRAGMA integrity_check(\(mostFaults))")
        while let line = try said.next() {
            if line != "ok" { integrity.faults.append("pages: \(line.replacing("\n", with: " "))") }
        }
    }

    private static func references(_ integrity: inout IntegrityCheck, _ db: Database) throws {
        let rows = try Row.fetchAll(db, sql: "SELECT * FROM pragma_foreign_key_check LIMIT \(mostFaults)")
        integrity.faults += rows.map { row in
            let number = (row[1] as Int64?).map { "row \($0)" } ?? "a row"
            return "references: \(number) of \(row[0] as String) refers to a missing row of \(row[2] as String)"
        }
    }

    private static func people(_ integrity: inout IntegrityCheck, _ db: Database) throws {
        integrity.counts.append(("people", try count("people", db)))
        try examine("SELECT \(Store.personColumns) FROM people", &integrity, db) { row in
            "people: row \(row[0] as Int64)"
        } _: { row in
            _ = try Versioned(person: row)
        }
    }

    private static func sharings(_ integrity: inout IntegrityCheck, _ db: Database) throws {
        try examine("SELECT person, since_ms, sharing FROM sharings", &integrity, db) { row in
            "sharings: of person \(row[0] as Int64)"
        } _: { row in
            _ = try (row.timestamp(1), ColumnText.sharing(row[2]))
        }
    }

    private static func places(_ integrity: inout IntegrityCheck, _ db: Database) throws {
        integrity.counts.append(("places", try count("places", db)))
        let rows = try Row.fetchCursor(db, sql: "SELECT id, position FROM places WHERE position IS NOT NULL")
        var reported = 0
        while let row = try rows.next(), reported < mostFaults {
            guard try !isPoint(row, 1) else { continue }
            integrity.faults.append("places: the position of '\(row[0] as String)' is not a point in WGS 84")
            reported += 1
        }
        let areas = "SELECT id, area, area_within_m FROM places WHERE area IS NOT NULL"
        try examine(areas, &integrity, db, { "places: '\($0[0] as String)'" }) { row in
            _ = try AreaBlob.decode(row[1], within: row[2])
        }
    }

    /// Replaces SpatiaLite's `CheckSpatialIndex`, which needs to write and does not report positions.
    private static func spatialIndex(_ integrity: inout IntegrityCheck, _ db: Database) throws {
        let index = try String.fetchOne(db, sql: "SELECT rtreecheck('idx_places_position')")
        if let index, index != "ok" { integrity.faults.append("spatial index: \(index.replacing("\n", with: " "))") }
        let places = try String.fetchAll(
            db,
            sql: """
                SELECT id FROM places LEFT JOIN idx_places_position ON pkid = number
                WHERE position IS NOT NULL AND ifnull(MbrMinX(position) NOT BETWEEN xmin AND xmax
                    OR MbrMinY(position) NOT BETWEEN ymin AND ymax, 1)
                UNION ALL SELECT pkid FROM idx_places_position
                WHERE pkid NOT IN (SELECT number FROM places WHERE position IS NOT NULL)
                LIMIT \(mostFaults)
                """)
        integrity.faults += places.map { "spatial index: '\($0)' is not at its position in the R*Tree of places" }
    }

    private static func points(_ table: String, _ integrity: inout IntegrityCheck, _ db: Database) throws {
        integrity.counts.append((table, try count(table, db)))
        let placeCell = table == "pings" ? ", place_cell" : ""
        try examine("SELECT \(PingRow.columns)\(placeCell) FROM \(table)", &integrity, db) { row in
            "\(table): of person \(row[0] as Int64) at \(row[1] as Int64) ms"
        } _: { row in
            guard try isPoint(row, PingRow.positionIndex) else { throw StorageError.damaged("not a point in WGS 84") }
            let ping = try PingRow.decode(row)
            guard placeCell.isEmpty || PingRow.placeCell(ping) == row[PingRow.columnCount] else {
                throw StorageError.damaged("in a cell in which no search finds it")
            }
        }
    }

    private static func isPoint(_ row: Row, _ index: Int) throws -> Bool {
        try row.withUnsafeData(atIndex: index) { data in
            guard let data, let place = data.withUnsafeBytes(PointBlob.decode) else { return false }
            return PointBlob.encode(place) == data
        }
    }

    /// A ping in the log may also be in the table, if it is suspect or compaction was interrupted; both must be equal.
    private static func log(_ integrity: inout IntegrityCheck, _ db: Database) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT number, pings FROM ping_log ORDER BY number")
        let compacted = try db.makeStatement(
            sql: "SELECT \(PingRow.columns) FROM pings WHERE person = ? AND time_ms = ? AND sequence = ?")
        var seen: Set<ErasedPing> = []
        var reported = 0
        while let row = try rows.next(), reported < mostFaults {
            let name = "log: row \(row[0] as Int64)"
            do {
                let pings = try PingLog.unpack(row[1])
                integrity.waiting += pings.count
                for ping in pings {
                    let who = "of person \(ping.person) at \(ping.time.milliseconds) ms"
                    let isNew = seen.insert(ErasedPing(person: ping.person, key: ping.key)).inserted
                    if !isNew { integrity.faults.append("\(name): the position \(who) is in the log twice") }
                    let key: StatementArguments = [ping.person, ping.time.milliseconds, ping.sequence]
                    let other = try Row.fetchOne(compacted, arguments: key).map(PingRow.decode)
                    let differs = other.map { !$0.isSamePosition(as: ping) } ?? false
                    if differs { integrity.faults.append("\(name): the position \(who) differs from the one in pings") }
                    if differs || !isNew { reported += 1 }
                }
            } catch {
                integrity.faults.append("\(name): \(words(for: error))")
                reported += 1
            }
        }
    }

    private static func stays(_ integrity: inout IntegrityCheck, _ db: Database) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT stays FROM stay_log")
        while let row = try rows.next() { _ = try StayLog.unpack(row[0]) }
    }

    /// The live state is loaded from the table of positions, which must hold the newest unsuspected ping of each
    /// person.
    private static func lastPositions(_ integrity: inout IntegrityCheck, _ db: Database) throws {
        let people = try String.fetchAll(
            db,
            sql: """
                SELECT id FROM people LEFT JOIN positions ON positions.person = people.number
                WHERE (time_ms, sequence, position) IS NOT (
                    SELECT time_ms, sequence, position FROM pings WHERE person = people.number AND suspect = 0
                    ORDER BY time_ms DESC, sequence DESC LIMIT 1)
                LIMIT \(mostFaults)
                """)
        integrity.faults += people.map { "last positions: the last position of '\($0)' is not its newest ping" }
    }

    private static func livePositions(_ integrity: inout IntegrityCheck, _ db: Database) throws {
        try examine(Store.livePositions, &integrity, db) { row in
            "live positions: of person \(row[0] as Int64)"
        } _: { row in
            _ = try Store.livePosition(row)
        }
    }

    private static func text(_ integrity: inout IntegrityCheck, _ db: Database) throws {
        for table in TextTable.all {
            do { integrity.faults += try table.faults(db) } catch {
                integrity.faults.append(
                    "text index: \(table.table)_text: \(words(for: error)): 'cerca check --rebuild-text' rebuilds it")
            }
        }
    }

    private static func fences(_ integrity: inout IntegrityCheck, _ db: Database) throws {
        try examine(Store.fences, &integrity, db) { row in
            "fences: number \(row[0] as Int64)"
        } _: { row in
            _ = try Store.fence(row)
        }
    }

    /// The owner of a group is always a member of it.
    private static func groups(_ integrity: inout IntegrityCheck, _ db: Database) throws {
        let groups = try String.fetchAll(
            db,
            sql: """
                SELECT id FROM groups WHERE NOT EXISTS (
                    SELECT 1 FROM memberships WHERE group_number = number AND person = owner AND invited_by IS NULL)
                LIMIT \(mostFaults)
                """)
        integrity.faults += groups.map { "groups: the owner of '\($0)' is not a member" }
    }

    private static func count(_ table: String, _ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
    }
}

extension StoredPing {
    /// Whether the positions are equal, ignoring the stay and suspicion, which may have been updated since.
    fileprivate func isSamePosition(as other: StoredPing) -> Bool {
        var (one, other) = (self, other)
        (one.stay, other.stay) = (Stay(since: time), Stay(since: time))
        (one.isSuspect, other.isSuspect) = (false, false)
        return one == other
    }
}
