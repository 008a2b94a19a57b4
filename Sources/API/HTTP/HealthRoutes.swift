internal import Discovery
internal import HTTPTypes
internal import Interchange

/// Whether the process runs and can serve.
struct HealthRoutes {
    let live: Live

    func add(to routes: inout RouteTable) {
        routes.on(.get, "/livez", for: .anyone) { _ in .object { $0.member("status", "ok") } }
        routes.on(.get, "/readyz", for: .anyone, ready)
    }

    /// The database answers and the picture is there; how much there is concerns services only.
    @Sendable private func ready(_ call: Call) async throws -> Answer {
        try await live.probe()
        let counts = live.read { $0.counts }
        return .object { json in
            json.member("status", "ok")
            guard call.principal == .service else { return }
            json.member("people", Int64(counts.people))
            json.member("places", Int64(counts.places))
            json.member("products", Int64(counts.products))
        }
    }
}
