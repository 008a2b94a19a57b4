import Discovery
import Geo
import Hours
import Laws
import Model
import TestSupport
import Testing

/// Searches by words, and by words and distance.
@Suite struct FindingTests {
    /// Few and many numbers, near and far, so that each search strategy is used.
    @Test("A search by words keeps the order by distance") func distanceOrder() async throws {
        try await withEngine { engine in
            var random = SeededGenerator(seed: 11)
            let count = 3000
            let places = try (0..<count).map { number in
                var place = Place(id: try ID("p\(number)"), kind: number % 3 == 0 ? "bar" : "store", name: "P")
                place.coordinate = try Coordinate(
                    latitude: 40 + 9 * random.number(0..<1),
                    longitude: number < 1500 ? 170 + 9 * random.number(0..<1) : -3 + random.number(0..<1))
                return Write(place)
            }
            try await engine.engine.perform(PutPlaces(places), by: .service, at: morning)
            for (number, seed) in RandomCases.seeds(0..<200).enumerated() {
                var random = SeededGenerator(seed: seed)
                let share = [0.001, 0.1, 0.5, 1][number % 4]
                let numbers = (0..<PlaceNumber(count)).filter {
                    ($0 < 1500 || number % 8 < 4) && random.number(0..<1) < share
                }
                var filter = PlaceFilter()
                if number % 3 == 0 { filter.kind = "bar" }
                let origin = try Coordinate(
                    latitude: 40 + 9 * random.number(0..<1), longitude: -3 + random.number(0..<1))
                var whole = NearestQuery(limit: count)
                let all = engine.engine.read {
                    NearestPlaces(to: origin, filter, OpeningQuery(at: morning), whole).whole(in: $0).page.items.map(
                        \.place.number)
                }
                filter.numbers = numbers
                whole.limit = 20
                let found = engine.engine.read {
                    NearestPlaces(to: origin, filter, OpeningQuery(at: morning), whole).whole(in: $0).page.items.map(
                        \.place.number)
                }
                #expect(found == Array(all.filter(Set(numbers).contains).prefix(20)), "seed \(seed)")
            }
        }
    }

    /// The cost charged to the caller.
    private func charge(_ body: () async throws -> Void) async throws -> Int {
        let bill = WorkCounter.charging()
        try await WorkCounter.$current.withValue(bill, operation: body)
        return bill.total
    }

    @Test("The cost of a word search depends on its distinct words and its results") func words() async throws {
        try await withEngine { engine in
            try await engine.perform(
                PutPlaces((0..<300).map { Write(Place(id: id("p\($0)"), kind: "bar", name: "Calle \($0)")) }))
            func price(of text: String) async throws -> Int {
                try await charge {
                    _ = try await engine.engine.numbers(in: .places, matching: text) { words in
                        words.map { SoughtWords([$0]) }
                    }
                }
            }
            let word = try await price(of: "zz")
            #expect(word > 0)
            let all = try await price(of: "calle")
            #expect(all >= word + 300)
            #expect(try await price(of: "ca calle c calle") == all)
            #expect(try await price(of: "zz yy") == 2 * word)
        }
    }

    @Test("The cost of a search for people depends on its words and limit, not on its results")
    func people() async throws {
        func price(of text: String, _ change: (TestEngine) async throws -> Void = { _ in }) async throws -> Int {
            try await withEngine { engine in
                let people = ["luis", "ana", "eva"].map { name in Write(person(name) { $0.name = "Xo" }) }
                try await engine.perform(PutPeople(people))
                try await change(engine)
                return try await charge {
                    _ = try await engine.engine.people(
                        by: .name(text), for: .person(id("luis")), after: nil, limit: 10)
                }
            }
        }
        let found = try await price(of: "xo")
        let blocked = try await price(of: "xo") { _ = try await $0.perform(Block(id("ana"), id("luis"))) }
        let gone = try await price(of: "xo") { _ = try await $0.perform(DeletePerson(id("ana"))) }
        #expect(found > 0 && blocked == found && gone == found)
        #expect(try await price(of: "xo xu") > found)
    }

    @Test("People do not find a person who blocked them") func blocks() async throws {
        try await withEngine { engine in
            let (ana, luis, eva) = (try PersonID("ana"), try PersonID("luis"), try PersonID("eva"))
            let people = [ana, luis, eva].map { Write(Person(id: $0)) }
            try await engine.engine.perform(PutPeople(people), by: .service, at: morning)
            try await engine.engine.perform(Block(ana, luis), by: .service, at: morning)
            let found = { (caller: Caller) in
                engine.engine.read { $0.people([0, 1, 2, 99], knownTo: caller).map(\.id.text) }
            }
            #expect(found(.service) == ["ana", "luis", "eva"])
            #expect(found(.person(ana)) == ["ana", "eva"])
            #expect(found(.person(luis)) == ["luis", "eva"])
            #expect(found(.person(eva)) == ["ana", "luis", "eva"])
        }
    }
}
