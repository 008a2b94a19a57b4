internal import GRDB
internal import Geo
public import Model

/// What only the database knows of a person who is to be deleted, and what nobody else's picture depends on: taken away some at
/// a time, because all at once may be millions of rows.
extension Transaction {
    /// Where such rows are, with the key by which some of them are chosen, and which are the person's.
    ///
    /// Positions are last, and the one that is the person's newest goes with the person.
    private static let traces: [(table: String, key: String, condition: String)] = [
        ("sharings", "person, since_ms", "person = ?1"),
        ("decisions", "person, other", "person = ?1"),
        ("decisions", "person, other", "other = ?1"),
        ("former_friendships", "a, b, since_ms", "a = ?1"),
        ("former_friendships", "a, b, since_ms", "b = ?1"),
        ("events", "number", "person = ?1"),
        ("events", "number", "other = ?1"),
        (
            "pings", "number",
            """
            person = ?1 AND (time_ms, sequence) IS NOT (SELECT time_ms, sequence FROM positions WHERE person = ?1)
                ORDER BY time_ms, sequence
            """
        ),
    ]

    /// How many rows there are, counted up to a number.
    ///
    /// - Complexity: O(`most`).
    public func traces(of person: PersonNumber, atMost most: Int) throws -> Int {
        var count = 0
        for (table, key, condition) in Self.traces where count < most {
            count +=
                try Int.fetchOne(
                    db.cachedStatement(
                        sql: "SELECT count(*) FROM (SELECT \(key) FROM \(table) WHERE \(condition) LIMIT ?2)"),
                    arguments: [person, most - count]) ?? 0
        }
        Effort.count(50 * Self.traces.count + 2 * count)
        return count
    }

    /// Deletes so many of them at most.
    ///
    /// - Complexity: O(`most` * log of all rows).
    func eraseTraces(of person: PersonNumber, atMost most: Int) throws {
        erases = true
        var left = most
        for (table, key, condition) in Self.traces where left > 0 {
            try run(
                """
                DELETE FROM \(table) WHERE (\(key)) IN (SELECT \(key) FROM \(table) WHERE \(condition) LIMIT ?2)
                """, [person, left])
            left -= db.changesCount
        }
    }
}
