/// The reason why the database could not be opened, read or written.
public enum StorageError: Error, Hashable {
    /// Another process holds the folder; with its process id if it could be read.
    case inUse(pid: Int32?)
    /// The folder or a file in it cannot be created, opened or locked; with the system's message.
    case unreachable(path: String, reason: String)
    /// The path of a new file or folder is occupied.
    case occupied(path: String)
    /// The file was written by a later version of this program.
    case newerSchema(found: Int, known: Int)
    /// A program before release 0.2.0 wrote the file.
    case olderSchema(found: Int)
    /// The disk is full.
    case full
    /// The file is read-only.
    case readOnly
    /// The disk failed to read or write; with SQLite's extended result code.
    case inputOutput(code: Int32)
    /// The file is damaged, or is not a database.
    case damaged(String)
    /// Another program holds a lock on the file.
    case locked
    /// A constraint of the schema was violated, which validation should have prevented.
    case constraint(String)
    /// The write queue exceeds what can be stored in a few seconds.
    case overloaded
    /// The replicated log does not answer, so it is unknown whether the change was stored.
    case unanswered
    /// Any other SQLite error.
    case other(String)
}
