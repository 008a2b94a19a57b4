import Discovery
import Geo
import Laws
import Testing

/// Attackers who delete themselves and register again under their id, without a former place.
@Suite(.serialized) struct RebirthAttackTests {
    private func probe(
        tries: Int = AttackScene.tries, _ change: (inout Defences) -> Void
    ) async throws -> (finding: Finding, answers: Int) {
        try await AttackScene.inSixMinutes(seed: 6, tries: tries, change) { scene in
            try await scene.join(scene.names("phoenix"))
        } look: { scene, number, middle, steps in
            try await scene.comeBack(number, middle, steps)
        }
    }

    @Test("Registering again shows no more than staying") func reregistration() async throws {
        let (finding, answers) = try await probe { $0.quantizesToCells = false }
        state("deleting oneself, six minutes, without cells", finding)
        #expect(finding.isHarmless && answers <= 3 * 4, "\(answers) answers")
        let faster = try await probe(tries: 16) {
            $0.quantizesToCells = false
            $0.movesOriginByServerClock = false
        }
        state("deleting oneself, by the device's clock, without cells", faster.finding)
        #expect(faster.finding.succeeds && faster.answers > 150)
        let defended = try await probe { _ in }
        state("deleting oneself", defended.finding)
        #expect(defended.finding.isHarmless)
    }
}

extension AttackScene {
    /// Repeatedly uploads a position, looks, and registers again.
    fileprivate func comeBack(
        _ number: Int, _ middle: Coordinate, _ steps: Range<Int>
    ) async throws -> [(Coordinate, [Seen])] {
        let (name, document) = ("phoenix\(number)", #"{"born":"1996-05-01","discoverable":true}"#)
        var found: [(Coordinate, [Seen])] = []
        for step in steps {
            var random = SeededGenerator(seed: UInt64(9000 + step * 10 + number))
            let place = AttackScene.scattered(&random, middle)
            guard try await ping(name, at: place) else { continue }
            let first = try await server.send("GET /v1/people/\(name)/discovery?limit=1", token: token(name))
            if first.status == 200 { found.append((place, try await look(name))) }
            #expect(try await server.send("DELETE /v1/people/\(name)", token: token(name)).status == 204)
            #expect(try await server.send("PUT /v1/people/\(name)", document, token: token(name)).status == 201)
        }
        return found
    }
}
