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
            import takes; CSV has no place for people's own throttle, attributes become texts, and items of lists that have \
            a ; come apart; GeoJSON is for places and pings, GPX for pings. Suspect pings are left out. A folder that a service \
            uses is refused: ask the service, with --url.
            """)

    @Argument(help: "What to write: \(ImportKind.names).", transform: ImportKind.named) var kind: ImportKind
    @Option(help: "How: ndjson, csv, geojson or gpx.", transform: Self.format) var format = ExportFormat.ndjson
    @OptionGroup var place: DataOptions
    @Option(help: "The address of a running service to export from, instead of a folder.") var url: String?

    func validate() throws {
        guard url == nil || place.data == nil else { throw ValidationError("--url and --data exclude each other.") }
        let possible = ExportFormat.possible(for: kind)
        guard possible.contains(format) else {
            let names = possible.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("\(kind.rawValue) cannot be \(format.rawValue); possible is \(names).")
        }
    }

    func run() async throws {
        if let url { try await HTTPExport(url: url).write(kind, format) } else { try await writeFolder() }
    }

    private func writeFolder() async throws {
        let folder = try await place.file.deletingLastPathComponent()
        do {
            let store = try Store(folder: folder)
            let export = try await Export(kind, format, of: store)
            try await export.write { bytes in try StandardOutput.write(bytes) }
            try store.close()
        } catch let code as ExitCode { throw code } catch let error as TooManyColumns {
            throw Exit.failing("\(error)", Exit.data)
        } catch { throw Exit.failing(StorageError(error), folder) }
    }

    @Sendable private static func format(_ name: String) throws -> ExportFormat {
        guard let format = ExportFormat(rawValue: name) else {
            let names = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(name)' is none of \(names).")
        }
        return format
    }
}

/// What a command prints that is no text for people.
enum StandardOutput {
    static func write(_ bytes: some Sequence<UInt8>) throws {
        do { try FileHandle.standardOutput.write(contentsOf: Data(bytes)) } catch {
            throw Exit.failing("standard output: \(error.localizedDescription)", Exit.inputOutput)
        }
    }
}
