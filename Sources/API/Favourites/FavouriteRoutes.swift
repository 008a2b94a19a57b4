internal import Cities
internal import Discovery
internal import Geo
internal import HTTPTypes
internal import Interchange
internal import Model

/// Routes for a person's favorite people, places and products, which are visible only to that person.
struct FavouriteRoutes {
    let engine: Engine
    let seal: CursorSeal

    func add(to routes: inout RouteTable) {
        routes.chapter = "Favorites"
        let all = "/v1/people/{id}/favourites/{kind}"
        let kind = ["kind": Schema.word(FavouriteKind.self)]
        let favourite = Schema.either(.acquaintance, .place, .product).named("Favourite")
        routes.on(
            .get, all, for: .own,
            .init(
                "Lists favorites, newest first", as: "listFavorites",
                [Paging.longLimit, Paging.cursor, Self.anyFields], path: kind,
                answers: .page(of: favourite, named: "Favourite", onMap: true)), list)
        routes.on(
            .get, "\(all)/{other}", for: .own,
            .init("Returns a favorite", as: "getFavorite", [Self.anyFields], path: kind, answers: .ok(favourite)), get)
        for (method, isFavourite) in [(HTTPRequest.Method.put, true), (.delete, false)] {
            let summary = isFavourite ? "Adds a favorite" : "Removes a favorite"
            let name = isFavourite ? "addFavorite" : "removeFavorite"
            routes.act(
                method, "\(all)/{other}", for: .own,
                .init(summary, as: name, path: kind, problems: [.tooManyFavourites, .oneself]), in: engine
            ) { call in try SetFavourite(call.id("id"), Self.kind(call), call.id("other"), to: isFavourite) }
        }
    }

    private static func kind(_ call: Call) throws(Problem) -> FavouriteKind {
        let kinds = FavouriteKind.allCases.map(\.rawValue).joined(separator: ", ")
        return try call.kind { "There are no favorites of kind \($0); the kinds are \(kinds)." }
    }

    private static func columns(_ kind: FavouriteKind, _ call: Call) throws(Problem) -> Set<String>? {
        switch kind {
        case .people: try call[peopleFields]
        case .places: try call[placeFields]
        case .products: try call[productFields]
        }
    }

    private static let peopleFields = Paging.fields(PeopleListing.columns + ["since"])
    private static let placeFields = Paging.fields(PlaceRoutes.columns.filter { $0 != "city" } + ["since"])
    private static let productFields = Paging.fields(ProductRoutes.columns + ["since"])
    /// The fields of all three kinds; which of them apply depends on the path.
    private static let anyFields = Paging.fields(
        Set(PeopleListing.columns + PlaceRoutes.columns + ProductRoutes.columns + ["since"]).sorted())

    @Sendable private func list(_ call: Call) async throws -> Answer {
        let (id, kind): (PersonID, FavouriteKind) = (try call.id("id"), try Self.kind(call))
        let limit = try call[Paging.longLimit]
        let columns = try Self.columns(kind, call)
        let after = try seal.favouritePosition(call)
        let items = try await engine.favourites(kind, of: id, after: after, limit: limit + 1)
        return try PageAnswer(
            items, limit: limit, columns: columns, place: kind == .places ? { $0.coordinate } : nil,
            seal: { try seal.seal($0.position, call) }, write: { $0.favourite($1, to: call.caller, engine.gazetteer) }
        ).answer(to: call).unstored
    }

    @Sendable private func get(_ call: Call) async throws -> Answer {
        let (id, kind, other): (PersonID, _, AnyID) = (try call.id("id"), try Self.kind(call), try call.id("other"))
        let columns = try Self.columns(kind, call)
        let item = try engine.read { state throws(Refusal) in try state.favourite(kind, other, of: id) }
        return Answer.json { json in json.item(columns) { $0.favourite(item, to: call.caller, engine.gazetteer) } }
            .unstored
    }
}

extension FavouriteShown {
    fileprivate var coordinate: Coordinate? {
        if case .place(let record) = subject { record.value.coordinate } else { nil }
    }
}

extension JSONWriter {
    fileprivate mutating func favourite(_ item: FavouriteShown, to caller: Caller, _ gazetteer: Gazetteer) {
        switch item.subject {
        case .person(let person): acquaintance(person)
        case .place(let record):
            place(record.value, to: caller, gazetteer)
            about(record.value, favourites: item.count)
        case .product(let record):
            product(record.value)
            favourites(item.count)
        }
        member("since", item.since)
    }
}
