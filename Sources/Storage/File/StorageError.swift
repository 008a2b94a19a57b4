internal import CSpatiaLite
internal import GRDB

/// Why the database could not be opened, read or written.
public enum StorageError: Error, Hashable {
    /// Another process holds the folder; with its number if it could be read.
    case inUse(pid: Int32?)
    /// The folder or a file in it cannot be made, opened or locked; with the system's words.
    case unreachable(path: String, reason: String)
    /// There is something already where something new was to be made.
    case occupied(path: String)
    /// The file was written by a later version of this program.
    case newerSchema(found: Int, known: Int)
    /// The disk is full.
    case full
    /// The file may not be written.
    case readOnly
    /// The disk failed to read or write; with SQLite's extended result code.
    case inputOutput(code: Int32)
    /// The file is damaged, or is no database.
    case damaged(String)
    /// Another program holds a lock on the file.
    case locked
    /// A constraint of the schema was violated, which the rules above should have prevented.
    case constraint(String)
    /// More waits to be stored than can be in a few seconds.
    case overloaded
    /// Anything else SQLite said.
    case other(String)

    /// Whether what failed was the machine, so that trying the same work again in smaller pieces is pointless.
    var isOfTheMachine: Bool {
        switch self {
        case .full, .readOnly, .inputOutput, .damaged, .locked, .inUse, .unreachable, .overloaded: true
        case .newerSchema, .occupied, .constraint, .other: false
        }
    }

    /// What became of work on the storage that threw an error.
    public init(_ error: any Error) {
        if let error = error as? StorageError {
            self = error
            return
        }
        guard let error = error as? DatabaseError else {
            self = .other("\(error)")
            return
        }
        let primary = error.resultCode.primaryResultCode
        switch primary {
        case .SQLITE_FULL: self = .full
        case .SQLITE_READONLY: self = .readOnly
        case .SQLITE_IOERR: self = .inputOutput(code: error.extendedResultCode.rawValue)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(error.message ?? "")
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked
        case .SQLITE_CANTOPEN: self = .unreachable(path: "", reason: error.message ?? "cannot open")
        case .SQLITE_CONSTRAINT: self = .constraint(error.message ?? "")
        default: self = .other("\(error)")
        }
    }

    /// Runs storage code whose errors leave as ``StorageError``.
    static func wrap<Result>(_ body: () throws -> Result) throws(StorageError) -> Result {
        do { return try body() } catch { throw StorageError(error) }
    }
}
