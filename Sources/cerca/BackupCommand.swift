internal import ArgumentParser
internal import Foundation
import Model
internal import Storage

/// `cerca backup`: copies the database to another file, also while the service runs.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write all data to one file, also while the service runs.",
        discussion: """
            The file is the database at one instant, with everything acknowledged before. It gets its name \
            when it is complete and on disk, only its owner can read it, and QGIS and 'cerca restore' can open it.

            An existing file is never overwritten without --force. The rest of an interrupted backup is \
            called DEST.partial and can be removed.

              cerca backup friday.sqlite --data my-data
            """)

    @Argument(help: ArgumentHelp("The file to write.", valueName: "dest")) var destination: String
    @OptionGroup var place: DataOptions
    @Flag(help: "Replace an existing file.") var force = false

    func run() async throws {
        let file = try await place.file
        let copy = URL(fileURLWithPath: destination)
        do throws(StorageError) {
            let database = try DatabaseFile(file)
            try Progress.copying(file, to: copy) { () throws(StorageError) in
                try database.copy(to: copy, isReplacing: force)
            }
        } catch { throw Exit.failing(error, file) }
        print("\(copy.relativePath): \(Progress.size(of: copy.path)) bytes")
    }
}

extension Progress {
    /// Copies a database and shows the progress.
    static func copying(
        _ file: URL, to copy: URL, _ body: () throws(StorageError) -> Void
    ) throws(StorageError) {
        try watching(
            DatabaseFile.partial(of: copy), copy.lastPathComponent, total: size(of: file.path), body)
    }
}
