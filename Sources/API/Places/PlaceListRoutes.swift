internal import Discovery
internal import HTTPTypes
internal import Interchange
internal import Model
internal import Normaliser

/// Places sorted by popularity, age or name, with their facets and clusters.
struct PlaceListRoutes {
    let engine: Engine
    let seal: CursorSeal
    let lexicon: Lexicon

    func add(to routes: inout RouteTable) {
        routes.chapter = "Places"
        let parameters =
            Call.placeParameters + Call.openingParameters + [Call.polygon, Call.box, Self.contained]
        let listing = RouteDescription(
            "Lists places", as: "listPlaces", parameters + [Paging.mapLimit, Self.order, Paging.cursor, Self.fields],
            answers: .page(of: .place, named: "Place", onMap: true, isTagged: true))
        routes.ask(
            QueryRoute(
                member: "list", word: "places", path: "/v1/places", access: .known, description: listing,
                watched: LiveList.places),
            of: engine, list)
        let facets = RouteDescription(
            "Counts the values of facets of places", as: "countPlaceFacets", parameters + [Paging.limit, Self.facet],
            answers: .ok(.facets),
            work: .long)
        routes.ask(
            QueryRoute(
                member: "facets", word: "places", path: "/v1/places/facets", access: .known, description: facets),
            of: engine, self.facets)
        addClusters(to: &routes)
    }

    private func addClusters(to routes: inout RouteTable) {
        let description = RouteDescription(
            "Counts the places of a map by cell, and returns those that are alone in a cell", as: "clusterPlaces",
            Call.placeParameters + Call.openingParameters
                + [Call.box.required.example(.text("-0.4,39.4,-0.3,39.5")), Self.zoom],
            answers: .page(of: .placeCluster, named: "PlaceCluster", onMap: true))
        routes.ask(
            QueryRoute(
                member: "clusters", word: "places", path: "/v1/places/clusters", access: .known,
                description: description),
            of: engine, clusters)
    }

    private static let zooms: ClosedRange<Int64> = 0...24
    private static let zoom = Parameter(
        "zoom",
        "the zoom level of the map, in tiles of 256 pixels; a cell has about 64 pixels, or more where "
            + "the area would have more than 64 along a side",
        .integer(zooms).with("default", .number(Double(zooms.upperBound)))
    ) { call throws(Problem) in Int(try call.query.integer("zoom", zooms) ?? zooms.upperBound) }

    @Sendable private func clusters(_ call: Call) async throws -> Query {
        var query = try await query(call)
        let zoom = try call[Self.zoom]
        guard let region = query.region else { throw call.query.missing(Call.box.name) }
        query.region = nil
        return Query(PlaceClusters(of: query, in: region, zoom: zoom)) { search in
            PageAnswer(items: search.items, place: \.coordinate, write: { $0.cluster($1) }).answer(to: call)
        }
    }

    private static let columns = PlaceRoutes.columns + ["open", "opens_at", "closes_at"]

    private static let fields = Paging.fields(columns)
    private static let order = Parameter.order(PlaceOrder.newest, withWords: .relevance)
    private static let contained = Parameter(
        "contains", "places whose own area contains this position, as lat,lon in degrees",
        .text(
            pattern: "^-?([0-8]?[0-9](\\.[0-9]+)?|90(\\.0+)?),-?((1[0-7][0-9]|[0-9]{1,2})(\\.[0-9]+)?|180(\\.0+)?)$")
    ) { call throws(Problem) in try call.query.place(in: "contains") }
    private static let facet: Parameter<FacetChoice<PlaceFacetNames.Word>> = .facets()

    private func query(_ call: Call, by order: PlaceOrder = .newest) async throws -> PlaceListQuery {
        var query = PlaceListQuery(
            try await call.placeFilter(engine, lexicon, isRanked: order == .relevance), try call.openingQuery(),
            in: try call.region(), maxScan: call.limits.scan)
        query.contained = try call[Self.contained]
        return query
    }

    @Sendable private func list(_ call: Call) async throws -> Query {
        let order = try call[Self.order]
        let query = try await query(call, by: order)
        let limit = try call[Paging.mapLimit]
        let columns = try call[Self.fields]
        let after = try seal.placePosition(call)
        return Query(PlaceListing(query, by: order, after: after, limit: limit)) { listing in
            let page = listing.page
            return PageAnswer(
                items: page.items, cursor: try page.next.map { try seal.seal($0, call) },
                isTruncated: page.isTruncated, isTagged: true, columns: columns,
                place: { $0.place.value.coordinate },
                write: { json, item in
                    json.place(item.place.value, to: call.caller)
                    if columns?.contains("area") ?? false { json.area(of: item.place.value) }
                    json.about(item.place.value, favourites: item.favourites)
                    json.hours(item.hours, of: item.place.value, engine.gazetteer)
                    if columns?.contains("city") ?? false { json.city(of: item.place.value, engine.gazetteer) }
                }
            ).answer(to: call)
        }
    }

    @Sendable private func facets(_ call: Call) async throws -> Query {
        let choice = try call[Self.facet]
        let names = PlaceFacetNames(words: choice.words, attributes: choice.attributes)
        let facets = PlaceFacets(names, of: try await query(call))
        let limit = try call[Paging.limit]
        return Query(facets) { .facets($0.counts(limit: limit), to: call) }
    }
}

extension JSONWriter {
    fileprivate mutating func cluster(_ cluster: PlaceCluster) {
        member("count", Int64(cluster.count))
        coordinate(cluster.coordinate)
        member("id", cluster.place?.id.text)
        member("kind", cluster.place?.kind)
        member("name", cluster.place?.name)
    }
}
