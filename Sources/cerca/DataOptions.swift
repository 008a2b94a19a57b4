internal import ArgumentParser
internal import Configuration
internal import Discovery
internal import Foundation
internal import Storage

/// Where the data is, and what configures its use.
struct DataOptions: ParsableArguments {
    @Option(help: "The folder that holds everything.") var data: String?
    @Option(help: "A JSON file of settings.") var config: String?

    var flags: [String: ConfigContent] { data.map { ["data": .string($0)] } ?? [:] }

    func settings(_ flags: [String: ConfigContent]) async throws -> Settings {
        do { return try await Settings(file: config, flags: flags) } catch {
            throw Exit.failing("\(error)", Exit.configuration)
        }
    }
}

/// Opens the database of a folder and builds the live picture from it.
func open(_ folder: URL, _ rules: PingRules) throws -> (Store, Live) {
    do throws(StorageError) {
        let store = try Store(folder: folder)
        return (store, try Live(store: store, gazetteer: Gazetteer(), rules: rules))
    } catch { throw Exit.failing(error, folder) }
}
