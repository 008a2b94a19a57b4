public import Foundation
internal import GRDB
public import Model

/// The position in the replicated log up to which the file is applied, written in the transaction of its effects.
///
/// In a file that begins a log and has applied nothing yet, the first message is stored with it.
public struct LogPosition: Equatable, Sendable {
    /// The identity of the log.
    public var log: String
    /// The number of the last applied message; 0 for none.
    public var number: UInt64
    /// The latest lease under which something was done.
    public var lease: UInt64 = 0

    /// Creates a position, by default before the first message of a log.
    public init(log: String, number: UInt64 = 0) { (self.log, self.number) = (log, number) }
}

extension Schema {
    /// Adds the volatile state of each person beside the positions, so that a restart continues identically.
    @Sendable static func addFollowedLog(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE followed_log (
                    only INTEGER PRIMARY KEY CHECK (only = 1),
                    log TEXT NOT NULL,
                    number INTEGER NOT NULL,
                    lease INTEGER NOT NULL,
                    standing BLOB NOT NULL
                ) STRICT;
                CREATE TABLE passing (
                    person INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE,
                    state BLOB NOT NULL
                ) STRICT;
                """)
    }
}

extension Transaction {
    /// Writes the applied position of the log, with the volatile state that belongs to no person.
    public func follow(_ position: LogPosition, standing: [UInt8]) throws {
        try run(
            "INSERT OR REPLACE INTO followed_log (only, log, number, lease, standing) VALUES (1, ?, ?, ?, ?)",
            [position.log, Int64(position.number), Int64(position.lease), Data(standing)])
    }

    /// Writes the volatile state of a person; nil deletes it.
    public func writeVolatileState(_ state: [UInt8]?, of person: PersonNumber) throws {
        guard let state else { return try run("DELETE FROM passing WHERE person = ?", [person]) }
        try run("INSERT OR REPLACE INTO passing (person, state) VALUES (?, ?)", [person, Data(state)])
    }
}

extension Store {
    /// The applied position of the log, with the volatile state that belongs to no person; nil for a file without a
    /// log.
    public func followedLog() throws(StorageError) -> (position: LogPosition, standing: [UInt8])? {
        try readNow { db in
            try Row.fetchOne(db, sql: "SELECT log, number, lease, standing FROM followed_log").map { row in
                var position = LogPosition(log: row[0], number: UInt64(row[1] as Int64))
                position.lease = UInt64(row[2] as Int64)
                return (position, [UInt8](row[3] as Data))
            }
        }
    }

    /// Calls `body` with the volatile state of each person.
    public func forEachVolatileState(
        _ body: (_ person: PersonNumber, _ state: [UInt8]) throws -> Void
    ) throws(StorageError) {
        try forEach("SELECT person, state FROM passing ORDER BY person") { row in
            try body(try row.integer(0), [UInt8](row[1] as Data))
        }
    }

    /// Records that the file begins a log, with the content of its first message.
    public func beginLog(_ position: LogPosition, with message: [UInt8]) throws(StorageError) {
        try StorageError.wrap {
            try pool.write { db in try Transaction(db, logNumber: 0).follow(position, standing: message) }
        }
    }

    /// The prefix of the names of copies; a copy left by a killed process is useless.
    private static let copies = "copy-"

    /// A consistent copy of the database with its log position, deleted when it is closed.
    ///
    /// It is created beside the database, because other folders may lack space or be readable by others.
    public func copy() throws(StorageError) -> FileHandle {
        let own = URL(fileURLWithPath: pool.path)
        let file = own.deletingLastPathComponent().appending(path: "\(Self.copies)\(UUID().uuidString).sqlite")
        try DatabaseFile(own).copy(to: file, isReplacing: false)
        defer { try? FileManager.default.removeItem(at: file) }
        return try StorageError.wrap { try FileHandle(forReadingFrom: file) }
    }

    /// Deletes copies left by a killed process.
    public func removeCopies() throws(StorageError) {
        try StorageError.wrap {
            let folder = URL(fileURLWithPath: pool.path).deletingLastPathComponent()
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            for name in names where name.hasPrefix(Self.copies) {
                try FileManager.default.removeItem(at: folder.appending(path: name))
            }
        }
    }

    /// Allows commits to be synced later, because a replica reads from the log again what a power failure loses.
    public func syncLate() throws(StorageError) {
        try StorageError.wrap {
            try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = NORMAL") }
        }
    }
}
