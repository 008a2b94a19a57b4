import Discovery
import Foundation
import Geo
import Laws
import Model
import TestSupport
import Testing

/// Attackers who want to know whether a position came that was not stored: a stranger, and a friend who is shown no exact place.
@Suite(.serialized) struct ThrottledFixTests {
    /// What three people are told of a victim, of whom further positions between two stored ones came or did not: the last of them, a
    /// friend at the exact place, may know.
    private func answers(sending: Bool) async throws -> [String: [String]] {
        let all = Told()
        try await AttackScene.run(seed: 31, count: 4) { scene in
            let victim = scene.victims[0]
            try await scene.join(["eva", "bea", "zoe"])
            try await befriend(victim, in: scene)
            // In neighbourhoods of their own: the order of several strangers is chance.
            for (name, place) in zip(["eva", "bea", "zoe"], scene.middles) { try await scene.ping(name, at: place) }
            let link = try await link(to: victim, in: scene)
            let fence = #"{"area":{"lat":39.47,"lon":-0.376,"within_m":4000},"people":["\#(victim.id)"]}"#
            let made = try await scene.server.send("PUT /v1/people/bea/fences/spy", fence, token: scene.token("bea"))
            #expect(made.status == 201)
            // The first upload after a fence was made is when its owner is told that somebody is inside.
            for second in sending ? [10, 20, 30, 50] : [10] {
                let place = Trilateration.shifted(victim.place, Double(second) * 60, 0)
                let fixed = morning - .seconds(600 - second)
                #expect(try await !scene.ping(victim.id, at: place, fixed: fixed), "it is not stored")
            }
            for name in ["eva", "bea", "zoe"] {
                for path in [
                    "people/\(victim.id)/position", "people/\(name)/friends/nearest", "people/\(victim.id)",
                    "people/\(name)/discovery?limit=100", "events", "events?type=ping.moved",
                    "people/\(victim.id)/fences",
                    "events?person=\(victim.id)",
                ] {
                    let reply = try await scene.server.send("GET /v1/\(path)", token: scene.token(name))
                    all.add("\(name) \(path) \(reply.text)")
                }
            }
            let seen = try await scene.server.send("GET \(link)", headers: ["accept": "application/json"])
            all.add("bea link \(seen.status) \(seen.body)")
        }
        return Dictionary(grouping: all.lines) { String($0.prefix(3)) }
    }

    /// Bea shows friends an approximate place, Zoe an exact one.
    private func befriend(_ victim: AttackScene.Victim, in scene: AttackScene) async throws {
        func person(_ name: String, _ precision: Precision) throws -> Write<Person> {
            var person = Person(id: try ID(name))
            person.born = CalendarDate(year: 1996, month: 5, day: 1)
            (person.isDiscoverable, person.sharing) = (true, Sharing(precision))
            person.sharing.alerts = .friends
            return Write(person)
        }
        let live = scene.server.live
        let people = [try person("bea", .approximate), try person(victim.id, .exact)]
        try await live.perform(PutPeople(people), by: .service, at: morning)
        for name in ["bea", "zoe"] {
            try await live.perform(MakeFriends(try ID(name), try ID(victim.id)), by: .service, at: morning)
        }
    }

    private func link(to victim: AttackScene.Victim, in scene: AttackScene) async throws -> Substring {
        let reply = try await scene.server.send(
            "POST /v1/people/\(victim.id)/shares", #"{"expires":"2026-11-20T12:00:00Z","precision":"approximate"}"#,
            token: scene.token(victim.id))
        return try #require(reply.body.firstMatch(of: #/\/s\/[-_A-Za-z0-9]{43}/#)).output
    }

    @Test func nobodyElseCanTellWhetherAPositionCameThatWasNotStored() async throws {
        let (without, with) = (try await answers(sending: false), try await answers(sending: true))
        for attacker in ["eva", "bea"] { #expect(with[attacker] == without[attacker]) }
        #expect(with["zoe"] != without["zoe"], "who may know it does")
        #expect(without["bea"]?.contains { $0.contains("approximate") } ?? false)
        #expect(without["eva"]?.contains { $0.contains("victim0") && $0.contains("distance") } ?? false)
    }
}

/// What was told, in order.
private final class Told {
    private(set) var lines: [String] = []

    func add(_ line: String) { lines.append(line) }
}
