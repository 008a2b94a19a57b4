internal import GRDB
public import Model

/// A time for which a person shared in one way.
public struct SharingInterval: Hashable, Sendable {
    /// From when to when, the end excluded; one that goes on has no end in sight.
    public var times: Range<Timestamp>
    /// What was shared, without the zones.
    public var sharing: Sharing
}

/// Reading what was shared when.
extension Store {
    /// Calls `body` with all that people shared but do not share any more, and until when, in the order of time for each;
    /// before they said anything that was what who states nothing shares.
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

    /// What people shared in an interval, in the order of the numbers given and of time, without a gap.
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
    /// How many changes of a day are kept one by one.
    private static let changesOfDay = 200

    /// Keeps what a person shares from an instant on.
    ///
    /// Of further changes in a day the stricter of two that follow each other is taken for both. So a person who changes often
    /// makes few rows, and nothing is shown later that was not shown then.
    ///
    /// - Throws: what SQLite does; ``StorageError``.
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
    /// What shows no more than either of two; nothing, where the hours differ.
    fileprivate func stricter(than other: Sharing) -> Sharing {
        var sharing = self
        sharing.precision = timetable == other.timetable ? max(precision, other.precision) : .hidden
        sharing.pausedUntil = [pausedUntil, other.pausedUntil].compactMap(\.self).max()
        return sharing
    }
}
