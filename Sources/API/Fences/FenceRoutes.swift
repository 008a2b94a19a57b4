internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Interchange
internal import Model

/// Fences of services, and a person's own fences for themselves and friends.
struct FenceRoutes {
    let engine: Engine
    let seal: CursorSeal

    func add(to routes: inout RouteTable) {
        routes.chapter = "Fences"
        add("/v1/fences", "{id}", for: .service, "of services", to: &routes)
        add("/v1/people/{id}/fences", "{fence}", for: .own, "of a person", to: &routes)
        addWatchers(to: &routes)
    }

    private func addWatchers(to routes: inout RouteTable) {
        let all = "/v1/people/{id}/watchers"
        routes.on(
            .get, all, for: .own,
            .init(
                "Lists the fences that friends have about a person", as: "listWatchers",
                answers: .page(of: .watcher, named: "Watcher")),
            watchers)
        let watcher = "\(all)/{owner}/{fence}"
        routes.act(
            .put, watcher, for: .own, .init("Accepts a fence of a friend about a person", as: "acceptWatch"), in: engine
        ) { call in
            let (person, owner): (PersonID, PersonID) = (try call.id("id"), try call.id("owner"))
            return try AcceptWatcher(call.id("fence"), of: owner, about: person)
        }
        routes.act(
            .delete, watcher, for: .own, .init("Ends a fence of a friend about a person", as: "endWatch"), in: engine
        ) { call in
            let (person, owner): (PersonID, PersonID) = (try call.id("id"), try call.id("owner"))
            return try EndWatcher(call.id("fence"), of: owner, about: person)
        }
    }

    @Sendable private func watchers(_ call: Call) async throws -> Answer {
        let id: PersonID = try call.id("id")
        let watchers = try engine.read { state throws(Refusal) in try state.watchers(of: id) }
        return Answer.object { json in
            json.objects("items", watchers) { $0.watcher($1) }
        }.unstored
    }

    private func add(_ all: String, _ id: String, for access: Access, _ whose: String, to routes: inout RouteTable) {
        let form = access == .service ? Schema.fenceForm : .ownFenceForm
        let name = access == .service ? "ServiceFence" : "Fence"
        routes.on(
            .get, all, for: access,
            .init(
                "Lists the fences \(whose)", as: "list\(name)s",
                [
                    Self.person, Call.optionalLatitude, Call.optionalLongitude, Call.within, Paging.longLimit,
                    Paging.cursor, Self.fields,
                ],
                answers: .page(of: .fence, named: "Fence")), list)
        let document = "\(all)/\(id)"
        routes.on(
            .get, document, for: access,
            .init("Returns a fence \(whose)", as: "get\(name)", [Self.fields], answers: .document(.fence)),
            get)
        routes.on(
            .put, document, for: access,
            .init(
                "Creates or replaces a fence \(whose)", as: "put\(name)", takes: .json(form), headers: [.conditions],
                answers: .written(.fence), problems: [.tooManyFences]), put)
        routes.act(
            .delete, document, for: access,
            .init("Deletes a fence \(whose)", as: "delete\(name)", headers: [.conditions]), in: engine
        ) { call in
            let (id, owner) = try Self.names(call)
            return try DeleteFence(id, of: owner, if: call.condition)
        }
    }

    private static let person: Parameter<PersonID?> = .id(
        "person", "only fences that watch this person, or people who come near them")

    private static let fields = Paging.fields([
        "id", "area", "near", "everybody", "people", "group", "attributes", "on", "dwell_s", "silent_s", "margin_m",
        "confirm", "timetable", "ends", "once", "note",
    ])

    /// The fence in the path and its owner; nil for a service's fence.
    private static func names(_ call: Call) throws(Problem) -> (FenceID, PersonID?) {
        guard call.word("fence").isEmpty else { return (try call.id("fence"), try call.id("id")) }
        return (try call.id("id"), nil)
    }

    @Sendable private func list(_ call: Call) async throws -> Answer {
        let owner: PersonID? = call.word("id").isEmpty ? nil : try call.id("id")
        let limit = try call[Paging.longLimit]
        let after: FenceID? = try seal.id(call)
        let columns = try call[Self.fields]
        var filter = FenceFilter()
        filter.person = try call[Self.person]
        filter.near = try call.circle()
        let fences = try await engine.fences(of: owner, filter, after: after, atMost: limit + 1)
        return try PageAnswer(
            fences, limit: limit, columns: columns, seal: { try seal.seal($0.value.id, call) },
            write: { $0.fence($1.value) }
        ).answer(to: call).unstored
    }

    @Sendable private func get(_ call: Call) async throws -> Answer {
        let (id, owner) = try Self.names(call)
        let columns = try call[Self.fields]
        let record = try engine.read { state throws(Refusal) in try state.fence(id, of: owner) }
        return Document(record).answer(to: call, columns) { $0.fence($1) }.unstored
    }

    @Sendable private func put(_ call: Call) async throws -> Answer {
        let (id, owner) = try Self.names(call)
        let vertices = call.caller == .service ? call.limits.vertices : call.limits.verticesOfPerson
        let fence = try Fields.read(await call.json()) { fields in
            let fence = Fence(&fields, id: id, of: owner, vertices: vertices) { place in
                try? engine.read { state throws(Refusal) in try state.place(place).value }
            }
            fields.refuseLong(fence?.timetable?.hours, keeping: nil, by: call.caller, at: "/timetable/hours")
            return fence
        }
        return try await engine.write(PutFence(Write(fence, if: call.condition)), call) { $0.fence(fence) }.unstored
    }
}

extension Schema {
    private static let fenceArea = either(
        area, form(["place": id, "within_m": areaWidth], required: ["place"]),
        form(
            ["places": form(["kind": prose(1...64)], required: ["kind"]).named("PlacesOfKind")], required: ["places"])
    ).named("FenceArea")

    private static let watchedPlace = object(
        [
            "place": id, "lat": latitude, "lon": longitude, "within_m": number(), "type": text(),
            "coordinates": list(of: anything),
        ], required: ["place"]
    ).described("A place with its current area, unless that has more than a thousand vertices")

    private static let ownMembers: [String: Schema] = [
        "id": id, "area": fenceArea, "on": list(of: word(Fence.Passage.self), atLeast: 1),
        "dwell_s": number(Fence.dwells).described(
            "Seconds inside after which a stay is reported; with `dwell` in `on`"),
        "silent_s": number(Fence.silences).described(
            "Seconds without contact after which silence is reported; `on` is `silent`, without `area`"),
        "margin_m": number(0...Fence.widest).described(
            "Meters outside the area at which a person has left; by default the accuracy of the fix"),
        "confirm": integer(1...2).described(
            "Fixes in a row inside, at most an hour apart, that are an entry; by default 1"),
        "timetable": timetable, "ends": instant, "once": flag.described("Deleted after its first event"),
        "note": prose(0...500),
    ]

    private static let watched: [String: Schema] = [
        "people": list(of: id, atMost: 1_000), "group": id, "everybody": flag,
        "attributes": map(
            of: either(
                prose(0...200), number(), flag, list(of: prose(0...200), atLeast: 1, atMost: Fence.mostAttributes)),
            count: 1...Fence.mostAttributes
        )
        .described("People who have all of these at the time; of several values one suffices"),
    ]

    private static let friends = list(of: id, atMost: Fence.mostFriends).described("Friends, or the person themselves")

    private static let nearMembers: [String: Schema] = [
        "of": id.described("The person whom others approach; for a person's fence its owner"),
        "who": either(
            list(of: id, atLeast: 1, atMost: 1_000), words(["friends"]), form(["group": id], required: ["group"])),
        "within_m": areaWidth, "margin_m": number(0...Fence.widest),
    ]
    private static let ownNear = form(nearMembers, required: ["who", "within_m"]).named("OwnNear")
    private static let near = form(nearMembers, required: ["of", "who", "within_m"]).named("Near")

    private static let notOfSilence = ["area", "near", "margin_m", "dwell_s", "confirm"]

    static let ownFenceForm = form(ownMembers.merging(["people": friends, "near": ownNear]) { $1 })
        .apart(from: "near", ["area", "margin_m", "confirm", "people"]).apart(from: "silent_s", notOfSilence)
        .some("area", "near", "silent_s").named("OwnFenceForm")
    static let fenceForm = form(ownMembers.merging(watched) { $1 }.merging(["near": near]) { $1 })
        .apart(from: "near", ["area", "margin_m", "confirm"] + watched.keys).apart(from: "silent_s", notOfSilence)
        .some("area", "near", "silent_s").named("FenceForm")
    static let fence = object(ownMembers.merging(watched) { $1 }.merging(["near": near]) { $1 }).named("Fence")
    static let watcher = object(
        [
            "owner": id.described("The owner"), "fence": id,
            "area": either(fenceArea, watchedPlace),
            "near": object(["within_m": number(), "margin_m": number()]).described(
                "The distance between the person and `owner`"),
            "on": list(of: word(Fence.Passage.self)), "dwell_s": number(), "silent_s": number(),
            "margin_m": number(),
            "timetable": timetable, "ends": time, "once": flag, "asked": time, "accepted": time,
            "watching": flag.described("Whether it currently reports the person"),
        ], required: ["owner", "fence", "on", "asked", "watching"]
    ).named("Watcher")
}
