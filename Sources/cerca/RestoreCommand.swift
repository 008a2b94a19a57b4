internal import ArgumentParser
internal import Foundation
import Model
internal import Storage

/// `cerca restore`: a backup into a data folder.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup into a new or empty data folder.",
        discussion: """
            The backup is checked first, as 'cerca check' does; a damaged one, or one of a later version of this program, \
            changes nothing. A folder that holds something is refused without --force, and one that a service uses always.
            """)

    @Argument(help: "The backup.") var source: String
    @OptionGroup var place: DataOptions
    @Flag(help: "Replace the database that is in the folder.") var force = false

    func run() async throws {
        let backup = URL(fileURLWithPath: source)
        guard FileManager.default.isReadableFile(atPath: backup.path) else {
            throw Exit.failing("\(backup.path): there is no file that can be read", Exit.noInput)
        }
        let folder = try await place.folder
        let database = try CheckCommand.sound(backup)
        let file = folder.appending(path: Store.fileName)
        do throws(StorageError) {
            try Progress.copying(backup, to: file) { () throws(StorageError) in
                try database.restore(into: folder, isReplacing: force)
            }
        } catch { throw Exit.failing(error, folder) }
        print("\(folder.relativePath): restored from \(backup.relativePath), \(Progress.size(of: file.path)) bytes")
    }
}
