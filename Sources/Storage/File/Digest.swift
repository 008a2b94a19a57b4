internal import Foundation
internal import GRDB
public import Model
internal import Structures

/// A checksum of the contents of a file at an instant, in a few bytes for each table.
///
/// Replicas that followed the same log to the same position have equal digests, except for collisions. The 64-bit
/// SipHash values of all rows are added, so that their order does not matter. The digest detects accidental
/// differences, not tampering.
public struct Digest: Codable, Hashable, Sendable {
    /// The digest of a table.
    public struct Table: Codable, Hashable, Sendable {
        var name: String
        var rows = 0
        var sum: UInt64 = 0
    }

    /// The version of the schema; files of different versions are not comparable.
    package var schema = Schema.version
    /// The tables that are equal on all replicas, ordered by name.
    public var tables: [Table]

    /// The tables that differ from another digest, with their numbers of rows.
    public func difference(from other: Digest) -> String {
        let names = Set((tables + other.tables).map(\.name)).sorted()
        let differing = names.compactMap { name -> String? in
            let (own, others) = (table(name), other.table(name))
            return own == others ? nil : "\(name) (\(own?.rows ?? 0) rows, there \(others?.rows ?? 0))"
        }
        return differing.joined(separator: ", ")
    }

    private func table(_ name: String) -> Table? { tables.first { $0.name == name } }
}

/// A consistent view of a file at an instant.
///
/// While it exists, the write-ahead log cannot be truncated.
public struct Snapshot: Sendable {
    fileprivate let database: DatabaseSnapshot

    /// Computes the digest of the data that results from the replicated log.
    ///
    /// Local state is excluded: the progress of compaction and its consequences, data kept for the next start, the
    /// deletion of events and of erased words, and the version of the text index.
    ///
    /// - Throws: ``StorageError``, also if the task is canceled.
    /// - Complexity: O(bytes of the file), some microseconds a row, at a duty cycle of at most one half.
    public func digest() async throws(StorageError) -> Digest {
        do {
            return try await database.read { db in
                let names = try String.fetchAll(db, sql: Self.shared)
                var pace = Pace()
                return Digest(
                    tables: try names.map { name in
                        var table = Digest.Table(name: name)
                        if name == "pings" { try table.addPings(db, &pace) } else { try table.addRows(db, &pace) }
                        return table
                    })
            }
        } catch { throw StorageError(error) }
    }

    /// The tables that are equal on all replicas, without index tables, SpatiaLite's tables and local state.
    ///
    /// `pragma_table_list` would connect the text index while it runs, and GRDB ends the program if that is
    /// interrupted.
    private static let shared = """
        SELECT name FROM sqlite_schema AS own WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL TABLE%' AND NOT EXISTS (
            SELECT 1 FROM sqlite_schema AS index_of WHERE index_of.sql LIKE 'CREATE VIRTUAL TABLE%'
            AND substr(own.name, 1, length(index_of.name) + 1) = index_of.name || '_')
        AND NOT EXISTS (
            SELECT 1 FROM (VALUES ('sqlite_'), ('geometry_columns'), ('spatial'), ('views_'), ('virts_'), ('vector_layers'),
                ('sql_statements'), ('data_licenses')) AS other
            WHERE substr(name, 1, length(other.column1)) = other.column1)
        AND name NOT IN ('grdb_migrations', 'known_time', 'followed_log', 'ping_log', 'stay_log', 'positions',
            'live_positions', 'events', 'text_erasures', 'text_version')
        ORDER BY name
        """
}

extension Store {
    /// A snapshot of the current contents.
    public func snapshot() throws(StorageError) -> Snapshot {
        try StorageError.wrap { Snapshot(database: try pool.makeSnapshot()) }
    }
}

extension Digest.Table {
    private static let key = SipKey(0, 0)

    private mutating func add(_ bytes: [UInt8]) {
        rows += 1
        sum &+= Self.key.hash(bytes)
    }

    fileprivate mutating func addRows(_ db: Database, _ pace: inout Pace) throws {
        let all = try Row.fetchCursor(db, sql: "SELECT * FROM \(name)")
        var bytes: [UInt8] = []
        while let row = try all.next() {
            bytes.removeAll(keepingCapacity: true)
            for value in row.databaseValues { value.append(to: &bytes) }
            add(bytes)
            pace.step()
        }
    }

    /// Adds the pings as they were stored, whether they are compacted, in the log, or both.
    fileprivate mutating func addPings(_ db: Database, _ pace: inout Pace) throws {
        let compacted = try Row.fetchCursor(db, sql: "SELECT \(PingRow.columns) FROM pings")
        while let row = try compacted.next() {
            add(PingLog.asStored(try PingRow.decode(row)))
            pace.step()
        }
        let isCompacted = """
            SELECT 1 FROM pings WHERE person = ? AND time_ms = ? AND sequence = ?
            UNION ALL SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM people WHERE number = ?1)
            """
        let logged = try Data.fetchCursor(db, sql: "SELECT pings FROM ping_log")
        while let row = try logged.next() {
            for ping in try PingLog.unpack(row) {
                let key: StatementArguments = [ping.person.rawValue, ping.time.milliseconds, ping.sequence]
                if try Int.fetchOne(db, sql: isCompacted, arguments: key) == nil { add(PingLog.asStored(ping)) }
                pace.step()
            }
        }
    }
}

/// Pauses for as long as the work took.
private struct Pace {
    private static let rowsAtOnce = 1000
    private var rows = 0
    private var begun = ContinuousClock.now

    mutating func step() {
        rows += 1
        guard rows % Self.rowsAtOnce == 0 else { return }
        Thread.sleep(forTimeInterval: (ContinuousClock.now - begun) / .seconds(1))
        begun = .now
    }
}

extension DatabaseValue {
    /// Appends an unambiguous encoding, so that no two sequences of values have equal bytes.
    fileprivate func append(to bytes: inout [UInt8]) {
        switch storage {
        case .null: bytes.append(0)
        case .int64(let number):
            bytes.append(1)
            bytes.append(packed: number)
        case .double(let number):
            bytes.append(2)
            bytes.append(packed: number.bitPattern)
        case .string(let text): append(3, text.utf8, to: &bytes)
        case .blob(let data): append(4, data, to: &bytes)
        }
    }

    private func append(_ kind: UInt8, _ content: some Collection<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(kind)
        bytes.append(packed: Int64(content.count))
        bytes.append(contentsOf: content)
    }
}
