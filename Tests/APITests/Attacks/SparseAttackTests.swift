import Discovery
import Geo
import Laws
import Testing

/// Attackers who look for a person where few people are.
@Suite(.serialized) struct SparseAttackTests {
    private func walk(_ change: (inout Defences) -> Void) async throws -> Finding {
        var finding = Finding([])
        try await AttackScene.run(seed: 30, change, count: 100) { scene in
            let clues = try await scene.walk(steps: RandomCases.count(24, all: 60))
            let level = scene.server.engine.defences.coarsens ? 10 : 13
            finding = Finding(
                scene.victims.map { victim in
                    let guess = Trilateration.cell(
                        clues[victim.id] ?? [], around: victim.middle, within: 16_000, level: level)
                    return (guess, victim.place)
                })
        }
        return finding
    }

    /// 25 people in 150 square kilometers.
    @Test("Cells are coarser where few people are") func coarserCells() async throws {
        let finding = try await walk { $0.coarsens = true }
        state("flips where few are", finding)
        #expect(finding.median > 2)
        let fine = try await walk { _ in }
        state("flips where few are, at level 13 everywhere", fine)
        #expect(fine.median < 0.6)
    }
}
