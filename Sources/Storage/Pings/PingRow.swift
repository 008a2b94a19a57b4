internal import Foundation
internal import GRDB
internal import Geo
internal import Model

/// A row of the tables `pings` and `positions`.
enum PingRow {
    static let columns = """
        person, time_ms, sequence, received_ms, device, public_cell,
        accuracy_m, altitude_m, speed_mps, heading, battery, position,
        seen_until_ms, suspect, gaps, hidden
        """

    static let columnCount = 16

    static let positionIndex = 11

    /// The insertion of a row into `pings`.
    static let insertion = """
        INSERT INTO pings (\(columns), place_cell) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (person, time_ms, sequence)
        """

    /// The cell by which a position in a privacy zone is searched, because its public cell may be far away; nil outside
    /// of zones.
    static func placeCell(_ ping: StoredPing) -> Int64? {
        ping.isInPrivacyZone ? Int64(bitPattern: CubeCell(containing: ping.place, level: CellLevels.finest).id) : nil
    }

    /// Binds the columns that both tables have.
    static func append(_ ping: StoredPing, to parameters: inout Parameters) {
        parameters.append(ping.person.rawValue)
        parameters.append(ping.time.milliseconds)
        parameters.append(ping.sequence)
        parameters.append(ping.received.milliseconds)
        parameters.append(ping.device)
        parameters.append(Int64(bitPattern: ping.publicCell.id))
        let details = ping.details
        parameters.append(details.accuracy)
        parameters.append(details.altitude)
        parameters.append(details.speed)
        parameters.append(details.heading)
        parameters.append(details.battery)
        parameters.append(PointBlob.bytes(of: ping.place))
        parameters.append(ping.seenUntil?.milliseconds)
        parameters.append(ping.isSuspect)
        parameters.append(bytes(of: ping.gaps))
        parameters.append(ping.isInPrivacyZone)
    }

    static func insert(_ ping: StoredPing, by statement: Statement, _ db: Database) throws {
        try statement.run(in: db) { parameters in
            append(ping, to: &parameters)
            parameters.append(placeCell(ping))
        }
    }

    @inline(__always) static func decode(_ row: some RowColumns) throws -> StoredPing {
        let place = try row.withBytes(positionIndex) { $0.flatMap(PointBlob.decode) }
        guard let place, let cell = CubeCell(id: UInt64(bitPattern: try row.integer(5) as Int64)) else {
            throw StorageError.damaged("a ping with an impossible place")
        }
        var ping = StoredPing(
            person: try row.integer(0), time: try row.timestamp(1), received: try row.timestamp(3), place: place,
            publicCell: cell)
        ping.sequence = try row.integer(2)
        ping.device = row.text(4)
        ping.details.accuracy = try row.number(6)
        ping.details.altitude = try row.number(7)
        ping.details.speed = try row.number(8)
        ping.details.heading = try row.number(9)
        ping.details.battery = try row.number(10)
        guard ping.details.accuracy ?? 0 >= 0 else { throw StorageError.damaged("a ping with a negative accuracy") }
        ping.seenUntil = row.isNull(12) ? nil : try row.timestamp(12)
        ping.isSuspect = try row.integer(13) as Int8 == 1
        ping.gaps = try row.withBytes(14) { try $0.map { try decodeGaps(Data($0)) } } ?? []
        ping.isInPrivacyZone = try row.integer(15) as Int8 == 1
        return ping
    }

    /// Both ends of each gap in milliseconds, little endian; nil for no gaps.
    static func encode(_ gaps: [Stay.Gap]) -> Data? { bytes(of: gaps).map { Data($0) } }

    private static func bytes(of gaps: [Stay.Gap]) -> [UInt8]? {
        guard !gaps.isEmpty else { return nil }
        var bytes: [UInt8] = []
        bytes.append(packed: gaps)
        return bytes
    }

    private static func decodeGaps(_ data: Data) throws(StorageError) -> [Stay.Gap] {
        var reader = PackedReader(bytes: data, of: "gaps")
        var gaps: [Stay.Gap] = []
        while !reader.isAtEnd { gaps.append(try reader.gap()) }
        return gaps
    }

    /// Makes the newest believed ping of a person the person's position, unless the person has a later one.
    static func takePosition(_ db: Database) throws -> Statement {
        try db.cachedStatement(
            sql: "INSERT INTO positions (\(columns)) \(BelievedSQL.newest) LIMIT 1 \(unlessLater)")
    }

    /// Makes a bound, believed ping the person's position, unless the person has a later one.
    static func takeAsPosition(_ db: Database) throws -> Statement {
        try db.cachedStatement(
            sql: """
                INSERT INTO positions (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                \(unlessLater)
                """)
    }

    private static let unlessLater = """
        ON CONFLICT (person) DO UPDATE SET (time_ms, sequence, received_ms, device, public_cell, accuracy_m,
            altitude_m, speed_mps, heading, battery, position, seen_until_ms, suspect, gaps, hidden) = (excluded.time_ms,
            excluded.sequence, excluded.received_ms, excluded.device, excluded.public_cell,
            excluded.accuracy_m, excluded.altitude_m, excluded.speed_mps, excluded.heading, excluded.battery,
            excluded.position, excluded.seen_until_ms, excluded.suspect,
            excluded.gaps, excluded.hidden)
        WHERE (excluded.time_ms, excluded.sequence) > (time_ms, sequence)
        """

    /// Inserts a ping that is still in the log into the tables; compaction will skip it.
    static func putEarly(_ ping: StoredPing, _ db: Database) throws {
        try insert(ping, by: db.cachedStatement(sql: "\(insertion) DO NOTHING"), db)
        try takePosition(db).execute(arguments: [ping.person])
    }

    /// Inserts or updates a ping as suspect, even if it is still in the log; compaction will skip it.
    static func markSuspect(_ ping: StoredPing, _ db: Database) throws {
        var marked = ping
        marked.isSuspect = true
        try insert(marked, by: db.cachedStatement(sql: "\(insertion) DO UPDATE SET suspect = 1"), db)
        try db.execute(sql: "DELETE FROM positions WHERE person = ?", arguments: [ping.person])
        try takePosition(db).execute(arguments: [ping.person])
        WorkBudget.count(3 * Transaction.rowReadCost)
    }

    static func fetch(
        _ db: Database, _ clauses: String, _ person: PersonNumber, _ numbers: [Int64]
    ) throws -> [StoredPing] {
        try fetch(db, sql: "SELECT \(columns) FROM pings \(clauses)", person, numbers)
    }

    /// The rows of a query of all columns, up to the first unwanted one; its parameters are a person and numbers.
    static func fetch(
        _ db: Database, sql: String, _ person: PersonNumber, _ numbers: [Int64] = [],
        while isWanted: (StoredPing) -> Bool = { _ in true }
    ) throws -> [StoredPing] {
        var pings: [StoredPing] = []
        var read = 0
        defer { WorkBudget.count(50 + 20 * read) }
        try db.cachedStatement(sql: sql).forEachRow(in: db) { parameters in
            parameters.append(person.rawValue)
            for number in numbers { parameters.append(number) }
        } _: { row in
            read += 1
            let ping = try decode(row)
            guard isWanted(ping) else { return false }
            pings.append(ping)
            return true
        }
        return pings
    }
}
