internal import Algorithms
internal import ArgumentParser
internal import Discovery
internal import Foundation
internal import Geo
internal import Hours
internal import Model

/// `tools/bench places`: measures filtered and counted lists of places by popularity, age and name.
struct PlacesBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "places", abstract: "Measure lists of places, in process.",
        discussion: """
            A quarter of the places are recipes, which have no position, the rest are stores; a tenth is a \
            favorite. Every page is requested where the previous one ended. A search is read in parts, for which \
            commits wait. Compare with --part 1000000000, which reads all at once.
            """)

    @Option(help: "The number of places.") var places = 1_000_000
    @Option(help: "The number of people, each with a hundred favorites.") var people = 2_000
    @Option(help: "The number of queries of each kind.") var queries = 300
    @Option(help: "The approximate maximum number of steps of a part.") var part = WorkBudget.stepsPerChunk
    @Option(help: "The seed of the workload.") var seed: UInt64 = 1

    private static let now = Timestamp(milliseconds: 1_800_000_000_000)
    private static let scan = 200_000

    func run() async throws {
        print("places: \(places) places, \(people) people with 100 favorites each, on \(Machine.description)")
        try await withTemporaryFolder { folder in
            var work = try Work(seed: seed)
            let engine = try Engine(folder)
            try await fill(engine, &work)
            try await engine.close()
            let before = Machine.residentMemory
            var start = Latency()
            let loaded = try start.measure { try Engine(folder) }
            let grown = (Machine.residentMemory - before) >> 20
            print("start in \(start.milliseconds(100, digits: 0)) ms, \(grown) MB more memory")
            row("list of 20", "cut off", "p50 ms", "p99 ms", "max ms", "part p50", "part p99", widths: Self.widths)
            for (name, filter, region) in try filters() {
                let query = PlaceListQuery(filter, OpeningQuery(at: Self.now), in: region, maxScan: Self.scan)
                for order in PlaceOrder.allCases { measure("\(name), \(order)", query, order, loaded) }
                measureNearest("\(name), nearest", query, &work, loaded)
                count("\(name), counts", query, loaded)
            }
            try await loaded.close()
        }
    }

    private func fill(_ engine: Engine, _ work: inout Work) async throws {
        for numbers in (0..<places).chunks(ofCount: 10_000) {
            let writes = try numbers.map { PutPlace(Write(try place(number: $0, &work))) }
            try await engine.perform(Batch(writes), by: .service, at: Self.now)
        }
        let persons = try (0..<people).map { Write(Person(id: try ID("p\($0)"))) }
        try await engine.perform(Batch(persons.map(PutPerson.init)), by: .service, at: Self.now)
        for person in persons {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 {
                    let place = try AnyID("s\(work.number(below: places / 10))")
                    let favourite = SetFavourite(person.value.id, .places, place)
                    group.addTask { try await engine.perform(favourite, by: .service, at: Self.now) }
                }
                try await group.waitForAll()
            }
        }
    }

    private func place(number: Int, _ work: inout Work) throws -> Place {
        var place = Place(
            id: try ID("s\(number)"), kind: number % 4 == 0 ? "recipe" : "store",
            name: "Place \(work.number(below: 1_000_000)) of \(number)")
        place.coordinate = number % 4 == 0 ? nil : work.place()
        place.category = "c\(number % 20)"
        place.tags = ["t\(number % 50)", "t\(number % 7)"]
        place.owner = number % 1000 == 0 ? try ID("p\(number % people)") : nil
        place.attributes = [
            "difficulty": .number(Double(number % 5)), "rare": .flag(number % 10_000 == 1),
            "minutes": .number(Double(work.number(below: 180))),
        ]
        return place
    }

    private func filters() throws -> [(String, PlaceFilter, Region?)] {
        func filter(_ change: (inout PlaceFilter) -> Void) -> PlaceFilter {
            var filter = PlaceFilter()
            change(&filter)
            return filter
        }
        var easy = AttributeFilter(name: "difficulty")
        easy.bounds = [.atMost(1)]
        var rare = AttributeFilter(name: "rare")
        rare.values = ["true"]
        let box = try Box(west: -10, south: 35, east: 5, north: 44)
        let half = try Box(west: -180, south: -80, east: 0, north: 80)
        return [
            ("all", PlaceFilter(), nil), ("a quarter, by kind", filter { $0.kind = "recipe" }, nil),
            ("two fifths, by a range", filter { $0.attributes = [easy] }, nil),
            ("one in 10,000, by an attribute", filter { $0.attributes = [rare] }, nil),
            ("a thousandth, by owner", filter { $0.owner = try? ID("p0") }, nil),
            ("in a box", PlaceFilter(), .box(box)), ("in half of the world", PlaceFilter(), .box(half)),
        ]
    }

    private func measure(_ name: String, _ query: PlaceListQuery, _ order: PlaceOrder, _ engine: Engine) {
        var times = Times()
        var last: PlacePosition?
        for _ in 0..<queries {
            var list = PlaceListing(query, by: order, after: last, limit: 20)
            times.measure(engine) { list.look(at: $0, steps: part) }
            if list.page.isTruncated { times.cutOff += 1 }
            last = list.page.next
        }
        report(name, times)
    }

    private func measureNearest(_ name: String, _ query: PlaceListQuery, _ work: inout Work, _ engine: Engine) {
        var times = Times()
        for _ in 0..<queries {
            var nearest = NearestQuery(limit: 20)
            nearest.region = query.region
            nearest.maxScan = Self.scan
            var places = NearestPlaces(to: work.place(), query.filter, query.opening, nearest)
            times.measure(engine) { places.look(at: $0, steps: part) }
            if places.page.isTruncated { times.cutOff += 1 }
        }
        report(name, times)
    }

    private func count(_ name: String, _ query: PlaceListQuery, _ engine: Engine) {
        var times = Times()
        for _ in 0..<max(1, queries / 10) {
            var facets = PlaceFacets(of: query)
            times.measure(engine) { facets.look(at: $0, steps: part) }
            if facets.counts(limit: 20).isTruncated { times.cutOff += 1 }
        }
        report(name, times)
    }

    private static let widths = [44, 8, 9, 9, 9, 9, 9]

    private func report(_ name: String, _ times: Times) {
        row(
            name, "\(times.cutOff * 100 / max(1, times.whole.count)) %", times.whole.milliseconds(50),
            times.whole.milliseconds(99), times.whole.milliseconds(100), times.parts.milliseconds(50),
            times.parts.milliseconds(99), widths: Self.widths)
    }

    /// The durations of searches and of their parts.
    private struct Times {
        var whole = Latency()
        var parts = Latency()
        var cutOff = 0

        mutating func measure(_ engine: Engine, _ look: (borrowing LiveState) -> Bool) {
            let start = ContinuousClock.now
            while !parts.measure({ engine.read { look($0) } }) {}
            whole.record(.now - start)
        }
    }
}
