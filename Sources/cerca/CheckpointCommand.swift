internal import ArgumentParser
internal import Foundation
import Model
internal import Storage

/// `cerca checkpoint`: moves everything in logs into the tables of the database file.
struct CheckpointCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "checkpoint",
        abstract:
            "Recover the database after a crash, so that one file contains all data.",
        discussion: """
            Pings in the ping log are compacted into the tables, and SQLite's write-ahead log is emptied into the file. A \
            service does both every few seconds, and for a second when it stops; a folder in use by a service is refused.
            """)

    @OptionGroup var place: DataOptions

    func run() async throws {
        let file = try await place.file
        let folder = file.deletingLastPathComponent()
        do throws(StorageError) { try Store(folder: folder).close() } catch { throw Exit.failing(error, folder) }
        print("\(file.relativePath): \(Progress.size(of: file.path)) bytes")
    }
}
