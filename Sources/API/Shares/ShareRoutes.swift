internal import Discovery
internal import HTTPTypes
internal import HummingbirdCore
internal import Interchange
internal import Model

/// Shared links to a person's position, created and ended by the person, and opened by anyone who has the link.
struct ShareRoutes {
    let engine: Engine
    /// The names by which the service is reached, besides localhost.
    let hosts: Set<String>
    let addresses: Addresses
    /// The tiles of the map; nil for none.
    let tiles: MapTiles?
    let now: @Sendable () -> Timestamp

    func add(to routes: inout RouteTable) {
        routes.chapter = "Links"
        let all = "/v1/people/{id}/shares"
        routes.on(
            .get, all, for: .own,
            .init("Lists the open links of a person", as: "listLinks", answers: .page(of: .share, named: "Share")), list
        )
        routes.on(
            .post, all, for: .own,
            .init(
                "Creates a link to a person's position, and returns its address, once", as: "createLink",
                takes: .json(.shareForm),
                answers: .created(.openedShare), problems: [.tooManyShares]), open)
        routes.act(.delete, "\(all)/{share}", for: .own, .init("Ends a link", as: "endLink"), in: engine) { call in
            try EndShare(call.id("share"), of: call.id("id"))
        }
        routes.on(
            .get, "/s/{token}", for: .anyone,
            .init(
                "Shows where a person is, to anyone with the link", as: "showLink", path: ["token": .text()],
                answers: .content([
                    "text/html": .text(), "application/json": .sharedView, EventStream.mediaType: .text(),
                ]) + Self.noPage, problems: Self.problems), show)
        routes.on(
            .get, "/p/{place}", for: .anyone,
            .init(
                "Shows where a place is", as: "showPlace",
                answers: .content(["text/html": .text(), "application/json": .shownPlace]) + Self.noPage,
                problems: Self.problems), place)
        routes.on(
            .get, "/p/{place}/{product}", for: .anyone,
            .init(
                "Shows where a store is that has a product, and for how much", as: "showOffer",
                answers: .content(["text/html": .text(), "application/json": .shownProduct]) + Self.noPage,
                problems: Self.problems), product)
    }

    private enum Form: String, AnswerForm {
        case page = "text/html"
        case json = "application/json"
        case events = "text/event-stream"

        var mediaType: String { rawValue }
    }

    private static let page = "share.html"
    private static let noPage = [Reply(status: .notFound, summary: "Not found", content: ["text/html": .text()])]
    private static let problems: [Problem.Code] = [.notFound, .notAcceptable]

    // MARK: - For the owner

    @Sendable private func list(_ call: Call) async throws -> Answer {
        let shares = try engine.shares(of: call.id("id"), at: call.received)
        return Answer.object { json in json.objects("items", shares) { $0.share($1) } }.unstored
    }

    @Sendable private func open(_ call: Call) async throws -> Answer {
        let person: PersonID = try call.id("id")
        let token = ShareToken()
        // The id of a link is not secret, and reveals nothing about its token.
        let id = try ShareID(ShareToken().text.prefix(22).description)
        let share = try Fields.read(await call.json()) { fields in
            Share(&fields, id: id, token: token.hash, at: engine.steady(at: call.received)) { place in
                try? engine.read { state throws(Refusal) in try state.place(place).value.coordinate }
            }
        }
        try await engine.perform(OpenShare(share, of: person), for: call)
        return Answer.object(.created) { json in
            json.share(OpenedShare(share))
            json.member("url", address(of: token, call))
        }.locating("people", person.text, "shares", id.text).unstored
    }

    /// The URL if it is configured, or if the caller used a name that others can reach too; otherwise the path.
    private func address(of token: ShareToken, _ call: Call) -> String {
        let path = "/s/\(token.text)"
        if let url = addresses.publicURL { return url.text + path }
        guard let authority = call.request.head.authority, let name = Authority(authority)?.name, hosts.contains(name)
        else { return path }
        return "https://\(authority)\(path)"
    }

    // MARK: - For holders of the link

    /// Unknown, ended and expired links have the same answer.
    @Sendable private func show(_ call: Call) async throws -> Answer {
        let form = try call.accepted(of: [Form.page, .json, .events])
        let reader = ShareToken(call.word("token")).flatMap { ShareReader($0.hash, of: engine, at: call.received) }
        if form == .page { return .page(Self.page, reader == nil ? .notFound : .ok, tiles: tiles) }
        guard let reader, let view = reader.view(of: engine, at: call.received) else {
            throw Problem(.notFound, detail: "This link does not exist, or has ended.")
        }
        // A reconnect is not another view.
        if call.request.method == .get, call.lastEventID == nil { reader.count(in: engine) }
        if form == .events { return follow(reader.watching(in: engine), every: call.limits.heartbeat) }
        let trail = view.showsTrail ? try await reader.trail(of: engine, at: call.received) : nil
        return Answer.object { $0.shared(view, trail: trail) }.negotiated.unstored
    }

    /// The first message contains the trail so far; each further one the current position.
    private func follow(_ start: ShareReader, every heartbeat: Duration) -> Answer {
        var answer = EventStream.answer((start, reported: Int64(0)), every: heartbeat) { [engine, now] state in
            guard case .shown(let view) = state.0.next(from: engine, at: now()) else { return nil }
            guard let view else { return [] }
            let isFirst = state.reported == 0
            state.reported += 1
            let trail =
                isFirst && view.showsTrail
                ? try await apart { [reader = state.0] in try await reader.trail(of: engine, at: now()) } : nil
            return EventStream.message(id: state.reported, JSONWriter.object { $0.shared(view, trail: trail) })
        } wait: { [engine, now] state, most in
            await state.0.wait(for: engine, until: .now + most, at: now())
        }
        answer.follower = LinkFollower(link: start.number, owner: start.person)
        return answer
    }

    @Sendable private func place(_ call: Call) throws -> Answer {
        try page(of: found(call), for: call, orElse: "This place does not exist.") { json, place in json.shown(place) }
    }

    /// The place in the path; nil also for one that a person owns, which only authenticated callers may see.
    private func found(_ call: Call) -> Place? {
        let place = (try? PlaceID(call.word("place"))).flatMap { id in
            try? engine.read { state throws(Refusal) in try state.place(id).value }
        }
        return place?.owner == nil ? place : nil
    }

    @Sendable private func product(_ call: Call) throws -> Answer {
        let product = (try? ProductID(call.word("product"))).flatMap { id in
            try? engine.read { state throws(Refusal) in try state.product(id).value }
        }
        let found = found(call).flatMap { place in
            product.flatMap { product in
                let item = try? engine.read { state throws(Refusal) in try state.stock(of: product.id, in: place.id) }
                return item.map { (place: place, product: product, price: $0.price ?? product.price) }
            }
        }
        let none = "This place does not exist, or does not have this product."
        return try page(of: found, for: call, orElse: none) { json, found in
            json.shown(found.place)
            json.object("product") { json in
                json.member("id", found.product.id.text)
                json.member("brand", found.product.brand)
                json.member("name", found.product.name)
                json.money(found.price)
            }
        }
    }

    private func page<Found>(
        of found: Found?, for call: Call, orElse detail: String, _ write: (inout JSONWriter, Found) -> Void
    ) throws -> Answer {
        let form = try call.accepted(of: [Form.page, .json])
        if form == .page { return .page(Self.page, found == nil ? .notFound : .ok, tiles: tiles) }
        guard let found else { throw Problem(.notFound, detail: detail) }
        return Answer.object { write(&$0, found) }.negotiated
    }
}

extension JSONWriter {
    /// Writes the public members of a place.
    fileprivate mutating func shown(_ place: Place) {
        member("id", place.id.text)
        member("kind", place.kind)
        member("name", place.name)
        if let coordinate = place.coordinate { self.coordinate(coordinate) }
        member("address", place.address)
    }
}

extension Call {
    /// The id of the last event that a reconnecting client received.
    var lastEventID: String? { HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] } }
}
