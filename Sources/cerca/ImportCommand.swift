internal import API
internal import ArgumentParser
internal import Cities
internal import Discovery
internal import Foundation
internal import Interchange
internal import Model
internal import Normaliser
internal import Storage

/// `cerca import`: files into a data folder, or into a running service.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Load files of people, friends, places, products, stock or pings.",
        discussion: """
            Files are CSV with a header row, NDJSON or GeoJSON, by their names' endings. A row that is refused leaves the \
            others alone and is reported with its number (a header is row 1) and the reason. A row stands for the \
            whole of what has its id: columns that a file does not have are emptied, but for what decides who sees a \
            person, and loading a file again changes nothing. The command ends with 65 when rows were refused.

            Columns, in any order; of people and places what is not among them becomes an attribute, elsewhere it is refused. A list \
            within a cell is separated by ;

            \(ImportKind.allCases.map { "\($0.rawValue): \($0.fields.joined(separator: ", "))" }.joined(separator: "\n"))

            With --normalise products and places may have other columns and other words: of products further columns are searched \
            for words and not kept, places also have brand, store_id, street, city, state, zip and country.

            tracks are files of one person's positions as other programs write them, and --person says whose: GPX, GeoJSON, \
            Google's timeline (Records.json, Timeline.json), OwnTracks (.rec, NDJSON) or CSV. The names' endings say \
            which, else the content does. They are judged as if they had been sent live, so most of a dense track is throttled.

              cerca import people people.csv --data my-data
              cerca import products shop.csv --normalise --currency EUR --dry-run
              CERCA_TOKEN=$(cerca token --sub loader --scope service) cerca import stock stock.csv --url https://cerca.example
            """)

    @Argument(help: "What the files hold: \(ImportKind.choice).", transform: ImportSubject.named)
    var subject: ImportSubject
    @Argument(help: "The files.") var files: [String]
    @OptionGroup var place: DataOptions
    @OptionGroup var remote: RemoteOptions
    @Flag(help: "Read and check the form of rows only, not whether what they name exists.") var dryRun = false
    @Flag(help: "Put rows of messy products and places right first, and report what was changed.") var normalise = false
    @Option(help: "With --normalise, the currency of prices that name none, such as EUR.") var currency: String?
    @Option(help: "Whose tracks they are.") var person: String?
    @Option(help: "The device of tracks that name none.") var device: String?
    @Option(help: "A file for the whole report, as JSON.") var report: String?
    @Flag(help: "Print nothing of files of which nothing was refused.") var quiet = false
    @Flag(help: "Print the whole report as JSON, in place of sentences.") var json = false

    func validate() throws {
        try remote.validate(beside: place)
        guard !normalise || subject.isMessy else { throw ValidationError("--normalise is for products and places.") }
        guard currency == nil || normalise && currency.flatMap({ Currency($0) }) != nil else {
            throw ValidationError("--currency is an ISO 4217 code such as EUR, and for --normalise.")
        }
        guard !files.isEmpty else { throw ValidationError("There is no file to load.") }
        if case .tracks = subject { return try validateTracks() }
        guard person == nil, device == nil else { throw ValidationError("--person and --device are for tracks.") }
        for file in files where ImportFormat(fileName: file) == nil {
            throw ValidationError("\(file): the name must end in .csv, .ndjson, .jsonl or .geojson.")
        }
    }

    func run() async throws {
        for file in files {
            let isFolder = URL(filePath: file, directoryHint: .checkFileSystem).hasDirectoryPath
            guard isFolder || !FileManager.default.isReadableFile(atPath: file) else { continue }
            let isThere = FileManager.default.fileExists(atPath: file)
            throw Exit.failing("\(file): \(isThere ? "cannot be read" : "there is no such file")", Exit.noInput)
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
        if let currency { parameters.append(("currency", currency)) }
        return try await service.load(files, kind.rawValue, parameters, telling) { file in
            ImportFormat(fileName: file)?.mediaType ?? ""
        }
    }

    /// What is printed of each file.
    var telling: FileReport.Telling { FileReport.Telling(isDry: dryRun, isQuiet: quiet, isJSON: json) }

    /// What tells a service not to store anything.
    var dryRunParameters: [(String, String)] { dryRun ? [("dry_run", "true")] : [] }

    private func loadIntoFolder(_ kind: ImportKind) async throws -> [FileReport] {
        let settings = try await place.settings(place.flags)
        let lexicon = try await Exit.configured { try settings.lexicon }
        let currency = currency.flatMap { Currency($0) }
        return try await loadIntoFolder(settings) { file, live in
            let normalising =
                normalise
                ? Normalisation(kind, lexicon: lexicon, gazetteer: live?.gazetteer ?? Gazetteer(), currency: currency)
                : nil
            return try await load(kind, file, into: live, normalising)
        }
    }

    /// Loads the files one after the other into the folder that is meant, or checks them only.
    func loadIntoFolder(
        _ settings: Settings, _ load: (_ file: String, Live?) async throws -> FileReport
    ) async throws -> [FileReport] {
        let (rules, folder) = try await Exit.configured { (try settings.rules, try settings.dataFolder) }
        let live = dryRun ? nil : try open(folder, rules)
        var reports: [FileReport] = []
        for file in files { reports.append(try await load(file, live)) }
        do throws(StorageError) { try await live?.close() } catch { throw Exit.failing(error, folder) }
        return reports
    }

    /// Gives `take` the pieces of a file, as long as it wants more.
    func read(_ file: String, _ take: (Data) async throws -> Bool) async throws {
        var progress = Progress(file, isQuiet: quiet)
        for piece in try FilePieces(file) {
            let piece = try piece.get()
            let goesOn = try await take(piece)
            progress.advance(by: piece.count)
            if !goesOn { break }
        }
        progress.end()
    }

    private func load(
        _ kind: ImportKind, _ file: String, into live: Live?, _ normalising: Normalisation?
    ) async throws -> FileReport {
        guard let format = ImportFormat(fileName: file) else { preconditionFailure("validated before") }
        var session = ImportSession(kind, format, into: live, normalising: normalising, now: Clock.now)
        do {
            try await read(file) { piece in
                try await session.read(piece)
                return true
            }
            return try FileReport(file, json: await session.finish().json, telling)
        } catch {
            let reason = await session.end(because: error)
            throw Exit.failing("\(file): \(ImportSession.sentence(for: reason))", Exit.data)
        }
    }
}

/// What files to load can hold.
enum ImportSubject: Sendable {
    case rows(ImportKind)
    /// Tracks of one person.
    case tracks

    @Sendable static func named(_ name: String) throws -> ImportSubject {
        if name == "tracks" { return .tracks }
        guard let kind = ImportKind(rawValue: name) else {
            throw ValidationError("'\(name)' is not one of \(ImportKind.choice).")
        }
        return .rows(kind)
    }

    /// Whether rows may need to be put right.
    var isMessy: Bool {
        switch self {
        case .rows(.products), .rows(.places): true
        case .rows, .tracks: false
        }
    }
}
