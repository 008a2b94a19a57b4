public import Foundation
internal import GRDB
public import Model

/// How far the file followed a log of actions, written in the transaction of what these did.
///
/// Of a file that begins a log, and has followed nothing yet, what stands there is the first message.
public struct LogPosition: Equatable, Sendable {
    /// Which log that is.
    public var log: String
    /// The number of its last message that was followed; 0 for none.
    public var number: UInt64
    /// The latest lease under which something was done.
    public var lease: UInt64 = 0

    /// Before the first message of a log, unless another one is said.
    public init(log: String, number: UInt64 = 0) { (self.log, self.number) = (log, number) }
}

extension Schema {
    /// What only the picture knows of a person is kept beside the position, for who starts again has to go on just so.
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
    /// Writes how far a log was followed, with what the picture knows of no person in particular.
    public func follow(_ position: LogPosition, standing: [UInt8]) throws {
        try run(
            "INSERT OR REPLACE INTO followed_log (only, log, number, lease, standing) VALUES (1, ?, ?, ?, ?)",
            [position.log, Int64(position.number), Int64(position.lease), Data(standing)])
    }

    /// Writes what only the picture knows of a person; nil for nothing.
    public func keepPassing(_ state: [UInt8]?, of person: PersonNumber) throws {
        guard let state else { return try run("DELETE FROM passing WHERE person = ?", [person]) }
        try run("INSERT OR REPLACE INTO passing (person, state) VALUES (?, ?)", [person, Data(state)])
    }
}

extension Store {
    /// How far a log was followed, with what was written of no person in particular; nil for a file that follows none.
    public func followedLog() throws(StorageError) -> (position: LogPosition, standing: [UInt8])? {
        try readNow { db in
            try Row.fetchOne(db, sql: "SELECT log, number, lease, standing FROM followed_log").map { row in
                var position = LogPosition(log: row[0], number: UInt64(row[1] as Int64))
                position.lease = UInt64(row[2] as Int64)
                return (position, [UInt8](row[3] as Data))
            }
        }
    }

    /// Calls `body` with each person of whom only the picture knew something.
    public func forEachPassing(
        _ body: (_ person: PersonNumber, _ state: [UInt8]) throws -> Void
    ) throws(StorageError) {
        try forEach("SELECT person, state FROM passing ORDER BY person") { row in
            try body(try row.integer(0), [UInt8](row[1] as Data))
        }
    }

    /// Takes note that the file begins a log, with what its first message is to say.
    public func beginLog(_ position: LogPosition, with message: [UInt8]) throws(StorageError) {
        try StorageError.wrap {
            try pool.write { db in try Transaction(db, logNumber: 0).follow(position, standing: message) }
        }
    }

    /// How a file begins that is copied; what a kill leaves of it is of no use.
    private static let copies = "copy-"

    /// A copy of the database as it is at one instant, with how far it followed its log, which is gone when it is closed.
    ///
    /// It is made beside the database: elsewhere there may be no room, and others who look.
    public func copy() throws(StorageError) -> FileHandle {
        let own = URL(fileURLWithPath: pool.path)
        let file = own.deletingLastPathComponent().appending(path: "\(Self.copies)\(UUID().uuidString).sqlite")
        try DatabaseFile(own).copy(to: file, isReplacing: false)
        defer { try? FileManager.default.removeItem(at: file) }
        return try StorageError.wrap { try FileHandle(forReadingFrom: file) }
    }

    /// Takes away what is left of copies that were broken off by a kill.
    public func removeCopies() throws(StorageError) {
        try StorageError.wrap {
            let folder = URL(fileURLWithPath: pool.path).deletingLastPathComponent()
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            for name in names where name.hasPrefix(Self.copies) {
                try FileManager.default.removeItem(at: folder.appending(path: name))
            }
        }
    }

    /// Lets commits be synced later: who follows a log reads again what a failure of power takes.
    public func syncLate() throws(StorageError) {
        try StorageError.wrap {
            try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = NORMAL") }
        }
    }
}
