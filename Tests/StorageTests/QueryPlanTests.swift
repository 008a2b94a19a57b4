import Foundation
import GRDB
import Storage
import Testing

/// Queries that are asked often must not read whole tables.
@Suite struct QueryPlanTests {
    @Test(arguments: [
        (
            "SELECT * FROM pings WHERE person = 1 AND (time_ms, sequence) > (5, 0) AND time_ms >= 1 AND time_ms < 9 "
                + "ORDER BY time_ms, sequence LIMIT 5",
            "SEARCH pings USING INDEX sqlite_autoindex_pings_1 (person=? AND (time_ms,sequence)>(?,?) AND time_ms<?)"
        ),
        (
            "SELECT * FROM pings WHERE person = 1 AND time_ms <= 9 ORDER BY time_ms DESC, sequence DESC",
            "SEARCH pings USING INDEX sqlite_autoindex_pings_1 (person=? AND time_ms<?)"
        ),
        (
            "SELECT * FROM pings WHERE person = 1 AND suspect = 0 ORDER BY time_ms DESC, sequence DESC LIMIT 1",
            "SEARCH pings USING INDEX sqlite_autoindex_pings_1 (person=?)"
        ),
        (
            "SELECT person, max(time_ms) FROM pings WHERE suspect = 1 GROUP BY person",
            "SCAN pings USING INDEX suspect_pings"
        ),
        ("SELECT * FROM friendships WHERE b = 3", "SEARCH friendships USING INDEX friendships_of_b (b=?)"),
        ("SELECT * FROM blocks WHERE other = 3", "SEARCH blocks USING INDEX blocks_of_other (other=?)"),
        ("SELECT * FROM decisions WHERE other = 3", "SEARCH decisions USING INDEX decisions_about_other (other=?)"),
        ("SELECT * FROM stock WHERE product = 3", "SEARCH stock USING INDEX stock_of_product (product=?)"),
        (
            "SELECT number, id, retention_ms FROM people WHERE number > 3 AND retention_ms IS NOT NULL ORDER BY number LIMIT 9",
            "SEARCH people USING INDEX people_with_retention (number>?)"
        ),
        ("SELECT * FROM devices WHERE person = 3", "SEARCH devices USING INDEX sqlite_autoindex_devices_1 (person=?)"),
        ("SELECT * FROM positions WHERE person = 3", "SEARCH positions USING INTEGER PRIMARY KEY (rowid=?)"),
    ])
    func usesAnIndex(sql: String, plan: String) async throws {
        try await withFolder { folder in
            let store = try Store(folder: folder)
            let seen = try store.inspect { db in
                try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String }
            }
            #expect(seen.contains(plan), "\(seen)")
            try store.close()
        }
    }
}
