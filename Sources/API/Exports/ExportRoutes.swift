internal import Discovery
internal import HTTPTypes
internal import Interchange

/// All of a kind, as an import reads it, streamed.
struct ExportRoutes {
    let live: Live

    func add(to routes: inout RouteTable) {
        routes.chapter = "Files"
        routes.on(
            .get, "/v1/exports/{kind}", for: .service,
            .init(
                "Streams all of a kind", path: ["kind": .word(ImportKind.self)],
                answers: .content(.file(ExportFormat.allCases.map(\.mediaType))), problems: [.notAcceptable],
                work: .long), export)
    }

    @Sendable private func export(_ call: Call) async throws -> Answer {
        let kind: ImportKind = try call.kind { "\($0) cannot be exported; known: \(ImportKind.choice)." }
        let format = try call.accepted(of: ExportFormat.possible(for: kind))
        let export = try await Export(kind, format, of: live)
        return .streamed(format.contentType) { send in try await export.write(to: send) }.negotiated
    }
}
