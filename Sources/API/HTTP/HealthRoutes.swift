internal import Discovery
internal import HTTPTypes
internal import Interchange
internal import Model

/// Liveness and readiness probes, and the state of the installation.
struct HealthRoutes {
    let engine: Engine
    let longestLag: Duration
    let started: Timestamp
    private let examination: Examination?

    init(engine: Engine, configuration: Server.Configuration, started: Timestamp) {
        (self.engine, longestLag, self.started) = (engine, configuration.longestLag, started)
        examination = configuration.examine.map { Examination($0) }
    }

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
        routes.on(
            .get, "/v1/service", for: .service,
            .init(
                "Returns version, sizes, newest backup, and the doctor's findings of the last minute",
                answers: .ok(.installation)), service)
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

    @Sendable private func service(_ call: Call) async throws -> Answer {
        let counts = engine.read { $0.counts }
        let examined = await examination?.result(at: call.received)
        return Answer.object { json in
            json.member("version", Version.program)
            json.member("started_at", started)
            json.object("counts") { json in
                json.member("people", Int64(counts.people))
                json.member("places", Int64(counts.places))
                json.member("products", Int64(counts.products))
            }
            guard let (installation, time) = examined else { return }
            json.installation(installation)
            json.member("examined_at", time)
        }.unstored
    }
}

extension JSONWriter {
    fileprivate mutating func installation(_ installation: Installation) {
        member("schema", Int64(installation.schema))
        member("database_bytes", Int64(installation.databaseBytes))
        if let backup = installation.backup {
            object("backup") { json in
                json.member("at", backup.at)
                json.member("bytes", Int64(backup.bytes))
            }
        }
        objects("findings", installation.findings) { json, finding in
            json.member("subject", finding.subject)
            json.member("state", finding.state)
        }
    }
}

extension Schema {
    fileprivate static let installation = object(
        [
            "version": text(), "started_at": time, "schema": count.described("The version of the database's schema"),
            "counts": object(["people": count, "places": count, "products": count]), "database_bytes": count,
            "backup": object(["at": time, "bytes": count], required: ["at", "bytes"]).described(
                "The newest backup; absent if there is none"),
            "findings": list(
                of: object(["subject": text(), "state": words(Installation.states)], required: ["subject", "state"])
            ).described("`cerca doctor` on the server has the details"),
            "examined_at": time.described("When the installation was examined"),
        ], required: ["version", "started_at", "counts"]
    ).named("Installation")
}
