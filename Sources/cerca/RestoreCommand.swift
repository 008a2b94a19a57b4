internal import ArgumentParser
internal import Foundation
import Model
internal import Storage

/// `cerca restore`: restores a backup into a data folder.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup into a new or empty data folder.",
        discussion: """
            The backup is checked first, as 'cerca check' does; a damaged one, or one of a later version of this program, \
            changes nothing. A folder that is not empty is refused without --force, and one in use by a service always. \
            The former database is kept beside it as replaced-TIME.sqlite.

            Without a name the newest backup of the service itself (backup.every) is restored, with --at the newest \
            that began by then. A backup whose name has a future time is restored only by its name. Data stored after a backup \
            began are not in it.

              cerca restore friday.sqlite --data my-data --force
            """)

    @Argument(help: "The backup; by default one that the service wrote.") var source: String?
    @Option(help: "Restore the newest that the service began by then, such as 2026-11-22T12:00:00Z.") var at: String?
    @OptionGroup var place: DataOptions
    @Flag(help: "Replace the database that is in the folder.") var force = false

    func validate() throws {
        guard let at else { return }
        guard source == nil else {
            throw ValidationError("--at chooses among the service's own backups, so no backup can be named")
        }
        guard Timestamp(rfc3339: at) != nil else {
            throw ValidationError("--at must be a time such as 2026-11-22T12:00:00Z")
        }
    }

    func run() async throws {
        let backup = try await chosen()
        guard FileManager.default.isReadableFile(atPath: backup.path) else {
            throw Exit.failing("\(backup.path): cannot be read", Exit.noInput)
        }
        let folder = try await place.folder
        let database = try CheckCommand.sound(backup)
        let file = folder.appending(path: Store.fileName)
        var aside: URL?
        do throws(StorageError) {
            try Progress.copying(backup, to: file) { () throws(StorageError) in
                aside = try database.restore(into: folder, isReplacing: force, at: Clock.now())
            }
        } catch { throw Exit.failing(error, folder) }
        if let aside { print("\(aside.relativePath): the former database; remove it when it is not needed") }
        print("\(folder.relativePath): restored from \(backup.relativePath), \(Progress.size(of: file.path)) bytes")
    }

    /// The named backup, or the newest matching one of the service.
    private func chosen() async throws -> URL {
        if let source { return URL(fileURLWithPath: source) }
        let settings = try await place.settings(place.flags)
        let folder = try await Exit.configured { try settings.backupFolder }
        let latest = at.flatMap { Timestamp(rfc3339: $0) } ?? .latest
        let now = Clock.now()
        let (past, future) = BackupFolder.backups(in: folder, at: now)
        let omission = BackupFolder.omission(of: future, at: now)
        guard let backup = past.last(where: { $0.time <= latest }) else {
            let advice = omission.map { "; \($0)" } ?? ""
            throw Exit.failing(
                "\(folder.path): the service wrote no backup there\(at.map { " by \($0)" } ?? "")\(advice)",
                Exit.noInput)
        }
        if let omission { FileHandle.standardError.write(Data("\(folder.path): \(omission)\n".utf8)) }
        return backup.file
    }
}

extension BackupFolder {
    /// The message about backups with a future time, which are restored only by name; nil if there are none.
    static func omission(of backups: [Backup], at now: Timestamp) -> String? {
        guard let first = backups.first else { return nil }
        let others = backups.count == 1 ? "" : " and \(backups.count - 1) more"
        return "\(first.file.lastPathComponent)\(others): the time in the name is after \(now.rfc3339), "
            + "so ignored; the clock was ahead then or is behind now, or another program put a file there"
    }
}
