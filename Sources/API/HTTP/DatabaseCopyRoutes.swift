internal import Discovery
internal import Foundation
internal import HTTPTypes
internal import Model

/// A copy of the whole database, for another machine that begins to follow the same log.
struct DatabaseCopyRoutes {
    let engine: Engine

    /// Adds the route if a log is followed.
    func add(to routes: inout RouteTable) {
        guard engine.logProgress != nil else { return }
        routes.follower = engine
        routes.chapter = "Health"
        routes.on(
            .get, "/v1/copy", for: .service,
            .init(
                "Streams a copy of the database for another node",
                answers: .content(.file(["application/vnd.sqlite3"])), onlyReads: false, work: .long), copy)
    }

    /// The bytes that are read at once.
    private static let piece = 1 << 20

    @Sendable private func copy(_ call: Call) async throws -> Answer {
        .streamed("application/vnd.sqlite3") { [engine] send in
            let copy = try engine.copy()
            defer { try? copy.close() }
            while let bytes = try copy.read(upToCount: Self.piece), !bytes.isEmpty { try await send(Array(bytes)) }
        }
    }
}
