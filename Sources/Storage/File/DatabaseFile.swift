public import Foundation
internal import GRDB
internal import Glibc
public import Model

/// A read-only database file, which a service may be writing.
public struct DatabaseFile: Sendable {
    let queue: DatabaseQueue
    /// Whether the file has the newest schema; an older one is migrated when a service opens it.
    let isNewest: Bool

    /// Opens a file.
    ///
    /// - Throws: ``StorageError/unreachable(path:reason:)`` if it does not exist, ``StorageError/damaged(_:)`` if it is
    ///   not a database, ``StorageError/newerSchema(found:known:)`` if a later program wrote it.
    public init(_ file: URL) throws(StorageError) {
        guard FileManager.default.isReadableFile(atPath: file.path) else {
            throw .unreachable(path: file.path, reason: "the file cannot be read")
        }
        var configuration = Store.configuration
        configuration.readonly = true
        let queue = try StorageError.wrap { try DatabaseQueue(path: file.path, configuration: configuration) }
        isNewest = try StorageError.wrap { try queue.read { db in try Schema.version(of: db) } } == Schema.version
        self.queue = queue
    }

    /// The temporary name of a copy until it is complete.
    public static func partial(of copy: URL) -> URL { copy.appendingPathExtension("partial") }

    /// Writes a consistent copy of the database to another file, including pings not yet compacted.
    ///
    /// The copy gets its name when it is complete and on disk. An existing ``partial(of:)`` is not touched.
    ///
    /// - Parameters:
    ///   - copy: the file to write, which must not be the database of a data folder: see
    ///     ``restore(into:isReplacing:)``.
    ///   - isReplacing: whether to replace an existing file.
    /// - Throws: ``StorageError``; then the destination is unchanged.
    public func copy(to copy: URL, isReplacing: Bool) throws(StorageError) {
        try self.copy(to: copy, isReplacing: isReplacing) { _ in }
    }

    /// Writes a copy, and calls `prepare` with it when it is complete and on disk, just before it gets its name.
    package func copy(
        to copy: URL, isReplacing: Bool, _ prepare: (_ partial: URL) throws(StorageError) -> Void
    ) throws(StorageError) {
        let folder = copy.deletingLastPathComponent()
        if copy.lastPathComponent == Store.fileName, access(folder.appending(path: FolderLock.name).path, F_OK) == 0 {
            throw .unreachable(
                path: copy.path, reason: "it is the database of a data folder, which only 'cerca restore' may replace")
        }
        try write(copy, isReplacing: isReplacing, prepare)
    }

    private func write(
        _ copy: URL, isReplacing: Bool, _ prepare: (_ partial: URL) throws(StorageError) -> Void
    ) throws(StorageError) {
        guard isReplacing || access(copy.path, F_OK) != 0 else { throw .occupied(path: copy.path) }
        let partial = Self.partial(of: copy)
        try Self.check(open(partial.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600), partial) {
            _ = Glibc.close($0)
        }
        do throws(StorageError) {
            // Copying page by page would restart at each commit, and never end for a busy file.
            try StorageError.wrap {
                try queue.inDatabase { db in try db.execute(sql: "VACUUM INTO ?", arguments: [partial.path]) }
            }
            try Self.synchronize(partial)
            try prepare(partial)
            try Self.name(partial, copy, isReplacing: isReplacing)
        } catch {
            unlink(partial.path)
            throw error
        }
        try Self.synchronize(copy.deletingLastPathComponent())
    }

    /// Gives a file its name; unlike a rename, a link never replaces a file that was created in the meantime.
    private static func name(_ partial: URL, _ copy: URL, isReplacing: Bool) throws(StorageError) {
        guard !isReplacing else { return try check(rename(partial.path, copy.path), copy) }
        try check(link(partial.path, copy.path), copy)
        unlink(partial.path)
    }

    /// Syncs a file or the entries of a folder to disk.
    private static func synchronize(_ file: URL) throws(StorageError) {
        try check(open(file.path, O_RDONLY | O_CLOEXEC), file) { descriptor throws(StorageError) in
            defer { _ = Glibc.close(descriptor) }
            try check(fsync(descriptor), file)
        }
    }

    private static func check(
        _ result: Int32, _ file: URL, _ body: (Int32) throws(StorageError) -> Void = { _ in }
    ) throws(StorageError) {
        guard result >= 0 else {
            switch errno {
            case ENOSPC: throw .full
            case EEXIST: throw .occupied(path: file.path)
            default: throw .unreachable(path: file.path, reason: String(cString: strerror(errno)))
            }
        }
        try body(result)
    }
}

extension DatabaseFile {
    /// Restores this database into a data folder, which is locked during the copy.
    ///
    /// - Parameters:
    ///   - folder: the data folder, which is created if it is missing.
    ///   - isReplacing: whether to replace a database in the folder; otherwise the folder must be new or empty.
    ///   - now: the time in the name of a replaced database.
    /// - Returns: the file in which the replaced database is kept, with its write-ahead log; nil if there was none.
    /// - Throws: ``StorageError/inUse(pid:)`` if a service runs on the folder, ``StorageError/occupied(path:)``.
    public func restore(into folder: URL, isReplacing: Bool, at now: Timestamp) throws(StorageError) -> URL? {
        try Store.makeFolder(folder)
        let lock = try FolderLock(folder: folder)
        defer { withExtendedLifetime(lock) {} }
        let others = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        guard isReplacing || others.allSatisfy({ $0 == FolderLock.name }) else { throw .occupied(path: folder.path) }
        let file = folder.appending(path: Store.fileName)
        let name = "replaced-\(now.rfc3339.replacing(":", with: "")).sqlite"
        let aside = access(file.path, F_OK) == 0 ? folder.appending(path: name) : nil
        unlink(Self.partial(of: file).path)
        try write(file, isReplacing: isReplacing) { _ throws(StorageError) in
            // The old file keeps both names until the new one exists.
            if let aside { try Self.keep(file, aside) }
            // SQLite would apply the old file's write-ahead log to the new file.
            for suffix in ["-wal", "-shm"] { unlink(file.path + suffix) }
        }
        return aside
    }

    /// Gives a database and its write-ahead log a second name.
    private static func keep(_ file: URL, _ aside: URL) throws(StorageError) {
        try check(link(file.path, aside.path), aside)
        // A reader leaves an empty log beside a database without a writer.
        let log = try? FileManager.default.attributesOfItem(atPath: file.path + "-wal")
        guard let size = log?[.size] as? NSNumber, size.intValue > 0 else { return }
        try check(link(file.path + "-wal", aside.path + "-wal"), aside)
    }
}
