import Discovery
import Foundation
import Geo
import Laws
import Model
import TestSupport
import Testing

/// A friend without access to exact places who tries fences, proximity, links, hints, and events about watching.
///
/// The victims stand at varying places in the same four cells, and the friend's answers must not depend on the places.
@Suite(.serialized) struct FriendAttackTests {
    enum Attack: CaseIterable {
        /// Many small fences all over the cell report entries.
        case fences
        /// Many small fences surround the privacy zone of a person who shares exactly.
        case zone
        /// The attacker walks about the cell and gets proximity events.
        case near
        /// A link to the approximate place shows ages, and is read repeatedly.
        case link
        /// Data about watching, events, and the hints of the friend's own pings.
        case watching
    }

    @Test("A friend's answers do not depend on a place that is not shared", arguments: Attack.allCases)
    func approximateFriend(attack: Attack) async throws {
        let first = try await reported(attack, seed: 41)
        for seed in ([42, 43] as [UInt64]).prefix(RandomCases.count(1, all: 2)) {
            let other = try await reported(attack, seed: seed)
            for (a, b) in zip(first, other) { #expect(a == b, "seed \(seed)") }
            #expect(first.count == other.count)
        }
    }

    /// With access the answers depend on the place, so these attacks can succeed.
    @Test("The answers to a friend with access depend on the place", arguments: [Attack.fences, .zone, .near, .link])
    func exactFriend(attack: Attack) async throws {
        #expect(try await reported(attack, seed: 41, mayKnow: true) != reported(attack, seed: 42, mayKnow: true))
    }

    /// Returns a random place in the cell around a center.
    private static func inCell(
        _ random: inout SeededGenerator, _ middle: Coordinate, awayFrom last: Coordinate? = nil
    ) -> Coordinate {
        let cell = CubeCell(containing: middle, level: 13)
        while true {
            let place = Trilateration.shifted(middle, random.number(-900..<900), random.number(-900..<900))
            let isFar = last.map { !Geodesic.isCloser($0, place, than: 550) } ?? true
            if isFar, CubeCell(containing: place, level: 13) == cell { return place }
        }
    }

    private func reported(_ attack: Attack, seed: UInt64, mayKnow: Bool = false) async throws -> [String] {
        let lines = Lines()
        try await AttackScene.run(seed: seed, count: 4, place: { Self.inCell(&$0, $1) }) { scene in
            try await scene.join(["eva"])
            try await befriend(attack, mayKnow, in: scene)
            try await scene.ping("eva", at: scene.middles[0])
            try await begin(attack, mayKnow, in: scene, lines)
            var random = SeededGenerator(seed: seed)
            var places = scene.victims.map(\.place)
            for turn in 1...4 {
                scene.clock.advance(1_000)
                for (number, victim) in scene.victims.enumerated() {
                    // The distance is so large that the throttle stores each of them with any seed.
                    places[number] = Self.inCell(&random, victim.middle, awayFrom: places[number])
                    #expect(try await scene.ping(victim.id, at: places[number]))
                }
                try await look(attack, turn, in: scene, lines)
            }
        }
        return lines.all
    }

    private func befriend(_ attack: Attack, _ mayKnow: Bool, in scene: AttackScene) async throws {
        let isExact = mayKnow || attack == .zone
        func person(_ name: String, _ home: Coordinate?) throws -> Write<Person> {
            var person = Person(id: try ID(name))
            person.born = CalendarDate(year: 1996, month: 5, day: 1)
            (person.isDiscoverable, person.sharing) = (true, Sharing(isExact ? .exact : .approximate))
            person.sharing.alerts = .friends
            if let home { person.sharing.zones = [PrivacyZone(id: try ID("home"), centre: home, radius: 1_500)] }
            return Write(person)
        }
        let engine = scene.server.engine
        let homes = scene.victims.map { attack == .zone && !mayKnow ? $0.middle : nil }
        let people = try zip(scene.victims, homes).map { try person($0.id, $1) } + [person("eva", nil)]
        try await engine.perform(PutPeople(people), by: .service, at: scene.clock.now)
        for victim in scene.victims {
            try await engine.perform(MakeFriends(try ID("eva"), try ID(victim.id)), by: .service, at: scene.clock.now)
        }
    }

    private func begin(_ attack: Attack, _ mayKnow: Bool, in scene: AttackScene, _ lines: Lines) async throws {
        let ids = scene.victims.map { "\"\($0.id)\"" }.joined(separator: ",")
        switch attack {
        case .fences, .zone, .watching:
            for north in -2...2 {
                for east in -2...2 {
                    let place = Trilateration.shifted(scene.middles[0], Double(north) * 250, Double(east) * 250)
                    let body =
                        #"{"area":{"lat":\#(place.latitude),"lon":\#(place.longitude),"within_m":120},"people":[\#(ids)]}"#
                    try await put("f\(north)\(east)", body, in: scene)
                }
            }
        case .near:
            for metres in [50, 200, 800, 3_000] {
                try await put("n\(metres)", #"{"near":{"who":[\#(ids)],"within_m":\#(metres)}}"#, in: scene)
            }
        case .link:
            for victim in scene.victims {
                let precision = mayKnow ? "exact" : "approximate"
                let reply = try await scene.server.send(
                    "POST /v1/people/\(victim.id)/shares", #"{"for_s":40000,"precision":"\#(precision)","trail":true}"#,
                    token: scene.token(victim.id))
                lines.links.append(String(try #require(reply.body.firstMatch(of: #/\/s\/[-_A-Za-z0-9]{43}/#)).output))
            }
        }
    }

    private func put(_ fence: String, _ body: String, in scene: AttackScene) async throws {
        let reply = try await scene.server.send("PUT /v1/people/eva/fences/\(fence)", body, token: scene.token("eva"))
        try #require(reply.status == 201, "\(reply.text)")
    }

    private func look(_ attack: Attack, _ turn: Int, in scene: AttackScene, _ lines: Lines) async throws {
        switch attack {
        case .fences, .zone: break
        case .near:
            for (north, east) in [(0, 0), (300, 300), (-300, 300), (-300, -300), (300, -300)] {
                scene.clock.advance(130)
                try await scene.ping(
                    "eva", at: Trilateration.shifted(scene.middles[turn - 1], Double(north), Double(east)))
            }
        case .link:
            for link in lines.links {
                let reply = try await scene.server.send("GET \(link)", headers: ["accept": "application/json"])
                lines.add("link \(turn) \(reply.status) \(reply.body)")
            }
        case .watching:
            for path in ["people/eva/fences", "people/eva/watchers"] + scene.victims.map({ "people/\($0.id)/watchers" })
            {
                let reply = try await scene.server.send("GET /v1/\(path)", token: scene.token("eva"))
                lines.add("\(path) \(turn) \(Self.plain(reply))")
            }
            let place = Trilateration.shifted(scene.middles[0], 100 * Double(turn), 0)
            let body =
                #"{"person":"eva","t":\#(scene.clock.now.milliseconds),"lat":\#(place.latitude),"lon":\#(place.longitude)}"#
            let reply = try await scene.server.send("POST /v1/pings", body, token: scene.token("eva"))
            lines.add("hint \(turn) \(Self.plain(reply))")
        }
        let reply = try await scene.server.send(
            "GET /v1/events?limit=1000",
            headers: ["accept": "application/x-ndjson", "authorization": "Bearer \(scene.token("eva"))"])
        lines.add("events \(turn) \(Self.plain(reply))")
    }

    private static func plain(_ reply: TestServer.Reply) -> String {
        // Event numbers differ between services, see `CountingAttackTests`.
        reply.text
    }
}

/// The answers in order, and the open links.
private final class Lines {
    private(set) var all: [String] = []
    var links: [String] = []

    func add(_ line: String) { all.append(line) }
}
