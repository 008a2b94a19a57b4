import Discovery
import Geo
import Hours
import Laws
import Model
import TestSupport
import Testing

/// Words and distance together.
@Suite struct FindingTests {
    /// Few and many numbers, near and far, whatever way is taken.
    @Test func wordsLeaveTheOrderByDistance() async throws {
        try await withLive { live in
            var dice = Dice(seed: 11)
            let count = 3000
            let places = try (0..<count).map { number in
                var place = Place(id: try ID("p\(number)"), kind: number % 3 == 0 ? "bar" : "store", name: "P")
                place.coordinate = try Coordinate(
                    latitude: 40 + 9 * dice.number(0..<1),
                    longitude: number < 1500 ? 170 + 9 * dice.number(0..<1) : -3 + dice.number(0..<1))
                return Write(place)
            }
            try await live.live.perform(PutPlaces(places), by: .service, at: morning)
            for (number, seed) in RandomCases.seeds(0..<200).enumerated() {
                var dice = Dice(seed: seed)
                let share = [0.001, 0.1, 0.5, 1][number % 4]
                let numbers = (0..<PlaceNumber(count)).filter {
                    ($0 < 1500 || number % 8 < 4) && dice.number(0..<1) < share
                }
                var filter = PlaceFilter()
                if number % 3 == 0 { filter.kind = "bar" }
                let origin = try Coordinate(latitude: 40 + 9 * dice.number(0..<1), longitude: -3 + dice.number(0..<1))
                var whole = NearestQuery(limit: count)
                let all = live.live.read {
                    NearestPlaces(to: origin, filter, OpeningQuery(at: morning), whole).whole(in: $0).page.items.map(
                        \.place.number)
                }
                filter.numbers = numbers
                whole.limit = 20
                let found = live.live.read {
                    NearestPlaces(to: origin, filter, OpeningQuery(at: morning), whole).whole(in: $0).page.items.map(
                        \.place.number)
                }
                #expect(found == Array(all.filter(Set(numbers).contains).prefix(20)), "seed \(seed)")
            }
        }
    }

    @Test func nobodyFindsWhoBlockedThem() async throws {
        try await withLive { live in
            let (ana, luis, eva) = (try PersonID("ana"), try PersonID("luis"), try PersonID("eva"))
            let people = [ana, luis, eva].map { Write(Person(id: $0)) }
            try await live.live.perform(PutPeople(people), by: .service, at: morning)
            try await live.live.perform(Block(ana, luis), by: .service, at: morning)
            let found = { (caller: Caller) in
                live.live.read { $0.people([0, 1, 2, 99], knownTo: caller).map(\.id.text) }
            }
            #expect(found(.service) == ["ana", "luis", "eva"])
            #expect(found(.person(ana)) == ["ana", "eva"])
            #expect(found(.person(luis)) == ["luis", "eva"])
            #expect(found(.person(eva)) == ["ana", "luis", "eva"])
        }
    }
}
