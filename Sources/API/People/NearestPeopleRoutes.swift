internal import Discovery
internal import Geo
internal import Interchange
internal import Model

/// People ordered by the distance of their newest positions from a point, such as couriers or guards.
struct NearestPeopleRoutes {
    let engine: Engine
    let seal: CursorSeal

    func add(to routes: inout RouteTable) {
        routes.chapter = "People"
        let description = RouteDescription(
            "Finds the people nearest to a point", as: "findNearestPeople",
            [
                Call.latitude, Call.longitude, Call.within, Call.beyond, Self.age, Call.attribute, Paging.mapLimit,
                Paging.cursor, Self.fields,
            ], answers: .page(of: .personNearby, named: "PersonNearby", onMap: true))
        routes.ask(
            QueryRoute(
                member: "nearest", word: "people", path: "/v1/people/nearest", access: .service,
                description: description),
            of: engine, nearest)
    }

    /// In seconds; at most ten years.
    private static let ages = 0.0...315_360_000
    private static let age = Parameter(
        "max_age_s", "only people whose position is at most this old, in seconds", .number(ages)
    ) { call throws(Problem) in try call.query.number("max_age_s", ages) }
    private static let fields = Paging.fields(FriendRoutes.columns)

    @Sendable private func nearest(_ call: Call) async throws -> Query {
        let origin = try call.query.place()
        var query = try call.nearestQuery()
        query.after = try seal.position(call)?.last
        let oldest = try call[Self.age].map { call.received - .milliseconds(Int64($0 * 1000)) }
        let columns = try call[Self.fields]
        let search = NearestPeople(to: origin, query, having: try call[Call.attribute], seenSince: oldest)
        return Query(search) { search in
            PageAnswer(
                items: search.page.items, cursor: try seal.seal(search.page, call), columns: columns,
                place: { $0.position.place }, write: { $0.personNearby($1) }
            ).answer(to: call).unstored
        }
    }
}
