internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Interchange
internal import Model

/// Discovery of strangers, decisions about them, and matches.
struct StrangerRoutes {
    let engine: Engine
    let seal: CursorSeal

    func add(to routes: inout RouteTable) {
        routes.chapter = "Strangers"
        let around = RouteDescription(
            "Finds people whom the person does not know yet", as: "discoverPeople",
            [
                Self.within, Self.ageMin, Self.ageMax, Self.sex, Self.relationship, Paging.limit, Paging.cursor,
                Self.fields,
            ], answers: .page(of: .stranger, named: "Stranger"), problems: [.adultsOnly, .noPosition])
        routes.ask(
            QueryRoute(
                member: "nearest", word: "strangers", path: "/v1/people/{id}/discovery", access: .own,
                description: around),
            of: engine, discover)
        routes.on(
            .get, "/v1/people/{id}/cell", for: .service,
            .init(
                "Returns what strangers can see of a person's position", as: "getPublicCell", answers: .ok(.publicCell)),
            cell)
        let decision = "/v1/people/{id}/decisions/{other}"
        let like = Schema.form(["like": .flag], required: ["like"]).named("Decision")
        let match = Schema.object(["match": .flag], required: ["match"]).named("Match")
        routes.on(
            .put, decision, for: .own,
            .init(
                "Likes another person, or does not", as: "decide", takes: .json(like), answers: .ok(match),
                problems: [.adultsOnly, .oneself, .separated, .tooManyDecisions]), decide)
        routes.act(
            .delete, decision, for: .own, .init("Withdraws a decision", as: "withdrawDecision", problems: [.oneself]),
            in: engine
        ) {
            try Decide($0.id("id"), $0.id("other"), likes: nil)
        }
        let matches = PeopleListing(engine: engine, seal: seal, tie: .matches)
        routes.on(
            .get, "/v1/people/{id}/matches", for: .own,
            matches.description("Lists the matches of a person", as: "listMatches"),
            matches.answer)
    }

    private static let within = Parameter.number(
        "within_m", 0...StrangerQuery.farthest, "the maximum distance of the cells, in meters")
    private static let ageMin = Parameter.integer("age_min", 0...150, "the minimum age, in years")
    private static let ageMax = Parameter.integer("age_max", 0...150, "the maximum age, in years")
    private static let sex: Parameter<Set<Sex>> = .words("sex", "any of these")
    private static let relationship: Parameter<Set<Relationship>> = .words("relationship", "any of these")
    private static let fields = Paging.fields(columns)

    private static let columns = [
        "id", "name", "city", "distance", "photo", "age", "sex", "relationship", "about", "seen",
    ]

    @Sendable private func discover(_ call: Call) async throws -> Query {
        let id: PersonID = try call.id("id")
        var query = StrangerQuery(viewer: id, limit: try call[Paging.limit])
        if let within = try call[Self.within] { query.within = within }
        query.maxScan = call.limits.scan
        query.ages = try ages(call)
        query.sexes = try call[Self.sex]
        query.relationships = try call[Self.relationship]
        query.after = try seal.strangerPosition(call)
        let columns = try call[Self.fields]
        return Query(StrangerListing(query, at: call.received)) { [engine] listing, state in
            try engine.look(for: &listing, in: state)
        } answer: { listing in
            try answer(listing.page, columns, call)
        }
    }

    private func answer(_ page: StrangerPage, _ columns: Set<String>?, _ call: Call) throws -> Answer {
        let cursor = try page.next.map { try seal.seal($0, call) }
        return Answer.object { json in
            json.member("items") { json in
                json.list(page.strangers) { json, stranger in json.item(columns) { $0.stranger(stranger) } }
            }
            if let cursor { json.member("cursor", cursor) } else { json.member("done", true) }
        }.leading(to: cursor.map(call.next)).unstored
    }

    private func ages(_ call: Call) throws(Problem) -> ClosedRange<Int>? {
        let least = try call[Self.ageMin]
        let greatest = try call[Self.ageMax]
        guard least != nil || greatest != nil else { return nil }
        let range = (Int(least ?? 0), Int(greatest ?? 150))
        guard range.0 <= range.1 else { throw call.query.invalid("age_min", "at most age_max") }
        return range.0...range.1
    }

    /// The cell that strangers may know of a person's position.
    @Sendable private func cell(_ call: Call) async throws -> Answer {
        let id: PersonID = try call.id("id")
        let place = try engine.read { state throws(Refusal) in
            try state.publicPlace(of: id, for: call.caller, at: call.received)
        }
        return Answer.object { json in
            json.member("id", id.text)
            guard let place else { return }
            json.object("cell") { json in
                json.coordinate(place.cell.centre)
                json.objects("corners", place.cell.corners) { $0.coordinate($1) }
            }
            json.member("seen", place.seen?.rawValue)
        }.unstored
    }

    @Sendable private func decide(_ call: Call) async throws -> Answer {
        let (id, other): (PersonID, PersonID) = (try call.id("id"), try call.id("other"))
        let likes = try Fields.read(await call.json()) { fields in
            fields.require("like")
            return fields.flag("like")
        }
        let isMatch = try await engine.perform(Decide(id, other, likes: likes), for: call)
        return .object { $0.member("match", isMatch) }
    }
}

extension Schema {
    /// A person as strangers see them.
    fileprivate static let stranger = object([
        "id": id, "name": text(), "city": text(), "distance": text(pattern: "^<[0-9]+km$"), "photo": url,
        "age": count, "sex": word(Sex.self), "relationship": word(Relationship.self), "about": text(), "seen": seen,
    ]).named("Stranger")

    private static let seen = words(["now", "today", "this week"])

    fileprivate static let publicCell = object(
        [
            "id": id, "seen": seen,
            "cell": object(
                ["lat": latitude, "lon": longitude, "corners": list(of: coordinate)],
                required: ["lat", "lon", "corners"]),
        ], required: ["id"]
    ).named("PublicCell")
}

extension JSONWriter {
    fileprivate mutating func stranger(_ stranger: Stranger) {
        member("id", stranger.id.text)
        member("name", stranger.name)
        member("city", stranger.city)
        member("distance", "<\(stranger.kilometres)km")
        if let profile = stranger.profile {
            member("photo", profile.photo)
            member("age", Int64(profile.age))
            member("sex", profile.sex?.rawValue)
            member("relationship", profile.relationship?.rawValue)
            member("about", profile.about)
        }
        member("seen", stranger.seen?.rawValue)
    }
}
