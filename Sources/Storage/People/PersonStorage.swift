internal import Foundation
internal import GRDB
internal import Geo
public import Model

extension Schema {
    @Sendable static func addLastHeard(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE devices ADD COLUMN last_heard_ms INTEGER")
    }
}

extension Transaction {
    func write(_ change: PeopleChange) throws {
        switch change {
        case .put(let record): try indexing(.people, record.number) { try write(record) }
        case .shared(let person, let sharing, let at): try keep(sharing, of: person, at: at)
        case .homeCell(let person, let cell):
            try run(
                "UPDATE people SET home_cell = ? WHERE number = ?", [cell.map { Int64(bitPattern: $0.id) }, person])
        case .leaving(let number): try run("INSERT INTO leaving (person) VALUES (?)", [number])
        case .tracesErased(let person, let count): try eraseTraces(of: person, atMost: count)
        case .deleted(let number): try indexing(.people, number) { try erase("people", number) }
        case .endedTokensKept(let hash, let bound?):
            try run(
                "INSERT OR REPLACE INTO ended_tokens (person_hash, not_before_ms) VALUES (?, ?)",
                [Int64(bitPattern: hash), bound.milliseconds])
        case .endedTokensKept(let hash, nil):
            try run("DELETE FROM ended_tokens WHERE person_hash = ?", [Int64(bitPattern: hash)])
        case .recentlyDeleted, .eventCounted, .eventsLimited: break
        }
    }

    func write(_ change: DeviceChange) throws {
        switch change {
        case .put(let number, let person, let device):
            try run(
                """
                INSERT INTO devices (number, person, id, token_hash, since_ms) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (number) DO UPDATE SET token_hash = excluded.token_hash, since_ms = excluded.since_ms
                """,
                [number, person, device.id.text, Data(device.token.bytes), device.since.milliseconds])
        case .contact(let number, let time): try run(Self.deviceHeard, [time.milliseconds, number])
        case .removed(let number): try run("DELETE FROM devices WHERE number = ?", [number])
        }
    }

    fileprivate static let deviceHeard = "UPDATE devices SET last_heard_ms = ? WHERE number = ?"

    private func write(_ record: Versioned<Person>) throws {
        let person = record.value
        try run(
            """
            INSERT INTO people (\(Store.personColumns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, ?)
            ON CONFLICT (number) DO UPDATE SET (revision, name, surname, city, born, sex, relationship, email, phone,
                photo, about, attributes, discoverable, throttle_distance_m, throttle_interval_ms, retention_ms,
                searchable, searchable_by_email, sharing, tokens_not_before_ms) =
                (excluded.revision, excluded.name, excluded.surname, excluded.city, excluded.born, excluded.sex,
                excluded.relationship, excluded.email, excluded.phone, excluded.photo, excluded.about,
                excluded.attributes, excluded.discoverable, excluded.throttle_distance_m,
                excluded.throttle_interval_ms, excluded.retention_ms, excluded.searchable,
                excluded.searchable_by_email, excluded.sharing, excluded.tokens_not_before_ms)
            """,
            [
                record.number, person.id.text, record.revision, person.name, person.surname, person.city,
                person.born?.description, person.sex?.rawValue, person.relationship?.rawValue, person.email,
                person.phone, person.photo, person.about, try ColumnText.encode(person.attributes),
                person.isDiscoverable, person.throttle.distance, person.throttle.interval?.milliseconds,
                person.retention?.milliseconds, person.isSearchable, person.isSearchableByEmail,
                try ColumnText.encode(person.sharing), person.tokensNotBefore?.milliseconds,
            ])
    }
}

extension Store {
    /// Saves the last contact of devices for the next start.
    ///
    /// - Complexity: O(`heard`.count * log of all), in one transaction.
    public func leave(contacts: [DeviceNumber: Timestamp]) async throws(StorageError) {
        guard !contacts.isEmpty else { return }
        do {
            try await pool.writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    let statement = try db.cachedStatement(sql: Transaction.deviceHeard)
                    for (device, time) in contacts {
                        statement.setUncheckedArguments([time.milliseconds, device])
                        try statement.execute()
                    }
                    return .commit
                }
            }
        } catch { throw StorageError(error) }
    }
}
