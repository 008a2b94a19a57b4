import API
import CercaClient
import Foundation
import Geo
import Testing

/// Every query of the client, sent to a real service.
@Suite(.timeLimit(.minutes(60))) struct ClientTests {
    @Test("People are written and read") func people() async throws {
        try await withServer { server in
            let cerca = try client(of: server)
            var ana = CercaClient.Person(id: "ana/b?c")
            ana.name = "Ana"
            ana.born = "1996-05-01"
            ana.attributes = ["size": .text("EU:37"), "age": .number(3), "vip": .flag(true), "of": .list(["a", "b"])]
            ana.searchableByEmail = true
            ana.retentionS = 86_400_000
            ana.throttle = .init()
            ana.throttle?.distanceM = 100
            var sharing = CercaClient.Sharing()
            sharing.precision = "exact"
            sharing.pausedUntil = at("2026-11-21T10:00:00Z") + 0.123
            sharing.timetable = .init(hours: "Mo-Fr 09:00-18:00", timezone: "Europe/Madrid")
            sharing.zones = [.init(id: "home", lat: 39.45, lon: -0.41, radiusM: 700)]
            ana.sharing = sharing
            let written = try await cerca.put(ana)
            let read = try await cerca.person("ana/b?c")
            #expect(read == written)
            #expect(read.attributes == ana.attributes && read.born == ana.born && read.retentionS == ana.retentionS)
            #expect(read.sharing?.zones == sharing.zones && read.sharing?.timetable == sharing.timetable)
            let paused = try #require(read.sharing?.pausedUntil?.timeIntervalSince1970)
            #expect(abs(paused - (at("2026-11-21T10:00:00Z").timeIntervalSince1970 + 0.123)) < 0.0005)
            #expect(try await cerca.put(read) == read, "what was read may be written again")
            let error = await #expect(throws: CercaError.self) { try await cerca.person("nobody") }
            #expect(error?.code == "not_found" && error?.status == 404 && error?.requestID != nil)
            ana.name = String(repeating: "a", count: 300)
            let invalid = await #expect(throws: CercaError.self) { try await cerca.put(ana) }
            #expect(invalid?.errors.map(\.pointer) == ["/name"])
        }
    }

    @Test("Places are written and found") func placesRoundTrip() async throws {
        try await withServer { server in
            let cerca = try client(of: server)
            let areas: [CercaClient.Area] = [
                .circle(lat: 39.47, lon: -0.376, withinM: 250),
                .corridor([[-0.36, 39.51], [-0.38, 39.52]], withinM: 900),
                .polygon([[[-0.4, 39.4], [-0.3, 39.4], [-0.3, 39.5], [-0.4, 39.4]]]),
                .multiPolygon([[[[-0.4, 39.4], [-0.3, 39.4], [-0.3, 39.5], [-0.4, 39.4]]]]),
            ]
            for (number, area) in areas.enumerated() {
                var place = CercaClient.Place(id: "p\(number)", kind: "cafe", name: "Café \(number)")
                (place.lat, place.lon) = (39.47, -0.376 + Double(number) / 1000)
                place.area = area
                place.tags = ["a", "b"]
                let written = try await cerca.put(place)
                #expect(try await cerca.place(place.id) == written)
                #expect(try await cerca.put(written) == written, "what was read may be written again")
            }
            var filter = CercaClient.PlaceFilter()
            filter.kind = "cafe"
            filter.tag = ["b"]
            let around = CercaClient.Area.polygon([[[-1, 39], [0, 39], [0, 40], [-1, 40], [-1, 39]]])
            let box = CercaClient.BoundingBox(west: -1, south: 39, east: 0, north: 40)
            let area = CercaClient.AreaFilter(withinM: 1000, in: around)
            let pages = try cerca.nearestPlaces(lat: 39.47, lon: -0.376, area: area, filter, limit: 3)
            var sizes: [Int] = []
            var found: [CercaClient.PlaceNearby] = []
            for try await page in pages {
                sizes.append(page.items.count)
                found += page.items
            }
            #expect(sizes == [3, 1])
            #expect(found.map(\.place.id) == ["p0", "p1", "p2", "p3"])
            #expect(found[0].distanceM == 0 && (89...91).contains(found[3].bearing))
            #expect(found.map(\.place.name) == (0..<4).map { "Café \($0)" })
            #expect(try await pages.first().items.count == 3)
            let boxed = CercaClient.AreaFilter(beyondM: 100, bbox: box)
            #expect(try await cerca.nearestPlaces(lat: 39.47, lon: -0.376, area: boxed).first().items.count == 2)
            filter.kind = "bar"
            #expect(try await cerca.nearestPlaces(lat: 1, lon: 1, filter).first().items.isEmpty)
        }
    }

    @Test("Stores are found") func nearbyStores() async throws {
        try await withServer { server in
            let cerca = try client(of: server)
            for (id, lon) in [("near", -0.376), ("far", -0.3)] {
                var store = CercaClient.Place(id: id, kind: "store", name: id)
                (store.lat, store.lon) = (39.47, lon)
                try await cerca.put(store)
            }
            try await server.send(
                "PUT /v1/products/shoe", #"{"name":"Shoe","brand":"Simulada","colors":["red"],"attributes":{"heel":5}}"#
            )
            for (id, price) in [("near", 6000), ("far", 5000)] {
                let stock = #"{"price":\#(price),"currency":"EUR","sizes":{"EU:37":2}}"#
                try await server.send("PUT /v1/stores/\(id)/stock/shoe", stock)
            }
            var filter = CercaClient.ProductFilter()
            filter.size = ["EU:37"]
            filter.color = ["red"]
            filter.attributes = ["heel.lte": "5"]
            filter.currency = "EUR"
            filter.priceMax = 7000
            let stores = try await cerca.nearestStores(lat: 39.47, lon: -0.376, filter).first().items
            #expect(stores.map(\.place.id) == ["near", "far"])
            #expect(stores.first?.products.map(\.sizes) == [["EU:37": 2]])
            #expect(stores.first?.products.map(\.price) == [6000])
            let circle = CercaClient.AreaFilter(withinM: 10_000)
            let cheap = try await cerca.nearestStores(lat: 39.47, lon: -0.376, area: circle, filter, sort: "price")
                .first().items
            #expect(cheap.map(\.place.id) == ["far", "near"])
        }
    }

    @Test("People are found") func nearbyPeople() async throws {
        try await withServer { server in
            let names = ["ana", "luis", "eva"]
            let places = try names.indices.map { try Coordinate(latitude: 39.47, longitude: -0.376 + Double($0) / 100) }
            try await server.add(Array(zip(names, places.map(Optional.some))))
            for request in ["ana/friends/luis", "luis/friends/ana"] {
                try await server.send("PUT /v1/people/\(request)")
            }
            let cerca = try client(of: server)
            let near = try await cerca.nearestPeople(
                lat: 39.47, lon: -0.376, withinM: 5000, maxAgeS: 3600
            ).first().items
            #expect(near.map(\.id) == names)
            #expect(near.first?.precision == "exact" && near.first?.at == at("2026-11-20T09:50:00Z"))
            let friends = try await cerca.nearestFriends(of: "ana", withinM: 5000).first().items
            #expect(friends.map(\.id) == ["luis"])
            #expect(friends.first.map { (850...870).contains($0.distanceM) } == true)
            let then = try await cerca.nearestFriends(of: "ana", at: at("2026-11-20T09:55:00Z")).first().items
            #expect(then.isEmpty, "they became friends at ten")
            let strangers = try await cerca.discovery(
                of: "ana", ageMin: 18, ageMax: 60, sex: [], relationship: []
            ).first().items
            #expect(strangers.map(\.id) == ["eva"])
            #expect(strangers.first?.distance.hasPrefix("<") == true && strangers.first?.age == 30)
        }
    }

    @Test("Pings are sent and read back in pages") func pingPages() async throws {
        try await withServer { server in
            try await server.add([("ana", nil)])
            let cerca = try client(of: server)
            let start = at("2026-11-20T08:00:00Z") + 0.25
            var pings = (0..<5).map { number in
                CercaClient.Ping(
                    person: "ana", lat: 39.47 + Double(number) / 100, lon: 1e-7, t: start + Double(number) * 600)
            }
            pings[0].device = "phone"
            pings[0].accuracyM = 12
            pings[1].battery = 7
            let report = try await cerca.send(pings)
            #expect(report.verdicts == ["stored", "invalid:battery", "stored", "stored", "stored"])
            #expect(report.stored == 4 && report.errors?.count == 1)
            #expect(report.hint?.from.lat == 39.51)
            let again = try await cerca.send([pings[0]])
            #expect(again.verdicts == ["duplicate"])
            var read: [CercaClient.StoredPing] = []
            var pages = 0
            for try await page in try cerca.history(of: "ana", limit: 3) {
                pages += 1
                read += page.items
            }
            #expect(pages == 2 && read.map(\.lat) == [39.47, 39.49, 39.5, 39.51])
            #expect(read.first?.device == "phone" && read.first?.accuracyM == 12 && read.first?.t == start)
            let some = try await cerca.history(of: "ana", from: start + 1200, to: start + 1800).first().items
            #expect(some.map(\.lat) == [39.49])
        }
    }
}
