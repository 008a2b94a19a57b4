import Discovery
import Foundation
import Geo
import Laws
import Model
import Storage
import TestSupport
import Testing

/// Proximity fences, which report when people come near each other.
@Suite struct NearTests {
    private let ana: PersonID = id("ana")
    private let luis: PersonID = id("luis")
    private let eva: PersonID = id("eva")
    private static let people: [PersonID] = [id("ana"), id("luis"), id("eva")]

    /// Runs the body with Ana and her friends Luis and Eva, who all share exactly and allow friends' fences.
    private func withFriends(_ body: (TestEngine) async throws -> Void) async throws {
        try await withEngine { engine in
            for name in Self.people { try await engine.add(person(name.text) { $0.sharing.alerts = .friends }) }
            for other in [luis, eva] { try await engine.perform(MakeFriends(ana, other)) }
            try await body(engine)
        }
    }

    /// Ana's proximity fence of 300 m.
    private func near(_ watched: Fence.Watched, _ change: (inout Fence) -> Void = { _ in }) -> Fence {
        var fence = Fence(id: id("near"), .person(ana, metres: 300), watching: watched)
        (fence.owner, fence.margin) = (ana, 100)
        change(&fence)
        return fence
    }

    /// Sends a person's position, in meters east of the center, at a time in seconds.
    private func go(_ engine: TestEngine, _ person: PersonID, _ metres: Double, at time: Int64) async throws {
        _ = try await engine.send(
            ping(Double(time), east(metres), accuracy: 5, of: person.text), at: morning + .seconds(time))
    }

    private func reported(_ engine: TestEngine, to caller: Caller) async throws -> [String] {
        var reader = EventReader(for: caller, EventFilter(), after: 0, of: engine.engine)
        return try await reader.page(atMost: 1_000, from: engine.engine, at: morning + .seconds(5000)).events
            .filter { $0.type.rawValue.hasPrefix("near") }.map { event in
                "\(event.type.rawValue) \(event.person?.text ?? "") \(event.other?.text ?? "")"
                    + " \(Int((event.at - morning).seconds))"
            }
    }

    @Test("Approach and departure are reported, whichever of the two moves") func approach() async throws {
        try await withFriends { engine in
            try await engine.perform(PutFence(Write(near(.people([luis])))), by: .person(ana))
            for (name, metres, time) in [
                (ana, 0.0, 0), (luis, 2000, 10), (eva, 0, 20), (luis, 290, 400), (ana, -90, 410), (luis, 900, 800),
                (ana, 700, 1200), (ana, -800, 1700),
            ] as [(PersonID, Double, Int64)] { try await go(engine, name, metres, at: time) }
            let expected = [
                "near.enter ana luis 400", "near.exit ana luis 800", "near.enter ana luis 1200",
                "near.exit ana luis 1700",
            ]
            #expect(try await reported(engine, to: .person(ana)) == expected, "within the margin nothing is said")
            #expect(try await reported(engine, to: .service) == expected)
            #expect(try await reported(engine, to: .person(luis)) == [], "whose fence it is not is not told")
        }
    }

    @Test("Fences about friends and groups watch the current ones") func currentMembers() async throws {
        try await withFriends { engine in
            try await engine.perform(CreateGroup(Group(id: id("team"), name: "Team", owner: ana)))
            let group = near(.group(id("team"))) { $0.id = id("g") }
            // A person may create one such fence, and services may create more for them.
            for fence in [near(.friends), group] { try await engine.perform(PutFence(Write(fence))) }
            try await go(engine, ana, 0, at: 0)
            try await go(engine, luis, 100, at: 10)
            try await engine.perform(Invite(eva, to: id("team"), by: ana))
            try await engine.perform(AcceptInvitation(of: eva, to: id("team")))
            try await go(engine, eva, 100, at: 20)
            #expect(
                try await reported(engine, to: .person(ana)) == [
                    "near.enter ana luis 10", "near.enter ana eva 20", "near.enter ana eva 20",
                ])
            try await engine.perform(Unfriend(ana, eva))
            #expect(!engine.canonicalDump.contains { $0.hasPrefix("visit 2") }, "who is no friend is forgotten")
        }
    }

    @Test("A proximity fence about a group ends when its owner leaves the group") func ownerLeavesGroup() async throws {
        try await withFriends { engine in
            try await engine.perform(MakeFriends(eva, luis))
            try await engine.perform(CreateGroup(Group(id: id("team"), name: "Team", owner: eva)))
            for name in [ana, luis] {
                try await engine.perform(Invite(name, to: id("team"), by: eva))
                try await engine.perform(AcceptInvitation(of: name, to: id("team")))
            }
            try await engine.perform(PutFence(Write(near(.group(id("team"))))), by: .person(ana))
            try await engine.perform(RemoveMember(ana, from: id("team")))
            try await go(engine, ana, 0, at: 0)
            try await go(engine, luis, 100, at: 10)
            #expect(try await reported(engine, to: .person(ana)) == [])
            #expect(throws: (any Error).self) { try engine.engine.read { try $0.fence(id("near"), of: ana) } }
        }
    }

    @Test("Nothing is reported about people who do not share exactly or do not agree") func consent() async throws {
        let changes: [@Sendable (inout Person) -> Void] = [
            {
                $0.sharing = Sharing(.approximate); $0.sharing.alerts = .friends
            }, { $0.sharing.alerts = .nobody },
            { $0.sharing.alerts = .asked }, { $0.sharing.pausedUntil = morning + .seconds(9000) },
            { $0.sharing.zones = [PrivacyZone(id: id("home"), centre: valencia, radius: 900)] },
        ]
        for (number, change) in changes.enumerated() {
            try await withFriends { engine in
                try await engine.perform(PutPeople([Write(person("luis", change))]))
                for fence in [near(.people([luis])), near(.friends) { $0.id = id("all") }] {
                    try await engine.perform(PutFence(Write(fence)), by: .person(ana))
                }
                try await go(engine, ana, 0, at: 0)
                for time: Int64 in 1..<5 {
                    try await go(engine, luis, time.isMultiple(of: 2) ? 0 : 3000, at: time * 300)
                }
                #expect(try await reported(engine, to: .service) == [], "\(number)")
            }
        }
    }

    @Test("A service may watch any two people, and neither receives the events") func services() async throws {
        try await withFriends { engine in
            try await engine.perform(Block(luis, eva))
            var fence = Fence(id: id("order"), .person(luis, metres: 500), watching: .people([eva]))
            fence.note = "Keep apart"
            try await engine.perform(PutFence(Write(fence)))
            try await go(engine, luis, 0, at: 0)
            try await go(engine, eva, 2000, at: 10)
            // Throttled positions are compared too.
            try await go(engine, eva, 400, at: 20)
            #expect(try await reported(engine, to: .service) == ["near.enter luis eva 20"])
            for name in Self.people { #expect(try await reported(engine, to: .person(name)) == []) }
            let account = engine.canonicalDump
            let restarted = try await engine.restarted()
            #expect(difference(restarted.canonicalDump, account) == [])
            try await restarted.perform(DeletePerson(luis))
            #expect(throws: Refusal.unknown(.fence, id("order"))) {
                try restarted.engine.read { try $0.fence(id("order"), of: nil) }
            }
            try restarted.store.close()
        }
    }

    @Test("Positions an hour apart are not compared") func hourApart() async throws {
        try await withFriends { engine in
            try await engine.perform(PutFence(Write(near(.friends))), by: .person(ana))
            try await go(engine, luis, 100, at: 0)
            try await go(engine, ana, 0, at: 3600)
            #expect(try await reported(engine, to: .service) == [])
            try await go(engine, luis, 700, at: 3700)
            try await go(engine, luis, 100, at: 3900)
            #expect(try await reported(engine, to: .service) == ["near.enter ana luis 3900"])
        }
    }

    @Test("A person has at most one proximity fence about people not named") func limit() async throws {
        try await withFriends { engine in
            try await engine.perform(PutFence(Write(near(.friends))), by: .person(ana))
            try await engine.perform(PutFence(Write(near(.friends) { $0.note = "So" })), by: .person(ana))
            await #expect(throws: Refusal.tooMany(.nearFence, 1)) {
                try await engine.perform(PutFence(Write(near(.friends) { $0.id = id("more") })), by: .person(ana))
            }
            try await engine.perform(PutFence(Write(near(.people([luis])) { $0.id = id("l") })), by: .person(ana))
            await #expect(throws: Refusal.unknown(.group, id("none"))) {
                try await engine.perform(PutFence(Write(near(.group(id("none"))))), by: .person(ana))
            }
        }
    }

    @Test("A hint ends halfway to the other person and reveals nothing about strangers")
    func halfwayHint() async throws {
        try await withFriends { engine in
            try await engine.perform(PutFence(Write(near(.people([luis])))), by: .person(ana))
            let order = Fence(id: id("order"), .person(luis, metres: 300), watching: .people([eva]))
            try await engine.perform(PutFence(Write(order)))
            func hint(_ name: PersonID, _ metres: Double, at time: Int64) async throws -> Hint? {
                let report = ping(Double(time), east(metres), accuracy: 5, of: name.text)
                return try await engine.hinted(report, at: morning + .seconds(time)).hints.first
            }
            _ = try await hint(luis, 0, at: 0)
            let own = try #require(try await hint(ana, 900, at: 10))
            #expect((299...301).contains(own.beyond), "\(own)")
            let others = try #require(try await hint(luis, 650, at: 400))
            #expect((74...76).contains(others.beyond), "leaving is a border too: \(others)")
            #expect(try await hint(eva, 1000, at: 410)?.beyond == 500, "Luis is nobody to Eva")
        }
    }
}
