internal import Discovery
internal import Foundation
internal import HTTPTypes
internal import Storage

/// Positions: sending them, the last one, and deleting them.
struct PingRoutes {
    let live: Live
    let seal: CursorSeal

    func add(to routes: inout RouteTable) {
        routes.on(.post, "/v1/pings", record)
        routes.on(.get, "/v1/people/{id}/position", parameters: ["at"], position)
        routes.on(.delete, "/v1/people/{id}/history", parameters: ["datetime", "in", "bbox"], erase)
    }

    private static let lines = "application/x-ndjson"

    @Sendable private func record(_ call: Call) async throws -> Answer {
        let body = try await call.body(Call.jsonTypes.union([Self.lines]))
        var batch = PingBatch(limit: call.limits.batch)
        if call.contentType == Self.lines {
            try batch.read(lines: body)
        } else {
            try batch.read(JSON(body))
        }
        let outcome = try await live.perform(Command(.record(batch.reports), by: .service, received: call.received))
        guard case .recorded(let verdicts, let hints) = outcome else { preconditionFailure("pings have verdicts") }
        return batch.answer(verdicts, hints).unstored
    }

    @Sendable private func position(_ call: Call) async throws -> Answer {
        if let time = try call.pastInstant("at") {
            return try await TimeTravelRoutes(live: live, seal: seal).position(call, at: time)
        }
        let id = try call.id("id")
        let position = try live.read { picture throws(Refusal) in try picture.position(of: id) }
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

    @Sendable private func erase(_ call: Call) async throws -> Answer {
        let id = try call.id("id")
        guard ["datetime", "in", "bbox"].contains(where: { call.query.text($0) != nil }) else {
            throw Problem(
                .badRequest, .invalidParameter,
                detail: "'datetime', 'in' or 'bbox' is required; datetime=../.. deletes everything.")
        }
        let erased = try await live.erase(
            of: id, in: call.query.interval("datetime"), where: call.region(), by: .service, received: call.received)
        return Answer.json { json in
            json.object { json in
                json.member("deleted", Int64(erased.pings))
                if erased.stays > 0 { json.member("stays_cut", Int64(erased.stays)) }
            }
        }.unstored
    }
}
