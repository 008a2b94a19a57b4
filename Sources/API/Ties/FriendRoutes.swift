internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Interchange
internal import Model

/// Friendships, blocks, and friends by distance.
struct FriendRoutes {
    let engine: Engine
    let seal: CursorSeal

    func add(to routes: inout RouteTable) {
        routes.chapter = "Friends"
        let all = "/v1/people/{id}/friends"
        let friends = PeopleListing(engine: engine, seal: seal, tie: .friends)
        routes.on(
            .get, all, for: .own, friends.description("Lists friends", as: "listFriends", [Self.label]), friends.answer)
        routes.on(
            .get, "\(all)/requests", for: .own,
            .init("Lists requests for friendship", as: "listFriendRequests", answers: .ok(Self.asked)),
            requests)
        let nearby = RouteDescription(
            "Finds the nearest friends", as: "findNearestFriends",
            [
                Self.at, Self.group, Self.label, Paging.mapLimit, Paging.cursor, Call.within, Call.beyond, Self.fields,
            ], answers: .page(of: .personNearby, named: "PersonNearby", onMap: true), problems: [.noPosition])
        routes.ask(
            QueryRoute(
                member: "nearest", word: "friends", path: "\(all)/nearest", access: .own, description: nearby,
                watched: LiveList.friends),
            of: engine, nearest)
        let friend = "\(all)/{other}"
        routes.on(
            .put, friend, for: .own,
            .init(
                "Requests a friendship, or accepts one", as: "requestFriendship", answers: .ok(Self.state),
                problems: [.oneself, .separated, .tooManyFriends]), ask)
        routes.on(
            .delete, friend, for: .own,
            .init("Ends or refuses a friendship", as: "endFriendship", answers: .ok(Self.state), problems: [.oneself]),
            end)
        for attribute in FriendAttribute.allCases { addNotes(attribute, "\(friend)/\(attribute.rawValue)", &routes) }
        addBlocks(&routes)
    }

    private func addNotes(_ attribute: FriendAttribute, _ path: String, _ routes: inout RouteTable) {
        let name = attribute.rawValue
        let text = attribute.words.map { Schema.words($0.map(\.rawValue)) } ?? .prose(1...100)
        let schema = "Friend\(name.prefix(1).uppercased())\(name.dropFirst())"
        let note = Schema.form([name: text], required: [name]).named(schema)
        routes.on(
            .put, path, for: .own,
            .init(
                "Sets \(attribute.subject)", as: "set\(schema)", takes: .json(note), answers: .ok(note),
                problems: [.oneself])
        ) { try await self.note(attribute, $0) }
        routes.act(
            .delete, path, for: .own,
            .init("Deletes \(attribute.subject)", as: "delete\(schema)", problems: [.oneself]), in: engine
        ) {
            try NoteFriend($0.id("id"), $0.id("other"), attribute, nil)
        }
    }

    private func addBlocks(_ routes: inout RouteTable) {
        let blocks = PeopleListing(engine: engine, seal: seal, tie: .blocks)
        routes.on(
            .get, "/v1/people/{id}/blocks", for: .own,
            blocks.description("Lists the people whom a person blocks", as: "listBlocks"),
            blocks.answer)
        let block = "/v1/people/{id}/blocks/{other}"
        routes.on(
            .get, block, for: .own,
            .init(
                "Reports whether a person is blocked", as: "checkBlock", [PeopleListing.fields],
                answers: .ok(.acquaintance)), blocked)
        routes.act(
            .put, block, for: .own, .init("Blocks a person", as: "blockPerson", problems: [.oneself, .tooManyBlocks]),
            in: engine
        ) { try Block($0.id("id"), $0.id("other")) }
        routes.act(
            .delete, block, for: .own, .init("Ends a block", as: "unblockPerson", problems: [.oneself]), in: engine
        ) {
            try Unblock($0.id("id"), $0.id("other"))
        }
    }

    private static let asked = Schema.object(
        ["received": .list(of: .acquaintance), "sent": .list(of: .acquaintance)], required: ["received", "sent"]
    ).named("FriendRequests")
    private static let state = Schema.object(
        ["state": .words(["none", "asked", "pending", "friends"])], required: ["state"]
    ).named("Friendship")

    private static let at = Parameter.past("at", "a time in the past, by default now")
    fileprivate static let group: Parameter<GroupID?> = .id("group", "only members of this group, while it is open")
    fileprivate static let label = Parameter.text("label", "only friends with this label")
    private static let fields = Paging.fields(columns + FriendAttribute.names)

    @Sendable private func requests(_ call: Call) async throws -> Answer {
        let id: PersonID = try call.id("id")
        let received = try await engine.people(.askedBy, of: id, at: call.received).people
        let sent = try await engine.people(.asked, of: id, at: call.received).people
        return Answer.object { json in
            for (name, people) in [("received", received), ("sent", sent)] {
                json.objects(name, people) { json, one in json.acquaintance(one.person) }
            }
        }.unstored
    }

    static let columns = [
        "id", "name", "photo", "lat", "lon", "distance_m", "bearing", "at", "since", "seen_until", "precision",
    ]

    @Sendable private func nearest(_ call: Call) async throws -> Query {
        if let time = try call[Self.at] {
            return Query(answer: try await TimeTravelRoutes(engine: engine, seal: seal).nearestFriends(call, at: time))
        }
        let id: PersonID = try call.id("id")
        let position = try seal.position(call)
        var query = try call.nearestQuery()
        query.after = position?.last
        let columns = try call[Self.fields]
        let filter = try call.friendFilter(at: [call.received])
        let search = NearestFriends(
            of: id, query, from: position?.origin, passing: filter, by: call.caller, at: call.received)
        return Query(search) { search in
            guard let page = search.page else { preconditionFailure("all parts were looked at") }
            return PageAnswer(
                items: page.items, cursor: try seal.seal(page, call), isTruncated: page.isTruncated, columns: columns,
                place: { $0.position.place }, write: { $0.personNearby($1) }
            ).answer(to: call).unstored
        }
    }

    @Sendable private func blocked(_ call: Call) async throws -> Answer {
        let (id, other): (PersonID, PersonID) = (try call.id("id"), try call.id("other"))
        let columns = try call[PeopleListing.fields]
        let person = try engine.read { state throws(Refusal) in try state.blocked(other, by: id) }
        return Answer.json { json in json.item(columns) { $0.acquaintance(person) } }.unstored
    }

    @Sendable private func ask(_ call: Call) async throws -> Answer {
        friendship(try await engine.perform(Befriend(call.id("id"), call.id("other")), for: call))
    }

    @Sendable private func end(_ call: Call) async throws -> Answer {
        try await engine.perform(Unfriend(call.id("id"), call.id("other")), for: call)
        return friendship(.none)
    }

    private func friendship(_ state: FriendshipState) -> Answer { .object { $0.member("state", state.rawValue) } }

    private func note(_ attribute: FriendAttribute, _ call: Call) async throws -> Answer {
        let name = attribute.rawValue
        let text = try Fields.read(await call.json()) { fields in
            let text = fields.requiredText(name, longest: 100)
            guard let text, let words = attribute.words?.map(\.rawValue), !words.contains(text) else { return text }
            fields.fail(name, .format, "is '\(text)'; must be \(words.joined(separator: " or "))")
            return nil
        }
        try await engine.perform(NoteFriend(call.id("id"), call.id("other"), attribute, text), for: call)
        return Answer.object { $0.member(name, text) }.unstored
    }
}

/// A list of the people with a tie to a person, ordered by id.
struct PeopleListing {
    let engine: Engine
    let seal: CursorSeal
    let tie: Tie

    static let columns = ["id", "name", "surname", "city", "photo"]
    static let fields = Paging.fields(columns)
    private static let friendFields = Paging.fields(columns + FriendAttribute.names)

    private var fields: Parameter<Set<String>?> { tie == .friends ? Self.friendFields : Self.fields }

    /// The description of the list, with the parameters that filter it.
    func description(
        _ summary: String, as operation: String, _ parameters: [any QueryParameter] = []
    ) -> RouteDescription {
        RouteDescription(
            summary, as: operation, parameters + [Paging.longLimit, Paging.cursor, fields],
            answers: .page(of: .acquaintance, named: "Acquaintance"))
    }

    @Sendable func answer(to call: Call) async throws -> Answer {
        let id: PersonID = try call.id("id")
        let limit = try call[Paging.longLimit]
        let after: PersonID? = try seal.id(call)
        let label = try call[FriendRoutes.label]
        let columns = try call[fields]
        let page = try await engine.people(tie, of: id, label: label, after: after, limit: limit, at: call.received)
        return PageAnswer(
            items: page.people, cursor: try page.next.map { try seal.seal($0, call) }, columns: columns,
            write: { json, one in
                json.acquaintance(one.person)
                json.notes(one.notes)
            }
        ).answer(to: call).unstored
    }
}

extension Call {
    /// The filter from `group` and `label`.
    func friendFilter(at instants: [Timestamp]) throws(Problem) -> FriendFilter {
        FriendFilter(
            group: try self[FriendRoutes.group], label: try self[FriendRoutes.label], at: instants)
    }
}

extension JSONWriter {
    mutating func personNearby(_ item: PersonNearby) {
        member("id", item.person.id.text)
        member("name", item.person.name)
        member("photo", item.person.photo)
        coordinate(item.position.place)
        member("distance_m", tenths: item.decimetres)
        member("bearing", Int64(item.bearing))
        member("at", item.position.time)
        member("since", item.position.since)
        member("seen_until", item.position.seenUntil)
        member("precision", item.position.precision.rawValue)
        notes(item.notes)
    }
}
