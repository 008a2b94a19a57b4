internal import GRDB
public import Model

extension Transaction {
    /// Writes a change; a friendship of less than a minute leaves no row, because it is never shown later.
    func write(_ change: TieChange) throws {
        switch change {
        case .asked(let asker, let other, let at):
            try run(
                "INSERT INTO friendships (a, b, asked_by, asked_ms) VALUES (?, ?, ?, ?)",
                [min(asker, other), max(asker, other), asker, at.milliseconds])
        case .made(let a, let b, let at):
            try run(
                """
                INSERT INTO friendships (a, b, asked_by, asked_ms, since_ms) VALUES (?1, ?2, ?1, ?3, ?3)
                ON CONFLICT (a, b) DO UPDATE SET since_ms = max(asked_ms, excluded.since_ms)
                """, [min(a, b), max(a, b), at.milliseconds])
        case .ended(let a, let b, let at):
            try run(
                """
                INSERT INTO former_friendships (a, b, since_ms, until_ms)
                SELECT a, b, since_ms, ?3 FROM friendships WHERE a = ?1 AND b = ?2 AND since_ms <= ?3 - 60000
                ON CONFLICT (a, b, since_ms) DO UPDATE SET until_ms = max(until_ms, excluded.until_ms)
                """, [min(a, b), max(a, b), at.milliseconds])
            try run("DELETE FROM friendships WHERE a = ? AND b = ?", [min(a, b), max(a, b)])
        case .blocked(let person, let other, let at):
            try run("INSERT INTO blocks (person, other, since_ms) VALUES (?, ?, ?)", [person, other, at.milliseconds])
        case .unblocked(let person, let other):
            try run("DELETE FROM blocks WHERE person = ? AND other = ?", [person, other])
        case .decided(let person, let other, let likes, let at):
            try run(
                "INSERT OR REPLACE INTO decisions (person, other, likes, at_ms) VALUES (?, ?, ?, ?)",
                [person, other, likes, at.milliseconds])
        case .undecided(let person, let other):
            try run("DELETE FROM decisions WHERE person = ? AND other = ?", [person, other])
        case .allUndecided(let person, let first):
            try run("DELETE FROM decisions WHERE person = ? AND other >= ?", [person, first])
        case .noted(let attribute, let text?, let friend, let person):
            try run(
                "INSERT OR REPLACE INTO \(attribute.table) (person, friend, \(attribute.rawValue)) VALUES (?, ?, ?)",
                [person, friend, text])
        case .noted(let attribute, nil, let friend, let person):
            try run("DELETE FROM \(attribute.table) WHERE person = ? AND friend = ?", [person, friend])
        }
    }
}

extension Store {
    /// Calls `body` with each friendship, and each request with nil for its beginning.
    public func forEachFriendship(
        _ body: (_ asker: PersonNumber, _ other: PersonNumber, _ asked: Timestamp, _ since: Timestamp?) throws -> Void
    ) throws(StorageError) {
        try forEach("SELECT asked_by, a + b - asked_by, asked_ms, since_ms FROM friendships ORDER BY a, b") { row in
            let since = (row[3] as Int64?).map(Timestamp.init(milliseconds:))
            try body(row.integer(0), row.integer(1), Timestamp(milliseconds: row[2]), since)
        }
    }

    /// When the newest friendship began; nil for none.
    ///
    /// - Complexity: O(friendships).
    public func newestFriendship() throws(StorageError) -> Timestamp? {
        try readNow { db in
            try Int64.fetchOne(db, sql: "SELECT max(since_ms) FROM friendships").map(Timestamp.init(milliseconds:))
        }
    }

    /// Calls `body` with each block, each decision, and each private note about a friend.
    public func forEachOpinion(_ body: (TieChange) throws -> Void) throws(StorageError) {
        try forEach("SELECT person, other, since_ms FROM blocks") { row in
            try body(.blocked(by: row.integer(0), row.integer(1), at: row.timestamp(2)))
        }
        try forEach("SELECT person, other, likes, at_ms FROM decisions") { row in
            try body(.decided(by: row.integer(0), about: row.integer(1), likes: row[2], at: row.timestamp(3)))
        }
        for attribute in FriendAttribute.allCases {
            try forEach("SELECT person, friend, \(attribute.rawValue) FROM \(attribute.table)") { row in
                try body(.noted(attribute, row[2], about: row.integer(1), by: row.integer(0)))
            }
        }
    }
}
