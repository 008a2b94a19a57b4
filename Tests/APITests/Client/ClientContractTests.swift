import API
import CercaClient
import Foundation
import Testing

/// The client's requests and members conform to `/openapi.json`, so that a changed name in the service fails here.
@Suite struct ClientContractTests {
    private typealias Object = [String: Any]

    private struct Document {
        let paths: [String: [String: Object]]
        let schemas: [String: Object]

        init(_ server: TestServer) async throws {
            let text = try await server.send("GET /openapi.json").body
            let whole = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
            paths = try #require(whole["paths"] as? [String: [String: Object]])
            schemas = try #require((whole["components"] as? Object)?["schemas"] as? [String: Object])
        }

        /// The names of the members of a schema, or of all of its alternatives, without references.
        func members(_ path: String) throws -> Set<String> {
            let parts = path.split(separator: ".").map(String.init)
            var schema = try #require(schemas[parts[0]], "\(path)")
            for part in parts.dropFirst() {
                schema = try #require((schema["properties"] as? Object)?[part] as? Object, "\(path)")
            }
            let forms = schema["anyOf"] as? [Object] ?? schema["oneOf"] as? [Object] ?? [schema]
            return Set(forms.flatMap { ($0["properties"] as? Object ?? [:]).keys })
        }

        /// Checks the operation and parameters of a request, with `{id}` for ids and `attr` for every attribute.
        func check(_ request: CercaClient.Request, _ path: String) throws {
            let parts = request.path.split(separator: "?", maxSplits: 1).map(String.init)
            #expect(parts[0].replacing("/some%2Fone", with: "/{id}") == path)
            let operation = try #require(paths[path]?[request.method.rawValue.lowercased()], "\(request.path)")
            let known = (operation["parameters"] as? [Object] ?? []).filter { $0["in"] as? String == "query" }
                .compactMap { $0["name"] as? String }
            let query = parts.count > 1 ? parts[1] : ""
            let sent = query.split(separator: "&").map { pair in
                ["attr", "store.attr"].first { pair.hasPrefix("\($0).") } ?? String(pair.prefix { $0 != "=" })
            }
            #expect(Set(sent).subtracting(known) == [], "\(path)")
            // The client omits these on purpose; a new parameter of the service needs a decision here.
            let left: Set = ["cursor", "fields", "explain", "ticket", "lastEventId"]
            let missing = Set(known).subtracting(sent).subtracting(left)
            #expect(missing.isEmpty || path == "/v1/events" && missing == ["limit"], "\(path): \(missing)")
        }
    }

    private let ring: CercaClient.Area = .polygon([[[0, 0], [1, 0], [1, 1], [0, 0]]])
    private let box = CercaClient.BoundingBox(west: 0, south: 0, east: 1, north: 1)
    private var area: CercaClient.AreaFilter { .init(withinM: 1, beyondM: 1, in: ring, bbox: box) }

    private var places: CercaClient.PlaceFilter {
        var filter = CercaClient.PlaceFilter()
        (filter.kind, filter.category, filter.tag, filter.q, filter.owner) = ("a", ["a"], ["a"], "a", "a")
        (filter.attributes, filter.openNow, filter.openAt) = (["a": "b"], true, .now)
        return filter
    }

    private var products: CercaClient.ProductFilter {
        var filter = CercaClient.ProductFilter()
        (filter.product, filter.brand, filter.category, filter.gender) = (["a"], ["a"], ["a"], ["a"])
        (filter.color, filter.material, filter.size, filter.attributes) = (["a"], ["a"], ["a"], ["a": "b"])
        (filter.priceMin, filter.priceMax, filter.currency, filter.q, filter.for) = (1, 2, "EUR", "a", "a")
        return filter
    }

    private var shops: CercaClient.StoreFilter {
        var filter = CercaClient.StoreFilter()
        (filter.category, filter.tag, filter.attributes) = (["a"], ["a"], ["a": "b"])
        return filter
    }

    private var events: CercaClient.EventFilter {
        var filter = CercaClient.EventFilter()
        (filter.type, filter.person, filter.place, filter.product) = (["a"], "a", "a", "a")
        (filter.group, filter.fence, filter.in, filter.bbox) = ("a", "a", ring, box)
        (filter.lat, filter.lon, filter.withinM) = (1, 1, 1)
        return filter
    }

    @Test("The paths and parameters of the client are described") func parameters() async throws {
        try await withServer { server in
            let document = try await Document(server)
            let cerca = try client(of: server)
            let id = "some/one"
            let nearPlaces = try cerca.nearestPlaces(lat: 1, lon: 1, area: area, places, limit: 1)
            try document.check(nearPlaces.request, "/v1/places/nearest")
            let stores = try cerca.nearestStores(
                lat: 1, lon: 1, area: area, products, stores: shops, openNow: true, openAt: .now, sort: "price",
                limit: 1)
            try document.check(stores.request, "/v1/stores/nearest")
            let people = cerca.nearestPeople(
                lat: 1, lon: 1, withinM: 1, beyondM: 1, maxAgeS: 1, attributes: ["a": "b"], limit: 1)
            try document.check(people.request, "/v1/people/nearest")
            let friends = cerca.nearestFriends(
                of: id, withinM: 1, beyondM: 1, label: "a", group: "a", at: .now, limit: 1)
            try document.check(friends.request, "/v1/people/{id}/friends/nearest")
            let strangers = cerca.discovery(
                of: id, withinM: 1, ageMin: 1, ageMax: 1, sex: ["male"], relationship: ["single"], limit: 1)
            try document.check(strangers.request, "/v1/people/{id}/discovery")
            let history = try cerca.history(
                of: id, from: .now, to: .now, in: ring, bbox: box, simplifyM: 1, limit: 1)
            try document.check(history.request, "/v1/people/{id}/history")
            try document.check(try cerca.events(events).request, "/v1/events")
        }
    }

    private func check<Key: CodingKey & CaseIterable>(
        _ keys: Key.Type, _ schema: String, in document: Document, leaving left: Set<String> = []
    ) throws {
        let used = Set(keys.allCases.map(\.stringValue))
        #expect(try document.members(schema).subtracting(left) == used, "\(schema)")
    }

    @Test("The members of the client's types are described") func memberNames() async throws {
        try await withServer { server in
            let document = try await Document(server)
            typealias C = CercaClient
            for schema in ["Person", "PersonForm"] { try check(C.Person.CodingKeys.self, schema, in: document) }
            for schema in ["Sharing", "SharingForm"] { try check(C.Sharing.CodingKeys.self, schema, in: document) }
            for schema in ["Person.throttle", "ThrottleForm"] {
                try check(C.Throttle.CodingKeys.self, schema, in: document)
            }
            try check(C.Zone.CodingKeys.self, "Zone", in: document)
            try check(C.Timetable.CodingKeys.self, "Timetable", in: document)
            let reported: Set = ["city", "hours_understood", "hours_on_holidays", "hours_warnings", "timezone_guessed"]
            try check(C.Place.CodingKeys.self, "PlaceForm", in: document, leaving: reported)
            let own = Set(C.Place.CodingKeys.allCases.map(\.stringValue))
            try check(
                C.PlaceNearby.CodingKeys.self, "Place", in: document, leaving: own.union(reported).union(["since"]))
            try check(C.Store.CodingKeys.self, "Store", in: document, leaving: own.union(reported).union(["since"]))
            try check(C.Offer.CodingKeys.self, "Offer", in: document)
            try check(C.Area.CodingKeys.self, "Area", in: document)
            try check(C.PersonNearby.CodingKeys.self, "PersonNearby", in: document)
            try check(C.Stranger.CodingKeys.self, "Stranger", in: document)
            try check(C.Ping.CodingKeys.self, "Ping", in: document)
            try check(C.PingReport.CodingKeys.self, "PingReport", in: document)
            try check(C.Hint.CodingKeys.self, "Hint", in: document)
            try check(C.Hint.Coordinate.CodingKeys.self, "Hint.from", in: document)
            try check(C.StoredPing.CodingKeys.self, "StoredPing", in: document)
            try check(C.Event.CodingKeys.self, "Event", in: document)
            try check(CercaError.FieldError.CodingKeys.self, "FieldError", in: document)
            let problem: Set = ["type", "status", "instance"]
            try check(CercaError.Problem.CodingKeys.self, "Problem", in: document, leaving: problem)
            let page: Set = ["count", "done", "explain", "for", "truncated"]
            for name in ["PlacePage", "StorePage", "PersonNearbyPage", "StrangerPage", "StoredPingPage"] {
                try check(C.Page<C.Place>.CodingKeys.self, name, in: document, leaving: page)
            }
        }
    }
}
