public import Foundation
internal import GRDB
public import Model
internal import Synchronization

/// The folder into which a service writes a backup now and then, and out of which it takes the oldest.
///
/// The folder is held like a data folder, so that no other service takes away what is not its own.
public final class BackupFolder: Sendable {
    /// A backup by its name, which says when it began.
    public struct Backup: Hashable, Sendable {
        /// Where it is.
        public let file: URL
        /// When it began, to the second.
        public let time: Timestamp
    }

    private let folder: URL
    private let lock: FolderLock
    /// What is read at the moment, until nothing is to be read any more.
    private let work = Mutex((database: DatabaseFile?.none, isOver: false))

    /// Makes the folder, for its owner only, if it is missing, and takes away what is left of a backup that was broken off.
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

    /// The backups in a folder, oldest first; other files are left out.
    public static func backups(in folder: URL) -> [Backup] {
        names(in: folder).compactMap { name in
            guard let match = name.wholeMatch(of: /cerca-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})Z\.sqlite/),
                let time = Timestamp(rfc3339: "\(match.1)T\(match.2):\(match.3):\(match.4)Z")
            else { return nil }
            return Backup(file: folder.appending(path: name), time: time)
        }.sorted { $0.time < $1.time }
    }

    /// How far ahead of a clock the name of a backup may be: by so much clocks are put right.
    private static let tolerance = Duration.seconds(300)

    /// The backups in a folder that began by an instant, and those whose names are of its future; each oldest first.
    ///
    /// A clock that was ahead gave those their names, or another program did: what is in them may be of any time.
    public static func backups(in folder: URL, at now: Timestamp) -> (past: [Backup], future: [Backup]) {
        let all = backups(in: folder)
        let past = all.prefix { $0.time <= now + tolerance }
        return (Array(past), Array(all.dropFirst(past.count)))
    }

    private static func names(in folder: URL) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    /// Where a backup goes that begins now; its name has no colons, which some file systems refuse.
    private func place(_ now: Timestamp) -> URL {
        let second = Timestamp(milliseconds: now.milliseconds / 1000 * 1000)
        return folder.appending(path: "cerca-\(second.rfc3339.replacing(":", with: "")).sqlite")
    }

    /// Writes a backup that is checked before it gets its name, then takes the oldest away, of those that are of the past.
    ///
    /// - Parameters:
    ///   - file: the database, which may be written meanwhile.
    ///   - now: when it begins.
    ///   - count: how many are kept, this one among them, at least 1.
    /// - Returns: the backup.
    /// - Throws: ``StorageError``, ``StorageError/damaged(_:)`` with the first fault for a copy that is not sound; then the
    ///   older ones are all there.
    /// - Complexity: O(size of the file). Commits go on; the write-ahead log grows as long as the copy takes.
    public func write(_ file: URL, at now: Timestamp, keeping count: Int) throws(StorageError) -> Backup {
        let copy = place(now)
        try reading(file).copy(to: copy, isReplacing: false) { partial throws(StorageError) in
            let integrity = try reading(partial).integrity { _, _ in }
            if let fault = integrity.faults.first { throw .damaged("the copy is not sound: \(fault)") }
        }
        // This one is kept whatever its name says: a clock may have been put back.
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
        guard !isOver else { throw .other("the backup was broken off") }
        return database
    }

    /// Breaks off what ``write(_:at:keeping:)`` does, which then throws, and lets it do nothing more.
    public func interrupt() {
        work.withLock { work in
            work.isOver = true
            work.database?.queue.interrupt()
        }
    }
}
