internal import Discovery
internal import HTTPTypes
internal import Interchange

/// Streams all records of a kind, in the formats of imports.
struct ExportRoutes {
    let engine: Engine

    func add(to routes: inout RouteTable) {
        routes.chapter = "Files"
        routes.on(
            .get, "/v1/exports/{kind}", for: .service,
            .init(
                "Streams all documents of a kind", as: "exportDocuments", [Self.delimiter, Self.isForSpreadsheets],
                path: ["kind": .word(ImportKind.self)],
                answers: .content(.file(ExportFormat.allCases.map(\.mediaType))), problems: [.notAcceptable],
                work: .long), export)
    }

    private static let delimiter = Parameter<CSVDelimiter?>(
        "delimiter", "the separator of CSV cells, by default a comma", .word(CSVDelimiter.self)
    ) { call throws(Problem) in
        guard let text = call.query.text("delimiter") else { return nil }
        guard let delimiter = CSVDelimiter(rawValue: text) else {
            throw call.query.invalid("delimiter", "one of comma, semicolon, tab")
        }
        return delimiter
    }

    private static let isForSpreadsheets = Parameter.flag(
        "spreadsheet", "whether texts that spreadsheets would run as formulas are quoted; an import undoes it")

    @Sendable private func export(_ call: Call) async throws -> Answer {
        let kind: ImportKind = try call.kind { "\($0) cannot be exported; known: \(ImportKind.choice)." }
        let format = try call.accepted(of: ExportFormat.possible(for: kind))
        let (delimiter, isForSpreadsheets) = (try call[Self.delimiter], try call[Self.isForSpreadsheets])
        guard format == .csv || delimiter == nil && !isForSpreadsheets else {
            let name = delimiter == nil ? "spreadsheet" : "delimiter"
            throw Problem(.invalidParameter, detail: "'\(name)' is for text/csv, which 'Accept' must request.")
        }
        let export = try await Export(
            kind, format, delimiter: delimiter ?? .comma, isForSpreadsheets: isForSpreadsheets, of: engine)
        return .streamed(format.contentType) { send in try await export.write(to: send) }.negotiated
    }
}
