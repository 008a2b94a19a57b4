import Discovery
import Foundation
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// A fence about a friend reports exactly what queries of the friend's position after every upload would show.
@Suite struct FriendFenceLawTests {
    private let ana: PersonID = id("ana")
    private let luis: PersonID = id("luis")

    /// A fence, and whether Ana is inside by her position as visible to Luis.
    private struct Plain {
        var fence: Fence
        var area: FencedArea
        var isInside = false
    }

    private func fences(_ random: inout SeededGenerator) -> [Plain] {
        (0..<6).map { number in
            let middle = east(Double.random(in: -3000...3000, using: &random))
            let radius = Double.random(in: 200...2500, using: &random)
            var fence = Fence(
                id: id("f\(number)"), .circle(middle, metres: radius), watching: .people([ana]))
            (fence.owner, fence.margin) = (luis, 100)
            return Plain(fence: fence, area: .circle(middle, metres: radius))
        }
    }

    /// Performs a random action that may change what Luis can see of Ana.
    ///
    /// - Returns: whether it was an upload.
    private func act(_ random: inout SeededGenerator, on engine: TestEngine, at now: Timestamp) async throws -> Bool {
        switch Int.random(in: 0..<30, using: &random) {
        case 0: try await engine.perform(Block(ana, luis), at: now)
        case 1: try await engine.perform(Unfriend(ana, luis), at: now)
        case 2...4:
            let precision = Precision.allCases.randomElement(using: &random) ?? .exact
            let alerts = [Alerts.nobody, .friends, .friends, .friends].randomElement(using: &random) ?? .friends
            let hasZone = Bool.random(using: &random)
            let pause = Int.random(in: 0..<4, using: &random) == 0 ? now + .seconds(600) : nil
            let write = person("ana") {
                $0.sharing = Sharing(precision)
                ($0.sharing.pausedUntil, $0.sharing.alerts) = (pause, alerts)
                if hasZone { $0.sharing.zones = [PrivacyZone(id: id("home"), centre: valencia, radius: 400)] }
            }
            try await engine.perform(PutPeople([Write(write)]), at: now)
        case 5:
            let write = person("luis") { $0.sharing = Sharing(Bool.random(using: &random) ? .exact : .approximate) }
            try await engine.perform(PutPeople([Write(write)]), at: now)
        default:
            var report = PingReport(
                person: ana, time: now, place: east(Double.random(in: -4000...4000, using: &random)))
            report.details.accuracy = 10
            try await engine.perform(Record([report]), at: now)
            return true
        }
        return false
    }

    /// Makes the two friends again and re-creates the fences, without any visit.
    private func befriend(_ plain: inout [Plain], on engine: TestEngine, at now: Timestamp) async throws {
        try await engine.perform(Unblock(ana, luis), at: now)
        guard try await engine.perform(MakeFriends(ana, luis), at: now).isNew else { return }
        for index in plain.indices {
            try await engine.perform(PutFence(Write(plain[index].fence)), by: .person(luis), at: now)
            plain[index].isInside = false
        }
    }

    /// Returns the events of all fences that Luis could derive by querying Ana's position.
    private func ask(_ plain: inout [Plain], of engine: TestEngine, at now: Timestamp) -> [String] {
        let shown = try? engine.engine.read { try $0.position(of: ana, for: .person(luis), at: now) }
        let alerts = engine.engine.read { state -> Alerts in
            guard case .whole(let record)? = try? state.person(ana, for: .service) else { return .nobody }
            return record.value.sharing.alerts
        }
        var found: [String] = []
        for index in plain.indices {
            guard alerts == .friends else {
                plain[index].isInside = false
                continue
            }
            guard let shown else { continue }
            var steps = 0
            let area = plain[index].area
            let isCrossing =
                plain[index].isInside
                ? area.isOutside(shown.place, by: 100, steps: &steps) : area.contains(shown.place, steps: &steps)
            guard isCrossing else { continue }
            plain[index].isInside.toggle()
            let word = plain[index].isInside ? "enter" : "exit"
            found.append("fence.\(word) \(plain[index].fence.id) \(shown.precision.rawValue)")
        }
        return found
    }

    @Test(
        "A fence about a friend reveals no more than queries of the friend's position",
        arguments: RandomCases.seeds(0..<20))
    func equalsQueries(seed: UInt64) async throws {
        try await withEngine { engine in
            var random = SeededGenerator(seed: seed)
            try await engine.add(person("ana") { $0.sharing.alerts = .friends }, person("luis"))
            var plain = fences(&random)
            try await befriend(&plain, on: engine, at: morning)
            var last = try engine.store.lastEvent()
            var count = 0
            for step in 1...200 {
                let now = morning + .seconds(Int64(step * 240))
                var isUpload = false
                do { isUpload = try await act(&random, on: engine, at: now) } catch is Refusal {}
                let found = isUpload ? ask(&plain, of: engine, at: now) : []
                if Int.random(in: 0..<8, using: &random) == 0 { try await befriend(&plain, on: engine, at: now) }
                let events = try await engine.store.events(after: last, atMost: 100)
                last = try engine.store.lastEvent()
                let reported = events.filter { $0.payload.type.rawValue.hasPrefix("fence.e") }.map {
                    "\($0.payload.type.rawValue) \($0.payload.subject?.text ?? "") \($0.payload.precision?.rawValue ?? "")"
                }
                #expect(reported == found, "seed \(seed), step \(step)")
                count += reported.count
                for event in events where event.payload.type.rawValue.hasPrefix("fence.e") {
                    let grain = event.payload.precision == .exact ? 1 : event.payload.precision == .city ? 3600 : 900
                    #expect((event.payload.happened?.milliseconds ?? 1) % Int64(grain * 1000) == 0 || grain == 1)
                }
            }
            #expect(count > 5, "seed \(seed)")
        }
    }
}
