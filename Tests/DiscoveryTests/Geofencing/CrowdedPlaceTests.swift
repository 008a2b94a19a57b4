import Discovery
import Geo
import Model
import Storage
import TestSupport
import Testing

/// The cost of a ping and its hint is bounded, however many areas of places contain its position.
@Suite struct CrowdedPlaceTests {
    private static let later = morning + .seconds(86_400)

    /// Creates places with overlapping areas around the center of Valencia.
    private func put(_ count: Int, _ kind: String, of owner: PersonID? = nil, _ engine: TestEngine) async throws {
        let areas = (0..<100).map { PlaceArea(.circle(east(Double($0) / 10), metres: 300)) }
        let places = (0..<count).map { number in
            var place = Place(id: id("\(kind)-\(number)"), kind: kind, name: "P")
            place.owner = owner
            place.area = areas[number % areas.count]
            return Write(place)
        }
        try await engine.perform(PutPlaces(places))
    }

    /// The work units of a ping's turn, and of the read that makes its hint.
    private func cost(
        _ name: String, at place: Coordinate = valencia, after seconds: Double = 0, _ engine: TestEngine,
        _ monitor: WorkMonitor
    ) async throws -> (turn: Int, reading: Int) {
        monitor.reset()
        _ = try await engine.hinted(ping(seconds, place, of: name), at: Self.later)
        return (monitor.longest(.turn), monitor.longest(.reading))
    }

    private func reported(_ engine: TestEngine) async throws -> [String] {
        try await engine.store.events(after: 0, atMost: 10_000).filter { $0.payload.type.rawValue.hasPrefix("fence") }
            .map {
                "\($0.payload.type.rawValue) \($0.payload.subject?.text ?? "")"
            }
    }

    /// Luis has a fence over one of his places, and a service's fence watches all people.
    @Test(
        "The areas of people's places add no cost to the pings of others",
        arguments: [Fence.Area.circle(east(5000), metres: 300), .places(kind: "home"), .place(id("home-7"))])
    func ownedAreas(ofAll area: Fence.Area) async throws {
        let monitor = WorkMonitor()
        try await withEngine(monitor: monitor) { engine in
            try await engine.add(person("ana"), person("luis"), person("eva"))
            try await put(10, "home", of: id("luis"), engine)
            var own = Fence(id: id("own"), .place(id("home-0")), watching: .people([id("luis")]))
            own.owner = id("luis")
            try await engine.perform(PutFence(Write(own)))
            try await engine.perform(PutFence(Write(Fence(id: id("all"), area, watching: .everybody))))
            let before = try await cost("ana", engine, monitor)
            try await put(3_000, "home", of: id("luis"), engine)
            let after = try await cost("eva", engine, monitor)
            #expect(after.turn <= before.turn + 100, "\(after.turn), after \(before.turn)")
            #expect(after.reading <= before.reading + 100, "\(after.reading), after \(before.reading)")
            #expect(try await reported(engine) == [])
            let his = try await cost("luis", engine, monitor)
            #expect(his.turn <= before.turn + 2_000, "\(his.turn)")
            #expect(try await reported(engine) == ["fence.enter own"])
            _ = try await cost("luis", at: east(2000), after: 7_200, engine, monitor)
            #expect(try await reported(engine) == ["fence.enter own", "fence.exit own"])
        }
    }

    @Test("Fences of others about a kind of places add no cost to a ping there") func fencesOfOthers() async throws {
        let monitor = WorkMonitor()
        try await withEngine(monitor: monitor) { engine in
            try await engine.add(person("ana"), person("luis"), person("eva"))
            try await put(1, "zone", engine)
            func fences(_ count: Int) -> Batch<PutFence> {
                Batch(
                    (0..<count).map { number in
                        var fence = Fence(id: id("f\(number)"), .places(kind: "zone"), watching: .people([id("luis")]))
                        fence.owner = id("luis")
                        return PutFence(Write(fence))
                    })
            }
            try await engine.perform(
                PutFence(Write(Fence(id: id("all"), .circle(east(5000), metres: 300), watching: .everybody))))
            try await engine.perform(fences(1))
            let before = try await cost("ana", engine, monitor)
            try await engine.perform(fences(300))
            let after = try await cost("eva", engine, monitor)
            #expect(after.turn <= before.turn + 100, "\(after.turn), after \(before.turn)")
            #expect(after.reading <= before.reading + 100, "\(after.reading), after \(before.reading)")
            _ = try await cost("luis", engine, monitor)
            #expect(try await reported(engine).count == 20)
        }
    }

    @Test(
        "The cost of a ping among thousands of overlapping areas is bounded, and too many report nothing",
        arguments: [(5_000, ["fence.enter zones", "fence.exit zones"]), (12_000, [])] as [(Int, [String])])
    func overlappingAreas(count: Int, expected: [String]) async throws {
        let monitor = WorkMonitor()
        try await withEngine(monitor: monitor) { engine in
            try await engine.add(person("ana"))
            try await put(count, "zone", engine)
            try await engine.perform(
                PutFence(Write(Fence(id: id("zones"), .places(kind: "zone"), watching: .everybody))))
            // Beside the areas, within them, and away from them.
            for (seconds, place) in [(0.0, east(-310)), (7_200, valencia), (14_400, east(20_000))] {
                let steps = try await cost("ana", at: place, after: seconds, engine, monitor)
                #expect(steps.turn <= 45_000, "\(steps.turn)")
                #expect(steps.reading <= 40_000, "\(steps.reading)")
            }
            #expect(try await reported(engine) == expected)
        }
    }
}
