public import Foundation
internal import GRDB
internal import Glibc
public import Model

/// What can be seen of a data folder from outside: nothing in it is changed, and no file is made.
public struct FolderState: Sendable {
    /// Whether a process holds the folder.
    public enum Holder: Hashable, Sendable {
        case nobody
        /// A process, with its number if that can be read.
        case process(Int32?)
    }

    /// What a database says of itself.
    public struct Contents: Hashable, Sendable {
        /// The version of its schema.
        public var schema: Int
        /// The latest instant that it knows to be past; nil if it has seen none.
        public var newest: Timestamp?
    }

    /// The schema that this program writes.
    public static let newestSchema = Schema.version

    /// Who holds the folder now.
    public let holder: Holder
    /// The bytes of the write-ahead log, 0 without one.
    public let logBytes: Int
    /// The database, or why it cannot be read; nil if the folder has none.
    public let contents: Result<Contents, StorageError>?

    /// Looks at a folder.
    public init(of folder: URL) {
        holder = FolderLock.holder(of: folder)
        let file = folder.appending(path: Store.fileName)
        let log = try? FileManager.default.attributesOfItem(atPath: file.path + "-wal")
        logBytes = (log?[.size] as? NSNumber)?.intValue ?? 0
        guard access(file.path, F_OK) == 0 else {
            contents = nil
            return
        }
        contents = Result { () throws(StorageError) in try Self.contents(of: file, isLogged: log != nil) }
    }

    /// A reader of a database that nobody has open makes a log beside it, unless it is told that nobody writes.
    private static func contents(of file: URL, isLogged: Bool) throws(StorageError) -> Contents {
        var configuration = Store.configuration
        configuration.readonly = true
        let path = isLogged ? file.path : file.absoluteString + "?immutable=1"
        return try StorageError.wrap {
            try DatabaseQueue(path: path, configuration: configuration).read { db in
                let version = try Schema.version(of: db)
                let newest = try Int64.fetchOne(
                    db,
                    sql: """
                        SELECT max(past_ms) FROM (
                            SELECT max(received_ms) AS past_ms FROM positions UNION ALL SELECT time_ms FROM known_time)
                        """)
                return Contents(schema: version, newest: newest.map { Timestamp(milliseconds: $0) })
            }
        }
    }

    /// The libraries that read and write the file, with their versions.
    ///
    /// - Throws: ``StorageError`` when one of them does not work.
    public static func libraries() throws(StorageError) -> [(name: String, version: String)] {
        try StorageError.wrap {
            try DatabaseQueue(configuration: Store.configuration).read { db in
                let sql = "SELECT sqlite_version(), spatialite_version(), proj_version()"
                guard let row = try Row.fetchOne(db, sql: sql) else { return [] }
                return ["SQLite", "SpatiaLite", "PROJ"].enumerated().map { index, name in
                    // PROJ says 'Rel. 9.1.1, December 1st, 2022'.
                    let version = (row[index] as String?)?.firstMatch(of: /[0-9]+(?:\.[0-9]+)+/)
                    return (name, version.map { String($0.0) } ?? "none")
                }
            }
        }
    }
}
