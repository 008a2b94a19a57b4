import Foundation
import GRDB
import Model
import Storage
import TestSupport
import Testing

/// Frequent queries must not scan whole tables.
@Suite struct QueryPlanTests {
    @Test(
        "Frequent queries use an index",
        arguments: [
            (
                "SELECT * FROM pings WHERE person = 1 AND (time_ms, sequence) > (5, 0) AND time_ms >= 1 AND time_ms < 9 "
                    + "ORDER BY time_ms, sequence LIMIT 5",
                "SEARCH pings USING INDEX sqlite_autoindex_pings_1 (person=? AND (time_ms,sequence)>(?,?) AND time_ms<?)"
            ),
            (
                "SELECT * FROM pings JOIN people ON people.number = person WHERE (person, time_ms, sequence) > (1, 5, 0) "
                    + "AND person <= 9 AND suspect = 0 ORDER BY person, time_ms, sequence LIMIT 5",
                "SEARCH pings USING INDEX believed_pings ((person,time_ms,sequence)>(?,?,?) AND person<?)"
            ),
            (
                "SELECT * FROM friendships JOIN people one ON one.number = a WHERE (a, b) > (1, 2) "
                    + "AND since_ms IS NOT NULL ORDER BY a, b LIMIT 5",
                "SEARCH friendships USING PRIMARY KEY ((a,b)>(?,?))"
            ),
            (
                "SELECT * FROM stock WHERE (store, product) > (1, 2) ORDER BY store, product LIMIT 5",
                "SEARCH stock USING PRIMARY KEY ((store,product)>(?,?))"
            ),
            (
                "SELECT * FROM people WHERE number > 3 ORDER BY number LIMIT 5",
                "SEARCH people USING INTEGER PRIMARY KEY (rowid>?)"
            ),
            (BelievedSQL.before, "SEARCH pings USING INDEX believed_pings (person=? AND time_ms<?)"),
            (BelievedSQL.after, "SEARCH pings USING INDEX believed_pings (person=? AND time_ms>?)"),
            (BelievedSQL.newest, "SEARCH pings USING INDEX believed_pings (person=?)"),
            (BelievedSQL.suspects, "SEARCH pings USING INDEX suspect_pings (person=? AND time_ms=?)"),
            (
                "SELECT person, max(time_ms) FROM pings WHERE suspect = 1 GROUP BY person",
                "SCAN pings USING INDEX suspect_pings"
            ),
            (PresenceSQL.nextCell, "SEARCH pings USING INDEX pings_of_cell (<expr>>? AND <expr><?)"),
            (
                "SELECT since_ms, sharing FROM sharings WHERE person = 1 AND since_ms < 5 ORDER BY since_ms DESC",
                "SEARCH sharings USING PRIMARY KEY (person=? AND since_ms<?)"
            ),
            (
                "SELECT min(since_ms) FROM sharings WHERE person = 1 AND since_ms >= 5",
                "SEARCH sharings USING PRIMARY KEY (person=? AND since_ms>?)"
            ),
            (PresenceSQL.recent, "SEARCH pings USING INDEX pings_of_cell (<expr>=? AND time_ms>? AND time_ms<?)"),
            (
                PresenceSQL.longStays,
                "SEARCH pings USING INDEX long_stays (<expr>=? AND <expr>=? AND time_ms>? AND time_ms<?)"
            ),
            (
                "SELECT * FROM former_friendships WHERE (a = 3 OR b = 3) AND since_ms < 9 AND until_ms > 5",
                "SEARCH former_friendships USING INDEX former_friendships_of_b (b=?)"
            ),
            ("SELECT * FROM friendships WHERE b = 3", "SEARCH friendships USING INDEX friendships_of_b (b=?)"),
            ("SELECT * FROM blocks WHERE other = 3", "SEARCH blocks USING INDEX blocks_of_other (other=?)"),
            (
                "SELECT * FROM decisions WHERE other = 3",
                "SEARCH decisions USING INDEX decisions_about_other (other=?)"
            ),
            (
                "SELECT * FROM decisions WHERE person = 3 AND other >= 3",
                "SEARCH decisions USING PRIMARY KEY (person=? AND other>?)"
            ),
            ("SELECT * FROM stock WHERE product = 3", "SEARCH stock USING INDEX stock_of_product (product=?)"),
            (
                "SELECT number, id, retention_ms FROM people WHERE number > 3 AND retention_ms IS NOT NULL ORDER BY number LIMIT 9",
                "SEARCH people USING INDEX people_with_retention (number>?)"
            ),
            ("SELECT * FROM groups WHERE owner = 3", "SEARCH groups USING INDEX groups_of_owner (owner=?)"),
            (
                "SELECT * FROM memberships WHERE person = 3",
                "SEARCH memberships USING INDEX memberships_of_person (person=?)"
            ),
            (
                "SELECT * FROM memberships WHERE invited_by = 3",
                "SEARCH memberships USING INDEX memberships_by_inviter (invited_by=?)"
            ),
            ("SELECT * FROM labels WHERE friend = 3", "SEARCH labels USING INDEX labels_of_friend (friend=?)"),
            (PersonTiesSQL.friendships, "SEARCH friendships USING PRIMARY KEY (a=? AND b>?)"),
            (PersonTiesSQL.friendships, "SEARCH friendships USING INDEX friendships_of_b (b=? AND a>?)"),
            (
                PersonTiesSQL.formerFriendships,
                "SEARCH former_friendships USING PRIMARY KEY (a=? AND (b,since_ms)>(?,?))"
            ),
            (
                PersonTiesSQL.formerFriendships,
                "SEARCH former_friendships USING INDEX former_friendships_of_b (b=? AND (a,since_ms)>(?,?))"
            ),
            (PersonTiesSQL.decisions, "SEARCH decisions USING PRIMARY KEY (person=? AND other>?)"),
            (PersonTiesSQL.blocks, "SEARCH blocks USING PRIMARY KEY (person=? AND other>?)"),
            (
                PersonRecordsSQL.favourites(.people),
                "SEARCH favourite_people USING INDEX favourite_people_of_person (person=? AND other>?)"
            ),
            (
                PersonRecordsSQL.favourites(.products),
                "SEARCH favourite_products USING INDEX favourite_products_of_person (person=? AND other>?)"
            ),
            (PersonRecordsSQL.comments, "SEARCH comments USING INDEX comments_of_author (author=? AND rowid>?)"),
            (PersonRecordsSQL.sharings, "SEARCH sharings USING PRIMARY KEY (person=? AND since_ms>?)"),
            (
                "SELECT * FROM devices WHERE person = 3",
                "SEARCH devices USING INDEX sqlite_autoindex_devices_1 (person=?)"
            ),
            ("SELECT * FROM comments WHERE place = 3", "SEARCH comments USING INDEX comments_of_place (place=?)"),
            ("SELECT * FROM comments WHERE author = 3", "SEARCH comments USING INDEX comments_of_author (author=?)"),
            ("SELECT text FROM comments WHERE number = 3", "SEARCH comments USING INTEGER PRIMARY KEY (rowid=?)"),
            (
                "SELECT * FROM favourite_places WHERE other = 3", "SEARCH favourite_places USING PRIMARY KEY (other=?)"
            ),
            (
                "SELECT * FROM favourite_people WHERE person = 3",
                "SEARCH favourite_people USING INDEX favourite_people_of_person (person=?)"
            ),
            ("SELECT * FROM positions WHERE person = 3", "SEARCH positions USING INTEGER PRIMARY KEY (rowid=?)"),
        ])
    func usesAnIndex(sql: String, plan: String) async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            let seen = try store.inspect { db in
                let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
                statement.setUncheckedArguments([])
                return try Row.fetchAll(statement).map { $0["detail"] as String }
            }
            #expect(seen.contains(plan), "\(seen)")
            #expect(!seen.contains { $0.contains("TEMP B-TREE") }, "\(seen)")
            try store.close()
        }
    }

    @Test("Kept events that concern a person are read from indexes, in order") func keptEvents() async throws {
        try await withMigratedFolder { folder in
            let store = try Store(folder: folder)
            let sql = KeptEvents(of: 3, groups: [try ID("team")], withComments: true).sql
            let seen = try store.inspect { db in
                let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
                statement.setUncheckedArguments([])
                return try Row.fetchAll(statement).map { $0["detail"] as String }.filter { $0.contains("events") }
            }
            let ofComments = "SEARCH events USING COVERING INDEX events_of_comments (type=? AND rowid>?)"
            #expect(
                seen.sorted() == [
                    ofComments, ofComments, ofComments,
                    "SEARCH events USING COVERING INDEX events_of_other (other=? AND rowid>?)",
                    "SEARCH events USING COVERING INDEX events_of_person (person=? AND rowid>?)",
                    "SEARCH events USING INDEX events_of_groups (subject=? AND rowid>?)",
                ])
            let condition = "events.number IN (\(sql))"
            let whole = try store.inspect { db in
                let query = "SELECT at_ms FROM events WHERE \(condition) ORDER BY events.number LIMIT 5"
                let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(query)")
                statement.setUncheckedArguments([])
                return try Row.fetchAll(statement).map { $0["detail"] as String }
            }
            #expect(whole.contains("SEARCH events USING INTEGER PRIMARY KEY (rowid=?)"), "\(whole)")
            try store.close()
        }
    }

    @Test(
        "Searches for people use an index",
        arguments: [
            (
                "SELECT number FROM people WHERE lower(email) = lower('a') AND searchable_by_email = 1 AND number > 3 ORDER BY number",
                "SEARCH people USING INDEX people_by_email (<expr>=? AND rowid>?)"
            ),
            (
                "SELECT rowid FROM people_text WHERE people_text MATCH '\"a\"*' AND rowid > 3 ORDER BY rowid LIMIT 5",
                "SCAN people_text VIRTUAL TABLE INDEX 64:M2>"
            ),
        ])
    func findingUsesAnIndex(sql: String, plan: String) async throws { try await usesAnIndex(sql: sql, plan: plan) }
}
