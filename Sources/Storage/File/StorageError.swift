internal import CSpatiaLite
internal import GRDB
public import Model

extension StorageError {
    /// Whether the machine failed, so that retrying the work in smaller pieces is pointless.
    var isEnvironmental: Bool {
        switch self {
        case .full, .readOnly, .inputOutput, .damaged, .locked, .inUse, .unreachable, .overloaded, .unanswered: true
        case .newerSchema, .olderSchema, .occupied, .constraint, .other: false
        }
    }

    /// Converts any error thrown by work on the storage.
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

    static func wrap<Result>(_ body: () throws -> Result) throws(StorageError) -> Result {
        do { return try body() } catch { throw StorageError(error) }
    }
}
