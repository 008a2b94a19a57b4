import Discovery
import Foundation
import Geo
import Laws
import Model
import TestSupport
import Testing

/// Attackers who try every route except discovery.
@Suite(.serialized) struct OtherRouteTests {
    /// The number of victims, each of whom is named by all routes.
    private static let victims = RandomCases.count(8, all: 100)

    /// The requests that name a victim, whose answers to a stranger must not depend on where the victim is.
    private static func requests(_ id: String) -> [(line: String, body: String?)] {
        let time = "2026-11-20T09:55:00Z"
        let reads = [
            "/v1/people/\(id)", "/v1/people/\(id)/position", "/v1/people/\(id)/position?at=\(time)",
            "/v1/people/\(id)/history", "/v1/people/\(id)/friends", "/v1/people/\(id)/friends/nearest",
            "/v1/people/\(id)/friends/nearest?at=\(time)", "/v1/people/\(id)/discovery", "/v1/people/\(id)/matches",
            "/v1/people/\(id)/encounters?with=eva", "/v1/people/\(id)/devices", "/v1/people/\(id)/blocks",
            "/v1/people/eva/encounters?with=\(id)", "/v1/people/eva/friends/nearest",
            "/v1/people/eva/friends/nearest?at=\(time)", "/v1/people/eva/matches", "/v1/people/eva/friends/requests",
            "/v1/people?q=victim", "/v1/nearby?lat=39.47&lon=-0.376&within_m=9000&at=\(time)",
            "/v1/exports/pings", "/v1/places/nearest?lat=39.47&lon=-0.376", "/v1/places?q=place&sort=name",
            "/v1/places?owner=\(id)", "/v1/places/nearest?lat=39.47&lon=-0.376&owner=\(id)",
            "/v1/places/facets?owner=\(id)", "/v1/people/nearest?lat=39.47&lon=-0.376&within_m=9000", "/v1/events",
            "/v1/events?person=\(id)", "/v1/people/\(id)/fences", "/v1/people/eva/fences",
        ].map { ("GET \($0)", nil as String?) }
        let batch =
            #"{"queries":[{"person":"\#(id)"},{"nearest":"friends","person":"\#(id)"},{"nearest":"strangers","person":"\#(id)"},{"list":"places","owner":"\#(id)"}]}"#
        return reads + [
            ("POST /v1/query", batch), ("PUT /v1/people/eva/friends/\(id)", nil),
            ("PUT /v1/people/eva/decisions/\(id)", #"{"like":true}"#), ("DELETE /v1/people/eva/decisions/\(id)", nil),
            ("PUT /v1/people/eva/blocks/\(id)", nil), ("GET /v1/people/eva/blocks/\(id)", nil),
            ("DELETE /v1/people/eva/blocks/\(id)", nil), ("DELETE /v1/people/eva/friends/\(id)", nil),
            ("PUT /v1/places/new", #"{"kind":"topic","name":"New","owner":"\#(id)"}"#),
            (
                "PUT /v1/people/eva/fences/spy",
                #"{"area":{"lat":39.47,"lon":-0.376,"within_m":9000},"people":["\#(id)"]}"#
            ), ("PATCH /v1/people/\(id)", "{}"), ("DELETE /v1/people/\(id)/history?datetime=../..", nil),
        ]
    }

    /// Status, headers, and body without the parts that differ between requests.
    private static func whole(_ reply: TestServer.Reply) -> String {
        // The compressed length of a cursor is random.
        let chance = ["date", "x-request-id"] + (reply.text.contains("cursor") ? ["content-length"] : [])
        let headers = reply.headers.filter { !chance.contains($0.name.lowercased()) }.map { "\($0.name): \($0.value)" }
        return "\(reply.text) \(headers.sorted())".replacing(#/cursor=[-_A-Za-z0-9]+/#, with: "cursor=…")
            .replacing(#/urn:cerca:request:[0-9a-f]+/#, with: "…")
    }

    /// Makes each victim the owner of a place in the center.
    private static func giveEachAPlace(_ scene: AttackScene) async throws {
        let places = try scene.victims.enumerated().map { number, victim in
            var place = Place(id: try ID("place\(number)"), kind: "topic", name: "Place")
            place.coordinate = victim.middle
            place.owner = try ID(victim.id)
            return Write(place)
        }
        try await scene.server.engine.perform(PutPlaces(places), by: .service, at: morning)
    }

    /// Returns all answers about victims at the places of a seed.
    private func answers(seed: UInt64) async throws -> [String] {
        let all = Answers()
        try await AttackScene.run(seed: seed, count: Self.victims) { scene in
            try await scene.join(["eva"])
            try await scene.ping("eva", at: scene.middles[0])
            try await Self.giveEachAPlace(scene)
            for victim in scene.victims {
                for (line, body) in Self.requests(victim.id) {
                    let type = line.hasPrefix("PATCH") ? "application/merge-patch+json" : "application/json"
                    let reply = try await scene.server.send(line, body, token: scene.token("eva"), type: type)
                    all.add("\(line) \(Self.whole(reply))")
                }
            }
        }
        return all.lines
    }

    @Test("No other answer depends on where a stranger is") func otherAnswers() async throws {
        let (here, there) = (try await answers(seed: 20), try await answers(seed: 21))
        #expect(here.count == 42 * Self.victims && here.count == there.count)
        for (one, other) in zip(here, there) where one != other { Issue.record("\(one) or \(other)") }
        #expect(!here.contains { $0.contains("victim") && $0.contains(#""lat""#) && !$0.contains("places") })
    }

    @Test("An id from discovery gives access to name and city only") func idsFromDiscovery() async throws {
        try await AttackScene.run(seed: 22) { scene in
            try await scene.join(["eva"])
            try await scene.ping("eva", at: scene.middles[0])
            let seen = try await scene.look("eva")
            #expect(seen.count == scene.victims.count / 4)
            for other in seen {
                let reply = try await scene.server.send("GET /v1/people/\(other.id)", token: scene.token("eva"))
                #expect(reply.text == #"200 {"id":"\#(other.id)","name":"\#(other.id.capitalized)"}"#)
            }
        }
    }

    // MARK: - Blocked or absent

    /// Returns the answers that distinguish a person who blocked the attacker from an unknown id, one per such person.
    private func reported(_ change: (inout Defences) -> Void) async throws -> [String] {
        var reported: [String] = []
        try await AttackScene.run(seed: 23, change, count: Self.victims) { scene in
            try await scene.join(["eva"])
            try await scene.ping("eva", at: scene.middles[0])
            try await Self.giveEachAPlace(scene)
            try await Self.block(try ID("eva"), in: scene)
            for (number, victim) in scene.victims.enumerated() {
                // As long as the other id, so that lengths can be compared too.
                let absent = "nobody" + String(number)
                let answers = try await [victim.id, absent].asyncMap { id in
                    try await Self.requests(id).asyncMap { line, body in
                        let type = line.hasPrefix("PATCH") ? "application/merge-patch+json" : "application/json"
                        let reply = try await scene.server.send(line, body, token: scene.token("eva"), type: type)
                        return Self.whole(reply).replacing(id, with: "somebody")
                    }
                }
                if let (one, other) = zip(answers[0], answers[1]).first(where: { $0 != $1 }) {
                    reported.append("\(one) or \(other)")
                }
            }
            #expect(try await scene.look("eva").isEmpty)
        }
        return reported
    }

    /// Lets all victims block a person.
    private static func block(_ person: PersonID, in scene: AttackScene) async throws {
        let blocks = try scene.victims.map { Block(try ID($0.id), person) }
        try await scene.server.engine.perform(Batch(blocks), by: .service, at: morning)
    }

    @Test("A person who blocked the caller is indistinguishable from an unknown id")
    func blockedOrAbsent() async throws {
        let reported = try await reported { _ in }
        print("attack blocked or absent: \(reported.count) of \(Self.victims) told apart")
        #expect(reported.isEmpty, "\(reported.first ?? "")")
        let open = try await self.reported { $0.hidesBlocks = false }
        print("attack blocked or absent, without hiding blocks: \(open.count) of \(Self.victims) told apart")
        #expect(open.count == Self.victims)
    }

    /// Compares medians of many alternating requests, so that a busy machine affects both.
    @Test("Answers about blockers take as long as answers about unknown ids") func timingOfBlocks() async throws {
        try await AttackScene.run(seed: 24) { scene in
            try await scene.join(["eva"])
            try await Self.block(try ID("eva"), in: scene)
            var times: [[Double]] = [[], []]
            let token = scene.token("eva")
            for round in 0..<RandomCases.count(300, all: 1500) {
                let number = round % scene.victims.count
                for (kind, id) in ["victim\(number)", "nobody\(number)"].enumerated() {
                    let start = ContinuousClock.now
                    _ = try await scene.server.send("GET /v1/people/\(id)", token: token)
                    times[kind].append((ContinuousClock.now - start) / .microseconds(1))
                }
            }
            let medians = times.map { $0.sorted()[$0.count / 2] }
            print("attack time of blocked and absent: \(medians) µs")
            #expect(medians[0] < 1.5 * medians[1] && medians[1] < 1.5 * medians[0])
        }
    }
}

/// Lines that a closure collects.
private final class Answers {
    private(set) var lines: [String] = []

    func add(_ line: String) { lines.append(line) }
}
