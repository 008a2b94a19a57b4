internal import Discovery
internal import HTTPTypes
internal import Interchange
internal import Model

/// Liveness and readiness probes.
struct HealthRoutes {
    let engine: Engine
    let longestLag: Duration

    func add(to routes: inout RouteTable) {
        routes.chapter = "Health"
        let status = Schema.object(
            [
                "status": .words(["ok"]), "people": .count, "places": .count, "products": .count,
                "clock_ahead_s": .integer(),
            ],
            required: ["status"]
        ).named("Health")
        routes.on(
            .get, "/livez", for: .anyone,
            .init("Reports that the process runs", as: "checkLiveness", answers: .ok(status), work: .vital)
        ) { _ in
            .object { $0.member("status", "ok") }
        }
        let ready = "Reports that the service is ready; to services also the numbers of documents"
        routes.on(
            .get, "/readyz", for: .anyone,
            .init(ready, as: "checkReadiness", answers: .ok(status), problems: [.storageUnavailable], work: .vital),
            self.ready)
    }

    /// The database answers and the in-memory state is loaded; the counts are for services only.
    @Sendable private func ready(_ call: Call) async throws -> Answer {
        try await engine.probe()
        try engine.refuseLagging(behind: longestLag)
        let counts = engine.read { $0.counts }
        return .object { json in
            json.member("status", "ok")
            guard call.principal == .service else { return }
            json.member("people", Int64(counts.people))
            json.member("places", Int64(counts.places))
            json.member("products", Int64(counts.products))
            json.member("clock_ahead_s", engine.logProgress?.lead.map { Int64($0.seconds) })
        }
    }
}
