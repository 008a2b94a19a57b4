internal import ArgumentParser
internal import Foundation
import Model
internal import Storage

/// `cerca check`: checks the integrity of a database.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the integrity of the database, also while the service runs.",
        discussion: """
            It checks the pages and indexes of the file (SQLite's integrity_check and foreign_key_check), the positions \
            (points in WGS 84, found by the R*Tree), the pings that wait for compaction, that the last \
            position of each person is the newest ping, and that the full-text indexes have the words of the documents. Each fault is a line; with any fault the exit code is 65.
            """)

    @OptionGroup var place: DataOptions
    @Flag(help: "Rebuild the full-text indexes first; no service may use the folder.") var rebuildText = false
    @Flag(help: "Print JSON.") var json = false

    /// The result as JSON.
    private struct Report: Encodable {
        let file: String
        let faults: [String]
        let rows: [String: Int]
        let waiting: Int
    }

    func run() async throws {
        let file = try await place.file
        if rebuildText { try rebuild(file) }
        guard json else {
            _ = try Self.sound(file)
            return
        }
        let integrity = try Self.checked(file).integrity
        let report = Report(
            file: file.relativePath, faults: integrity.faults,
            rows: Dictionary(uniqueKeysWithValues: integrity.counts.map { ($0.table, $0.rows) }),
            waiting: integrity.waiting)
        try printJSON(report)
        guard integrity.faults.isEmpty else { throw ExitCode(Exit.data) }
    }

    private func rebuild(_ file: URL) throws {
        let folder = file.deletingLastPathComponent()
        do throws(StorageError) {
            // Opening the store would create a missing database, so it must exist.
            _ = try DatabaseFile(file)
            let store = try Store(folder: folder)
            try store.rebuildText()
            try store.close()
        } catch { throw Exit.failing(error, folder) }
    }

    /// Checks a database and prints the result.
    ///
    /// - Throws: an exit code if there is a fault.
    static func sound(_ file: URL) throws -> DatabaseFile {
        let (database, integrity) = try checked(file)
        guard integrity.faults.isEmpty else {
            for fault in integrity.faults { print("\(file.relativePath): \(fault)") }
            throw ExitCode(Exit.data)
        }
        print("\(file.relativePath): sound, \(summary(integrity))")
        return database
    }

    private static func checked(
        _ file: URL
    ) throws -> (database: DatabaseFile, integrity: DatabaseFile.IntegrityCheck) {
        do throws(StorageError) {
            let database = try DatabaseFile(file)
            return (database, try Self.integrity(of: database, file.lastPathComponent))
        } catch { throw Exit.failing(error, file) }
    }

    private static func integrity(
        of database: DatabaseFile, _ label: String
    ) throws(StorageError) -> DatabaseFile.IntegrityCheck {
        var progress = Progress(label, total: 100)
        defer { progress.end() }
        return try database.integrity { number, count in progress.show(number * 100 / count) }
    }

    private static func summary(_ integrity: DatabaseFile.IntegrityCheck) -> String {
        let counts = integrity.counts.map { "\($0.rows) \($0.table)" }
        return (counts + ["\(integrity.waiting) pings in the log"]).joined(separator: ", ")
    }
}
