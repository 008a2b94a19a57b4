public import Foundation
internal import GRDB
public import Model
internal import Synchronization

/// The folder for a service's periodic backups, with rotation.
///
/// The folder is locked like a data folder, so that no other service deletes backups in it.
public final class BackupFolder: Sendable {
    /// A backup, whose name contains the time of its start.
    public struct Backup: Hashable, Sendable {
        /// The file.
        public let file: URL
        /// The time of its start, to the second.
        public let time: Timestamp
    }

    private let folder: URL
    private let lock: FolderLock
    /// The database being read, and whether reading was interrupted.
    private let work = Mutex((database: DatabaseFile?.none, isOver: false))

    /// Creates the folder, accessible only to its owner, if it is missing, and deletes the rest of an interrupted
    /// backup.
    ///
    /// - Throws: ``StorageError``: another process holds the folder, or it cannot be written.
    public init(_ folder: URL) throws(StorageError) {
        try Store.makeFolder(folder)
        self.folder = folder
        lock = try FolderLock(folder: folder)
        for name in Self.names(in: folder) where name.hasPrefix("cerca-") && name.hasSuffix(".sqlite.partial") {
            try? FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }

    /// The backups in a folder, oldest first; other files are ignored.
    public static func backups(in folder: URL) -> [Backup] {
        names(in: folder).compactMap { name in
            guard let match = name.wholeMatch(of: /cerca-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})Z\.sqlite/),
                let time = Timestamp(rfc3339: "\(match.1)T\(match.2):\(match.3):\(match.4)Z")
            else { return nil }
            return Backup(file: folder.appending(path: name), time: time)
        }.sorted { $0.time < $1.time }
    }

    /// How far the name of a backup may be ahead of the clock, to allow for clock corrections.
    private static let tolerance = Duration.seconds(300)

    /// The backups in a folder up to an instant, and those named after a future time; each oldest first.
    ///
    /// The latter were named by a clock that was ahead, or by another program: their content may be of any time.
    public static func backups(in folder: URL, at now: Timestamp) -> (past: [Backup], future: [Backup]) {
        let all = backups(in: folder)
        let past = all.prefix { $0.time <= now + tolerance }
        return (Array(past), Array(all.dropFirst(past.count)))
    }

    private static func names(in folder: URL) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    /// The file of a backup that starts now; its name has no colons, which some file systems reject.
    private func place(_ now: Timestamp) -> URL {
        let second = Timestamp(milliseconds: now.milliseconds / 1000 * 1000)
        return folder.appending(path: "cerca-\(second.rfc3339.replacing(":", with: "")).sqlite")
    }

    /// Writes a backup, verifies it before it gets its final name, then deletes the oldest past backups.
    ///
    /// - Parameters:
    ///   - file: the database, which may be written during the backup.
    ///   - now: the time of the start.
    ///   - count: the number of backups to keep, including this one, at least 1.
    /// - Returns: the backup.
    /// - Throws: ``StorageError``; ``StorageError/damaged(_:)`` with the first fault of a damaged copy, and then no
    ///   older backup is deleted.
    /// - Complexity: O(size of the file). Commits continue; the write-ahead log grows until the copy is complete.
    public func write(_ file: URL, at now: Timestamp, keeping count: Int) throws(StorageError) -> Backup {
        let copy = place(now)
        try reading(file).copy(to: copy, isReplacing: false) { partial throws(StorageError) in
            let integrity = try reading(partial).integrity { _, _ in }
            if let fault = integrity.faults.first { throw .damaged("the copy is damaged: \(fault)") }
        }
        // This backup is kept regardless of its name, because the clock may have been set back.
        let others = Self.backups(in: folder, at: now).past.filter {
            $0.file.lastPathComponent != copy.lastPathComponent
        }
        for backup in others.dropLast(count - 1) { try? FileManager.default.removeItem(at: backup.file) }
        return Backup(file: copy, time: now)
    }

    private func reading(_ file: URL) throws(StorageError) -> DatabaseFile {
        let database = try DatabaseFile(file)
        let isOver = work.withLock { work in
            work.database = database
            return work.isOver
        }
        guard !isOver else { throw .other("the backup was interrupted") }
        return database
    }

    /// Interrupts ``write(_:at:keeping:)``, which then throws, and prevents further backups.
    public func interrupt() {
        work.withLock { work in
            work.isOver = true
            work.database?.queue.interrupt()
        }
    }
}
