internal import Discovery
internal import HTTPTypes
internal import Interchange

/// The route that exports all data held about a person, to that person.
struct PersonExportRoutes {
    let engine: Engine

    func add(to routes: inout RouteTable) {
        routes.chapter = "People"
        routes.on(
            .get, "/v1/people/{id}/export", for: .own,
            .init("Returns all data about a person", as: "exportPerson", answers: .ok(.personExport), work: .long),
            export)
    }

    @Sendable private func export(_ call: Call) async throws -> Answer {
        let export = try PersonExport(of: try call.id("id"), in: engine, at: call.received)
        return .streamed("application/json") { send in try await export.write(to: send) }
    }
}
