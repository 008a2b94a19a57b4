internal import API
internal import ArgumentParser
internal import Discovery
internal import Foundation
internal import Interchange
internal import Model
internal import Storage
internal import SystemPackage

/// `cerca export`: writes all entities of a kind in a format that `cerca import` reads.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all people, friends, places, products, stock or pings to the standard output.",
        discussion: """
            'cerca import' can load the output again, kinds in the order above. NDJSON has everything that an \
            import accepts; CSV omits people's own throttle, attributes become text, and items of lists that contain \
            a ; are split; GeoJSON is for places and pings, GPX for pings. Suspect pings are omitted. tracks are the tracks of one \
            --person, as GPX, GeoJSON lines or CSV. A folder in use by a service is refused: use --url.

              cerca export people --data my-data > people.ndjson
              cerca export tracks --person ana --data my-data > ana.gpx
            """)

    @Argument(help: "The kind of data: \(ImportKind.choice).", transform: ImportSubject.named)
    var subject: ImportSubject
    @Option(
        name: .customLong("format"), help: "The format: ndjson, csv, geojson or gpx; default ndjson, for tracks gpx.",
        transform: Self.format)
    var chosen: ExportFormat?
    @Option(help: "The separator of cells of csv: comma, semicolon or tab.", transform: Self.separator)
    var delimiter = CSVDelimiter.comma
    @Flag(help: "Quote texts of csv that spreadsheets would run as formulas; an import undoes it.")
    var spreadsheet = false
    @Option(help: "The person of the tracks.") var person: String?
    @OptionGroup var place: DataOptions
    @OptionGroup var remote: RemoteOptions

    func validate() throws {
        try remote.validate(beside: place)
        let possible: [ExportFormat]
        switch subject {
        case .rows(let kind): possible = ExportFormat.possible(for: kind)
        case .tracks: possible = TrackExport.formats
        }
        guard chosen.map(possible.contains) ?? true else {
            let names = possible.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--format must be one of \(names) here.")
        }
        guard delimiter == .comma || chosen == .csv else { throw ValidationError("--delimiter is for --format csv.") }
        guard !spreadsheet || chosen == .csv else { throw ValidationError("--spreadsheet is for --format csv.") }
        guard case .tracks = subject else {
            if person != nil { throw ValidationError("--person is for tracks.") }
            return
        }
        guard delimiter == .comma else { throw ValidationError("--delimiter is not for tracks.") }
        guard !spreadsheet else { throw ValidationError("--spreadsheet is not for tracks.") }
        guard person.map({ (try? PersonID($0)) != nil }) ?? false else {
            throw ValidationError("Tracks belong to one person: --person ID is required.")
        }
    }

    func run() async throws {
        switch subject {
        case .rows(let kind):
            let format = chosen ?? .ndjson
            guard let service = try remote.service else { return try await writeFolder(kind, format) }
            var parameters = delimiter == .comma ? [] : ["delimiter=\(delimiter.rawValue)"]
            if spreadsheet { parameters.append("spreadsheet=true") }
            let query = parameters.isEmpty ? "" : "?\(parameters.joined(separator: "&"))"
            try await service.export(kind.rawValue + query, format)
        case .tracks:
            let (format, person) = (chosen ?? .gpx, try PersonID(person ?? ""))
            guard let service = try remote.service else { return try await writeTracks(of: person, format) }
            let id = person.text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            try await service.export("tracks?person=\(id)", format)
        }
    }

    private func writeTracks(of person: PersonID, _ format: ExportFormat) async throws {
        let folder = try await place.file.deletingLastPathComponent()
        let engine = try open(folder, PingRules())
        do {
            let export = try await TrackExport(of: person, format, from: engine)
            try await export.write { bytes in try StandardOutput.write(bytes) }
            try await engine.close()
        } catch let code as ExitCode { throw code } catch let refusal as Refusal {
            throw Exit.failing(ImportSession.sentence(for: refusal), Exit.data)
        } catch { throw Exit.failing(StorageError(error), folder) }
    }

    private func writeFolder(_ kind: ImportKind, _ format: ExportFormat) async throws {
        let folder = try await place.file.deletingLastPathComponent()
        do {
            let store = try Store(folder: folder)
            let export = try await Export(
                kind, format, delimiter: delimiter, isForSpreadsheets: spreadsheet, of: store)
            try await export.write { bytes in try StandardOutput.write(bytes) }
            try store.close()
        } catch let code as ExitCode { throw code } catch let error as TooManyColumns {
            throw Exit.failing("\(error)", Exit.data)
        } catch { throw Exit.failing(StorageError(error), folder) }
    }

    @Sendable private static func separator(_ name: String) throws -> CSVDelimiter {
        guard let delimiter = CSVDelimiter(rawValue: name) else {
            throw ValidationError("'\(name)' is not one of comma, semicolon, tab.")
        }
        return delimiter
    }

    @Sendable private static func format(_ name: String) throws -> ExportFormat {
        guard let format = ExportFormat(rawValue: name) else {
            let names = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(name)' is not one of \(names).")
        }
        return format
    }
}

/// Command output other than messages.
enum StandardOutput {
    static func write(_ bytes: some Sequence<UInt8>) throws {
        do { try FileDescriptor.standardOutput.writeAll(bytes) } catch Errno.brokenPipe {
            throw ExitCode.success  // a reader such as `head` that has closed the pipe has all it needs
        } catch { throw Exit.failing("standard output: \(error)", Exit.inputOutput) }
    }
}
