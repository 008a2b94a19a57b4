internal import API
internal import ArgumentParser
internal import Foundation
internal import Storage

/// `cerca export`: all of a kind, as `cerca import` reads it.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all people, friends, places, products, stock or pings to the standard output.",
        discussion: """
            What is written can be loaded again with 'cerca import', kinds in the order above. NDJSON has everything that an \
            import takes; CSV has no place for people's own throttle, and attributes become texts; GeoJSON is for places and \
            pings. A folder that a service uses is refused: export from a backup of it that was restored.
            """)

    @Argument(help: "What to write: \(ImportKind.names).", transform: ImportKind.named) var kind: ImportKind
    @Option(help: "How: ndjson, csv or geojson.", transform: Self.format) var format = ImportFormat.ndjson
    @OptionGroup var place: DataOptions

    private static let piece = 256 << 10

    func validate() throws {
        guard Export(kind, format) != nil else { throw ValidationError("\(kind.rawValue) have no place: no GeoJSON.") }
    }

    func run() async throws {
        let folder = try await place.file.deletingLastPathComponent()
        guard let export = Export(kind, format) else { preconditionFailure("validated before") }
        do throws(StorageError) {
            let store = try Store(folder: folder)
            var waiting: [UInt8] = []
            try export.write(from: store) { bytes in
                waiting += bytes
                guard waiting.count >= Self.piece else { return }
                try FileHandle.standardOutput.write(contentsOf: waiting)
                waiting.removeAll(keepingCapacity: true)
            }
            try Self.finish(waiting)
            try store.close()
        } catch { throw Exit.failing(error, folder) }
    }

    @Sendable private static func format(_ name: String) throws -> ImportFormat {
        guard let format = ImportFormat(rawValue: name) else { throw ValidationError("'\(name)' is no format.") }
        return format
    }

    private static func finish(_ bytes: [UInt8]) throws(StorageError) {
        do { try FileHandle.standardOutput.write(contentsOf: bytes) } catch {
            throw .unreachable(path: "standard output", reason: error.localizedDescription)
        }
    }
}
