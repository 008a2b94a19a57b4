internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Interchange
internal import Model

/// Friendships, blocks, and friends by distance.
struct FriendRoutes {
    let live: Live
    let seal: CursorSeal

    func add(to routes: inout RouteTable) {
        routes.on(
            .get, "/v1/people/{id}/friends", for: .own, parameters: ["label", "limit", "cursor", "fields"],
            list(.friends))
        routes.on(.get, "/v1/people/{id}/friends/requests", for: .own, requests)
        let nearby = QuestionRoute(
            member: "nearest", word: "friends", path: "/v1/people/{id}/friends/nearest", access: .own,
            parameters: ["at", "group", "label", "limit", "cursor", "within_m", "beyond_m", "fields"])
        routes.ask(nearby, of: live, nearest)
        routes.on(.put, "/v1/people/{id}/friends/{other}", for: .own, ask)
        routes.on(.delete, "/v1/people/{id}/friends/{other}", for: .own, end)
        for attribute in FriendAttribute.allCases {
            let path = "/v1/people/{id}/friends/{other}/\(attribute.rawValue)"
            routes.on(.put, path, for: .own) { try await note(attribute, $0) }
            routes.act(.delete, path, for: .own, in: live) {
                try NoteFriend($0.id("id"), $0.id("other"), attribute, nil)
            }
        }
        routes.on(.get, "/v1/people/{id}/blocks", for: .own, parameters: ["limit", "cursor", "fields"], list(.blocks))
        let block = "/v1/people/{id}/blocks/{other}"
        routes.on(.get, block, for: .own, parameters: ["fields"], blocked)
        routes.act(.put, block, for: .own, in: live) { try Block($0.id("id"), $0.id("other")) }
        routes.act(.delete, block, for: .own, in: live) { try Unblock($0.id("id"), $0.id("other")) }
    }

    private func list(_ tie: Tie) -> RouteTable.Handler {
        { call in try await PeopleListing(live: live, seal: seal, tie: tie).answer(to: call) }
    }

    @Sendable private func requests(_ call: Call) async throws -> Answer {
        let id: PersonID = try call.id("id")
        let received = try await live.people(.askedBy, of: id, at: call.received).people
        let sent = try await live.people(.asked, of: id, at: call.received).people
        return Answer.object { json in
            for (name, people) in [("received", received), ("sent", sent)] {
                json.objects(name, people) { json, one in json.acquaintance(one.person) }
            }
        }.unstored
    }

    private static let columns = [
        "id", "name", "photo", "lat", "lon", "distance_m", "bearing", "at", "seen_until", "precision",
    ]

    @Sendable private func nearest(_ call: Call) async throws -> Question {
        if let time = try call.pastInstant("at") {
            return Question(answer: try await TimeTravelRoutes(live: live, seal: seal).nearestFriends(call, at: time))
        }
        let id: PersonID = try call.id("id")
        let position = try seal.position(call)
        var query = try call.nearestQuery()
        query.after = position?.last
        let columns = try call.query.columns(of: Self.columns + FriendAttribute.names)
        let filter = try call.friendFilter(at: [call.received])
        let search = NearestFriends(
            of: id, query, from: position?.origin, passing: filter, by: call.caller, at: call.received)
        return Question(search) { search in
            guard let page = search.page else { preconditionFailure("all parts were looked at") }
            return Listing(
                items: page.items, cursor: try seal.seal(page, call), isTruncated: page.isTruncated, columns: columns,
                place: { $0.position.place }, write: { $0.friendNearby($1) }
            ).answer(to: call).unstored
        }
    }

    @Sendable private func blocked(_ call: Call) async throws -> Answer {
        let (id, other): (PersonID, PersonID) = (try call.id("id"), try call.id("other"))
        let columns = try call.query.columns(of: PeopleListing.columns)
        let person = try live.read { picture throws(Refusal) in try picture.blocked(other, by: id) }
        return Answer.json { json in json.item(columns) { $0.acquaintance(person) } }.unstored
    }

    @Sendable private func ask(_ call: Call) async throws -> Answer {
        try await friendship(Befriend(call.id("id"), call.id("other")), call)
    }

    @Sendable private func end(_ call: Call) async throws -> Answer {
        try await friendship(Unfriend(call.id("id"), call.id("other")), call)
    }

    private func friendship(_ action: some Action<FriendshipState>, _ call: Call) async throws -> Answer {
        let state = try await live.perform(action, for: call)
        return .object { $0.member("state", state.rawValue) }
    }

    private func note(_ attribute: FriendAttribute, _ call: Call) async throws -> Answer {
        let text = try Fields.read(await call.json()) { $0.requiredText(attribute.rawValue, longest: 100) }
        try await live.perform(NoteFriend(call.id("id"), call.id("other"), attribute, text), for: call)
        return Answer.object { $0.member(attribute.rawValue, text) }.unstored
    }
}

/// A list of the people that somebody is tied to, in the order of their ids.
struct PeopleListing {
    let live: Live
    let seal: CursorSeal
    let tie: Tie

    static let columns = ["id", "name", "surname", "city", "photo"]

    func answer(to call: Call) async throws -> Answer {
        let id: PersonID = try call.id("id")
        let limit = try call.query.limit(1...1000, default: 100)
        let after: PersonID? = try seal.id(call)
        let label = call.query.text("label")
        let columns = try call.query.columns(of: Self.columns + (tie == .friends ? FriendAttribute.names : []))
        let page = try await live.people(tie, of: id, label: label, after: after, limit: limit, at: call.received)
        return Listing(
            items: page.people, cursor: try page.next.map { try seal.seal($0, call) }, columns: columns,
            write: { json, one in
                json.acquaintance(one.person)
                json.notes(one.notes)
            }
        ).answer(to: call).unstored
    }
}

extension Call {
    /// Which friends `group` and `label` ask for.
    func friendFilter(at instants: [Timestamp]) throws(Problem) -> FriendFilter {
        FriendFilter(group: try query.id("group"), label: query.text("label"), at: instants)
    }
}

extension JSONWriter {
    fileprivate mutating func friendNearby(_ item: FriendNearby) {
        member("id", item.friend.id.text)
        member("name", item.friend.name)
        member("photo", item.friend.photo)
        coordinate(item.position.place)
        member("distance_m", tenths: item.decimetres)
        member("bearing", Int64(item.bearing))
        member("at", item.position.time)
        member("seen_until", item.position.seenUntil)
        member("precision", item.position.precision.rawValue)
        notes(item.notes)
    }
}
