import Discovery
import Foundation
import Laws
import Model
import TestSupport
import Testing

/// Somebody in a small service who is told nothing of another, and counts: numbers of events, and how far pages of them go.
@Suite(.serialized) struct CountingAttackTests {
    /// Quarters of an hour, in half of which a hidden person moves.
    private static let rounds = RandomCases.count(30, all: 100)

    /// The number of rounds of which the attacker knows whether the hidden person moved, by the better of two ways.
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
            var dice = Dice(seed: 51)
            let moves = (0..<Self.rounds).map { $0.isMultiple(of: 2) }.shuffled(using: &dice)
            for round in 0..<Self.rounds {
                scene.clock.advance(900)
                let isMoving = moves[round]
                let before = try await read(&cursor, in: scene).cursor
                if isMoving {
                    let place = Trilateration.shifted(victim.place, Double(round + 1) * 600, 0)
                    #expect(try await scene.ping(victim.id, at: place))
                }
                byCursor += try await (read(&cursor, in: scene).cursor != before) == isMoving ? 1 : 0
                // What the attacker does is told, too: between the same two things of an hour lies what others did.
                try await open(in: scene)
                let own = try await read(&cursor, in: scene).numbers.last ?? 0
                byNumber += (abs(own - number) > 2) == isMoving ? 1 : 0
                number = own
            }
        }
        print("attack counting events: \(byCursor) by cursors, \(byNumber) by numbers, of \(Self.rounds)")
        return max(byCursor, byNumber)
    }

    /// What there is to read after the last time.
    private func read(_ cursor: inout String, in scene: AttackScene) async throws -> (cursor: String, numbers: [Int]) {
        let reply = try await scene.server.send(
            "GET /v1/events?limit=1000&cursor=\(cursor)", token: scene.token("eva"))
        try #require(reply.status == 200, "\(reply.text)")
        cursor = String(try #require(reply.body.firstMatch(of: #/"cursor":"([^"]+)"/#)?.1))
        return (cursor, reply.body.matches(of: #/"id":(\d+),"type"/#).compactMap { Int($0.1) })
    }

    /// Makes a link and ends it: two events.
    private func open(in scene: AttackScene) async throws {
        let made = try await scene.server.send(
            "POST /v1/people/eva/shares", #"{"for_s":60}"#, token: scene.token("eva"))
        let id = try #require(made.body.firstMatch(of: #/"id":"([^"]+)"/#)?.1)
        try await scene.server.send("DELETE /v1/people/eva/shares/\(id)", token: scene.token("eva"))
    }

    @Test func nobodyCountsTheStepsOfWhoIsHidden() async throws {
        #expect(try await right() * 100 <= 60 * Self.rounds)
    }

    @Test func numbersThatGrowByOneTellThem() async throws {
        #expect(try await right { $0.hidesEventNumbers = false } == Self.rounds)
    }

    /// A person goes on by their own numbers, and is told each event once.
    @Test func numbersOfOneselfLeadOn() async throws {
        try await AttackScene.run(count: 1) { scene in
            try await scene.join(["eva"])
            var cursor = "0"
            var told: [Int] = []
            for _ in 0..<12 {
                for _ in 0..<3 { try await open(in: scene) }
                told += try await read(&cursor, in: scene).numbers
                #expect(try await read(&cursor, in: scene).numbers == [])
            }
            #expect(told.count == 72 && Set(told).count == 72)
            let again = try await scene.server.send(
                "GET /v1/events?limit=1000&cursor=\(told[40])", token: scene.token("eva"))
            #expect(again.body.matches(of: #/"id":(\d+),"type"/#).compactMap { Int($0.1) } == Array(told[41...]))
        }
    }
}
