internal import Discovery
internal import Foundation
internal import HTTPTypes
internal import Interchange
internal import Model

/// Positions: sends them, returns the last one, and deletes them.
struct PingRoutes {
    let engine: Engine
    let seal: CursorSeal

    func add(to routes: inout RouteTable) {
        routes.chapter = "Positions"
        routes.on(
            .post, "/v1/pings", for: .sending,
            .init(
                "Sends positions: one, an array, or one per line", as: "recordPings",
                takes: [
                    "application/json": .either(.ping, .list(of: .ping).described("Pings, each with a verdict")),
                    Call.lines: .anything,
                ],
                answers: .ok(.pingReport), problems: [.batchTooLarge]),
            record)
        let position = RouteDescription(
            "Returns the position of a person, now or in the past", as: "getPosition", [Self.at],
            answers: .ok(.position),
            problems: [.noPosition])
        routes.ask(
            QueryRoute(
                member: "position", path: "/v1/people/{id}/position", access: .known, description: position),
            of: engine, self.position)
        let erased = Schema.object(["deleted": .count, "stays_cut": .count], required: ["deleted"])
        routes.on(
            .delete, "/v1/people/{id}/history", for: .own,
            .init(
                "Deletes positions permanently", as: "deleteHistory", [Self.times, Call.polygon, Call.box],
                answers: .ok(erased.named("Erased"))),
            erase)
    }

    private static let at = Parameter.past("at", "a time in the past, by default now")
    private static let times = Parameter.interval("datetime", "the times of the positions; `../..` for all")

    @Sendable private func record(_ call: Call) async throws -> Answer {
        let body = try await call.body(Call.jsonTypes.union([Call.lines]))
        var own: PersonID?
        if case .person(let person) = call.caller { own = person }
        var batch = PingBatch(limit: call.limits.batch, of: own)
        if call.contentType == Call.lines {
            try batch.read(lines: body)
        } else {
            try batch.read(body)
        }
        let reports = Self.named(batch.reports, by: call.principal)
        let recorded = try await engine.perform(Record(reports), for: call)
        if batch.isOne, recorded.verdicts == [.unknownPerson], let person = reports.first?.person {
            throw Problem(.notFound, detail: "You may not send positions for '\(person)', or they do not exist.")
        }
        let hints = try await engine.hints(after: reports, recorded, at: call.received)
        return batch.answer(recorded.verdicts, hints).unstored
    }

    /// Sets the device of the token for pings that name none.
    private static func named(_ reports: [PingReport], by principal: Principal?) -> [PingReport] {
        guard case .device(let id, _)? = principal else { return reports }
        return reports.map { report in
            var report = report
            if report.device.isEmpty { report.device = id.text }
            return report
        }
    }

    @Sendable private func position(_ call: Call) async throws -> Query {
        if let time = try call[Self.at] {
            return Query(answer: try await TimeTravelRoutes(engine: engine, seal: seal).position(call, at: time))
        }
        let id: PersonID = try call.id("id")
        return Query { state in
            let position = try state.position(of: id, for: call.caller, at: call.received)
            return { Self.answer(position, of: id) }
        }
    }

    private static func answer(_ position: Position, of id: PersonID) -> Answer {
        .object { json in
            json.member("id", id.text)
            json.members(of: position)
        }.unstored
    }

    @Sendable private func erase(_ call: Call) async throws -> Answer {
        let id: PersonID = try call.id("id")
        guard [Self.times.name, Call.polygon.name, Call.box.name].contains(where: { call.query.text($0) != nil }) else {
            throw Problem(
                .invalidParameter, detail: "'datetime', 'in' or 'bbox' is required; datetime=../.. deletes everything.")
        }
        let erased = try await engine.erase(
            of: id, in: call[Self.times], where: call.region(), by: call.caller, received: call.received)
        return Answer.object { json in
            json.member("deleted", Int64(erased.pings))
            if erased.stays > 0 { json.member("stays_cut", Int64(erased.stays)) }
        }.unstored
    }
}
