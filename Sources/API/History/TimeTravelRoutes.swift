internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Interchange
internal import Model

/// Queries of the past: positions at a time, and encounters.
struct TimeTravelRoutes {
    let engine: Engine
    let seal: CursorSeal

    func add(to routes: inout RouteTable) {
        routes.chapter = "Positions"
        routes.on(
            .get, "/v1/nearby", for: .service,
            .init(
                "Finds who was near a point", as: "findEncountersAtPoint",
                [
                    Call.latitude, Call.longitude, Call.within.required.example(.number(1000)), Call.beyond,
                    Self.at.example(.text(Call.now)), Self.times, Paging.mapLimit, Paging.cursor, Self.fields,
                    Explanation.parameter,
                ], answers: .page(of: .personNearby, named: "PersonNearby", onMap: true), work: .long),
            { call in try await Explanation.explaining(call) { try await nearby(call) } })
        routes.on(
            .get, "/v1/people/{id}/encounters", for: .own,
            .init(
                "Finds when two people were near each other", as: "findEncounters",
                [
                    Self.other, Self.reach, Self.times, Paging.longLimit, Paging.cursor, Self.encounterFields,
                    Explanation.parameter,
                ], answers: .page(of: .encounter, named: "Encounter", onMap: true), problems: [.oneself], work: .long),
            { call in try await Explanation.explaining(call) { try await encounters(call) } })
    }

    private static let columns = [
        "id", "name", "photo", "lat", "lon", "distance_m", "bearing", "at", "seen_until", "next_at", "age_s", "basis",
        "method", "uncertainty_m", "precision",
    ]

    private static let fields = Paging.fields(columns)
    /// Includes the fields of the present; past positions have no `since`, because `at` is the start of their stay.
    private static let friendFields = Paging.fields(columns + ["since"] + FriendAttribute.names)
    private static let at = Parameter.past("at", "a time in the past")
    private static let times = Parameter.interval("datetime", "the times")

    /// A person's position at a time in the past.
    func position(_ call: Call, at time: Timestamp) async throws -> Answer {
        let id: PersonID = try call.id("id")
        let position = try await engine.position(of: id, at: time, by: call.caller, now: call.received)
        return Answer.object { json in
            json.member("id", id.text)
            json.coordinate(position.place)
            json.past(position)
        }.unstored
    }

    func nearestFriends(_ call: Call, at time: Timestamp) async throws -> Answer {
        let id: PersonID = try call.id("id")
        let position = try seal.position(call)
        var query = try call.nearestQuery()
        query.after = position?.last
        let filter = try call.friendFilter(at: [call.received, time])
        let page = try await engine.nearestFriends(
            of: id, at: time, query, from: position?.origin, passing: filter, by: call.caller, now: call.received)
        return try listing(page, call, Self.friendFields).answer(to: call).unstored
    }

    @Sendable private func nearby(_ call: Call) async throws -> Answer {
        let place = try call.query.place()
        guard call.query.text("within_m") != nil else { throw call.query.missing("within_m") }
        var query = try call.nearestQuery()
        query.after = try seal.position(call)?.last
        let people: PresencePage
        let now = call.query.text(Self.at.name) == Call.now ? call.received : nil
        switch (try call[Self.at] ?? now, call.query.text(Self.times.name)) {
        case (let time?, nil): people = try await engine.people(query, around: place, at: time, by: call.caller)
        case (nil, _?):
            let times = try call[Self.times]
            people = try await engine.people(query, around: place, during: times, by: call.caller)
        default:
            throw Problem(.invalidParameter, detail: "Either 'at' or 'datetime' is required, and not both.")
        }
        var listing = try listing(people.page, call, Self.fields)
        listing.isTruncated = !people.isWhole
        return listing.answer(to: call).unstored
    }

    private func listing(
        _ page: Page<PersonThen>, _ call: Call, _ fields: Parameter<Set<String>?>
    ) throws -> PageAnswer<PersonThen> {
        PageAnswer(
            items: page.items, cursor: try seal.seal(page, call),
            columns: try call[fields],
            place: { $0.position.place },
            write: { json, item in
                json.member("id", item.person.id.text)
                json.member("name", item.person.name)
                json.member("photo", item.person.photo)
                json.coordinate(item.position.place)
                json.member("distance_m", tenths: item.decimetres)
                json.member("bearing", Int64(item.bearing))
                json.past(item.position)
                json.notes(item.notes)
            })
    }

    /// The default distance of an encounter, in meters.
    private static let standardReach = 100.0

    private static let encounterFields = Paging.fields([
        "from", "to", "at", "lat", "lon", "distance_m", "basis", "uncertainty_m",
    ])
    private static let other = Parameter.text("with", "the other person", .id, isRequired: true).example(.text("luis"))
    private static let reach = Parameter(
        "within_m", "the maximum distance of an encounter, in meters",
        .number(0...Limits().radius).with("default", .number(standardReach))
    ) { call throws(Problem) in try call.query.number("within_m", 0...call.limits.radius) ?? standardReach }

    @Sendable private func encounters(_ call: Call) async throws -> Answer {
        let id: PersonID = try call.id("id")
        guard let text = try call[Self.other] else { throw call.query.missing("with") }
        guard let other = try? PersonID(text) else {
            throw call.query.invalid("with", "the id of a person")
        }
        var query = EncounterQuery(
            of: id, with: other,
            within: try call[Self.reach],
            during: try call[Self.times])
        query.limit = try call[Paging.longLimit]
        query.maxScan = call.limits.scan
        query.after = try seal.instant(call)
        let columns = try call[Self.encounterFields]
        let page = try await engine.encounters(query, by: call.caller, now: call.received)
        var listing = PageAnswer<Encounter>(
            items: page.encounters, cursor: try page.next.map { try seal.seal($0, call) }, columns: columns,
            place: { $0.place }, write: { $0.encounter($1) })
        listing.isTruncated = page.isCutOff
        return listing.answer(to: call).unstored
    }
}

extension Call {
    /// The word for the time of the request, in parameters for a time in the past.
    static let now = "now"

    /// A time in the past; nil for the present, which is the default.
    func pastInstant(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = query.text(name), text != Self.now else { return nil }
        guard let time = Timestamp(rfc3339: text), time <= received else {
            throw query.invalid(name, "an RFC 3339 time that is not in the future, or 'now'")
        }
        return time
    }
}

extension JSONWriter {
    /// Writes the times, basis and uncertainty of a past position.
    fileprivate mutating func past(_ position: PastPosition) {
        member("at", position.time)
        member("seen_until", position.seenUntil)
        member("next_at", position.next)
        member("age_s", position.age.milliseconds, decimals: 3)
        member("basis", position.basis.rawValue)
        member("method", position.method.rawValue)
        if let uncertainty = position.uncertainty {
            member("uncertainty_m", tenths: Int64((uncertainty * 10).rounded(.up)))
        }
        member("precision", position.precision.rawValue)
    }

    fileprivate mutating func encounter(_ encounter: Encounter) {
        member("from", encounter.times.lowerBound)
        member("to", encounter.times.upperBound)
        member("at", encounter.nearest)
        coordinate(encounter.place)
        member("distance_m", tenths: Int64((encounter.distance * 10).rounded()))
        member("basis", encounter.basis.rawValue)
        member("uncertainty_m", tenths: Int64((encounter.uncertainty * 10).rounded(.up)))
    }
}
