internal import Discovery
internal import Foundation
internal import HTTPTypes
internal import Storage

/// Positions: sending them and reading them back.
struct PingRoutes {
    let live: Live
    let seal: CursorSeal

    func add(to routes: inout RouteTable) {
        routes.on(.post, "/v1/pings", for: .sending, record)
        routes.on(.get, "/v1/people/{id}/position", for: .known, position)
        routes.on(
            .get, "/v1/people/{id}/history", for: .own, parameters: ["datetime", "limit", "cursor", "fields"], history)
        routes.on(.delete, "/v1/people/{id}/history", for: .own, parameters: ["datetime", "in", "bbox"], erase)
    }

    private static let columns = [
        "t", "lat", "lon", "device", "accuracy_m", "altitude_m", "speed_mps", "heading", "battery", "seen_until",
    ]

    private static let lines = "application/x-ndjson"

    @Sendable private func record(_ call: Call) async throws -> Answer {
        let body = try await call.body(Call.jsonTypes.union([Self.lines]))
        var batch = PingBatch(limit: call.limits.batch)
        if call.contentType == Self.lines {
            try batch.read(lines: body)
        } else {
            try batch.read(JSON(body))
        }
        let reports = Self.named(batch.reports, by: call.principal)
        let outcome = try await live.perform(Command(.record(reports), by: call.caller, received: call.received))
        guard case .recorded(let verdicts, let hints) = outcome else { preconditionFailure("pings have verdicts") }
        return batch.answer(verdicts, hints).unstored
    }

    /// Pings that name no device are of the one whose token they came with.
    private static func named(_ reports: [PingReport], by principal: Principal?) -> [PingReport] {
        guard case .device(let id, _)? = principal else { return reports }
        return reports.map { report in
            var report = report
            if report.device.isEmpty { report.device = id.text }
            return report
        }
    }

    @Sendable private func position(_ call: Call) async throws -> Answer {
        let id = try call.id("id")
        let position = try live.read { picture throws(Refusal) in try picture.position(of: id, for: call.caller) }
        return Answer.json { json in
            json.object { json in
                json.member("id", id.text)
                json.coordinate(position.place)
                json.member("at", position.time)
                json.member("seen_until", position.seenUntil)
                json.member("accuracy_m", position.accuracy)
                json.member("precision", "exact")
            }
        }.unstored
    }

    @Sendable private func history(_ call: Call) async throws -> Answer {
        let id = try call.id("id")
        let times = try call.query.interval("datetime")
        let limit = try call.query.limit(1...10_000, default: 1000)
        let after = try seal.pingPosition(call)
        let columns = try call.query.columns(of: Self.columns)
        let pings = try await live.history(
            of: id, from: times.lowerBound, to: times.upperBound, after: after, limit: limit + 1)
        return try Listing(
            pings, limit: limit, columns: columns, place: { $0.place }, seal: { try seal.seal($0, call) },
            write: { $0.ping($1) }
        ).answer(to: call).unstored
    }

    @Sendable private func erase(_ call: Call) async throws -> Answer {
        let id = try call.id("id")
        guard ["datetime", "in", "bbox"].contains(where: { call.query.text($0) != nil }) else {
            throw Problem(
                .badRequest, .invalidParameter,
                detail: "'datetime', 'in' or 'bbox' is required; datetime=../.. deletes everything.")
        }
        let count = try await live.erase(
            of: id, in: call.query.interval("datetime"), where: call.region(), by: call.caller, received: call.received)
        return Answer.json { json in json.object { $0.member("deleted", Int64(count)) } }.unstored
    }
}
