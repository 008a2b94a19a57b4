import API
import Discovery
import Foundation
import Geo
import Laws
import Model
import NIOHTTP1
import TestSupport
import Testing

/// A person with 100 fences about a person whose place is not shown, who measures the cost of uploads by rate limits.
///
/// Padding brings the cost of an upload to the edge of one more request, where a single step shows. If uploads near the
/// victim cost more than far ones, halving would find the place to a meter.
@Suite(.serialized) struct WeighingAttackTests {
    enum Victim: CaseIterable {
        /// A friend who hides.
        case hidden
        /// A friend who is at home, in a privacy zone.
        case home
        /// A member of a group of the attacker who is a stranger, and one who blocked the attacker.
        case member, blocker
    }

    private static let fences = RandomCases.count(20, all: 100)

    @Test("Uploads cost the same near a hidden person and far away", arguments: Victim.allCases)
    func weighing(victim: Victim) async throws {
        let clock = SteppedClock()
        try await withKeys {
            $0.rates.address.perSecond = 0
        } now: {
            clock.now
        } _: { server, keys, _ in
            let token = keys.own(#""sub":"eve","scope":"person""#, exp: TestKeys.now + 400 * 86_400)
            let scale = Scale(server: server, clock: clock, token: token)
            try await Self.build(victim, on: server)
            try await scale.fence(victim, Self.fences)
            // The least length of a far upload that costs one more request.
            var (light, heavy) = (200, 400_000)
            let most = try await scale.weigh(light, near: false)
            while heavy - light > 10 {
                let middle = (light + heavy) / 20 * 10
                if try await scale.weigh(middle, near: false) == most { light = middle } else { heavy = middle }
            }
            #expect(try await scale.weigh(heavy, near: false) == most - 1)
            for length in [light, heavy] {
                let far = try await scale.weigh(length, near: false)
                #expect(try await scale.weigh(length, near: true) == far, "\(length) bytes")
            }
        }
    }

    /// Makes Eve, the victim in the center of Valencia, and a group of both.
    private static func build(_ victim: Victim, on server: TestServer) async throws {
        func perform(_ action: some Action) async throws {
            try await server.engine.perform(action, by: .service, at: morning - .seconds(86_400))
        }
        let (eve, other, host): (PersonID, PersonID, PersonID) = (try ID("eve"), try ID("other"), try ID("host"))
        try await server.add(["eve", "host"], at: morning - .seconds(86_400))
        var person = Person(id: other)
        person.sharing = Sharing(victim == .hidden || victim == .member ? .hidden : .exact)
        person.sharing.alerts = .friends
        if victim == .home { person.sharing.zones = [PrivacyZone(id: try ID("home"), centre: valencia, radius: 2000)] }
        try await perform(PutPeople([Write(person)]))
        for pair in [(eve, host), (other, host)] { try await perform(MakeFriends(pair.0, pair.1)) }
        let team: GroupID = try ID("team")
        try await perform(CreateGroup(Group(id: team, name: "Team", owner: host)))
        for member in [eve, other] {
            try await perform(Invite(member, to: team, by: host))
            try await perform(AcceptInvitation(of: member, to: team))
        }
        switch victim {
        case .hidden, .home: try await perform(MakeFriends(eve, other))
        case .blocker: try await perform(Block(other, eve))
        case .member: break
        }
        let ping = PingReport(person: other, time: morning - .seconds(600), place: valencia)
        try await server.engine.perform(Record([ping]), by: .service, at: morning)
    }

    /// The means by which Eve measures the cost of uploads.
    private struct Scale: Sendable {
        let server: TestServer
        let clock: SteppedClock
        let token: String

        /// Makes fences about the victim: several about a friend, or the single one that is allowed about a group.
        func fence(_ victim: Victim, _ count: Int) async throws {
            let isFriend = victim == .hidden || victim == .home
            let who = isFriend ? #"["other"]"# : #"{"group":"team"}"#
            for number in 0..<(isFriend ? count : 1) {
                let body = #"{"near":{"who":\#(who),"within_m":3000}}"#
                let reply = try await server.send("PUT /v1/people/eve/fences/near\(number)", body, token: token)
                try #require(reply.status == 201, "\(reply.text)")
            }
        }

        /// Returns the rest of a full allowance after an upload of `length` bytes, near the victim or not.
        func weigh(_ length: Int, near isNear: Bool) async throws -> Int {
            // Longitudes with equal numbers of digits, because the answer contains Eve's place.
            _ = try await upload(0, -1.3751379)
            return try await upload(length, isNear ? -0.3751379 : -0.9751379)
        }

        private func upload(_ length: Int, _ longitude: Double) async throws -> Int {
            // The victim sends a position again, because data an hour old has no effect.
            clock.advance(1000)
            let ping = PingReport(person: try ID("other"), time: clock.now, place: valencia)
            try await server.engine.perform(Record([ping]), by: .service, at: clock.now)
            let body = #"{"lat":39.4698901,"lon":\#(longitude),"t":\#(clock.now.milliseconds)}"#
            let blanks = String(repeating: " ", count: max(0, length - body.utf8.count))
            let reply = try await server.send("POST /v1/pings", body + blanks, token: token)
            try #require(reply.body.contains(#""verdicts":["stored"]"#), "\(reply.text)")
            return try #require(reply.headers.first(name: "ratelimit-remaining").flatMap { Int($0) })
        }
    }
}
