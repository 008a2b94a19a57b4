import Discovery
import Foundation
import Geo
import Laws
import Model
import TestSupport
import Testing

/// Attackers who try to detect positions that were not stored: a stranger, and a friend without access to exact places.
@Suite(.serialized) struct ThrottledFixTests {
    /// Returns the answers to three people about a victim who sends positions between two stored ones or does not; the
    /// last is a friend with exact access.
    private func answers(sending: Bool) async throws -> [String: [String]] {
        let all = Reported()
        try await AttackScene.run(seed: 31, count: 4) { scene in
            let victim = scene.victims[0]
            try await scene.join(["eva", "bea", "zoe"])
            try await befriend(victim, in: scene)
            // In separate neighborhoods, because the order of several strangers is random.
            for (name, place) in zip(["eva", "bea", "zoe"], scene.middles) { try await scene.ping(name, at: place) }
            let link = try await link(to: victim, in: scene)
            let fence = #"{"area":{"lat":39.47,"lon":-0.376,"within_m":4000},"people":["\#(victim.id)"]}"#
            let made = try await scene.server.send("PUT /v1/people/bea/fences/spy", fence, token: scene.token("bea"))
            #expect(made.status == 201)
            // The first upload after a fence was made reports a person inside to its owner.
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

    /// Makes friends: Bea sees an approximate place, Zoe an exact one.
    private func befriend(_ victim: AttackScene.Victim, in scene: AttackScene) async throws {
        func person(_ name: String, _ precision: Precision) throws -> Write<Person> {
            var person = Person(id: try ID(name))
            person.born = CalendarDate(year: 1996, month: 5, day: 1)
            (person.isDiscoverable, person.sharing) = (true, Sharing(precision))
            person.sharing.alerts = .friends
            return Write(person)
        }
        let engine = scene.server.engine
        let people = [try person("bea", .approximate), try person(victim.id, .exact)]
        try await engine.perform(PutPeople(people), by: .service, at: morning)
        for name in ["bea", "zoe"] {
            try await engine.perform(MakeFriends(try ID(name), try ID(victim.id)), by: .service, at: morning)
        }
    }

    private func link(to victim: AttackScene.Victim, in scene: AttackScene) async throws -> Substring {
        let reply = try await scene.server.send(
            "POST /v1/people/\(victim.id)/shares", #"{"expires":"2026-11-20T12:00:00Z","precision":"approximate"}"#,
            token: scene.token(victim.id))
        return try #require(reply.body.firstMatch(of: #/\/s\/[-_A-Za-z0-9]{43}/#)).output
    }

    @Test("Only viewers with exact access can detect positions that were not stored")
    func unstoredPositions() async throws {
        let (without, with) = (try await answers(sending: false), try await answers(sending: true))
        for attacker in ["eva", "bea"] { #expect(with[attacker] == without[attacker]) }
        #expect(with["zoe"] != without["zoe"], "who may know it does")
        #expect(without["bea"]?.contains { $0.contains("approximate") } ?? false)
        #expect(without["eva"]?.contains { $0.contains("victim0") && $0.contains("distance") } ?? false)
    }
}

/// The answers, in order.
private final class Reported {
    private(set) var lines: [String] = []

    func add(_ line: String) { lines.append(line) }
}
