import Discovery
import Geo
import Hours
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Lists and counts of places equal a scan of all places.
@Suite struct PlaceListTests {
    private static let kinds = ["recipe", "Recipe", "store", "topic"]
    private static let names = ["Paella", "paella", "Ärroz", "arroz", "Bar", "Zoo", "a", ""]

    private struct World {
        var places: [PlaceID: Place] = [:]
        /// The order of creation.
        var made: [PlaceID: Int] = [:]
        var fans: [PlaceID: Set<PersonID>] = [:]
        /// Places whose rank in some order has changed, even if it changed back.
        var moved: Set<PlaceID> = []
        var steps = 0
    }

    private static func any(_ number: Int, _ random: inout SeededGenerator) -> Place {
        var place = Place(
            id: id("p\(number)"), kind: random.pick(kinds), name: random.pick(names) + random.pick(["", " 2"]))
        place.coordinate = random.chance(0.8) ? random.jittered(valencia, metres: 20_000) : nil
        place.category = random.pick([nil, "rice", "Soup"])
        place.tags = random.pick([[], ["a"], ["A", "b"], ["b", "B", "c"]])
        place.owner = random.pick([nil, id("u1"), id("u2")])
        place.attributes = random.pick([
            [:], ["n": .number(Double(random.integer(0...5)))], ["n": .text("\(random.integer(0...5))")],
            ["n": .text("X"), "m": .flag(true)], ["n": .list(["x", "3"])],
        ])
        return place
    }

    /// Performs a random change in the model and in the service.
    private static func change(_ world: inout World, _ engine: TestEngine, _ random: inout SeededGenerator) async throws
    {
        world.steps += 1
        let place = any(random.integer(0...700), &random)
        switch random.integer(0...9) {
        case 0:
            guard world.places.removeValue(forKey: place.id) != nil else { return }
            world.fans[place.id] = nil
            world.moved.insert(place.id)
            try await engine.perform(DeletePlace(place.id))
        case 1...3:
            let user: PersonID = id("u\(random.integer(0...9))")
            guard world.places[place.id] != nil else { return }
            let fans = world.fans[place.id]
            defer { if world.fans[place.id] != fans { world.moved.insert(place.id) } }
            if random.chance(0.7) {
                world.fans[place.id, default: []].insert(user)
                try await engine.perform(SetFavourite(user, .places, place.id.any))
            } else {
                world.fans[place.id]?.remove(user)
                try await engine.perform(SetFavourite(user, .places, place.id.any, to: false))
            }
        default:
            if world.places[place.id] == nil { world.made[place.id] = world.steps }
            if world.places[place.id]?.name != place.name { world.moved.insert(place.id) }
            world.places[place.id] = place
            try await engine.perform(PutPlaces([Write(place)]))
        }
    }

    private static func wish(_ random: inout SeededGenerator) -> PlaceFilter {
        var filter = PlaceFilter()
        if random.chance(0.4) { filter.kind = random.pick(["RECIPE", "store", "nothing"]) }
        if random.chance(0.3) { filter.categories = random.pick([["rice"], ["soup", "rice"]]) }
        if random.chance(0.3) { filter.tags = random.pick([["a"], ["b", "c"]]) }
        if random.chance(0.3) { filter.owner = id("u1") }
        if random.chance(0.5) {
            var attribute = AttributeFilter(name: "n")
            if random.chance(0.5) { attribute.values = random.pick([["3"], ["x", "4.0"], ["nothing"]]) }
            if random.chance(0.5) {
                attribute.bounds = random.pick([[.atLeast(2)], [.above(2), .atMost(4)], [.below(1)]])
            }
            filter.attributes = [attribute]
        }
        return filter
    }

    /// Whether a place matches the filter, by a direct evaluation.
    private static func matches(_ place: Place, _ filter: PlaceFilter, _ box: Box?) -> Bool {
        if let kind = filter.kind, kind.lowercased() != place.kind.lowercased() { return false }
        if !filter.categories.isEmpty, !filter.categories.contains(place.category?.lowercased() ?? "") { return false }
        if !filter.tags.isEmpty, !place.tags.contains(where: { filter.tags.contains($0.lowercased()) }) { return false }
        if let owner = filter.owner, place.owner != owner { return false }
        if let box, !(place.coordinate.map(box.contains) ?? false) { return false }
        return filter.attributes.allSatisfy { attribute in
            guard let value = place.attributes[attribute.name] else { return false }
            let (texts, number): ([String], Double?) =
                switch value {
                case .number(let number): (["\(number)"], number)
                case .text(let text): ([text.lowercased()], Double(text))
                case .list(let list): (list, nil)
                case .flag(let flag): (["\(flag)"], nil)
                }
            let numbers = texts.compactMap { Double($0) }
            let isOne = attribute.values.contains { value in
                texts.contains(value) || Double(value).map(numbers.contains) ?? false
            }
            guard attribute.values.isEmpty || isOne else { return false }
            return attribute.bounds.allSatisfy { bound in
                guard let number else { return false }
                return switch bound {
                case .atLeast(let least): number >= least
                case .above(let least): number > least
                case .atMost(let most): number <= most
                case .below(let most): number < most
                }
            }
        }
    }

    private static func sorted(_ places: [Place], _ order: PlaceOrder, _ world: World) -> [String] {
        func folded(_ place: Place) -> String { place.name.lowercased().replacing("ä", with: "a") }
        func made(_ place: Place) -> Int { world.made[place.id] ?? 0 }
        func fans(_ place: Place) -> Int { world.fans[place.id]?.count ?? 0 }
        return places.sorted { a, b in
            switch order {
            // Without words, all places have the same rank.
            case .newest, .relevance: made(a) > made(b)
            case .popularity: (fans(a), made(a)) > (fans(b), made(b))
            case .name: (folded(a), made(a)) < (folded(b), made(b))
            }
        }.map(\.id.text)
    }

    @Test("Every page equals a sorted scan", arguments: RandomCases.seeds(0..<6))
    func pages(seed: UInt64) async throws {
        try await withEngine { engine in
            var random = SeededGenerator(seed: seed)
            var world = World()
            for number in 0..<10 { try await engine.add(person("u\(number)")) }
            for _ in 0..<1500 { try await Self.change(&world, engine, &random) }
            let restarted = try await engine.restarted()
            for round in 0..<60 {
                let filter = Self.wish(&random)
                let east = random.pick([-0.36, 1])
                let box = random.chance(0.3) ? try Box(west: -0.45, south: 39.4, east: east, north: 39.5) : nil
                let wanted = world.places.values.filter { Self.matches($0, filter, box) }
                let order = random.pick(PlaceOrder.allCases)
                let limit = random.pick([1, 7, 1000])
                // Truncated now and then, so that pages end where nothing was found.
                let query = PlaceListQuery(
                    filter, returned, in: box.map { .box($0) }, maxScan: random.pick([3, 50, 100_000]))
                var found: [String] = []
                var last: PlacePosition?
                repeat {
                    let page = Self.page(query, order, after: last, limit, restarted, parts: [100_000])
                    #expect(page.items.count <= limit)
                    let inParts = Self.page(query, order, after: last, limit, restarted, parts: [1, 4, 30])
                    let comment: Comment = "seed \(seed), round \(round), \(order), \(filter)"
                    #expect(inParts.items.map(\.place.value.id) == page.items.map(\.place.value.id), comment)
                    #expect(inParts.next == page.next && inParts.isTruncated == page.isTruncated, comment)
                    found += page.items.map(\.place.value.id.text)
                    for item in page.items { #expect(item.favourites == world.fans[item.place.value.id]?.count ?? 0) }
                    last = page.next
                } while last != nil
                #expect(found == Self.sorted(wanted, order, world), "seed \(seed), round \(round), \(order), \(filter)")
                expectCounts(of: wanted, restarted, query, "seed \(seed), round \(round), \(filter)")
            }
            try restarted.store.close()
        }
    }

    /// Returns a page searched in parts of these sizes, the last of which repeats.
    private static func page(
        _ query: PlaceListQuery, _ order: PlaceOrder, after last: PlacePosition?, _ limit: Int, _ engine: TestEngine,
        parts: [Int]
    ) -> PlacePage {
        var list = PlaceListing(query, by: order, after: last, limit: limit)
        var part = 0
        while !engine.engine.read({ list.look(at: $0, steps: parts[min(part, parts.count - 1)]) }) { part += 1 }
        return list.page
    }

    private func expectCounts(of wanted: [Place], _ engine: TestEngine, _ query: PlaceListQuery, _ comment: Comment) {
        var facets = PlaceFacets(of: query)
        while !engine.engine.read({ facets.look(at: $0, steps: 33) }) {}
        let returned = facets.counts(limit: 100)
        if query.maxScan < 100_000 {
            #expect(returned.count <= wanted.count, comment)
            guard !returned.isTruncated else { return }
        }
        #expect(returned.count == wanted.count && returned.more.isEmpty, comment)
        func counts(_ words: [[String]]) -> [String: Int] {
            words.flatMap { Set($0.map { $0.lowercased() }) }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        func values(_ name: String) -> [String: Int] {
            let facet = returned.facets.first { $0.name == name }
            return (facet?.values ?? []).reduce(into: [:]) { counts, value in
                if case .text(let text) = value.content { counts[text.lowercased()] = value.count }
            }
        }
        #expect(values("kind") == counts(wanted.map { [$0.kind] }), comment)
        #expect(values("category") == counts(wanted.map { $0.category.map { [$0] } ?? [] }), comment)
        #expect(values("tag") == counts(wanted.map(\.tags)), comment)
        for name in ["n", "m"] {
            let attribute = returned.facets.first { $0.name == "attr.\(name)" }?.attribute
            #expect(attribute?.count ?? 0 == wanted.count { $0.attributes[name] != nil }, comment)
        }
    }

    /// A scan in list order would be truncated before it reaches them, so the search scans the area.
    @Test("Places of an area are found among many others", arguments: PlaceOrder.allCases)
    func smallArea(order: PlaceOrder) async throws {
        try await withEngine { engine in
            var random = SeededGenerator(seed: 3)
            let places = (0..<5000).map { number in
                let name = String(repeating: "0", count: 4 - "\(number)".count) + "\(number)"
                var place = Place(id: id("p\(number)"), kind: "store", name: order == .name ? "\(9999 - number)" : name)
                place.coordinate = number < 300 ? random.jittered(valencia, metres: 5000) : east(1_000_000)
                return Write(place)
            }
            try await engine.perform(PutPlaces(places))
            let box = try Box(west: -1, south: 39, east: 0, north: 40)
            let query = PlaceListQuery(PlaceFilter(), returned, in: .box(box), maxScan: 2000)
            for parts in [[100_000], [77]] {
                var (found, last): ([String], PlacePosition?) = ([], nil)
                repeat {
                    let page = Self.page(query, order, after: last, 50, engine, parts: parts)
                    #expect(page.items.count == 50 && !page.isTruncated)
                    found += page.items.map(\.place.value.id.text)
                    last = page.next
                } while last != nil && found.count < 400
                #expect(found == (0..<300).reversed().map { "p\($0)" }, "\(parts)")
            }
        }
    }

    /// Other places are renamed, liked, created, and deleted between two pages.
    @Test("A place that keeps its rank is listed exactly once", arguments: PlaceOrder.allCases)
    func stableRank(order: PlaceOrder) async throws {
        try await withEngine { engine in
            var random = SeededGenerator(seed: 5)
            var world = World()
            for number in 0..<10 { try await engine.add(person("u\(number)")) }
            for _ in 0..<RandomCases.count(300, all: 600) { try await Self.change(&world, engine, &random) }
            world.moved = []
            let before = world.places.keys
            let query = PlaceListQuery(PlaceFilter(), returned, in: nil, maxScan: 100_000)
            var found: [String] = []
            var last: PlacePosition?
            repeat {
                var list = PlaceListing(query, by: order, after: last, limit: 10)
                while !engine.engine.read({ list.look(at: $0, steps: 4) }) {
                    try await Self.change(&world, engine, &random)
                }
                found += list.page.items.map(\.place.value.id.text)
                last = list.page.next
                for _ in 0..<5 { try await Self.change(&world, engine, &random) }
            } while last != nil
            let still = before.filter { !world.moved.contains($0) }
            #expect(still.count > 50)
            for place in still { #expect(found.count { $0 == place.text } == 1, "\(place)") }
        }
    }

    @Test("Deleted places add no cost to lists and counts", arguments: [PlaceOrder.newest, .popularity])
    func deletedPlaces(order: PlaceOrder) async throws {
        try await withEngine { engine in
            func put(_ name: String, _ count: Int) async throws {
                let places = (0..<count).map { Write(Place(id: id("\(name)\($0)"), kind: "store", name: "P")) }
                try await engine.perform(PutPlaces(places))
            }
            try await put("old", 15)
            try await put("gone", 1000)
            try await engine.perform(Batch((0..<1000).map { DeletePlace(id("gone\($0)")) }))
            try await put("new", 15)
            let query = PlaceListQuery(PlaceFilter(), returned, in: nil, maxScan: 100_000)
            let (page, steps) = WorkBudget.measure {
                Self.page(query, order, after: nil, 100, engine, parts: [100_000])
            }
            let names = ["new", "old"].flatMap { name in (0..<15).reversed().map { "\(name)\($0)" } }
            #expect(page.items.map(\.place.value.id.text) == names)
            #expect(steps < 1000, "\(steps)")
            var facets = PlaceFacets(of: query)
            let counted = WorkBudget.measure { while !engine.engine.read({ facets.look(at: $0, steps: 100_000) }) {} }
                .steps
            #expect(facets.counts(limit: 10).count == 30)
            #expect(counted < 1000, "\(counted)")
        }
    }

    private let returned = OpeningQuery(at: morning)
}
