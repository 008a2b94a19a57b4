import API
import CercaClient
import Foundation
import Testing

/// The client's requests and members conform to `/openapi.json`, so that a changed name in the service fails here.
@Suite struct ClientContractTests {
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
            let contract = try await ClientContract(server)
            let cerca = try client(of: server)
            let id = "some/one"
            let nearPlaces = try cerca.nearestPlaces(lat: 1, lon: 1, area: area, places, limit: 1)
            try contract.check(nearPlaces.request, "/v1/places/nearest")
            let stores = try cerca.nearestStores(
                lat: 1, lon: 1, area: area, products, stores: shops, openNow: true, openAt: .now, sort: "price",
                limit: 1)
            try contract.check(stores.request, "/v1/stores/nearest")
            let people = cerca.nearestPeople(
                lat: 1, lon: 1, withinM: 1, beyondM: 1, maxAgeS: 1, attributes: ["a": "b"], limit: 1)
            try contract.check(people.request, "/v1/people/nearest")
            let friends = cerca.nearestFriends(
                of: id, withinM: 1, beyondM: 1, label: "a", group: "a", at: .now, limit: 1)
            try contract.check(friends.request, "/v1/people/{id}/friends/nearest")
            let strangers = cerca.discovery(
                of: id, withinM: 1, ageMin: 1, ageMax: 1, sex: ["male"], relationship: ["single"], limit: 1)
            try contract.check(strangers.request, "/v1/people/{id}/discovery")
            let history = try cerca.history(
                of: id, from: .now, to: .now, in: ring, bbox: box, simplifyM: 1, limit: 1)
            try contract.check(history.request, "/v1/people/{id}/history")
            try contract.check(try cerca.events(events).request, "/v1/events")
        }
    }

    @Test("The members of the client's types are described") func memberNames() async throws {
        try await withServer { server in
            let contract = try await ClientContract(server)
            typealias C = CercaClient
            for schema in ["Person", "PersonForm"] { try contract.check(C.Person.CodingKeys.self, schema) }
            for schema in ["Sharing", "SharingForm"] { try contract.check(C.Sharing.CodingKeys.self, schema) }
            for schema in ["Person.throttle", "ThrottleForm"] {
                try contract.check(C.Throttle.CodingKeys.self, schema)
            }
            try contract.check(C.Zone.CodingKeys.self, "Zone")
            try contract.check(C.Timetable.CodingKeys.self, "Timetable")
            let reported: Set = ["city", "hours_understood", "hours_on_holidays", "hours_warnings", "timezone_guessed"]
            try contract.check(C.Place.CodingKeys.self, "PlaceForm", leaving: reported)
            let own = Set(C.Place.CodingKeys.allCases.map(\.stringValue))
            try contract.check(C.PlaceNearby.CodingKeys.self, "Place", leaving: own.union(reported).union(["since"]))
            try contract.check(C.Store.CodingKeys.self, "Store", leaving: own.union(reported).union(["since"]))
            try contract.check(C.Offer.CodingKeys.self, "Offer")
            try contract.check(C.Area.CodingKeys.self, "Area")
            try contract.check(C.PersonNearby.CodingKeys.self, "PersonNearby")
            try contract.check(C.Stranger.CodingKeys.self, "Stranger")
            try contract.check(C.Ping.CodingKeys.self, "Ping")
            try contract.check(C.PingReport.CodingKeys.self, "PingReport")
            try contract.check(C.Hint.CodingKeys.self, "Hint")
            try contract.check(C.Hint.Coordinate.CodingKeys.self, "Hint.from")
            try contract.check(C.StoredPing.CodingKeys.self, "StoredPing")
            try contract.check(C.Event.CodingKeys.self, "Event")
            try contract.check(CercaError.FieldError.CodingKeys.self, "FieldError")
            let problem: Set = ["type", "status", "instance"]
            try contract.check(CercaError.Problem.CodingKeys.self, "Problem", leaving: problem)
            // All pages have one schema, except for their items.
            let page: Set = ["count", "done", "explain", "for", "truncated"]
            try contract.check(C.Page<C.Place>.CodingKeys.self, "PlacePage", leaving: page)
        }
    }
}
