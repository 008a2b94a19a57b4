internal import Discovery
internal import HTTPTypes
internal import HummingbirdCore
internal import Interchange
internal import Model

/// Events: followed as Server-Sent Events (WHATWG), or read page by page.
struct EventRoutes {
    let live: Live
    let rateLimits: RateLimits
    let now: @Sendable () -> Timestamp

    func add(to routes: inout RouteTable) {
        routes.chapter = "Events"
        routes.on(
            .get, "/v1/events", for: .known,
            .init(
                "Follows events, or reads them page by page",
                [
                    Self.types, Self.person, Self.place, Self.product, Self.group, Self.fence, Paging.cursor,
                    Paging.longLimit,
                ],
                answers: .content(["application/json": Self.page, Self.stream: .text()])),
            events)
    }

    private static let stream = "text/event-stream"
    private static let types: Parameter<Set<EventType>> = .words("type", "only events of these types")
    private static let person: Parameter<PersonID?> = .id("person", "only events that concern this person")
    private static let place: Parameter<PlaceID?> = .id("place", "only events of this place")
    private static let product: Parameter<ProductID?> = .id("product", "only events of this product")
    private static let group: Parameter<GroupID?> = .id("group", "only events of this group")
    private static let fence: Parameter<FenceID?> = .id("fence", "only events of this fence")
    private static let lastEventID = HTTPField.Name("Last-Event-ID")

    private static let page = Schema.object(
        [
            "items": .list(of: .event),
            "cursor": .text().described("Goes on after these; the `id` of an event does, too"),
            "reset": .flag.described("Events that are not kept are missing before these"),
        ], required: ["items", "cursor"]
    ).named("EventPage")

    @Sendable private func events(_ call: Call) async throws -> Answer {
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
        let after = try last(call)
        guard call.request.headers[.accept]?.contains(Self.stream) ?? false else {
            var reader = EventReader(for: call.caller, filter, after: after ?? 0, of: live)
            let limit = try call[Paging.longLimit]
            let page = try await reader.page(atMost: limit, from: live, at: call.received)
            return Self.answer(page, next: reader.last).negotiated.unstored
        }
        return follow(EventReader(for: call.caller, filter, after: after, of: live), call)
    }

    private func last(_ call: Call) throws(Problem) -> Int64? {
        let header = Self.lastEventID.flatMap { call.request.headers[$0] }
        let cursor = try call[Paging.cursor]
        guard let text = header ?? cursor else { return nil }
        guard let number = Int64(text), number >= 0 else {
            throw Problem(.invalidCursor, detail: "'\(text)' is no id of an event.")
        }
        return number
    }

    private static func answer(_ page: EventReader.Batch, next: Int64) -> Answer {
        .object { json in
            json.objects("items", page.events) { $0.event($1) }
            json.member("cursor", String(next))
            if page.isReset { json.member("reset", true) }
        }
    }

    private func follow(_ start: EventReader, _ call: Call) -> Answer {
        var answer = Answer.streamed(Self.stream) { [live, rateLimits, now] send in
            var reader = start
            let end = ContinuousClock.now + Self.longest
            try await send(Array("retry: \(Self.retry)\n\n".utf8))
            while ContinuousClock.now < end {
                let batch: EventReader.Batch
                do {
                    batch = try await rateLimits.charging(call.claim?.bearer, at: now) {
                        try await reader.next(from: live, at: now())
                    }
                } catch Refusal.unknown { return }  // The person was deleted.
                if batch.isReset { try await send(Self.reset) }
                if !batch.events.isEmpty { try await send(batch.events.flatMap(Self.lines)) }
                let pause = ContinuousClock.now + Self.heartbeat
                guard await reader.wait(for: live, until: pause) else { return }
                if ContinuousClock.now >= pause { try await send(Array(":\n\n".utf8)) }
            }
        }
        answer.isFollowed = true
        return answer.negotiated
    }

    /// After that a client comes again, and shows its token again.
    private static let longest = Duration.seconds(3600)
    private static let heartbeat = Duration.seconds(15)
    /// After so many milliseconds a client comes again whose connection broke.
    private static let retry = 3000

    /// Without an id: who hears no more than this comes again for the kept events.
    private static let reset = Array("event: reset\ndata: {}\n\n".utf8)

    private static func lines(_ event: ToldEvent) -> [UInt8] {
        let head = "id: \(event.number)\nevent: \(event.type.rawValue)\ndata: ".utf8
        return Array(head) + JSONWriter.object { $0.event(event) } + Array("\n\n".utf8)
    }
}
