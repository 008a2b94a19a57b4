import API
import Discovery
import Foundation
import Geo
import Laws
import Model
import NIOHTTP1
import TestSupport
import Testing

/// Attackers in a small service who see nothing of a person, and count events and the advance of cursors.
@Suite(.serialized) struct CountingAttackTests {
    /// Quarters of an hour, in half of which a hidden person moves.
    private static let rounds = RandomCases.count(30, all: 100)

    /// Returns the number of rounds in which the attacker knows whether the hidden person moved, the better of two.
    private func right(_ change: (inout Defences) -> Void = { _ in }) async throws -> Int {
        var (byCursor, byNumber) = (0, 0)
        try await AttackScene.run(seed: 51, change, count: 1) { scene in
            try await scene.join(["eva"])
            let victim = scene.victims[0]
            let hidden = try await scene.server.send(
                "PATCH /v1/people/\(victim.id)", #"{"sharing":{"precision":"hidden"}}"#, token: scene.token(victim.id),
                type: "application/merge-patch+json")
            try #require(hidden.status == 200)
            var (cursor, number) = ("0", 0)
            var random = SeededGenerator(seed: 51)
            let moves = (0..<Self.rounds).map { $0.isMultiple(of: 2) }.shuffled(using: &random)
            for round in 0..<Self.rounds {
                scene.clock.advance(900)
                let isMoving = moves[round]
                let before = try await read(&cursor, in: scene).cursor
                if isMoving {
                    let place = Trilateration.shifted(victim.place, Double(round + 1) * 600, 0)
                    #expect(try await scene.ping(victim.id, at: place))
                }
                byCursor += try await (read(&cursor, in: scene).cursor != before) == isMoving ? 1 : 0
                // The attacker's own actions are events too, between which the events of others lie.
                try await open(in: scene)
                let own = try await read(&cursor, in: scene).numbers.last ?? 0
                byNumber += (abs(own - number) > 2) == isMoving ? 1 : 0
                number = own
            }
        }
        print("attack counting events: \(byCursor) by cursors, \(byNumber) by numbers, of \(Self.rounds)")
        return max(byCursor, byNumber)
    }

    /// Reads the events since the last call.
    private func read(_ cursor: inout String, in scene: AttackScene) async throws -> (cursor: String, numbers: [Int]) {
        let reply = try await scene.server.send(
            "GET /v1/events?limit=1000&cursor=\(cursor)", token: scene.token("eva"))
        try #require(reply.status == 200, "\(reply.text)")
        cursor = String(try #require(reply.body.firstMatch(of: #/"cursor":"([^"]+)"/#)?.1))
        return (cursor, reply.body.matches(of: #/"id":(\d+),"type"/#).compactMap { Int($0.1) })
    }

    /// Makes a link and ends it, which is two events.
    private func open(in scene: AttackScene) async throws {
        let made = try await scene.server.send(
            "POST /v1/people/eva/shares", #"{"for_s":60}"#, token: scene.token("eva"))
        let id = try #require(made.body.firstMatch(of: #/"id":"([^"]+)"/#)?.1)
        try await scene.server.send("DELETE /v1/people/eva/shares/\(id)", token: scene.token("eva"))
    }

    @Test("Events do not reveal the moves of a hidden person") func hiddenMoves() async throws {
        #expect(try await right() * 100 <= 60 * Self.rounds)
    }

    @Test("Consecutive event numbers reveal the moves of a hidden person") func consecutiveNumbers() async throws {
        #expect(try await right { $0.hidesEventNumbers = false } == Self.rounds)
    }

    @Test("A person resumes by event numbers and gets each event once") func ownNumbers() async throws {
        try await AttackScene.run(count: 1) { scene in
            try await scene.join(["eva"])
            var cursor = "0"
            var reported: [Int] = []
            for _ in 0..<12 {
                for _ in 0..<3 { try await open(in: scene) }
                reported += try await read(&cursor, in: scene).numbers
                #expect(try await read(&cursor, in: scene).numbers == [])
            }
            #expect(reported.count == 72 && Set(reported).count == 72)
            let again = try await scene.server.send(
                "GET /v1/events?limit=1000&cursor=\(reported[40])", token: scene.token("eva"))
            #expect(again.body.matches(of: #/"id":(\d+),"type"/#).compactMap { Int($0.1) } == Array(reported[41...]))
        }
    }

    // MARK: - By the rest of a rate

    /// Friends who are not shown, or shown at their former places, while they move a little.
    private static let silent: [(name: String, sharing: String)] = [
        ("hidden", #"{"precision":"hidden"}"#), ("cell", #"{"precision":"approximate"}"#),
        ("hours", #"{"precision":"exact","timetable":{"hours":"Fr 11:00-12:00","timezone":"UTC"}}"#),
        (
            "zone",
            #"{"precision":"exact","zones":[{"id":"z","lat":39.4699,"lon":-0.3763,"radius_m":2000}]}"#
        ),
    ]

    /// Makes a person with such friends, and one who shows everything.
    private func join(_ name: String, _ server: TestServer, _ keys: TestKeys) async throws {
        let friends = Self.silent + [("open", #"{"precision":"exact"}"#)]
        let people: [(String, Coordinate?)] = ([""] + friends.map(\.name)).map { (name + $0, valencia) }
        try await server.add(people)
        for (friend, sharing) in friends {
            let made = try await server.send(
                "PATCH /v1/people/\(name)\(friend)",
                #"{"throttle":{"distance_m":1,"interval_s":1},"sharing":\#(sharing)}"#, token: keys.service,
                type: "application/merge-patch+json")
            try #require(made.status == 200, "\(made.body)")
            try await server.engine.perform(
                MakeFriends(try ID(name), try ID(name + friend)), by: .service, at: morning)
        }
    }

    private func move(
        _ people: [String], _ metres: Double, _ server: TestServer, _ keys: TestKeys
    ) async throws {
        let place = Trilateration.shifted(valencia, metres, 0)
        let pings = people.map { #"{"person":"\#($0)","lat":\#(place.latitude),"lon":\#(place.longitude)}"# }
        let reply = try await server.send("POST /v1/pings", "[\(pings.joined(separator: ","))]", token: keys.service)
        #expect(reply.body.contains(#""stored":\#(people.count),"#), "\(reply.body)")
    }

    @Test("A follower's rate limit does not count moves of friends who show none") func rateOfAFollower() async throws {
        let clock = SteppedClock()
        var rules = PingRules()
        rules.defences.coarsens = false
        try await withKeys(
            {
                $0.rates.person = Rate(perSecond: 0.001, saved: .seconds(100_000))
                $0.limits.heartbeat = .milliseconds(1500)
            }, rules: rules, now: { clock.now }
        ) { server, keys, _ in
            let followers = ["eve", "zoe"]
            var streams: [EventSource] = []
            for name in followers {
                try await join(name, server, keys)
                // In the same quarter of an hour as everything that follows.
                try await move((Self.silent.map(\.name) + ["open"]).map { name + $0 }, 10, server, keys)
                streams.append(
                    try await EventSource(
                        server, "/v1/people/\(name)/friends/nearest",
                        headers: ["authorization": "Bearer \(keys.person(name))"]))
                for type in ["reset", "put", "put", "put"] {
                    #expect(try await streams[streams.count - 1].next().type == type)
                }
            }
            func left() async throws -> [[String]] {
                try await followers.asyncMap { name in
                    let reply = try await server.send("GET /v1/people/\(name)?fields=id", token: keys.person(name))
                    return ["Limit", "Remaining", "Reset"].flatMap { reply.headers["RateLimit-\($0)"] }
                }
            }
            for round in 0..<3 {
                for index in streams.indices { try await streams[index].nextComment() }
                guard round < 2 else { break }
                clock.advance(5)
                try await move(Self.silent.map { "eve\($0.name)" }, Double(round + 1) * 20, server, keys)
            }
            let silent = try await left()
            #expect(silent[0].count == 3 && silent[0] == silent[1])
            try await move(["eveopen"], 60, server, keys)
            let put = try await streams[0].next()
            #expect(put.data.contains(#""id":"eveopen""#), "\(put)")
            let open = try await left()
            #expect(open[0] != open[1], "what is shown counts")
            for stream in streams { stream.close() }
        }
    }
}
