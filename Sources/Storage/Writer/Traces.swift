internal import GRDB
internal import Geo
public import Model

/// Deletion of a person's rows that only storage keeps and no other person's state depends on.
///
/// They are deleted in batches, because all at once may be millions of rows.
extension Transaction {
    /// The tables with such rows, the key that selects a batch, and the condition for the person.
    ///
    /// Positions are last; the person's newest position is deleted with the person.
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

    /// The number of such rows, counted up to a limit.
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
        WorkBudget.count(50 * Self.traces.count + 2 * count)
        return count
    }

    /// Deletes at most `most` of these rows.
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
