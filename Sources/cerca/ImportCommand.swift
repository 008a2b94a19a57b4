internal import API
internal import ArgumentParser
internal import Cities
internal import Discovery
internal import Foundation
internal import Interchange
internal import Model
internal import Normaliser
internal import Storage

/// `cerca import`: loads files into a data folder or a running service.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Load files of people, friends, places, products, stock or pings.",
        discussion: """
            Files are CSV with a header row, NDJSON or GeoJSON, by their names' endings or --format, also compressed (.csv.gz). \
            A refused row does not affect the others; it is reported with its number (a header is row 1) and the reason. A row \
            replaces the document with its id: columns missing from a file are emptied, except those that decide who sees a \
            person, and loading a file again changes nothing. The exit code is 65 if rows were refused.

            Columns may be in any order; other columns of people and places become attributes, elsewhere they are refused. \
            --attributes frame,weight keeps columns of products as attributes, and columns such as attr.frame, as exports \
            write them, are kept too. A list within a cell is separated by ;

            \(ImportKind.allCases.map { "\($0.rawValue): \($0.fields.joined(separator: ", "))" }.joined(separator: "\n"))

            With --normalise products, places and stock may have other columns and other words, and prices decimals. Further \
            columns of products are searched for words and not kept without --attributes; places also have brand, store_id, street, city, state, zip and country.

            tracks are files of one person's (--person) positions as other programs write them: GPX, GeoJSON, \
            Google's timeline (Records.json, Timeline.json), OwnTracks (.rec, NDJSON) or CSV. The format is recognized by the \
            name's ending or the content. Positions get the same verdicts as live ones, so most of a dense track is throttled.

              cerca import people people.csv --data my-data
              cerca import products shop.csv --normalise --currency EUR --dry-run
              CERCA_TOKEN=$(cerca token --sub loader --scope service) cerca import stock stock.csv --url https://cerca.example
            """)

    @Argument(help: "The kind of data: \(ImportKind.choice).", transform: ImportSubject.named)
    var subject: ImportSubject
    @Argument(help: "The files; - is the standard input.") var files: [String]
    @OptionGroup var place: DataOptions
    @OptionGroup var remote: RemoteOptions
    @Option(
        help: "The format, whatever the names are: csv, ndjson, geojson or overpass.",
        transform: Self.namedFormat)
    var format: ImportFormat?
    @Flag(help: "Only read and validate the rows, not whether the documents that they name exist.") var dryRun = false
    @Flag(help: "Normalize rows of messy products, places and stock first, and report the changes.")
    var normalise = false
    @Option(help: "With --normalise, the currency of prices without one, such as EUR.") var currency: String?
    @Option(help: "The further columns of products to keep as attributes, such as frame,weight, or all.")
    var attributes: String?
    @Flag(
        help: "Delete places, products or stock missing from the file, if no row is refused; try --dry-run first."
    )
    var prune = false
    @Flag(help: "Create events of new friendships; by default none are created.") var events = false
    @Option(help: "The person of the tracks.") var person: String?
    @Option(help: "The device of tracks without one.") var device: String?
    @Option(help: "A file for the whole report, as JSON.") var report: String?
    @Flag(help: "Print nothing about files without refused rows.") var quiet = false
    @Flag(help: "Print the whole report as JSON, instead of sentences.") var json = false

    func validate() throws {
        try remote.validate(beside: place)
        guard !normalise || subject.isMessy else {
            throw ValidationError("--normalise is for products, places and stock.")
        }
        guard currency == nil || normalise && currency.flatMap({ Currency($0) })?.isListed ?? false else {
            throw ValidationError("--currency must be an ISO 4217 code such as EUR, with --normalise.")
        }
        guard attributes == nil || subject.isProducts else { throw ValidationError("--attributes is for products.") }
        _ = try requestedAttributes
        guard !prune || subject.mayBePruned && files.count == 1 else {
            throw ValidationError("--prune is for places, products and stock, and for one file with all of them.")
        }
        guard !files.isEmpty else { throw ValidationError("A file to load is required.") }
        guard files.count(where: { $0 == FilePieces.standardInput }) < 2 else {
            throw ValidationError("The standard input (-) can be read once.")
        }
        if case .tracks = subject { return try validateTracks() }
        guard person == nil, device == nil else { throw ValidationError("--person and --device are for tracks.") }
        for file in files where format(of: file) == nil {
            throw ValidationError(
                file == FilePieces.standardInput
                    ? "The standard input has no name from which the format follows: --format is required."
                    : file.lowercased().hasSuffix(".parquet")
                        ? "\(file) is Parquet: convert it first with duckdb -c \"COPY (FROM '\(file)') TO 'OUT.csv'\""
                        : "\(file): the name must end in .csv, .tsv, .ndjson, .jsonl, .geojson or .json, unless --format is given."
            )
        }
    }

    private var requestedAttributes: AttributeColumns? {
        get throws {
            do throws(AttributeRequestError) { return try attributes.map(AttributeColumns.init) } catch {
                throw ValidationError("--attributes \(error).")
            }
        }
    }

    private func format(of file: String) -> ImportFormat? { format ?? ImportFormat(fileName: file) }

    @Sendable private static func namedFormat(_ name: String) throws -> ImportFormat {
        guard let format = ImportFormat(rawValue: name) else {
            throw ValidationError("'\(name)' is not one of csv, ndjson, geojson, overpass.")
        }
        return format
    }

    func run() async throws {
        for file in files where file != FilePieces.standardInput {
            let isFolder = URL(filePath: file, directoryHint: .checkFileSystem).hasDirectoryPath
            guard isFolder || !FileManager.default.isReadableFile(atPath: file) else { continue }
            let isThere = FileManager.default.fileExists(atPath: file)
            throw Exit.failing("\(file): \(isThere ? "cannot be read" : "it does not exist")", Exit.noInput)
        }
        let reports =
            switch subject {
            case .tracks: try await loadTracks()
            case .rows(let kind): try await load(kind)
            }
        if let report { try FileReport.write(reports, to: report) }
        if json { try StandardOutput.write(FileReport.text(of: reports).utf8) }
        if !reports.allSatisfy(\.isClean) { throw ExitCode(Exit.data) }
    }

    private func load(_ kind: ImportKind) async throws -> [FileReport] {
        guard let service = try remote.service else { return try await loadIntoFolder(kind) }
        var parameters = dryRunParameters
        if normalise { parameters.append(("normalise", "true")) }
        if prune { parameters.append(("prune", "true")) }
        if events { parameters.append(("events", "true")) }
        if let currency { parameters.append(("currency", currency)) }
        if let attributes { parameters.append(("attributes", attributes)) }
        return try await service.load(files, kind.rawValue, parameters, verbosity) { format(of: $0)?.mediaType ?? "" }
    }

    /// How the report of each file is printed.
    var verbosity: FileReport.Verbosity { FileReport.Verbosity(isDry: dryRun, isQuiet: quiet, isJSON: json) }

    /// The parameters that prevent a service from storing anything.
    var dryRunParameters: [(String, String)] { dryRun ? [("dry_run", "true")] : [] }

    private func loadIntoFolder(_ kind: ImportKind) async throws -> [FileReport] {
        let settings = try await place.settings(place.flags)
        let lexicon = try await Exit.configured { try settings.lexicon }
        let currency = currency.flatMap { Currency($0) }
        return try await loadIntoFolder(settings) { file, engine in
            let normalising =
                normalise
                ? Normalisation(
                    kind, lexicon: lexicon, gazetteer: engine?.gazetteer ?? Gazetteer(), currency: currency,
                    places: engine?.store, now: Clock.now())
                : nil
            return try await load(kind, file, into: engine, normalising)
        }
    }

    /// Loads the files in order into the data folder, or only checks them.
    func loadIntoFolder(
        _ settings: Settings, _ load: (_ file: String, Engine?) async throws -> FileReport
    ) async throws -> [FileReport] {
        let (rules, folder) = try await Exit.configured { (try settings.rules, try settings.dataFolder) }
        // A dry run with pruning compares the file with the database, so there must be one.
        if dryRun, prune { _ = try await place.file }
        let engine = dryRun && !prune ? nil : try open(folder, rules)
        var reports: [FileReport] = []
        for file in files { reports.append(try await load(file, engine)) }
        do throws(StorageError) { try await engine?.close() } catch { throw Exit.failing(error, folder) }
        return reports
    }

    /// Passes the content of a file to `take` in pieces while `take` returns true; `rows` counts the rows so far.
    func read(
        _ file: String, rows: () -> Int? = { nil }, _ take: (Data) async throws -> Bool
    ) async throws {
        var progress = Progress(file, isQuiet: quiet)
        defer { progress.end() }
        let pieces = try FilePieces(file)
        let content = try FileContent(of: pieces)
        for piece in pieces {
            let piece = try piece.get()
            guard try await content.read(piece, take) else { return }
            progress.advance(by: piece.count, rows: rows())
        }
        try content.finish()
    }

    private func load(
        _ kind: ImportKind, _ file: String, into engine: Engine?, _ normalising: Normalisation?
    ) async throws -> FileReport {
        guard let format = format(of: file) else { preconditionFailure("validated before") }
        var session = ImportSession(
            kind, format, into: dryRun ? nil : engine, normalising: normalising, attributes: try requestedAttributes,
            pruning: prune ? engine : nil, reportsEvents: events, now: Clock.now)
        do {
            try await read(file, rows: { session.rows }) { piece in
                try await session.read(piece)
                return true
            }
            return try FileReport(file, json: await session.finish().json, verbosity)
        } catch {
            let reason = await session.end(because: error)
            throw Exit.failing("\(file): \(ImportSession.sentence(for: reason))", Exit.data)
        }
    }
}

/// The content of the files to load.
enum ImportSubject: Sendable {
    case rows(ImportKind)
    case tracks

    @Sendable static func named(_ name: String) throws -> ImportSubject {
        if name == "tracks" { return .tracks }
        guard let kind = ImportKind(rawValue: name) else {
            throw ValidationError("'\(name)' is not one of \(ImportKind.choice).")
        }
        return .rows(kind)
    }

    var isProducts: Bool { if case .rows(.products) = self { true } else { false } }

    /// Whether entities missing from a file may be deleted.
    var mayBePruned: Bool { if case .rows(let kind) = self { kind.mayBePruned } else { false } }

    /// Whether rows may need to be normalized.
    var isMessy: Bool {
        switch self {
        case .rows(.products), .rows(.places), .rows(.stock): true
        case .rows, .tracks: false
        }
    }
}
