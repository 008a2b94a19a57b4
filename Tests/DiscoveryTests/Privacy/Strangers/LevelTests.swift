import Discovery
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

@Suite struct LevelTests {
    private static let day = Duration.seconds(86_400)

    /// Creates `count` people, who all visit one cell of level 13.
    private func settle(_ count: Int, in engine: TestEngine, at time: Timestamp = morning) async throws {
        try await engine.perform(PutPeople((0..<count).map { Write(person("p\($0)")) }), at: time)
        try await visit(count, engine, Self.home, at: time)
    }

    private static let cell = CubeCell(containing: valencia, level: 13)
    /// Two places of the cell that are more than 500 m apart.
    private static let home = Geodesic.destination(from: cell.centre, bearing: 45, metres: 300)
    private static let work = Geodesic.destination(from: cell.centre, bearing: 225, metres: 300)

    private func visit(_ count: Int, _ engine: TestEngine, _ place: Coordinate, at time: Timestamp) async throws {
        let reports = (0..<count).map { PingReport(person: id("p\($0)"), time: time, place: place) }
        try await engine.perform(Record(reports), at: time)
    }

    private func cell(of name: String, _ engine: TestEngine) -> CubeCell? {
        engine.engine.read { $0.publicCell(of: id(name)) }
    }

    private func level(_ engine: TestEngine) -> Int? { cell(of: "p0", engine)?.level }

    @Test("Twenty people who stay for a week refine a cell") func refinement() async throws {
        for (count, expected) in [(19, 10), (20, 13)] {
            try await withEngine(rules: PingRules()) { engine in
                try await settle(count, in: engine)
                #expect(level(engine) == 10, "nobody has stayed yet")
                try await engine.engine.updateCellLevels(at: morning + Self.day * 6)
                try await visit(count, engine, Self.work, at: morning + Self.day * 6 + .seconds(60))
                #expect(level(engine) == 10, "nor has anybody for six days")
                try await engine.engine.updateCellLevels(at: morning + Self.day * 7)
                #expect(level(engine) == 10, "who was recorded before stays coarse")
                try await visit(count, engine, Self.home, at: morning + Self.day * 7 + .seconds(60))
                #expect(level(engine) == expected, "\(count) people")
                #expect(cell(of: "p0", engine) == Self.cell.ancestor(expected))
                let restarted = try await engine.restarted()
                #expect(difference(restarted.canonicalDump, engine.canonicalDump) == [])
                try restarted.store.close()
            }
        }
    }

    @Test("A parent cell combines the few people of its quarters") func parentCell() async throws {
        try await withEngine(rules: PingRules()) { engine in
            let parent = Self.cell.ancestor(12).id
            let bit = parent & (0 &- parent)
            let quarters = (0..<4).compactMap { CubeCell(id: parent - bit + (2 * $0 + 1) * (bit >> 2)) }
            try await engine.perform(PutPeople((0..<20).map { Write(person("p\($0)")) }))
            func visit(bearing: Double, at time: Timestamp) async throws {
                let reports = (0..<20).map { number in
                    let place = Geodesic.destination(from: quarters[number / 5].centre, bearing: bearing, metres: 300)
                    return PingReport(person: id("p\(number)"), time: time, place: place)
                }
                try await engine.perform(Record(reports), at: time)
            }
            try await visit(bearing: 45, at: morning)
            try await engine.engine.updateCellLevels(at: morning + Self.day * 8)
            try await visit(bearing: 225, at: morning + Self.day * 8 + .seconds(9))
            #expect(cell(of: "p0", engine)?.id == parent && cell(of: "p19", engine)?.id == parent)
        }
    }

    @Test("Accounts created for the purpose do not refine a cell") func newAccounts() async throws {
        try await withEngine(rules: PingRules()) { engine in
            try await settle(1, in: engine)
            try await engine.engine.updateCellLevels(at: morning + Self.day * 8)
            let later = morning + Self.day * 9
            try await settle(100, in: engine, at: later)
            for hours in stride(from: 0, to: 24 * 7, by: 12) {
                try await engine.engine.updateCellLevels(at: later + .seconds(hours * 3600))
                #expect(engine.engine.read { $0.denseCells } == 0, "after \(hours) hours")
            }
        }
    }

    @Test("Cell resolutions are decided once a day") func daily() async throws {
        try await withEngine(rules: PingRules()) { engine in
            try await settle(20, in: engine)
            let first = morning + Self.day * 8
            try await engine.engine.updateCellLevels(at: first)
            try await visit(20, engine, Self.work, at: first + .seconds(60))
            #expect(level(engine) == 13)
            try await engine.perform(PutPeople((1..<20).map { Write(person("p\($0)") { $0.isDiscoverable = false }) }))
            for seconds in [3600, 86_399] {
                try await engine.engine.updateCellLevels(at: first + .seconds(seconds))
                #expect(level(engine) == 13, "decided anew after \(seconds) s")
            }
            try await engine.engine.updateCellLevels(at: first + Self.day)
            #expect(level(engine) == 10, "a coarser cell follows at once")
        }
    }

    @Test("Hidden people do not count") func hiddenPeople() async throws {
        try await withEngine(rules: PingRules()) { engine in
            try await settle(20, in: engine)
            try await engine.perform(PutPeople([Write(person("p1") { $0.sharing = Sharing(.hidden) })]), at: morning)
            try await engine.engine.updateCellLevels(at: morning + Self.day * 8)
            #expect(
                engine.engine.read { $0.denseCells } == 0, "or nineteen and one who is not there tell where that one is"
            )
        }
    }

    @Test("Minors do not count") func minors() async throws {
        try await withEngine(rules: PingRules()) { engine in
            try await engine.perform(
                PutPeople(
                    (0..<20).map { Write(person("p\($0)") { $0.born = CalendarDate(year: 2012, month: 1, day: 1) }) }))
            try await visit(20, engine, Self.home, at: morning)
            try await engine.engine.updateCellLevels(at: morning + Self.day * 8)
            #expect(engine.engine.read { $0.denseCells } == 0)
        }
    }
}
