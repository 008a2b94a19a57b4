internal import Discovery
internal import HTTPTypes
internal import Storage

/// Places in the order of their popularity, age or name, and what they have in common.
struct PlaceListRoutes {
    let live: Live
    let seal: CursorSeal

    func add(to routes: inout RouteTable) {
        let parameters = Call.placeParameters + Call.openingParameters + ["in", "bbox", "limit", "fields"]
        let listing = QuestionRoute(
            member: "list", word: "places", path: "/v1/places", access: .known,
            parameters: parameters + ["sort", "cursor"], repeatable: Call.repeatablePlaceParameters)
        routes.ask(listing, of: live, list)
        routes.on(
            .get, "/v1/places/facets", for: .known, parameters: parameters,
            repeatable: Call.repeatablePlaceParameters, facets)
    }

    private static let columns =
        PlaceRoutes.columns.filter { $0 != "hours_warnings" } + [
            "open", "opens_at", "closes_at",
        ]

    private func query(_ call: Call) async throws -> PlaceListQuery {
        PlaceListQuery(
            try await call.placeFilter(live.store), try call.openingQuery(), in: try call.region(),
            maxScan: call.limits.scan)
    }

    @Sendable private func list(_ call: Call) async throws -> Question {
        let query = try await query(call)
        let limit = try call.query.limit()
        let columns = try call.query.columns(of: Self.columns)
        guard let order = PlaceOrder(rawValue: call.query.text("sort") ?? PlaceOrder.newest.rawValue) else {
            throw call.query.invalid("sort", PlaceOrder.allCases.map(\.rawValue).joined(separator: ", "))
        }
        let after = try seal.placePosition(call)
        return Question { picture in
            let page = picture.places(query, by: order, after: after, limit: limit)
            return {
                Listing(
                    items: page.items, cursor: try page.next.map { try seal.seal($0, call) },
                    isTruncated: page.isTruncated, columns: columns, place: { $0.place.value.coordinate },
                    write: { json, item in
                        json.place(item.place.value, to: call.caller)
                        json.about(item.place.value, favourites: item.favourites)
                        json.hours(item.hours, of: item.place.value, live.gazetteer)
                        if columns?.contains("city") ?? false { json.city(of: item.place.value, live.gazetteer) }
                    }
                ).answer(to: call)
            }
        }
    }

    /// How many places are looked at while one picture is read: a commit that wants to be seen waits for that.
    private static let countedAtOnce = 10_000

    private static let facetColumns = ["kind", "category", "tags", "attributes", "counted"]

    @Sendable private func facets(_ call: Call) async throws -> Answer {
        var query = try await query(call)
        let limit = try call.query.limit()
        let columns = try call.query.columns(of: Self.facetColumns)
        let looks = max(1, query.maxScan / Self.countedAtOnce)
        query.maxScan = min(query.maxScan, Self.countedAtOnce)
        var facets = PlaceFacets()
        var last: Int32?
        for _ in 0..<looks {
            last = live.read { [query] picture in picture.count(query, before: last, into: &facets) }
            if last == nil { break }
            try Task.checkCancellation()
            await Task.yield()
        }
        return .json { [last] json in
            json.item(columns?.union(["truncated"])) { json in
                json.facets(facets, limit)
                if last != nil { json.member("truncated", true) }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func facets(_ facets: PlaceFacets, _ limit: Int) {
        for (name, facet) in [("kind", facets.kinds), ("category", facets.categories), ("tags", facets.tags)] {
            words(name, facet.most(limit))
        }
        let attributes = facets.attributes.sorted { $0.key < $1.key }
        if !attributes.isEmpty {
            member("attributes") { json in
                json.list(attributes) { json, attribute in
                    json.object { json in
                        json.member("name", attribute.key)
                        json.attribute(attribute.value, limit)
                    }
                }
            }
        }
        member("counted", Int64(facets.count))
    }

    /// The values of a facet with how many have each.
    mutating func words(_ name: String, _ values: [(value: String, count: Int)]) {
        guard !values.isEmpty else { return }
        member(name) { json in
            json.list(values) { json, entry in
                json.object { json in
                    json.member("value", entry.value)
                    json.member("count", Int64(entry.count))
                }
            }
        }
    }

    private mutating func attribute(_ facet: AttributeFacet, _ limit: Int) {
        member("count", Int64(facet.count))
        member("min", facet.numbers?.lowerBound)
        member("max", facet.numbers?.upperBound)
        let values = facet.most(limit)
        guard !values.isEmpty else { return }
        member("values") { json in
            json.list(values) { json, entry in
                json.object { json in
                    switch entry.value {
                    case .number(let number): json.member("value", number)
                    case .flag(let flag): json.member("value", flag)
                    case .text(let text): json.member("value", text)
                    }
                    json.member("count", Int64(entry.count))
                }
            }
        }
    }
}
