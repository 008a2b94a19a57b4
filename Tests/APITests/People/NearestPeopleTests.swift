import Discovery
import Geo
import Laws
import Model
import TestSupport
import Testing

/// Search for the people nearest to a point, for services.
@Suite struct NearestPeopleTests {
    /// Couriers to the east, one every 111 m and every 10 minutes, the last one newest; every second one has a van.
    private func populate(_ server: TestServer, _ count: Int) async throws {
        for number in 0..<count {
            var person = Person(id: try ID("c\(number)"))
            person.attributes = [
                "vehicle": .text(number.isMultiple(of: 2) ? "van" : "Bicycle"), "seats": .number(Double(number)),
            ]
            try await server.engine.perform(PutPerson(Write(person)), by: .service, at: morning)
            let report = PingReport(
                person: person.id, time: morning - .seconds(600 * (count - number)),
                place: try place(10, Double(number) * 0.001))
            try await server.engine.perform(Record([report]), by: .service, at: morning)
        }
    }

    @Test("Answers about the nearest people are exact") func answers() async throws {
        try await withServer { server in
            try await populate(server, 5)
            try await server.add([("nowhere", nil)])
            let list = "GET /v1/people/nearest?lat=10&lon=0&fields=id"
            try await expect(
                [
                    Exchange(
                        "GET /v1/people/nearest?lat=10&lon=0&limit=1&within_m=1", nil,
                        #"200 {"items":[{"id":"c0","lat":10,"lon":0,"distance_m":0,"bearing":0,"at":"2026-11-20T09:10:00Z","precision":"exact"}],"cursor":"…"}"#
                    ),
                    Exchange("\(list)&within_m=112", nil, #"200 {"items":[{"id":"c0"},{"id":"c1"}]}"#),
                    Exchange("\(list)&beyond_m=300", nil, #"200 {"items":[{"id":"c3"},{"id":"c4"}]}"#),
                    Exchange("\(list)&attr.vehicle=bicycle", nil, #"200 {"items":[{"id":"c1"},{"id":"c3"}]}"#),
                    Exchange(
                        "\(list)&attr.vehicle=van&attr.seats.gte=1", nil, #"200 {"items":[{"id":"c2"},{"id":"c4"}]}"#),
                    Exchange("\(list)&max_age_s=1200", nil, #"200 {"items":[{"id":"c3"},{"id":"c4"}]}"#),
                    Exchange("\(list)&max_age_s=1", nil, #"200 {"items":[]}"#),
                ], of: server)
            let page = try await server.send("\(list)&limit=2")
            let cursor = try #require(page.body.firstMatch(of: #/"cursor":"([^"]+)"/#)?.1)
            #expect(page.text.contains(#"{"items":[{"id":"c0"},{"id":"c1"}]"#))
            let next = try await server.send("\(list)&limit=2&cursor=\(cursor)")
            #expect(next.text.contains(#"{"items":[{"id":"c2"},{"id":"c3"}]"#))
        }
    }

    /// Compares with a scan of all distances, at 180° and at a pole too, in parts of few steps.
    @Test("The nearest people agree with a scan", arguments: [(39.47, -0.376), (-17.8, 179.99), (89.99, 12)])
    func scan(latitude: Double, longitude: Double) async throws {
        try await withServer { server in
            let origin = try Coordinate(latitude: latitude, longitude: longitude)
            var random = SeededGenerator(seed: 5)
            let people: [PersonID] = try (0..<700).map { try ID("p\($0)") }
            var places: [PersonID: Coordinate] = [:]
            for id in people { places[id] = random.jittered(origin, metres: 50_000) }
            try await server.engine.perform(PutPeople(people.map { Write(Person(id: $0)) }), by: .service, at: morning)
            let reports = places.map { PingReport(person: $0.key, time: morning, place: $0.value) }
            try await server.engine.perform(Record(reports), by: .service, at: morning)
            let expected = places.sorted {
                Geodesic.distance(from: origin, to: $0.value) < Geodesic.distance(from: origin, to: $1.value)
            }.map(\.key)
            for limit in [1, 7, 300] {
                let nearest = NearestPeople(to: origin, NearestQuery(limit: limit))
                let found = try await server.engine.readInParts(nearest).page.items.map(\.person.id)
                #expect(found == Array(expected.prefix(limit)))
            }
        }
    }
}
