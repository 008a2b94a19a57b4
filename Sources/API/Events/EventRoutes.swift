internal import Discovery
internal import Geo
internal import HTTPTypes
internal import HummingbirdCore
internal import Interchange
internal import Model

/// Events, followed as Server-Sent Events (WHATWG) or read page by page.
struct EventRoutes {
    let engine: Engine
    let rateLimits: RateLimits
    let tickets: Tickets
    let now: @Sendable () -> Timestamp

    func add(to routes: inout RouteTable) {
        routes.chapter = "Events"
        routes.on(
            .get, "/v1/events", for: .following,
            .init(
                "Follows events, or reads them page by page", as: "followEvents",
                [
                    Self.types, Self.person, Self.place, Self.product, Self.group, Self.fence, Call.polygon, Call.box,
                    Call.optionalLatitude, Call.optionalLongitude, Call.within, Self.ticket, Self.last,
                    Paging.cursor, Paging.longLimit,
                ],
                answers: .content([
                    "application/json": Self.page, Call.lines: .text(), EventStream.mediaType: .text(),
                ])), events)
        let ticket = Schema.object(["ticket": .text(), "expires": .time], required: ["ticket", "expires"])
            .named("Ticket")
        routes.on(
            .post, "/v1/events/tickets", for: .known,
            .init(
                "Creates a ticket that replaces the caller's token once", as: "createTicket", answers: .ok(ticket),
                onlyReads: true), makeTicket)
    }

    private static let types: Parameter<Set<EventType>> = .words("type", "only events of these types")
    private static let person: Parameter<PersonID?> = .id("person", "only events that concern this person")
    private static let place: Parameter<PlaceID?> = .id("place", "only events of this place")
    private static let product: Parameter<ProductID?> = .id("product", "only events of this product")
    private static let group: Parameter<GroupID?> = .id("group", "only events of this group")
    private static let fence: Parameter<FenceID?> = .id("fence", "only events of this fence")

    private static let ticket = Parameter.text(
        Authenticator.ticket, "replaces a token, once; for `EventSource`, which sends no headers")

    private static let last = Parameter.text(
        "lastEventId", "as the header `Last-Event-ID`, which counts if both are given; some readers of streams send it")

    private static let page = Schema.object(
        [
            "items": .list(of: .event),
            "cursor": .text().described("Continues after these; the `id` of an event does, too"),
            "reset": .flag.described("Events before these are missing, as they are no longer kept"),
        ], required: ["items", "cursor"]
    ).named("EventPage")

    @Sendable private func events(_ call: Call) async throws -> Answer {
        guard call.wantsEvents else { return try await page(call) }
        let reader = EventReader(
            for: call.caller, try Self.filter(call), after: try last(call), of: engine,
            lookingEvery: call.limits.heartbeat)
        return follow(reader.watching(in: engine), call)
    }

    private func page(_ call: Call) async throws -> Answer {
        var reader = EventReader(for: call.caller, try Self.filter(call), after: try last(call) ?? 0, of: engine)
        let (first, most) = (reader.resume, try call[Paging.longLimit])
        let page = try await WorkBudget.unchargedTask {
            try await reader.page(atMost: most, from: engine, at: call.received)
        }
        WorkBudget.charge(EventReader.price(of: page.events.count, from: first, to: reader.resume))
        let isOfLines = call.request.headers[.accept]?.contains(Call.lines) ?? false
        let answer = isOfLines ? Self.lines(page, of: reader) : Self.answer(page, of: reader)
        return answer.negotiated.unstored
    }

    private static func filter(_ call: Call) throws -> EventFilter {
        var filter = EventFilter()
        filter.types = try call[Self.types]
        filter.person = try call[Self.person]
        let subjects = [
            try call[Self.place]?.any, try call[Self.product]?.any, try call[Self.group]?.any,
            try call[Self.fence]?.any,
        ]
        filter.subject = subjects.compactMap(\.self).first
        guard subjects.compactMap(\.self).count < 2 else {
            throw Problem(
                .invalidParameter, detail: "Only one of 'place', 'product', 'group' and 'fence' can be given.")
        }
        filter.area = try call.region()
        filter.circle = try call.circle()
        return filter
    }

    private func last(_ call: Call) throws(Problem) -> Int64? {
        let cursor = try call[Paging.cursor]
        let repeated = try call[Self.last]
        guard let text = call.lastEventID ?? repeated ?? cursor else { return nil }
        guard let number = Int64(text), number >= 0 else {
            throw Problem(.invalidCursor, detail: "'\(text)' is not the id of an event.")
        }
        return engine.eventNumbers(for: call.caller).number(number)
    }

    private static func answer(_ page: EventReader.Batch, of reader: EventReader) -> Answer {
        .object { json in
            json.objects("items", page.events) { $0.event($1, reader.numbers) }
            json.member("cursor", String(reader.numbers.shown(reader.resume)))
            if page.isReset { json.member("reset", true) }
        }
    }

    /// The page as lines: `reset` comes first, as in a stream, and `cursor` last.
    private static func lines(_ page: EventReader.Batch, of reader: EventReader) -> Answer {
        var lines = page.isReset ? [JSONWriter.object { $0.member("reset", true) }] : []
        lines += page.events.map { event in JSONWriter.object { $0.event(event, reader.numbers) } }
        lines.append(JSONWriter.object { $0.member("cursor", String(reader.numbers.shown(reader.resume))) })
        return Answer(
            headers: [.contentType: Call.lines], body: Array(lines.map { $0 + [UInt8(ascii: "\n")] }.joined()))
    }

    @Sendable private func makeTicket(_ call: Call) async throws -> Answer {
        guard let claim = call.claim else { throw Problem(.tokenRequired) }
        let (text, until) = try tickets.make(for: claim, at: call.received)
        return Answer.object { json in
            json.member("ticket", text)
            json.member("expires", until)
        }.unstored
    }

    private func follow(_ start: EventReader, _ call: Call) -> Answer {
        let (proof, bearer) = (call.claim?.proof, call.claim?.bearer)
        // No longer than the token is valid.
        let rest = proof?.until.map { max(.zero, $0 - call.received) }
        let longest = min(EventStream.longest, rest ?? EventStream.longest)
        return EventStream.answer(start, for: longest, every: call.limits.heartbeat) { [self] reader in
            engine.isOver(proof, at: now()) ? nil : try await report(&reader, for: bearer)
        } wait: { [engine] reader, most in
            await reader.wait(for: engine, until: .now + most)
        }
    }

    /// The next messages for a reader, charged to the bearer; nil if the reader's person was deleted.
    // Inlining would enlarge the stack of each stream.
    @inline(never) private func report(_ reader: inout EventReader, for bearer: Principal?) async throws -> [UInt8]? {
        do {
            let batch = try await rateLimits.charging(bearer, at: now) {
                let batch = try await WorkBudget.unchargedTask { try await reader.next(from: engine, at: now()) }
                WorkBudget.charge(EventReader.price(of: batch.events.count))
                return batch
            }
            return (batch.isReset ? Self.reset : []) + batch.events.flatMap { Self.lines($0, reader.numbers) }
        } catch Refusal.unknown { return nil }
    }

    /// Has no id, so that a client that receives only this reconnects and gets the kept events.
    private static let reset = EventStream.message(type: "reset", Array("{}".utf8))

    private static func lines(_ event: EventView, _ numbers: EventNumbers) -> [UInt8] {
        EventStream.message(
            id: numbers.shown(event.number), type: event.type.rawValue,
            JSONWriter.object { $0.event(event, numbers) })
    }
}
