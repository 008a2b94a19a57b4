internal import GRDB
public import Model

/// Groups, written and read back.
extension Transaction {
    func write(_ change: GroupChange) throws {
        switch change {
        case .put(let record): try write(record)
        case .deleted(let number): try run("DELETE FROM groups WHERE number = ?", [number])
        case .invited(let group, let person, let inviter, let at):
            try run(
                "INSERT OR REPLACE INTO memberships (group_number, person, invited_by, since_ms) VALUES (?, ?, ?, ?)",
                [group, person, inviter, at.milliseconds])
        case .joined(let group, let person, let at):
            try run(
                "INSERT OR REPLACE INTO memberships (group_number, person, since_ms) VALUES (?, ?, ?)",
                [group, person, at.milliseconds])
        case .left(let group, let person):
            try run("DELETE FROM memberships WHERE group_number = ? AND person = ?", [group, person])
        }
    }

    private func write(_ record: Versioned<Group>) throws {
        let group = record.value
        try run(
            """
            INSERT INTO groups (number, id, revision, name, photo, hours, timezone, owner)
            VALUES (?, ?, ?, ?, ?, ?, ?, (SELECT number FROM people WHERE id = ?))
            ON CONFLICT (number) DO UPDATE SET (revision, name, photo, hours, timezone, owner) = (excluded.revision,
                excluded.name, excluded.photo, excluded.hours, excluded.timezone, excluded.owner)
            """,
            [
                record.number, group.id.text, record.revision, group.name, group.photo, group.timetable?.hours,
                group.timetable?.timezone, group.owner.text,
            ])
    }
}

extension Store {
    /// Calls `body` with each group.
    public func forEachGroup(_ body: (Versioned<Group>) throws -> Void) throws(StorageError) {
        let sql = """
            SELECT groups.number, groups.id, groups.revision, groups.name, groups.photo, hours, timezone, people.id
            FROM groups JOIN people ON people.number = owner ORDER BY groups.number
            """
        try forEach(sql) { row in
            var group = Group(id: ID(known: row[1]), name: row[3], owner: ID(known: row[7]))
            group.photo = row[4]
            if let hours = row[5] as String?, let timezone = row[6] as String? {
                group.timetable = ZonedHours(hours: hours, timezone: timezone)
            }
            try body(Versioned(number: try row.integer(0), revision: row[2], value: group))
        }
    }

    /// Calls `body` with each member of a group, and each person who is invited to it, by whom.
    public func forEachMembership(
        _ body: (_ group: GroupNumber, _ person: PersonNumber, _ inviter: PersonNumber?, _ since: Timestamp) throws ->
            Void
    ) throws(StorageError) {
        try forEach("SELECT group_number, person, invited_by, since_ms FROM memberships ORDER BY group_number") { row in
            let inviter: PersonNumber? = row.hasNull(atIndex: 2) ? nil : try row.integer(2)
            try body(row.integer(0), row.integer(1), inviter, row.timestamp(3))
        }
    }
}
