import Discovery
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Alerts that a person allows to one friend.
extension FriendFenceTests {
    @Test("A friend whose fence was ended must ask for each fence, until allowed again")
    func askedAfterAnEnd() async throws {
        try await withFriends(.friends) { engine in
            try await engine.perform(PutFence(Write(circle { $0.id = id("gym") })), by: .person(luis))
            try await engine.perform(EndWatcher(id("school"), of: luis, about: ana), by: .person(ana))
            var near = Fence(id: id("near"), .person(luis, metres: 500), watching: .friends)
            near.owner = luis
            try await engine.perform(PutFence(Write(near)), by: .person(luis))
            try await engine.perform(PutFence(Write(circle { $0.id = id("school2") })), by: .person(luis))
            func events(_ type: EventType) async throws -> [String?] {
                try await engine.store.events(after: 0, atMost: 100).filter { $0.payload.type == type }
                    .map { $0.payload.subject?.text }
            }
            #expect(try await events(.fenceAsked) == ["school2"], "she learns of the next one")
            _ = try await engine.send(ping(0, valencia, of: "luis"), at: morning)
            try await visit(engine, at: 0)
            #expect(try await reported(engine) == [])
            #expect(try await events(.nearEnter) == [])
            try await engine.perform(AcceptWatcher(id("school2"), of: luis, about: ana), by: .person(ana))
            try await visit(engine, at: 1000)
            #expect(try await reported(engine) == ["fence.enter 1300 exact", "fence.exit 1600 exact"])
            let account = engine.canonicalDump
            let again = try await engine.restarted()
            #expect(difference(again.canonicalDump, account) == [])
            try await again.perform(NoteFriend(ana, luis, .alerts, nil), by: .person(ana))
            try await visit(again, at: 2000)
            #expect(try await reported(again).count == 6, "the gym and the second school tell, as those of all friends")
            try again.store.close()
        }
    }

    @Test(
        "A person may allow one friend less than all friends, but not more",
        arguments: [
            (Alerts.friends, Alerts.asked, false, 0), (.friends, .asked, true, 2), (.friends, .nobody, true, 0),
            (.asked, .nobody, true, 0), (.asked, .friends, false, 0), (.nobody, .friends, true, 0),
        ])
    func lessForOne(alerts: Alerts, own: Alerts, accepts: Bool, count: Int) async throws {
        try await withFriends(alerts) { engine in
            try await engine.perform(NoteFriend(ana, luis, .alerts, own.rawValue), by: .person(ana))
            if accepts {
                try await engine.perform(AcceptWatcher(id("school"), of: luis, about: ana), by: .person(ana))
            }
            try await visit(engine, at: 0)
            #expect(try await reported(engine).count == count)
        }
    }

    @Test("A friend is asked again only after an answer, and after a minute") func asksSeldom() async throws {
        try await withFriends(.asked) { engine in
            func change(_ seconds: Int64) async throws {
                let wider = circle { $0.area = .circle(valencia, metres: 900 + Double(seconds)) }
                try await engine.perform(PutFence(Write(wider)), by: .person(luis), at: morning + .seconds(seconds))
            }
            func questions() async throws -> Int {
                try await engine.store.events(after: 0, atMost: 100).count { $0.payload.type == .fenceAsked }
            }
            func accept(_ seconds: Int64) async throws {
                let accepted = AcceptWatcher(id("school"), of: luis, about: ana)
                try await engine.perform(accepted, by: .person(ana), at: morning + .seconds(seconds))
            }
            for second in [1, 2, 90, 300] as [Int64] { try await change(second) }
            #expect(try await questions() == 1)
            for (second, count) in [(310, 2), (320, 2), (369, 2), (370, 3)] as [(Int64, Int)] {
                try await accept(second - 5)
                try await change(second)
                #expect(try engine.engine.read { try $0.watchers(of: ana) }.map(\.watch.state) == [.asked])
                #expect(try await questions() == count, "\(second)")
            }
        }
    }
}
