import Discovery
import Foundation
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// A follower of events knows at any time what a query would return, and no more.
@Suite struct EventLawTests {
    private let ana: PersonID = id("ana")
    private let luis: PersonID = id("luis")

    /// Performs a random action that may change which position of Ana is visible to Luis.
    private func act(_ step: Int, _ random: inout SeededGenerator, on engine: TestEngine, at now: Timestamp)
        async throws
    {
        switch Int.random(in: 0..<40, using: &random) {
        case 0, 6, 7, 8:
            try await engine.perform(Unblock(ana, luis), at: now)
            try await engine.perform(MakeFriends(ana, luis), at: now)
        case 1: try await engine.perform(Unfriend(ana, luis), at: now)
        case 2: try await engine.perform(Block(ana, luis), at: now)
        case 3: try await engine.perform(Unblock(ana, luis), at: now)
        case 4, 5:
            let precision = Precision.allCases.randomElement(using: &random) ?? .exact
            let hasZone = Bool.random(using: &random)
            let pause = Bool.random(using: &random) ? now + .seconds(600) : nil
            let write = person("ana") {
                $0.sharing = Sharing(precision)
                $0.sharing.pausedUntil = pause
                if hasZone { $0.sharing.zones = [PrivacyZone(id: id("home"), centre: valencia, radius: 400)] }
            }
            try await engine.perform(PutPeople([Write(write)]), at: now)
        default:
            var report = PingReport(
                person: ana, time: now, place: east(Double.random(in: -3000...3000, using: &random)))
            report.details.accuracy = 10
            try await engine.perform(Record([report]), at: now)
        }
    }

    @Test("A follower receives the positions that a query returns, each once", arguments: RandomCases.seeds(0..<20))
    func visiblePositions(seed: UInt64) async throws {
        try await withFolder { folder in
            let engine = try TestEngine(folder: folder)
            try await engine.add(person("ana"), person("luis"), person("eva"))
            var random = SeededGenerator(seed: seed)
            var followers = [luis, id("eva")].map { EventReader(for: .person($0), EventFilter(), of: engine.engine) }
            var moved = 0
            var last: [Position??] = [nil, nil]
            for step in 0..<150 {
                let now = morning + .seconds(Int64(step * 240))
                do { try await act(step, &random, on: engine, at: now) } catch is Refusal {}
                // Now and then Luis reconnects after the last event.
                if Int.random(in: 0..<10, using: &random) == 0 {
                    followers[0] = EventReader(
                        for: .person(luis), EventFilter(), after: followers[0].resume, of: engine.engine)
                    last[0] = nil
                }
                for (follower, name) in zip(followers.indices, [luis, id("eva")]) {
                    for event in try await followers[follower].next(from: engine.engine, at: now).events {
                        guard event.type == .pingMoved, event.person == ana else {
                            #expect(name == luis, "\(event)")
                            continue
                        }
                        let answer = try? engine.engine.read { try $0.position(of: ana, for: .person(name), at: now) }
                        #expect(event.position == answer, "step \(step)")
                        #expect(last[follower] != .some(event.position), "step \(step): not that a ping came")
                        last[follower] = .some(event.position)
                        #expect(answer.map { event.at == $0.time } ?? (event.at.milliseconds % 3_600_000 == 0))
                        moved += 1
                    }
                }
            }
            #expect(moved > 0)
            try engine.store.close()
        }
    }
}
