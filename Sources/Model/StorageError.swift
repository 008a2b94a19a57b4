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
    /// A program before release 0.2.0 wrote the file.
    case olderSchema(found: Int)
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
    /// The log of actions does not answer: whether something is stored is not known.
    case unanswered
    /// Anything else SQLite said.
    case other(String)
}
