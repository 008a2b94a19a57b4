internal import Discovery
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore
internal import Storage

/// Whole files, streamed.
struct ImportRoutes {
    let live: Live
    let now: @Sendable () -> Timestamp

    /// Where all paths of imports begin.
    static let path = "/v1/imports/"

    func add(to routes: inout RouteTable) {
        routes.on(.post, Self.path + "{kind}", for: .service, parameters: ["dry_run"], load)
    }

    @Sendable private func load(_ call: Call) async throws -> Answer {
        guard let kind = ImportKind(rawValue: call.word("kind")) else {
            let kinds = ImportKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(
                .notFound, .notFound,
                detail: "There is nothing to import '\(call.word("kind"))' as; known are \(kinds).")
        }
        try call.expect(Set(ImportFormat.allCases.map(\.mediaType)))
        guard let format = ImportFormat.allCases.first(where: { $0.mediaType == call.contentType }) else {
            preconditionFailure("one of the expected types has a format")
        }
        guard ["true", "false", nil].contains(call.query.text("dry_run")) else {
            throw call.query.invalid("dry_run", "true or false")
        }
        let isDry = call.query.text("dry_run") == "true"
        var session = ImportSession(kind, format, into: isDry ? nil : live, now: now)
        do {
            try await call.readBody(upTo: call.limits.importBody) { try await session.read($0.readableBytesView) }
            let report = try await session.finish()
            return .json { report.write(to: &$0) }
        } catch { throw await session.end(because: error) }
    }
}
