internal import Discovery
internal import Foundation
internal import HTTPTypes
internal import Interchange
internal import Model

/// Positions: sending them, the last one, and deleting them.
struct PingRoutes {
    let live: Live
    let seal: CursorSeal

    func add(to routes: inout RouteTable) {
        routes.on(.post, "/v1/pings", for: .sending, record)
        routes.ask(
            QuestionRoute(member: "position", path: "/v1/people/{id}/position", access: .known, parameters: ["at"]),
            of: live, position)
        routes.on(.delete, "/v1/people/{id}/history", for: .own, parameters: ["datetime", "in", "bbox"], erase)
    }

    @Sendable private func record(_ call: Call) async throws -> Answer {
        let body = try await call.body(Call.jsonTypes.union([Call.lines]))
        var batch = PingBatch(limit: call.limits.batch)
        if call.contentType == Call.lines {
            try batch.read(lines: body)
        } else {
            try batch.read(body)
        }
        let reports = Self.named(batch.reports, by: call.principal)
        let recorded = try await live.perform(Record(reports), for: call)
        return batch.answer(recorded.verdicts, recorded.hints).unstored
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

    @Sendable private func position(_ call: Call) async throws -> Question {
        if let time = try call.pastInstant("at") {
            return Question(answer: try await TimeTravelRoutes(live: live, seal: seal).position(call, at: time))
        }
        let id: PersonID = try call.id("id")
        return Question { picture in
            let position = try picture.position(of: id, for: call.caller, at: call.received)
            return { Self.answer(position, of: id) }
        }
    }

    private static func answer(_ position: Position, of id: PersonID) -> Answer {
        .object { json in
            json.member("id", id.text)
            json.coordinate(position.place)
            json.member("at", position.time)
            json.member("seen_until", position.seenUntil)
            json.member("accuracy_m", position.accuracy)
            json.member("precision", position.precision.rawValue)
        }.unstored
    }

    @Sendable private func erase(_ call: Call) async throws -> Answer {
        let id: PersonID = try call.id("id")
        guard ["datetime", "in", "bbox"].contains(where: { call.query.text($0) != nil }) else {
            throw Problem(
                .invalidParameter, detail: "'datetime', 'in' or 'bbox' is required; datetime=../.. deletes everything.")
        }
        let erased = try await live.erase(
            of: id, in: call.query.interval("datetime"), where: call.region(), by: call.caller, received: call.received)
        return Answer.object { json in
            json.member("deleted", Int64(erased.pings))
            if erased.stays > 0 { json.member("stays_cut", Int64(erased.stays)) }
        }.unstored
    }
}
