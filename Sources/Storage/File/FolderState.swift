public import Foundation
internal import GRDB
internal import Glibc
public import Model

/// The state of a data folder seen from outside; nothing in it is changed and no file is created.
public struct FolderState: Sendable {
    /// The holder of the folder's lock.
    public enum Holder: Hashable, Sendable {
        case nobody
        /// A process, with its id if that can be read.
        case process(Int32?)
    }

    /// The properties of a database.
    public struct Contents: Hashable, Sendable {
        /// The version of its schema.
        public var schema: Int
        /// The latest instant known to be past; nil if there is none.
        public var newest: Timestamp?
    }

    /// The schema that this program writes.
    public static let newestSchema = Schema.version

    /// The current holder.
    public let holder: Holder
    /// The bytes of the write-ahead log; 0 if there is none.
    public let logBytes: Int
    /// The database, or the error of reading it; nil if the folder has none.
    public let contents: Result<Contents, StorageError>?

    /// Inspects a folder.
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

    /// Without `immutable` a reader of an unused database would create a log beside it.
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

    /// The libraries that access the file, with their versions.
    ///
    /// - Throws: ``StorageError`` if one of them does not work.
    public static func libraries() throws(StorageError) -> [(name: String, version: String)] {
        try StorageError.wrap {
            try DatabaseQueue(configuration: Store.configuration).read { db in
                let sql = "SELECT sqlite_version(), spatialite_version(), proj_version()"
                guard let row = try Row.fetchOne(db, sql: sql) else { return [] }
                return ["SQLite", "SpatiaLite", "PROJ"].enumerated().map { index, name in
                    // PROJ returns 'Rel. 9.1.1, December 1st, 2022'.
                    let version = (row[index] as String?)?.firstMatch(of: /[0-9]+(?:\.[0-9]+)+/)
                    return (name, version.map { String($0.0) } ?? "none")
                }
            }
        }
    }
}
