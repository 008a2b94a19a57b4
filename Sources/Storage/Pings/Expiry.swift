internal import Foundation
internal import GRDB
public import Model

/// Pings of a person that have exceeded their retention.
public struct Expired: Sendable {
    /// The id of the person.
    public var person: PersonID
    /// The keys of the pings.
    public var keys: [PingKey]
}

extension Store {
    /// The maximum numbers of people examined and of pings found in one transaction.
    private static let peopleAtOnce = 10_000
    private static let pingsAtOnce = 10_000
    private static let pingsOfOne = 1_000

    /// The compacted pings of some people that exceed the shorter of the person's and the service's retention.
    ///
    /// - Parameters:
    ///   - person: only people with greater numbers are examined.
    ///   - retention: the service's retention; nil for none.
    ///   - now: the instant from which ages are computed.
    /// - Returns: the expired pings, and the number to continue from; -1 after the last person.
    /// - Throws: ``StorageError`` if it cannot be read.
    /// - Complexity: O(people examined * log of all pings).
    public func expired(
        after person: PersonNumber, retention: Duration?, now: Timestamp
    ) async throws(StorageError) -> (expired: [Expired], last: PersonNumber) {
        return try await read { db in try Self.expired(db, after: person, retention, now) }
    }

    private static func expired(
        _ db: Database, after person: PersonNumber, _ retention: Duration?, _ now: Timestamp
    ) throws -> (expired: [Expired], last: PersonNumber) {
        // Without a retention of the service an index finds the few people who have their own.
        let people = try Row.fetchCursor(
            db,
            sql: """
                SELECT number, id, min(ifnull(retention_ms, ?1), ifnull(?1, retention_ms)) FROM people
                WHERE number > ?2 \(retention == nil ? "AND retention_ms IS NOT NULL" : "") ORDER BY number LIMIT ?3
                """, arguments: [retention?.milliseconds, person, peopleAtOnce])
        var expired: [Expired] = []
        var found = 0
        var seen = 0
        var last: PersonNumber = -1
        while found < pingsAtOnce, let row = try people.next() {
            seen += 1
            last = try row.integer(0)
            let oldest = now - .milliseconds(row[2])
            let keys = try PingRow.fetch(
                db, "WHERE person = ? AND time_ms < ? ORDER BY time_ms, sequence LIMIT ?", last,
                [oldest.milliseconds, Int64(pingsOfOne)]
            ).map { $0.key }
            guard !keys.isEmpty else { continue }
            expired.append(Expired(person: ID(known: row[1]), keys: keys))
            found += keys.count
        }
        return (expired, found < pingsAtOnce && seen < peopleAtOnce ? -1 : last)
    }
}
