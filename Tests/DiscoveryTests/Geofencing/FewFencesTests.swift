import Discovery
import Foundation
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Fences about a person report the same events, whether few are checked one by one or many are found by place.
@Suite struct FewFencesTests {
    private static let ana: PersonID = id("ana")

    /// Circles and corridors along a path, an area of a place, and areas of a kind of places.
    private static func areas(_ count: Int, _ random: inout SeededGenerator) -> [Fence.Area] {
        (0..<count).map { number in
            let (middle, size) = (Double.random(in: -3000...3000, using: &random), Double(100 * random.integer(1...6)))
            return switch number % 4 {
            case 0: .place(id("zone"))
            case 1: .places(kind: "delivery")
            case 2: .circle(east(middle), metres: size)
            default: .corridor([east(middle), east(middle + size)], metres: 40)
            }
        }
    }

    /// The hints and the events of a random walk through fences.
    private func walk(
        _ fences: [Fence], _ seed: UInt64, friends: Bool = false
    ) async throws -> (hints: [Hint], reported: [String]) {
        try await withFolder { folder in
            let engine = try TestEngine(folder: folder, rules: PingRules())
            try await engine.add(
                person("ana") { ($0.sharing.alerts, $0.sharing.precision) = (.friends, .exact) }, person("luis"))
            if friends { try await engine.perform(MakeFriends(Self.ana, id("luis"))) }
            for (name, middle) in [("zone", 700.0), ("other", -900)] {
                var place = Place(id: id(name), kind: "delivery", name: name)
                place.area = PlaceArea(.circle(east(middle), metres: 250))
                try await engine.perform(PutPlace(Write(place)))
            }
            try await engine.perform(CreateGroup(Group(id: id("shift"), name: "Shift", owner: Self.ana)))
            for fence in fences { try await engine.perform(PutFence(Write(fence))) }
            var (random, hints, position) = (SeededGenerator(seed: seed), [Hint](), -3500.0)
            for step in 0..<60 {
                position += Double.random(in: -150...400, using: &random)
                let fix = ping(Double(30 * step), east(position), accuracy: Float(random.integer(0...40)))
                hints += try await engine.hinted(fix, at: morning + .seconds(Int64(30 * step))).hints
            }
            let reported = try await engine.store.events(after: 0, atMost: 10_000).compactMap { event -> String? in
                guard event.payload.type.rawValue.hasPrefix("fence") else { return nil }
                return
                    "\(event.payload.type) \(event.payload.subject?.text ?? "") \(event.payload.happened ?? event.at)"
            }
            try engine.store.close()
            return (hints, reported)
        }
    }

    @Test("Fences checked one by one or found by place report the same events", arguments: [1, 2, 3, 4, 8] as [Int])
    func lookups(count: Int) async throws {
        let seed = UInt64(count)
        var random = SeededGenerator(seed: seed)
        let areas = Self.areas(count, &random)
        func fences(_ watched: Fence.Watched, of owner: PersonID? = nil) -> [Fence] {
            areas.enumerated().map { number, area in
                var fence = Fence(id: id("f\(number)"), area, watching: watched)
                fence.owner = owner
                return fence
            }
        }
        let all = try await walk(fences(.everybody), seed)
        #expect(all.reported.count > count && Set(all.hints.map(\.beyond)).count > 3)
        for (who, some) in [
            ("named", try await walk(fences(.people([Self.ana])), seed)),
            ("of a group", try await walk(fences(.group(id("shift"))), seed)),
            ("her own", try await walk(fences(.people([Self.ana]), of: Self.ana), seed)),
        ] {
            #expect(some.hints == all.hints && some.reported == all.reported, "\(who)")
        }
        let friends = try await walk(fences(.people([Self.ana]), of: id("luis")), seed, friends: true)
        #expect(friends.hints == all.hints, "a friend's")
    }

    @Test("A visit ends when the person leaves, even if the fence now watches another person")
    func changedFence() async throws {
        try await withFolder { folder in
            let engine = try TestEngine(folder: folder)
            try await engine.add(person("ana"), person("luis"))
            for (name, time, place) in [("ana", 0.0, 0.0), ("luis", 600, 2000)] {
                let fence = Fence(id: id("f"), .circle(east(0), metres: 200), watching: .people([id(name)]))
                try await engine.perform(PutFence(Write(fence)))
                _ = try await engine.send(ping(time, east(place)))
                if time == 0 { #expect(engine.canonicalDump.contains { $0.hasPrefix("visit") }) }
            }
            #expect(!engine.canonicalDump.contains { $0.hasPrefix("visit") }, "Ana sent both")
            try engine.store.close()
        }
    }
}
