internal import ArgumentParser
internal import Cities
internal import Configuration
internal import Discovery
internal import Foundation
import Model
internal import Storage

/// The data folder and the settings file.
struct DataOptions: ParsableArguments {
    @Option(help: "The folder of the data.") var data: String?
    @Option(help: "A JSON file of settings.") var config: String?

    var flags: [String: ConfigContent] { data.map { ["data": .string($0)] } ?? [:] }

    func settings(_ flags: [String: ConfigContent]) async throws -> Settings {
        try await Exit.configured { try await Settings(file: config, flags: flags) }
    }
}

extension DataOptions {
    var folder: URL {
        get async throws {
            let settings = try await settings(flags)
            return try await Exit.configured { try settings.dataFolder }
        }
    }

    /// The database file of the folder.
    ///
    /// - Throws: an exit code if there is none.
    var file: URL {
        get async throws {
            let file = try await folder.appending(path: Store.fileName)
            guard FileManager.default.fileExists(atPath: file.path) else {
                throw Exit.failing("\(file.path): the database does not exist", Exit.noInput)
            }
            return file
        }
    }
}

/// Opens the database of a folder and loads the live state from it.
func open(
    _ folder: URL, _ rules: PingRules, following log: (any ActionLog)? = nil,
    loading report: @escaping LoadProgress = { _, _, _ in },
    announcingCompaction announce: (_ waiting: Int) -> Void = { _ in }
) throws -> Engine {
    do throws(StorageError) {
        let store = try Store(folder: folder, announcingCompaction: announce)
        return try Engine(store: store, gazetteer: Gazetteer(), rules: rules, log: log, loading: report)
    } catch { throw Exit.failing(error, folder) }
}
