import Discovery
import Hours
import Laws
import Model
import TestSupport
import Testing

/// Lists of the places and products that a word search found, by relevance.
@Suite struct RelevanceTests {
    private let asked = OpeningQuery(at: morning)

    /// Some of the numbers below `count`, of which some have the words in the name, of which some as typed.
    private func matches<Thing>(
        below count: Int, _ share: Double, _ random: inout SeededGenerator
    ) -> WordMatches<Thing> {
        func some(of numbers: [Number<Thing>], _ share: Double) -> [Number<Thing>] {
            numbers.filter { _ in random.chance(share) }
        }
        var matches = WordMatches<Thing>(some(of: (0..<count).map { Number($0) }, share))
        matches.named = some(of: matches.numbers, 0.2)
        matches.exact = some(of: matches.named, 0.2)
        return matches
    }

    private func rank<Thing>(_ number: Number<Thing>, _ matches: WordMatches<Thing>) -> Int {
        matches.exact.contains(number) ? 2 : matches.named.contains(number) ? 1 : 0
    }

    /// The first places in pages of `limit`.
    private func places(
        _ matches: WordMatches<Place>, limit: Int, pages: Int, parts: Int, maxScan: Int = 1_000_000,
        _ engine: TestEngine
    ) -> [PlaceNumber] {
        var filter = PlaceFilter()
        (filter.numbers, filter.matches) = (matches.numbers, matches)
        let query = PlaceListQuery(filter, asked, in: nil, maxScan: maxScan)
        var (found, last): ([PlaceNumber], PlacePosition?) = ([], nil)
        for _ in 0..<pages {
            var list = PlaceListing(query, by: .relevance, after: last, limit: limit)
            while !engine.engine.read({ list.look(at: $0, steps: parts) }) {}
            found += list.page.items.map(\.place.number)
            last = list.page.next
            if last == nil { break }
        }
        return found
    }

    @Test("Places come by rank, then newest first, in pages of any size") func pagesOfPlaces() async throws {
        try await withEngine { engine in
            try await engine.perform(
                PutPlaces((0..<500).map { Write(Place(id: id("p\($0)"), kind: "bar", name: "P")) }))
            for seed in RandomCases.seeds(0..<40) {
                var random = SeededGenerator(seed: seed)
                let matches: WordMatches<Place> = matches(below: 500, random.pick([0.02, 0.5, 1]), &random)
                let sorted = matches.numbers.sorted { (rank($0, matches), $0) > (rank($1, matches), $1) }
                let limit = random.integer(1...60)
                let found = places(matches, limit: limit, pages: 501, parts: random.integer(1...90), engine)
                #expect(found == sorted, "seed \(seed)")
            }
        }
    }

    /// More than are sorted at once, so that the list walks through the ranks.
    @Test("Very many places come by rank too, also if a page ends where little was found") func manyPlaces()
        async throws
    {
        try await withEngine { engine in
            let count = 20_500
            try await engine.perform(
                PutPlaces((0..<count).map { Write(Place(id: id("p\($0)"), kind: "bar", name: "P")) }))
            var random = SeededGenerator(seed: 1)
            var matches: WordMatches<Place> = matches(below: count, 1, &random)
            matches.named = matches.named.filter { _ in random.chance(0.1) }
            matches.exact = Array(matches.named.filter { _ in random.chance(0.2) })
            let named = Set(matches.named)
            let first = matches.exact.reversed() + named.subtracting(matches.exact).sorted(by: >)
            let rest = matches.numbers.reversed().filter { !named.contains($0) }.prefix(100)
            for (limit, maxScan) in [(70, 1_000_000), (33, 40)] {
                let found = places(matches, limit: limit, pages: 60, parts: 25, maxScan: maxScan, engine)
                #expect(Array(found.prefix(first.count + 100)) == first + rest, "\(limit)")
            }
        }
    }

    @Test("Products come by rank, then by id, in pages of any size") func pagesOfProducts() async throws {
        try await withEngine { engine in
            try await engine.perform(PutProducts((100..<200).map { Write(Product(id: id("s\($0)"), name: "S")) }))
            for seed in RandomCases.seeds(0..<40) {
                var random = SeededGenerator(seed: seed)
                let matches: WordMatches<Product> = matches(below: 100, 0.5, &random)
                var filter = ProductFilter()
                (filter.numbers, filter.matches) = (matches.numbers, matches)
                let sorted = matches.numbers.sorted { (-rank($0, matches), $0) < (-rank($1, matches), $1) }
                var found: [ProductNumber] = []
                var last: ProductPosition?
                repeat {
                    var list = ProductListing(filter, by: .relevance, after: last, limit: random.integer(1...30))
                    while !engine.engine.read({ list.look(at: $0, steps: 7) }) {}
                    found += list.products.map(\.record.number)
                    last = list.products.last?.position
                } while last != nil
                #expect(found == sorted, "seed \(seed)")
            }
        }
    }
}
