import Cities
import Discovery
import Foundation
import GRDB
import Geo
import Laws
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct LiveTests {
    @Test(
        "Random commands leave the same state after a restart and in a second service",
        arguments: RandomCases.seeds(0..<4))
    func randomCommands(seed: UInt64) async throws {
        try await withEngine { engine in
            var random = SeededGenerator(seed: seed)
            var script: [(action: any Action, time: Timestamp)] = []
            for step in 0..<400 {
                script.append((random.action(), morning + .seconds(step * random.integer(0...1))))
            }
            for (action, time) in script { try? await perform(action, at: time, engine) }
            if seed.isMultiple(of: 2) { try await engine.engine.compact() }
            let account = engine.canonicalDump
            #expect(account.count > 50)
            try await withEngine { other in
                for (action, time) in script { try? await perform(action, at: time, other) }
                #expect(difference(other.canonicalDump, account) == [], "the same commands make the same picture")
            }
            let restarted = try await engine.restarted()
            #expect(difference(restarted.canonicalDump, account) == [])
            try restarted.store.close()
        }
    }

    @Test("A burst of one person causes no refusal for another") func fairness() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            var capacity = Engine.Capacity()
            capacity.queue = 100
            let narrow = try Engine(store: engine.store, gazetteer: gazetteer, rules: engine.rules, capacity: capacity)
            let reports = (0..<3000).map { ping(Double($0), east(Double($0 % 100))) }
            async let burst = narrow.perform(Record(reports), by: .person(id("ana")), at: morning + .seconds(86_400))
            while narrow.tally.commits == 0 { await Task.yield() }
            for number in 0..<20 {
                let luis = Write(person("luis") { $0.surname = "\(number)" })
                _ = try await narrow.perform(PutPeople([luis]), by: .person(id("luis")), at: morning)
            }
            _ = try await burst
        }
    }

    /// Performs the action, which may be refused but must not fail otherwise.
    private func perform(_ action: any Action, at time: Timestamp, _ engine: TestEngine) async throws {
        do { try await engine.perform(action, at: time) } catch is Refusal {} catch {
            Issue.record("\(action): \(error)")
        }
    }

    @Test("A command that cannot be stored has no effect") func unstorable() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            try await poison(engine.folder)
            let before = engine.canonicalDump
            await #expect(throws: StorageError.self) { try await engine.add(person("poison")) }
            #expect(difference(engine.canonicalDump, before) == [])
            try await engine.add(person("luis"))
            #expect(engine.canonicalDump.count > before.count)
            let account = engine.canonicalDump
            let restarted = try await engine.restarted()
            #expect(difference(restarted.canonicalDump, account) == [])
            try restarted.store.close()
        }
    }

    @Test("A command that fails does not affect others") func failure() async throws {
        try await withEngine { engine in
            try await poison(engine.folder)
            let failed = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<200 {
                    let name = number == 77 ? "poison" : "p\(number)"
                    group.addTask {
                        do {
                            try await engine.add(person(name))
                            return false
                        } catch is StorageError { return true }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(failed == 1)
            #expect(engine.engine.read { $0.counts.people } == 199)
            let restarted = try await engine.restarted()
            #expect(difference(restarted.canonicalDump, engine.canonicalDump) == [])
            try restarted.store.close()
        }
    }

    /// A stop cancels the compaction of pings.
    @Test("A stop completes after a canceled compaction") func canceledCompaction() async throws {
        for last in 0..<6 {
            try await withEngine { engine in
                try await engine.add(person("ana"))
                for number in 0..<40 {
                    #expect(try await engine.send(ping(Double(number) * 130, east(Double(number) * 600))) == [.stored])
                }
                let steps = Atomic(0)
                _ = await Task {
                    try await engine.store.compact {
                        let step = steps.wrappingAdd(1, ordering: .relaxed).oldValue
                        if step == last { withUnsafeCurrentTask { $0?.cancel() } }
                    }
                }.result
                #expect(try await engine.engine.close() == 0)
            }
        }
    }

    /// The next start announces and compacts the rows, and keeps the stays that were only in memory.
    @Test("A stop without time to compact leaves the log to the next start") func hastyStop() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            _ = try await engine.send(
                ping(0, valencia), ping(500, valencia), ping(1000, east(600)), ping(1900, east(610)))
            let (account, history) = (engine.canonicalDump, try await history(engine))
            #expect(history.map(\.seenUntil) == [morning + .seconds(500), morning + .seconds(1900)])
            #expect(try await engine.engine.close(compactingFor: .zero) == 2)
            let check = try DatabaseFile(engine.folder.appending(path: Store.fileName)).integrity { _, _ in }
            #expect(check.waiting == 2 && check.faults == [])
            let announced = Atomic(0)
            let store = try Store(folder: engine.folder) { announced.store($0, ordering: .relaxed) }
            #expect(announced.load(ordering: .relaxed) == 2 && store.uncompactedCount == 0)
            try store.close()
            let again = try TestEngine(folder: engine.folder)
            #expect(difference(again.canonicalDump, account) == [])
            #expect(try await self.history(again) == history)
            try again.store.close()
        }
    }

    private func history(_ engine: TestEngine) async throws -> [StoredPing] {
        try await engine.engine.history(
            of: id("ana"), from: Timestamp(milliseconds: 0), to: Timestamp(milliseconds: .max), limit: 100)
    }

    /// Adds a trigger that rejects a person named poison, so that storage fails as on a broken constraint.
    private func poison(_ folder: URL) async throws {
        let file = try DatabaseQueue(path: folder.appending(path: Store.fileName).path)
        try await file.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER poison BEFORE INSERT ON people WHEN NEW.id = 'poison'
                    BEGIN SELECT RAISE(ABORT, 'poisoned'); END
                    """)
        }
    }

    @Test("History is complete while pings move from the log to the table")
    func historyDuringCompaction() async throws {
        try await withEngine(
            rules: {
                var rules = PingRules(); rules.distance = 0; rules.interval = .seconds(1); return rules
            }()
        ) { engine in
            try await engine.add(person("ana"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for second in 0..<300 {
                        #expect(try await engine.send(ping(Double(second), valencia)) == [.stored])
                        let history = try await engine.engine.history(
                            of: id("ana"), from: morning, to: Timestamp(milliseconds: .max), limit: 1000)
                        #expect(history.map { ($0.time - morning).seconds } == (0...second).map(Double.init))
                    }
                }
                group.addTask { while !Task.isCancelled { try await engine.engine.compact() } }
                try await group.next()
                group.cancelAll()
            }
            for limit in [1, 7, 300] {
                var pings: [StoredPing] = []
                repeat {
                    let page = try await engine.engine.history(
                        of: id("ana"), from: morning, to: Timestamp(milliseconds: .max),
                        after: pings.last.map { ($0.time, $0.sequence) }, limit: limit)
                    pings += page
                    if page.count < limit { break }
                } while true
                #expect(pings.count == 300)
            }
        }
    }

    @Test("The gazetteer is complete") func completeGazetteer() {
        #expect(gazetteer.count == 34_006)
        #expect(gazetteer.city(named: "gandía")?.timezone == "Europe/Madrid")
        #expect(gazetteer.city(named: "Valencia, ES")?.country == "ES")
        #expect(gazetteer.city(named: "VALENCIA , ve")?.country == "VE")
        #expect(gazetteer.city(named: "Windhoek, NA")?.population ?? 0 > 100_000, "Namibia is not nothing")
        #expect(gazetteer.city(named: "Misato, Saitama")?.country == "JP", "a name with a comma of its own")
        #expect(gazetteer.city(named: "Nowhere at all") == nil)
        #expect(gazetteer.city(nearestTo: valencia).name == "Valencia")
    }
}

extension SeededGenerator {
    /// A random action of any kind about a few people, places, and products.
    fileprivate mutating func action() -> any Action {
        let (a, b): (PersonID, PersonID) = (id("p\(integer(0...9))"), id("p\(integer(0...9))"))
        let place: PlaceID = id("place\(integer(0...7))")
        let product: ProductID = id("product\(integer(0...5))")
        switch integer(0...15) {
        case 0, 1: return PutPeople([Write(anyPerson(a)), Write(anyPerson(b))])
        case 2: return DeletePerson(a)
        case 3: return Befriend(a, b)
        case 4: return chance(0.5) ? Unfriend(a, b) : Batch([MakeFriends(a, b), MakeFriends(b, a)])
        case 5: return chance(0.5) ? Block(a, b) : Unblock(a, b)
        case 6: return Decide(a, b, likes: chance(0.6))
        case 7: return Decide(a, b, likes: nil)
        case 8: return PutPlaces([Write(anyPlace(place))])
        case 9: return chance(0.3) ? DeletePlace(place) : RemoveStock(store: place, product: product)
        case 10: return PutProducts([Write(anyProduct(product))])
        case 11: return chance(0.2) ? DeleteProduct(product) : PutStock([anyStock(place, product)])
        default:
            return Record(
                (0..<integer(1...5)).map { _ in
                    let place = chance(0.1) ? self.place() : jittered(valencia, metres: 3000)
                    return ping(Double(integer(-50_000...0)), place, of: chance(0.5) ? a.text : b.text)
                })
        }
    }

    private mutating func anyPerson(_ id: PersonID) -> Person {
        var person = Person(id: id)
        person.name = pick([nil, "Ana", "Luis"])
        person.city = pick([nil, "Gandia", "Madrid", "Nowhere at all"])
        person.born = CalendarDate(year: integer(1950...2010), month: 1, day: 1)
        person.sex = pick([nil, .female, .male, .other])
        person.isDiscoverable = chance(0.7)
        person.attributes = pick([[:], ["a": .number(1), "b": .text("x")]])
        if chance(0.2) { person.throttle = ThrottleOverride(distance: 10, interval: .seconds(5)) }
        return person
    }

    private mutating func anyPlace(_ id: PlaceID) -> Place {
        var place = Place(id: id, kind: pick(["store", "topic"]), name: "Sol")
        place.coordinate = chance(0.8) ? self.place() : nil
        place.tags = pick([[], ["a", "b"]])
        place.category = pick([nil, "shoes"])
        return place
    }

    private mutating func anyProduct(_ id: ProductID) -> Product {
        var product = Product(id: id, name: pick(["Pump", "Boot"]))
        product.brand = pick([nil, "Brinquesa"])
        product.colors = pick([[], ["red"], ["Red", "negro"]])
        return product
    }

    private mutating func anyStock(_ store: PlaceID, _ product: ProductID) -> StockItem {
        let money = Currency("EUR").map { Money(minor: Int64(integer(0...9000)), currency: $0) }
        let size = ProductSize(pick(["EU:37", "EU:38", "-"])) ?? .none
        return StockItem(
            store: store, product: product, price: pick([nil, money]),
            sizes: [SizeQuantity(size: size, quantity: integer(0...3))])
    }
}
