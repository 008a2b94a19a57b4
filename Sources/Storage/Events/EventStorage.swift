internal import GRDB
public import Model

/// Storage of the events that no reader may miss, and of the number of the last event.
extension Transaction {
    func write(_ event: Event) throws {
        lastEvent = event.number
        guard event.payload.type.isKept else { return }
        try run(
            """
            INSERT INTO events (number, at_ms, type, person, other, subject, happened_ms, is_through, note, precision)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                event.number, event.at.milliseconds, event.payload.type.rawValue, event.payload.person?.number,
                event.payload.other?.number, event.payload.subject?.text, event.payload.happened?.milliseconds,
                event.payload.isThrough, event.payload.note, event.payload.precision?.rawValue,
            ])
    }
}

extension Transaction {
    /// Deletes the events about a person in an interval, including those whose rounded time may lie in it.
    func eraseEvents(of person: PersonNumber, from first: Timestamp, through last: Timestamp) throws {
        try run(
            """
            DELETE FROM events WHERE (person = ?1 OR other = ?1 AND type LIKE 'near.%') AND happened_ms <= ?3
                AND happened_ms + CASE precision WHEN 'approximate' THEN 900000 WHEN 'city' THEN 3600000 ELSE 0 END >= ?2
            """, [person, first.milliseconds, last.milliseconds])
    }
}

extension Store {
    /// The number of the last event ever emitted; 0 for none.
    public func lastEvent() throws(StorageError) -> Int64 {
        try readNow { db in try Int64.fetchOne(db, sql: "SELECT number FROM last_event") ?? 0 }
    }

    /// The stored events after a number, in order, at most `most`.
    ///
    /// - Complexity: O(log of the stored events + events returned).
    public func events(after number: Int64, atMost most: Int) async throws(StorageError) -> [Event] {
        try await events(where: "events.number > ?", [number], atMost: most)
    }

    /// The selected events after a number, in order, at most `most`.
    ///
    /// - Complexity: O(log of the stored events + events returned + events of the groups).
    public func events(
        of selection: KeptEvents, after number: Int64, atMost most: Int
    ) async throws(StorageError) -> [Event] {
        let groups: String
        do { groups = try ColumnText.encode(selection.groups.map(\.text)) } catch { throw StorageError(error) }
        return try await events(
            where: "events.number IN (\(selection.sql))", [number, selection.person, groups, most], atMost: most)
    }

    /// The stored events that match a condition, in order, at most `most`.
    func events(
        where condition: String, _ arguments: StatementArguments, atMost most: Int
    ) async throws(StorageError) -> [Event] {
        do {
            return try await pool.read { db in
                let rows = try Row.fetchAll(
                    db,
                    sql: """
                        SELECT events.number, at_ms, type, person, a.id, other, b.id, subject, happened_ms, is_through, note,
                            precision
                        FROM events
                        LEFT JOIN people a ON a.number = person LEFT JOIN people b ON b.number = other
                        WHERE \(condition) ORDER BY events.number LIMIT \(most)
                        """, arguments: arguments)
                return try rows.map(Self.event)
            }
        } catch { throw StorageError(error) }
    }

    private static func event(_ row: Row) throws -> Event {
        guard let type = EventType(rawValue: row[2]) else { throw StorageError.damaged("event \(row[0] as Int64)") }
        func participant(_ index: Int) throws -> EventPayload.Participant? {
            guard !row.hasNull(atIndex: index) else { return nil }
            return EventPayload.Participant(try row.integer(index), ID(known: row[index + 1]))
        }
        var payload = EventPayload(
            type, try participant(3), try participant(5), about: (row[7] as String?).map { AnyID(known: $0) })
        payload.happened = (row[8] as Int64?).map { Timestamp(milliseconds: $0) }
        (payload.isThrough, payload.note) = (row[9], row[10])
        payload.precision = (row[11] as String?).flatMap(Precision.init)
        return Event(number: row[0], at: try row.timestamp(1), payload)
    }

    /// Deletes stored events older than an instant, some thousand at a time.
    ///
    /// Events from the number `owed` on are deleted only if they are older than `oldest`.
    ///
    /// - Returns: the number of deleted events.
    public func forgetEvents(
        before time: Timestamp, owed number: Int64 = .max, atLeastFrom oldest: Timestamp? = nil
    ) async throws(StorageError) -> Int {
        do {
            return try await pool.write { db in
                try db.execute(
                    sql: """
                        DELETE FROM events WHERE number IN
                            (SELECT number FROM events WHERE at_ms < ? AND (number < ? OR at_ms < ?)
                                ORDER BY at_ms LIMIT \(Self.forgottenAtOnce))
                        """, arguments: [time.milliseconds, number, (oldest ?? time).milliseconds])
                return db.changesCount
            }
        } catch { throw StorageError(error) }
    }

    private static let forgottenAtOnce = 1_000
}
