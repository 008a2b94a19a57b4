internal import Model

/// How people stand to each other.
extension Transaction {
    func write(_ change: TieChange) throws {
        switch change {
        case .asked(let asker, let other, let at):
            try run(
                "INSERT INTO friendships VALUES (?, ?, ?, ?, NULL)",
                [min(asker, other), max(asker, other), asker, at.milliseconds])
        case .made(let a, let b, let at):
            try run(
                """
                INSERT INTO friendships VALUES (?1, ?2, ?1, ?3, ?3)
                ON CONFLICT (a, b) DO UPDATE SET since_ms = max(asked_ms, excluded.since_ms)
                """, [min(a, b), max(a, b), at.milliseconds])
        case .ended(let a, let b, let at):
            try run(
                """
                INSERT INTO former_friendships SELECT a, b, since_ms, max(since_ms, ?3) FROM friendships
                WHERE a = ?1 AND b = ?2 AND since_ms IS NOT NULL
                ON CONFLICT (a, b, since_ms) DO UPDATE SET until_ms = max(until_ms, excluded.until_ms)
                """, [min(a, b), max(a, b), at.milliseconds])
            try run("DELETE FROM friendships WHERE a = ? AND b = ?", [min(a, b), max(a, b)])
        case .blocked(let person, let other, let at):
            try run("INSERT INTO blocks VALUES (?, ?, ?)", [person, other, at.milliseconds])
        case .unblocked(let person, let other):
            try run("DELETE FROM blocks WHERE person = ? AND other = ?", [person, other])
        case .decided(let person, let other, let likes, let at):
            try run("INSERT OR REPLACE INTO decisions VALUES (?, ?, ?, ?)", [person, other, likes, at.milliseconds])
        case .undecided(let person, let other):
            try run("DELETE FROM decisions WHERE person = ? AND other = ?", [person, other])
        case .label(let label?, let friend, let person):
            try run("INSERT OR REPLACE INTO labels VALUES (?, ?, ?)", [person, friend, label])
        case .label(nil, let friend, let person):
            try run("DELETE FROM labels WHERE person = ? AND friend = ?", [person, friend])
        }
    }
}
