import Discovery
import Geo
import Laws
import Model
import Storage
import Structures
import TestSupport
import Testing

@Suite struct StrangerTests {
    private func strangers(
        _ engine: TestEngine, of viewer: String = "ana", limit: Int = 100,
        _ change: (inout StrangerQuery) -> Void = { _ in }
    ) throws -> StrangerPage {
        var query = StrangerQuery(viewer: id(viewer), limit: limit)
        change(&query)
        return try engine.engine.strangers(query, at: morning)
    }

    private func names(_ page: StrangerPage) -> [String] { page.strangers.map(\.id.text).sorted() }

    @Test("A search finds strangers only") func strangersOnly() async throws {
        try await withEngine { engine in
            let others = ["friend", "liked", "disliked", "blocked", "blocker", "asked", "new"]
            try await engine.perform(PutPeople((["ana"] + others).map { Write(person($0)) }))
            try await engine.add(person("hidden") { $0.isDiscoverable = false })
            for name in ["ana", "hidden"] + others { _ = try await engine.send(ping(0, east(100), of: name)) }
            try await engine.perform(MakeFriends(id("ana"), id("friend")))
            try await engine.perform(Decide(id("ana"), id("liked"), likes: true))
            try await engine.perform(Decide(id("ana"), id("disliked"), likes: false))
            try await engine.perform(Block(id("ana"), id("blocked")))
            try await engine.perform(Block(id("blocker"), id("ana")))
            try await engine.perform(Befriend(id("ana"), id("asked")))
            let page = try strangers(engine)
            #expect(names(page) == ["asked", "new"])
            #expect(page.next == nil)
            try await engine.perform(Decide(id("ana"), id("liked"), likes: nil))
            #expect(names(try strangers(engine)) == ["asked", "liked", "new"])
        }
    }

    @Test("Filters select by age, sex, and relationship") func filters() async throws {
        try await withEngine { engine in
            func born(_ year: Int, _ month: Int = 1, _ day: Int = 1) -> CalendarDate? {
                CalendarDate(year: year, month: month, day: day)
            }
            try await engine.add(
                person("ana"),
                person("m30") {
                    $0.sex = .male; $0.relationship = .single; $0.born = born(1996)
                },
                person("f30") {
                    $0.sex = .female; $0.relationship = .married; $0.born = born(1996)
                },
                person("f18") {
                    $0.sex = .female; $0.born = born(2008, 9, 30)
                },
                person("new18") {
                    $0.sex = .female; $0.born = born(2008, 11, 20)
                },
                person("f17") {
                    $0.sex = .female; $0.born = born(2008, 11, 21)
                },
                person("ageless") { $0.born = nil }, person("old") { $0.born = born(1930) },
                person("m64") {
                    $0.sex = .male; $0.born = born(1961, 12, 24)
                })
            for name in ["ana", "m30", "f30", "f18", "new18", "f17", "ageless", "old", "m64"] {
                _ = try await engine.send(ping(0, east(100), of: name))
            }
            #expect(
                names(try strangers(engine)) == ["f18", "f30", "m30", "m64", "old"],
                "nobody under 18, or of unknown age")
            #expect(names(try strangers(engine) { $0.sexes = [.female] }) == ["f18", "f30"])
            #expect(names(try strangers(engine) { $0.relationships = [.single, .married] }) == ["f30", "m30"])
            #expect(names(try strangers(engine) { $0.ages = 18...29 }) == ["f18"])
            #expect(names(try strangers(engine) { $0.ages = 30...30 }) == ["f30", "m30"])
            #expect(names(try strangers(engine) { $0.ages = 90...150 }) == ["old"])
            for least in [18, 60, 64] {
                #expect(
                    names(try strangers(engine) { $0.ages = least...64 }).contains("m64"), "whose birthday is to come")
            }
            #expect(names(try strangers(engine) { $0.ages = 65...66 }).isEmpty)
            #expect(try strangers(engine).strangers.first { $0.id.text == "f18" }?.profile?.age == 18)
            for viewer in ["f17", "ageless"] {
                #expect(throws: Refusal.notAdult(id(viewer))) { try strangers(engine, of: viewer) }
            }
        }
    }

    /// Daily queries reveal only the quarter of the year in which a person was born.
    @Test("Ages of others change with the quarter, and decisions reveal no more") func quarterAges() async throws {
        func day(_ year: Int, _ month: Int, _ day: Int) throws -> Timestamp {
            let date = try #require(CalendarDate(year: year, month: month, day: day))
            return Timestamp(milliseconds: Int64(date.daysSinceEpoch) * 86_400_000)
        }
        for (month, first) in [(1, 4), (2, 4), (3, 4), (4, 7), (6, 7), (7, 10), (9, 10)] {
            for birthday in [1, 28] {
                try await withEngine { engine in
                    try await engine.add(
                        person("ana"),
                        person("kid") { $0.born = CalendarDate(year: 2008, month: month, day: birthday) })
                    _ = try await engine.send(ping(0, east(100)), ping(0, east(100), of: "kid"))
                    func reported(at now: Timestamp, _ ages: ClosedRange<Int>? = nil) throws -> [Int?] {
                        var query = StrangerQuery(viewer: id("ana"), limit: 10)
                        query.ages = ages
                        return try engine.engine.strangers(query, at: now).strangers.map { $0.profile?.age }
                    }
                    func decides(at now: Timestamp) async -> Bool {
                        do {
                            try await engine.perform(
                                Decide(id("ana"), id("kid"), likes: true), by: .person(id("ana")), at: now)
                            try await engine.perform(Decide(id("ana"), id("kid"), likes: nil), at: now)
                            return true
                        } catch {
                            #expect(error as? Refusal == .unknown(.person, id("kid")))
                            return false
                        }
                    }
                    let adulthood = try day(2026, month, birthday)
                    let (last, next) = (try day(2026, first, 1) - .milliseconds(1), try day(2026, first, 1))
                    for minor in [adulthood - .milliseconds(1), adulthood, last] {
                        #expect(try reported(at: minor).isEmpty && reported(at: minor, 17...18).isEmpty)
                        #expect(await !decides(at: minor))
                    }
                    #expect(try reported(at: next) == [18] && reported(at: next, 19...30).isEmpty)
                    #expect(await decides(at: next))
                    let older = try day(2027, first, 1)
                    #expect(try reported(at: older - .milliseconds(1)) == [18] && reported(at: older) == [19])
                    #expect(throws: Never.self, "who looks goes by the birthday itself") {
                        try engine.engine.strangers(StrangerQuery(viewer: id("kid"), limit: 1), at: adulthood)
                    }
                }
            }
        }
    }

    @Test("Distances are buckets of the distance to the public cell") func distanceBuckets() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            _ = try await engine.send(ping(0, valencia))
            let distances: [Double] = [0, 900, 1500, 3000, 7000, 20_000, 40_000, 90_000, 110_000]
            for (number, metres) in distances.enumerated() {
                try await engine.add(person("p\(number)"))
                _ = try await engine.send(ping(0, east(metres), of: "p\(number)"))
            }
            let reported = Dictionary(
                uniqueKeysWithValues: try strangers(engine).strangers.map { ($0.id.text, $0.kilometres) })
            for (number, metres) in distances.enumerated() {
                let centre = CubeCell(containing: east(metres), level: 13).centre
                let distance = Geodesic.distance(from: valencia, to: centre)
                #expect(reported["p\(number)"] == [1, 2, 5, 10, 25, 50, 100].first { distance < Double($0) * 1000 })
            }
        }
    }

    /// A move within a cell changes neither the people within a radius nor their order.
    @Test("Nothing depends on a stranger's position within the cell") func positionInCell() async throws {
        var random = SeededGenerator(seed: 6)
        let cell = CubeCell(containing: east(2000), level: 13)
        var answers: Set<[String]> = []
        for _ in 0..<5 {
            try await withEngine { engine in
                try await engine.add(person("ana"), person("luis"), person("eva"))
                var places: [Coordinate] = []
                while places.count < 2 {
                    let place = random.jittered(cell.centre, metres: 600)
                    if cell.contains(place) { places.append(place) }
                }
                _ = try await engine.send(
                    ping(0, valencia), ping(0, places[0], of: "luis"), ping(0, places[1], of: "eva"))
                var answer: [String] = []
                for within in stride(from: 1000.0, through: 4000, by: 100) {
                    let page = try strangers(engine) { $0.within = within }
                    answer.append("\(within) " + page.strangers.map { "\($0.id) \($0.kilometres)" }.sorted().joined())
                }
                answers.insert(answer)
            }
        }
        #expect(answers.count == 1)
    }

    @Test("Pages form the whole list, in the viewer's own order") func viewerOrder() async throws {
        var random = SeededGenerator(seed: 7)
        try await withEngine { engine in
            let names = (0..<120).map { "p\($0)" }
            try await engine.perform(PutPeople((["ana", "eva"] + names).map { Write(person($0)) }))
            for name in ["ana", "eva"] { _ = try await engine.send(ping(0, valencia, of: name)) }
            let reports = names.map { ping(0, random.jittered(valencia, metres: 6000), of: $0) }
            try await engine.perform(Record(reports), at: morning + .seconds(86_400))
            func all(_ viewer: String, _ limit: Int) throws -> [Stranger] {
                var found: [Stranger] = []
                var after: StrangerPosition?
                repeat {
                    let page = try strangers(engine, of: viewer, limit: limit) { $0.after = after }
                    found += page.strangers
                    after = page.next
                } while after != nil
                return found
            }
            let whole = try all("ana", 1000).map(\.id.text)
            #expect(Set(whole) == Set(names + ["eva"]) && whole.count == 121)
            for limit in [1, 7, 120, 121] { #expect(try all("ana", limit).map(\.id.text) == whole) }
            let buckets = try all("ana", 1000).map(\.kilometres)
            #expect(buckets == buckets.sorted())
            #expect(try all("eva", 1000).map(\.id.text).filter { $0 != "ana" } != whole.filter { $0 != "eva" })
            let distances = try all("ana", 1000).filter { $0.kilometres == 5 }.compactMap { stranger in
                try? engine.engine.read { state throws(Refusal) in try state.position(of: stranger.id) }.place
            }.map { Geodesic.distance(from: valencia, to: $0) }
            #expect(distances != distances.sorted(), "the order does not tell distances")
        }
    }

    @Test("A page that ends at the scan limit continues") func scanLimit() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"))
            let names = (0..<60).map { "p\($0)" }
            try await engine.perform(PutPeople(names.map { Write(person($0)) }))
            try await engine.perform(
                Record(
                    (["ana"] + names).enumerated().map { index, name in
                        ping(0, east(Double(index / 6) * 1500), of: name)
                    }), at: morning + .seconds(86_400))
            var query = StrangerQuery(viewer: id("ana"), limit: 100)
            query.maxScan = 1
            var found: [String] = []
            var pages = 0
            repeat {
                let page = try engine.engine.strangers(query, at: morning)
                found += page.strangers.map(\.id.text)
                #expect(page.next.map { $0.begun == morning } ?? true, "the first page's time is kept")
                query.after = page.next
                pages += 1
            } while query.after != nil && pages < 100
            #expect(pages > 5 && found.sorted() == names.sorted())
        }
    }

    @Test("People with only a city are found there") func cityOnly() async throws {
        try await withEngine { engine in
            try await engine.add(
                person("ana"), person("paco") { $0.city = "gandía" }, person("lost") { $0.city = "El Dorado de Nadie" },
                person("mover") { $0.city = "Madrid" })
            _ = try await engine.send(ping(0, valencia))
            #expect(names(try strangers(engine)) == ["paco"])
            #expect(try strangers(engine).strangers.first?.kilometres == 100)
            #expect(names(try strangers(engine, of: "paco")) == ["ana"], "and see what is around the city")
            #expect(throws: Refusal.noPosition(id("lost"))) { try strangers(engine, of: "lost") }
            try await engine.add(person("mover") { $0.city = "Gandia" })
            #expect(names(try strangers(engine)) == ["mover", "paco"])
            _ = try await engine.send(ping(0, east(100), of: "paco"))
            try await engine.add(person("paco") { $0.city = "Madrid" })
            #expect(names(try strangers(engine)) == ["mover", "paco"], "a position outweighs the city")
            let restarted = try await engine.restarted()
            #expect(names(try strangers(restarted)) == ["mover", "paco"])
            try restarted.store.close()
        }
    }

    @Test("A viewer who is not discoverable sees names and cities only") func undiscoverable() async throws {
        try await withEngine { engine in
            try await engine.add(
                person("ana") { $0.isDiscoverable = false },
                person("luis") {
                    $0.city = "Valencia"; $0.about = "hello"
                })
            _ = try await engine.send(ping(0, valencia), ping(0, valencia, of: "luis"))
            let stranger = try #require(try strangers(engine).strangers.first)
            #expect(stranger.name == "luis" && stranger.city == "Valencia" && stranger.profile == nil)
        }
    }

    @Test("A match needs both likes") func match() async throws {
        try await withEngine { engine in
            try await engine.add(person("ana"), person("luis"))
            func decide(_ one: String, _ other: String, _ likes: Bool) async throws -> Bool {
                try await engine.perform(Decide(id(one), id(other), likes: likes))
            }
            func matches(_ name: String) async throws -> [String] {
                try await engine.engine.people(.matches, of: id(name), at: morning).people.map(\.person.id.text)
            }
            #expect(try await !decide("ana", "luis", true))
            #expect(try await matches("ana").isEmpty)
            #expect(try await decide("luis", "ana", true))
            #expect(try await matches("ana") == ["luis"])
            #expect(try await matches("luis") == ["ana"])
            for minor in ["ana", "luis"] {
                try await engine.add(person(minor) { $0.born = CalendarDate(year: 2010, month: 1, day: 1) })
                for viewer in ["ana", "luis"] {
                    #expect(try await matches(viewer).isEmpty, "\(minor) is no adult after all")
                }
                try await engine.add(person(minor))
                #expect(try await matches("ana") == ["luis"])
                #expect(try await matches("luis") == ["ana"])
            }
            #expect(try await !decide("luis", "ana", false))
            #expect(try await matches("ana").isEmpty)
        }
    }

    @Test("SipHash equals the reference") func sipHash() {
        // The vector of the paper's appendix A: key 00..0f, input 00..0e.
        let key = SipKey(Array(0..<16))
        #expect(key.hash(Array(0..<15)) == 0xa129_ca61_49be_45e5)
        #expect(key.hash([]) == 0x726f_db47_dd0e_0e31)
        #expect(key.hash(0x0706_0504_0302_0100) == key.hash(Array(0..<8)))
    }
}
