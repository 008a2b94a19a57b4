import Discovery
import GRDB
import Geo
import Model
import Storage
import TestSupport
import Testing

/// The writer works on any command for at most 10 ms before other tenants have their turn.
@Suite struct CommandTurnTests {
    private static let always = Timestamp(milliseconds: 0)..<Timestamp(milliseconds: .max)
    private static let later = morning + .seconds(10_000_000)

    /// Runs the body and checks the longest turn of the writer.
    private func measured(_ what: Comment, _ monitor: WorkMonitor, _ body: () async throws -> Void) async throws {
        monitor.reset()
        try await body()
        #expect(monitor.longest(.turn) <= WorkBudget.stepsPerTurn, what)
        #expect(monitor.longest(.turn) > 0, what)
    }

    /// Pings 130 s apart that cycle through the places.
    private func walk(_ count: Int, from start: Int = 0, _ places: [Coordinate]) -> [PingReport] {
        (0..<count).map { ping(Double(start + $0 * 130), places[$0 % places.count]) }
    }

    private static let apart = (0..<2).map { east(Double($0) * 20_000) }

    private func history(_ engine: TestEngine) async throws -> Int {
        try await engine.engine.history(
            of: id("ana"), from: Self.always.lowerBound, to: Self.always.upperBound, limit: 100_000
        ).count
    }

    @Test("Positions that contradict each other cost the same, however many came before")
    func contradictions() async throws {
        let monitor = WorkMonitor()
        try await withEngine(monitor: monitor) { engine in
            try await engine.add(person("ana"))
            var longest: [Int] = []
            for round in 0..<4 {
                monitor.reset()
                // Three in a row outweigh the positions that they contradict, again and again.
                let reports = (0..<1200).map { index in
                    let second = round * 1200 + index
                    return ping(Double(second), second / 3 % 2 == 0 ? valencia : east(5_000_000))
                }
                _ = try await engine.perform(Record(reports), at: Self.later)
                longest.append(monitor.longest(.turn))
                if round == 1 { try await engine.engine.compact() }
            }
            #expect(longest.allSatisfy { $0 <= WorkBudget.stepsPerTurn }, "\(longest)")
            #expect(longest[3] < longest[0] * 3 / 2, "\(longest)")
            try await measured("late among them", monitor) {
                let reports = (0..<1200).map { ping(Double(4 * $0) + 0.5, east(200)) }
                _ = try await engine.perform(Record(reports), at: Self.later)
            }
        }
    }

    @Test("At most 16 positions at one instant are suspect") func suspects() async throws {
        let monitor = WorkMonitor()
        try await withEngine(monitor: monitor) { engine in
            try await engine.add(person("ana"))
            // Three in a row outweigh what is stored. The last of each round replaces the last of the round before.
            _ = try await engine.send(ping(260, east(5_000_000)))
            for round in 0..<40 {
                let isEven = round.isMultiple(of: 2)
                let reports = [0, 130, isEven ? 390 : 260].map { second in
                    ping(second, isEven ? valencia : east(5_000_000), device: "d\(round)")
                }
                _ = try await engine.perform(Record(reports), at: Self.later)
            }
            let most = try engine.store.inspect { db in
                try Int.fetchOne(
                    db, sql: "SELECT count(*) AS some FROM pings WHERE suspect = 1 GROUP BY time_ms ORDER BY some DESC")
            }
            #expect(most == 16)
            try await measured("at that instant", monitor) {
                _ = try await engine.perform(Record((0..<500).map { _ in ping(260, east(90)) }), at: Self.later)
            }
        }
    }

    @Test("A long history is recorded and erased in turns") func longHistory() async throws {
        let monitor = WorkMonitor()
        try await withEngine(monitor: monitor) { engine in
            try await engine.add(person("ana"))
            try await measured("new ones", monitor) {
                _ = try await engine.perform(Record(walk(1500, Self.apart)), at: Self.later)
            }
            #expect(try await history(engine) == 1500)
            try await measured("sent again", monitor) {
                _ = try await engine.perform(Record(walk(1500, Self.apart)), at: Self.later)
            }
            try await engine.engine.compact()
            try await measured("late ones", monitor) {
                _ = try await engine.perform(Record(walk(1500, from: 1, Self.apart)), at: Self.later)
            }
            try await measured("before all", monitor) {
                let elsewhere = [east(100_000), east(120_000)]
                _ = try await engine.perform(Record(walk(1500, from: -1_000_000, elsewhere)), at: Self.later)
            }
            try await measured("stays", monitor) { try await engine.engine.writePendingStays(dueAt: nil) }
            try await measured("erased, half of them in the log", monitor) {
                let erased = try await engine.engine.erase(
                    of: id("ana"), in: Self.always, where: nil, by: .service, received: Self.later)
                #expect(erased.pings == 3000)
            }
        }
    }

    @Test("Long documents are written in turns") func longDocuments() async throws {
        let monitor = WorkMonitor()
        let text = (0..<2500).map { "w\($0)" }.joined(separator: " ")
        try await withEngine(monitor: monitor) { engine in
            for round in 0..<2 {
                try await measured("people", monitor) {
                    try await engine.perform(
                        PutPeople(
                            (0..<150).map { number in
                                Write(
                                    person("p\(number)") { person in
                                        person.name = "\(round) \(number < 5 ? text : "P")"
                                        person.city = round == 0 ? "Valencia, ES" : "Madrid"
                                    })
                            }))
                }
                try await measured("places", monitor) {
                    try await engine.perform(
                        PutPlaces(
                            (0..<150).map { number in
                                var place = Place(id: id("s\(number)"), kind: "store", name: "\(round) S")
                                place.coordinate = east(Double(number))
                                if number < 5 { place.address = text }
                                return Write(place)
                            }))
                }
                try await measured("products", monitor) {
                    try await engine.perform(
                        PutProducts(
                            (0..<150).map { number in
                                var product = Product(id: id("x\(number)"), name: "\(round) X")
                                if number < 5 { product.description = text }
                                return Write(product)
                            }))
                }
            }
            try await measured("stock", monitor) {
                try await engine.perform(
                    PutStock(
                        (0..<600).map { number in
                            StockItem(store: id("s0"), product: id("x\(number % 150)"), price: nil, sizes: [])
                        }))
            }
            try await measured("friends", monitor) {
                try await engine.perform(Batch((1..<150).map { MakeFriends(id("p0"), id("p\($0)")) }))
            }
        }
    }

    @Test("A person with much data is deleted in turns, and hidden from the first") func personDeletion() async throws {
        let monitor = WorkMonitor()
        try await withEngine(monitor: monitor) { engine in
            let others = try await fill(engine)
            async let watching: Int = engine.engine.readInParts { state -> Int? in
                guard let view = try? state.person(id("ana"), for: .service), case .whole(let record) = view else {
                    return 1
                }
                guard record.value.name != nil else {
                    #expect(record.value.sharing == Sharing(.hidden) && !record.value.isDiscoverable)
                    return nil
                }
                // Before the first turn all data is there.
                #expect(state.canonicalDump.count { $0.hasPrefix("comment ") } == 300)
                return nil
            }
            try await measured("a person", monitor) {
                try await engine.perform(DeletePerson(id("ana"), if: .exists), by: .person(id("ana")), at: Self.later)
            }
            _ = try await watching
            let account = engine.canonicalDump
            #expect(!account.contains { $0.contains("ana") })
            #expect(account.contains { $0.hasPrefix("1 ") }, "the next person is there")
            let rows = try engine.store.inspect { db in
                try Int.fetchOne(
                    db,
                    sql: """
                        SELECT (SELECT count(*) FROM pings) + (SELECT count(*) FROM sharings WHERE person = 0)
                            + (SELECT count(*) FROM decisions) + (SELECT count(*) FROM former_friendships)
                            + (SELECT count(*) FROM friendships WHERE b < \(others))
                        """)
            }
            #expect(rows == 0)
            let restarted = try await engine.restarted()
            #expect(restarted.canonicalDump == account)
            try restarted.store.close()
        }
    }

    /// Creates Ana, number 0, with a long history and many ties, and returns the number of other people.
    private func fill(_ engine: TestEngine) async throws -> Int {
        let others: [PersonID] = (1..<250).map { id("p\($0)") }
        try await engine.perform(PutPeople(([id("ana")] + others).map { other in Write(person(other.text)) }))
        var sol = Place(id: id("sol"), kind: "spot", name: "Sol")
        sol.coordinate = valencia
        try await engine.perform(PutPlaces([Write(sol)]))
        try await engine.perform(
            PutPlaces(
                (0..<60).map { number in
                    var place = Place(id: id("own\(number)"), kind: "recipe", name: "R")
                    place.owner = id("ana")
                    return Write(place)
                }))
        _ = try await engine.perform(Record(walk(2500, Self.apart)), at: Self.later)
        try await engine.engine.compact()
        try await engine.perform(
            Batch(
                (0..<300).map {
                    PostComment(id: id("c\($0)"), place: id("sol"), author: id("ana"), text: "Nice")
                }))
        try await tie(others, to: id("ana"), engine)
        let groups = (0..<40).map { Group(id: id("g\($0)"), name: "G", owner: id("ana")) }
        try await engine.perform(Batch(groups.map { CreateGroup($0) }))
        try await engine.perform(Batch(groups.map { Invite(others[0], to: $0.id) }))
        return others.count
    }

    /// Makes a fifth of the people friends of the person, a fifth requesters, a fifth blocked, and so on.
    private func tie(_ people: [PersonID], to person: PersonID, _ engine: TestEngine) async throws {
        func fifth(_ number: Int) -> [PersonID] { people.indices.filter { $0 % 5 == number }.map { people[$0] } }
        try await engine.perform(Batch(fifth(0).map { MakeFriends(person, $0) }))
        try await engine.perform(Batch(fifth(1).map { Befriend($0, person) }))
        try await engine.perform(Batch(fifth(2).map { Block(person, $0) }))
        try await engine.perform(Batch(fifth(3).map { SetFavourite($0, .people, person.any) }))
        try await engine.perform(Batch(fifth(4).map { SetFavourite(person, .people, $0.any) }))
    }

    @Test("Places and products with much data are deleted in turns") func catalogDeletion() async throws {
        let monitor = WorkMonitor()
        try await withEngine(monitor: monitor) { engine in
            try await engine.perform(PutPeople((0..<200).map { Write(person("p\($0)")) }))
            let stores = (0..<200).map { number in
                var place = Place(id: id("s\(number)"), kind: "store", name: "S")
                place.coordinate = east(Double(number))
                return Write(place)
            }
            try await engine.perform(PutPlaces(stores))
            try await engine.perform(PutProducts((0..<200).map { Write(Product(id: id("x\($0)"), name: "X")) }))
            try await engine.perform(
                PutStock(
                    (0..<200).map { StockItem(store: id("s0"), product: id("x\($0)"), price: nil, sizes: []) }
                        + (0..<200).map { StockItem(store: id("s\($0)"), product: id("x1"), price: nil, sizes: []) }))
            let people: [PersonID] = (0..<200).map { id("p\($0)") }
            let comments = people.map {
                PostComment(id: id("c-\($0.text)"), place: id("s0"), author: $0, text: "Nice")
            }
            try await engine.perform(Batch(comments))
            try await engine.perform(Batch(people.map { SetFavourite($0, .places, id("s0")) }))
            try await engine.perform(Batch(people.map { SetFavourite($0, .products, id("x1")) }))
            try await measured("a product", monitor) { try await engine.perform(DeleteProduct(id("x1"), if: .exists)) }
            try await measured("a place", monitor) { try await engine.perform(DeletePlace(id("s0"), if: .exists)) }
            let account = engine.canonicalDump
            #expect(!account.contains { $0.contains("favourites") || $0.contains("comment") || $0.hasPrefix("stock") })
            let restarted = try await engine.restarted()
            #expect(restarted.canonicalDump == account)
            try restarted.store.close()
        }
    }

    @Test("Cell resolutions are updated in turns") func cellResolutions() async throws {
        let monitor = WorkMonitor()
        var rules = PingRules()
        rules.interval = .zero
        try await withEngine(rules: rules, monitor: monitor) { engine in
            let names = (0..<2500).map { "p\($0)" }
            try await engine.perform(PutPeople(names.map { name in Write(person(name)) }))
            func visit(_ metres: Double, at time: Timestamp) async throws {
                let reports = names.enumerated().map { index, name in
                    PingReport(person: id(name), time: time, place: east(Double(index / 25) * 20_000 + metres))
                }
                _ = try await engine.perform(Record(reports), at: time)
            }
            try await visit(0, at: morning)
            let week = morning + .seconds(8 * 86_400)
            try await measured("levels", monitor) { try await engine.engine.updateCellLevels(at: week) }
            #expect(engine.engine.read { $0.denseCells } >= 100)
            try await visit(501, at: week + .seconds(60))
            try await engine.perform(PutPeople(names.map { name in Write(person(name) { $0.isDiscoverable = false }) }))
            try await measured("levels", monitor) {
                try await engine.engine.updateCellLevels(at: week + .seconds(86_400))
            }
            #expect(engine.engine.read { $0.denseCells } == 0)
            let account = engine.canonicalDump
            let restarted = try await engine.restarted()
            #expect(restarted.canonicalDump == account)
            try restarted.store.close()
        }
    }
}
