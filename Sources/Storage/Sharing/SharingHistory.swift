internal import GRDB
public import Model

/// An interval during which a person's sharing settings did not change.
public struct SharingInterval: Hashable, Sendable {
    /// The half-open interval; for the current settings it ends in the far future.
    public var times: Range<Timestamp>
    /// The settings, without the zones.
    public var sharing: Sharing
}

/// Reads of the sharing history.
extension Store {
    /// Calls `body` with all former sharing settings of people and their ends, in chronological order for each person.
    ///
    /// Before the first change the default settings applied.
    public func forEachFormerSharing(
        _ body: (_ person: PersonNumber, Sharing, _ until: Timestamp) throws -> Void
    ) throws(StorageError) {
        var former: (person: PersonNumber, sharing: String?)?
        try forEach("SELECT person, since_ms, sharing FROM sharings ORDER BY person, since_ms") { row in
            let person: PersonNumber = try row.integer(0)
            let sharing = former.flatMap { $0.person == person ? $0.sharing : nil }
            try body(person, try ColumnText.sharing(sharing), try row.timestamp(1))
            former = (person, row[2])
        }
    }

    /// Before all positions: the year 1.
    private static let beginning = Timestamp(milliseconds: -62_135_596_800_000)

    /// The sharing settings of people in an interval, in the order of the given numbers and of time, without gaps.
    ///
    /// - Complexity: O(`people`.count * (log of all changes + changes since the interval began)).
    public func sharings(
        of people: [PersonNumber], in times: Range<Timestamp>
    ) async throws(StorageError) -> [[SharingInterval]] {
        try await read(each: people) { person, db in try Self.sharings(of: person, in: times, db) }
    }

    static let sharingsBefore =
        "SELECT since_ms, sharing FROM sharings WHERE person = ? AND since_ms < ? ORDER BY since_ms DESC"
    static let sharingAfter = "SELECT min(since_ms) FROM sharings WHERE person = ? AND since_ms >= ?"

    private static func sharings(
        of person: PersonNumber, in times: Range<Timestamp>, _ db: Database
    ) throws -> [SharingInterval] {
        let end = times.upperBound.milliseconds
        let next = try Int64.fetchOne(db.cachedStatement(sql: sharingAfter), arguments: [person, end])
        var until = Timestamp(milliseconds: next ?? .max)
        var intervals: [SharingInterval] = []
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sharingsBefore), arguments: [person, end])
        while let row = try rows.next() {
            let since = try row.timestamp(0)
            intervals.append(SharingInterval(times: since..<until, sharing: try ColumnText.sharing(row[1])))
            until = since
            if since <= times.lowerBound { return intervals.reversed() }
        }
        intervals.append(SharingInterval(times: min(beginning, until)..<until, sharing: Sharing()))
        return intervals.reversed()
    }
}

extension Transaction {
    /// The number of changes of a day that are stored individually.
    private static let changesOfDay = 200

    /// Stores a person's sharing settings from an instant on.
    ///
    /// Beyond the limit of a day, two consecutive changes are merged into the stricter one. So a person who changes
    /// settings often creates few rows, and nothing is shown later that was hidden then.
    ///
    /// - Throws: SQLite's errors; ``StorageError``.
    func keep(_ sharing: Sharing, of person: PersonNumber, at time: Timestamp) throws {
        func row(_ back: Int) throws -> Row? {
            try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT since_ms, sharing FROM sharings WHERE person = ? ORDER BY since_ms DESC LIMIT 1 OFFSET ?
                        """), arguments: [person, back])
        }
        let last = try row(0)
        if let last, let before = try row(1), let oldest = try row(Self.changesOfDay - 1),
            time - (try oldest.timestamp(0)) < .seconds(86_400)
        {
            let stricter = try ColumnText.sharing(before[1]).stricter(than: ColumnText.sharing(last[1]))
            try run("DELETE FROM sharings WHERE person = ? AND since_ms = ?", [person, last[0] as Int64])
            try run(
                "UPDATE sharings SET sharing = ? WHERE person = ? AND since_ms = ?",
                [try ColumnText.encode(stricter), person, before[0] as Int64])
        }
        let since = max(time, try last?.timestamp(0) ?? time)
        try run(
            """
            INSERT INTO sharings (person, since_ms, sharing) VALUES (?, ?, ?)
            ON CONFLICT (person, since_ms) DO UPDATE SET sharing = excluded.sharing
            """, [person, since.milliseconds, try ColumnText.encode(sharing)])
    }
}

extension Sharing {
    /// Settings that show no more than either of two; nothing, if the hours differ.
    fileprivate func stricter(than other: Sharing) -> Sharing {
        var sharing = self
        sharing.precision = timetable == other.timetable ? max(precision, other.precision) : .hidden
        sharing.pausedUntil = [pausedUntil, other.pausedUntil].compactMap(\.self).max()
        return sharing
    }
}
