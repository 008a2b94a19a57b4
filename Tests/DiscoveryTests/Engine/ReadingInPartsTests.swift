import Discovery
import Geo
import Glibc
import Hours
import Laws
import Model
import Synchronization
import TestSupport
import Testing

/// Reads in parts block no other work, end when canceled, and find what a single read finds.
@Suite(.timeLimit(.minutes(60))) struct ReadingInPartsTests {
    private func fill(_ engine: TestEngine, _ count: Int, _ random: inout SeededGenerator) async throws {
        let places = (0..<count).map { number in
            var place = Place(id: id("p\(number)"), kind: "store", name: "P")
            place.coordinate = random.jittered(valencia, metres: 50_000)
            place.attributes = ["n": .number(Double(random.integer(0...40)))]
            return Write(place)
        }
        try await engine.perform(PutPlaces(places))
    }

    @Test("A commit is visible between two parts") func commit() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            async let writing = engine.perform(PutPeople([Write(person("luis"))]))
            // A single read of the initial state would never end.
            let count = try await engine.engine.readInParts { $0.counts.people == 2 ? $0.counts.people : nil }
            _ = try await writing
            #expect(count == 2)
        }
    }

    /// Threads of lower priority have a higher nice value.
    @Test("After its first part, a read continues at lower priority") func priority() async throws {
        try await withEngine { engine in
            var nice: [Int32] = []
            let found = try await engine.engine.readInParts { _ -> Bool? in
                nice.append(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0))
                return nice.count == 3 ? true : nil
            }
            #expect(found)
            #expect(nice[1] > nice[0] && nice[2] == nice[1])
        }
    }

    @Test("A canceled read stops after the current part") func cancellation() async throws {
        try await withEngine { engine in
            let parts = Atomic(0)
            let reading = Task {
                try await engine.engine.readInParts { _ -> Int? in
                    let count = parts.add(1, ordering: .relaxed).newValue
                    if count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
                    return count == 50 ? count : nil
                }
            }
            await #expect(throws: CancellationError.self) { try await reading.value }
            #expect(parts.load(ordering: .relaxed) == 3)
        }
    }

    @Test("A search for nearest places in parts equals a single read") func nearestPlaces() async throws {
        try await withEngine { engine in
            var random = SeededGenerator(seed: 1)
            try await fill(engine, 3000, &random)
            for (number, seed) in RandomCases.seeds(0..<100).enumerated() {
                var random = SeededGenerator(seed: seed)
                var attribute = AttributeFilter(name: "n")
                attribute.values = ["\(random.integer(0...41))"]
                var filter = PlaceFilter()
                filter.attributes = [attribute]
                var query = NearestQuery(limit: random.pick([1, 7, 100]))
                if random.chance(0.3) { query.within = 10_000 }
                let origin = random.jittered(valencia, metres: 60_000)
                let part = number == 0 ? 1 : random.pick([2000, 6000])
                repeat {
                    let whole = engine.engine.read { [query] in
                        NearestPlaces(to: origin, filter, OpeningQuery(at: morning), query).whole(in: $0).page
                    }
                    var parts = NearestPlaces(to: origin, filter, OpeningQuery(at: morning), query)
                    var count = 1
                    while !engine.engine.read({ parts.look(at: $0, steps: part) }) { count += 1 }
                    let ids = parts.page.items.map(\.place.value.id)
                    #expect(ids == whole.items.map(\.place.value.id), "seed \(seed)")
                    #expect(parts.page.next == whole.next && !parts.page.isTruncated, "seed \(seed)")
                    query.after = whole.next
                } while query.after != nil
            }
        }
    }

    /// Places beyond the bound of a part are met again in the next one.
    @Test("No place is evaluated in two parts") func singleEvaluation() async throws {
        try await withEngine { engine in
            var random = SeededGenerator(seed: 3)
            let places = (0..<1000).map { number in
                var place = Place(id: id("p\(number)"), kind: "store", name: "P")
                place.coordinate = random.jittered(valencia, metres: 50_000)
                place.attributes = ["words": .text(String(repeating: "á", count: 5000))]
                return Write(place)
            }
            try await engine.perform(PutPlaces(places))
            var attribute = AttributeFilter(name: "words")
            attribute.values = ["nothing"]
            var filter = PlaceFilter()
            filter.attributes = [attribute]
            func steps(_ most: Int) -> Int {
                var places = NearestPlaces(
                    to: valencia, filter, OpeningQuery(at: morning), NearestQuery(limit: 10))
                return WorkBudget.measure { while !engine.engine.read({ places.look(at: $0, steps: most) }) {} }.steps
            }
            let whole = steps(.max / 2)
            #expect(whole > 20 * WorkBudget.stepsPerChunk)
            #expect(steps(WorkBudget.stepsPerChunk) < whole * 11 / 10)
            // Places that are met again do not count again.
            var query = NearestQuery(limit: 10)
            query.maxScan = 2500
            var parts = NearestPlaces(to: valencia, filter, OpeningQuery(at: morning), query)
            while !engine.engine.read({ parts.look(at: $0) }) {}
            #expect(!parts.page.isTruncated)
        }
    }

    /// The limit applies to all parts together.
    @Test("A search in parts is truncated at its limit") func truncation() async throws {
        try await withEngine { engine in
            var random = SeededGenerator(seed: 2)
            try await fill(engine, 3000, &random)
            var filter = PlaceFilter()
            filter.attributes = [AttributeFilter(name: "nothing")]
            var query = NearestQuery(limit: 5)
            query.maxScan = 500
            for steps in [1, 200, 100_000] {
                var parts = NearestPlaces(to: valencia, filter, OpeningQuery(at: morning), query)
                while !engine.engine.read({ parts.look(at: $0, steps: steps) }) {}
                #expect(parts.page.isTruncated && parts.page.items.isEmpty)
                query.after = parts.page.next
                let next = try #require(parts.page.next)
                let reached = engine.engine.read { state in
                    var all = NearestQuery(limit: 3000)
                    all.within = Double(next.micrometres) * 1e-6
                    return NearestPlaces(to: valencia, PlaceFilter(), OpeningQuery(at: morning), all).whole(in: state)
                        .page.items
                        .count
                }
                #expect(reached > 150 && reached <= 501, "about so many were looked at")
                query.after = nil
            }
            // Places examined before do not count again when their cells are entered again.
            query.limit = 1500
            query.maxScan = .max
            let half = engine.engine.read { [query] in
                NearestPlaces(to: valencia, PlaceFilter(), OpeningQuery(at: morning), query).whole(in: $0).page
            }
            query.after = half.next
            query.maxScan = 1550
            var parts = NearestPlaces(to: valencia, filter, OpeningQuery(at: morning), query)
            #expect(engine.engine.read { parts.look(at: $0) } && !parts.page.isTruncated && half.items.count == 1500)
            // A start beyond the origin does not make the search free either.
            query = NearestQuery(limit: 5)
            (query.maxScan, query.beyond) = (500, 0.5)
            let beyond = engine.engine.read { [query] in
                NearestPlaces(to: valencia, filter, OpeningQuery(at: morning), query).whole(in: $0).page
            }
            #expect(beyond.isTruncated)
            let list = PlaceListQuery(filter, OpeningQuery(at: morning), in: nil, maxScan: 500)
            var listing = PlaceListing(list, by: .newest, after: nil, limit: 5)
            var count = 1
            while !engine.engine.read({ listing.look(at: $0, steps: 100) }) { count += 1 }
            #expect(count > 5 && listing.page.isTruncated && listing.page.next == PlacePosition(number: 2500))
        }
    }
}
