internal import Foundation
internal import GRDB
internal import Geo
public import Model

/// The open transaction of the single writer, whose changes are visible only to its own reads.
public final class Transaction {
    let db: Database
    /// The pings stored by this transaction, by their rows of the log.
    private var rows: [[StoredPing]] = [[]]
    /// The bytes of the last of these rows.
    private var lastRowSize = 0
    /// Whether data is permanently deleted.
    var erases = false
    /// The permanently deleted pings, except the pings of deleted people.
    private(set) var erased: Set<ErasedPing> = []
    /// The number of the last event of this transaction.
    var lastEvent: Int64?
    /// Whether a place is written or deleted.
    var hasPlaces = false
    /// The numbers of rows whose words are written at the end, by table.
    var unindexed: [String: Set<Int32>] = [:]
    /// The number of pings that this transaction removes from the log.
    private var unlogged = 0
    /// The change of the number of pings in the log by this transaction.
    var logGrowth: Int { rows.reduce(-unlogged) { $0 + $1.count } }
    let firstLogNumber: Int64
    /// The number of the log row for the next pings.
    public var logNumber: Int64 { firstLogNumber + Int64(rows.count - 1) }
    private let longestRow: Int

    init(_ db: Database, logNumber: Int64, longestRow: Int = .max) {
        self.db = db
        firstLogNumber = logNumber
        self.longestRow = longestRow
    }

    /// Starts another row of the log if the last one is long, because deleting a ping rewrites its whole row.
    ///
    /// Pings written until the next call are in one row.
    public func beginLogRow() {
        guard lastRowSize >= longestRow else { return }
        rows.append([])
        lastRowSize = 0
    }

    /// The believed compacted pings of a person at the latest fix time up to an instant, and the first one after it.
    ///
    /// Pings in the log are not included, because the live state holds them. Excepted pings do not count as the latest
    /// or the first; those before the instant are still in the result.
    ///
    /// - Complexity: O(log of all pings + `except`.count), regardless of the number of suspect pings between.
    public func neighbours(
        of person: PersonNumber, around time: Timestamp, except: Set<PingKey> = []
    ) throws -> (before: [StoredPing], after: StoredPing?) {
        var latest: Timestamp?
        let before = try PingRow.fetch(db, sql: BelievedSQL.before, person, [time.milliseconds]) { ping in
            if let latest, ping.time < latest { return false }
            if !except.contains(ping.key) { latest = ping.time }
            return true
        }
        var after: StoredPing?
        _ = try PingRow.fetch(db, sql: BelievedSQL.after, person, [time.milliseconds]) { ping in
            if !except.contains(ping.key) { after = ping }
            return after == nil
        }
        return (before, after)
    }

    /// The suspect compacted pings of a person at an instant.
    public func suspects(of person: PersonNumber, at time: Timestamp) throws -> [StoredPing] {
        try PingRow.fetch(db, sql: BelievedSQL.suspects, person, [time.milliseconds])
    }

    /// A compacted ping of a person; nil if there is none.
    public func ping(_ key: PingKey, of person: PersonNumber) throws -> StoredPing? {
        try PingRow.fetch(
            db, "WHERE person = ? AND time_ms = ? AND sequence = ?", person,
            [key.time.milliseconds, Int64(key.sequence)]
        ).first
    }

    /// The compacted pings of a person in an interval, ordered by key.
    ///
    /// - Complexity: O(log of all pings + pings found).
    public func pings(of person: PersonNumber, in times: ClosedRange<Timestamp>) throws -> [StoredPing] {
        try PingRow.fetch(
            db, "WHERE person = ? AND time_ms BETWEEN ? AND ? ORDER BY time_ms, sequence", person,
            [times.lowerBound.milliseconds, times.upperBound.milliseconds])
    }

    /// The given keys for which the person has compacted pings.
    ///
    /// - Complexity: O(`keys`.count * log of all pings).
    public func compacted(_ keys: Set<PingKey>, of person: PersonNumber) throws -> Set<PingKey> {
        let statement = try db.cachedStatement(
            sql: "SELECT 1 FROM pings WHERE person = ? AND time_ms = ? AND sequence = ?")
        WorkBudget.count(50 * keys.count)
        return try keys.filter { key in
            try Int.fetchOne(statement, arguments: [person, key.time.milliseconds, key.sequence]) != nil
        }
    }

    /// The newest believed compacted ping of a person without these keys; nil if there is none.
    ///
    /// - Complexity: O(log of all pings + `keys`.count).
    public func newest(of person: PersonNumber, except keys: Set<PingKey>) throws -> StoredPing? {
        var newest: StoredPing?
        _ = try PingRow.fetch(db, sql: BelievedSQL.newest, person) { ping in
            if !keys.contains(ping.key) { newest = ping }
            return newest == nil
        }
        return newest
    }

    /// Writes one change.
    public func write(_ change: Change) throws {
        switch change {
        case .people(let change): try write(change)
        case .ties(let change): try write(change)
        case .pings(let change): try write(change)
        case .strangers(let change): try write(change)
        case .devices(let change): try write(change)
        case .groups(let change): try write(change)
        case .catalogue(let change): try write(change)
        case .comments(let change): try write(change)
        case .favourites(let change): try write(change)
        case .fences(let change): try write(change)
        case .shares(let change): try write(change)
        case .webhooks(let change): try write(change)
        case .reported(let event): try write(event)
        }
    }

    private func write(_ change: PingChange) throws {
        switch change {
        case .stored(let ping): store(ping)
        case .suspected(let ping): try PingRow.markSuspect(ping, db)
        case .newest, .outlierRun, .confirmed, .livePositionChanged: break
        case .stayWritten(let person, let key, let stay, let logged):
            if let logged { try PingRow.putEarly(logged, db) }
            try writeStay(of: person, key, stay)
        case .livePositionWritten(let person, let fix): try writeLive(person, fix)
        case .eventsErased(let person, let times):
            erases = true
            try eraseEvents(of: person, from: times.lowerBound, through: times.upperBound)
        case .erased(let person, let keys, let rows, let newest):
            try erase(keys, of: person, logRows: rows)
            try eraseLive(of: person, through: newest.flatMap { _ in keys.max()?.time })
        }
    }

    private func store(_ ping: StoredPing) {
        rows[rows.count - 1].append(ping)
        lastRowSize += PingLog.size(of: ping)
    }

    /// Permanently deletes a row and its dependent rows.
    func erase(_ table: String, _ number: some DatabaseValueConvertible) throws {
        erases = true
        try run("DELETE FROM \(table) WHERE number = ?", [number])
    }

    private func writeStay(of person: PersonNumber, _ key: PingKey, _ stay: Stay) throws {
        for table in ["pings", "positions"] {
            try run(
                """
                UPDATE \(table) SET seen_until_ms = nullif(?4, time_ms), gaps = ?5
                WHERE person = ?1 AND time_ms = ?2 AND sequence = ?3
                """,
                [person, key.time.milliseconds, key.sequence, stay.until.milliseconds, PingRow.encode(stay.gaps)])
        }
    }

    private func erase(_ keys: Set<PingKey>, of person: PersonNumber, logRows: Set<Int64>) throws {
        erases = true
        for key in keys {
            try run(
                "DELETE FROM pings WHERE person = ? AND time_ms = ? AND sequence = ?",
                [person, key.time.milliseconds, key.sequence])
        }
        if let first = keys.min(), let last = keys.max() {
            try eraseEvents(of: person, from: first.time, through: last.time)
        }
        try run("DELETE FROM positions WHERE person = ?", [person])
        try run("INSERT INTO positions (\(PingRow.columns)) \(BelievedSQL.newest) LIMIT 1", [person])
        let gone = Set(keys.map { ErasedPing(person: person, key: $0) })
        erased.formUnion(gone)
        for row in rows.indices { rows[row].removeAll { gone.contains(ErasedPing(person: $0.person, key: $0.key)) } }
        for row in logRows.sorted() { try rewriteLog(row, without: gone) }
    }

    /// The cost of rewriting a row of the log, in steps of ``WorkBudget``; a row that no longer exists costs almost
    /// nothing.
    ///
    /// - Complexity: O(log of all rows).
    public func stepsOfRewriting(logRow number: Int64) throws -> Int {
        let size = try Int.fetchOne(
            db.cachedStatement(sql: "SELECT length(pings) FROM ping_log WHERE number = ?"), arguments: [number])
        return Self.rowReadCost + (size ?? 0) / Self.bytesOfStep
    }

    private func rewriteLog(_ number: Int64, without gone: Set<ErasedPing>) throws {
        let packed = try Data.fetchOne(db, sql: "SELECT pings FROM ping_log WHERE number = ?", arguments: [number])
        guard let packed else { return }
        WorkBudget.count(packed.count / Self.bytesOfStep)
        let (rest, count) = try PingLog.removing(gone, from: packed)
        unlogged += count
        try run("UPDATE ping_log SET pings = ? WHERE number = ?", [rest, number])
    }

    /// Writes the pings of this transaction to the log.
    func finish() throws {
        for (row, pings) in rows.enumerated() where !pings.isEmpty {
            let number = firstLogNumber + Int64(row)
            try run("INSERT INTO ping_log (number, pings) VALUES (?, ?)", [number, PingLog.pack(pings)])
        }
        try indexTexts()
        try finishPlaces()
        if let lastEvent { try run("UPDATE last_event SET number = ?", [lastEvent]) }
    }

    func run(_ sql: String, _ arguments: [(any DatabaseValueConvertible)?]) throws {
        let statement = try db.cachedStatement(sql: sql)
        statement.setUncheckedArguments(StatementArguments(arguments))
        let before = db.totalChangesCount
        try statement.execute()
        // Further rows of one statement cost less.
        WorkBudget.count(Self.rowReadCost + Self.stepsOfNextRow * max(0, db.totalChangesCount - before - 1))
    }

    /// The cost of a statement that writes a row, and of each further row, in steps of ``WorkBudget``.
    static let (rowReadCost, stepsOfNextRow) = (200, 40)
    /// The bytes of a log row that are read, searched and rewritten per step.
    private static let bytesOfStep = 12
}
