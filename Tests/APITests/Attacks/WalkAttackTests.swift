import Discovery
import Geo
import Laws
import Model
import TestSupport
import Testing

/// Attackers who move and record the distance bucket of each stranger.
@Suite(.serialized) struct WalkAttackTests {
    /// Combines the buckets of each stranger at many places, as a walk that ends when a bucket flips yields them.
    private func walk(
        steps: Int, victims: Int = AttackScene.crowd, _ change: (inout Defences) -> Void
    ) async throws -> Finding {
        var finding = Finding([])
        try await AttackScene.run(seed: 1, change, count: victims) { scene in
            finding = scene.finding(try await scene.walk(steps: steps))
        }
        return finding
    }

    @Test("Flips of buckets reveal no more than the center of a cell") func flips() async throws {
        let steps = RandomCases.count(48, all: 100)
        let finding = try await walk(steps: steps) { _ in }
        state("flips", finding)
        #expect(finding.isHarmless)
        let exact = try await walk(steps: steps) { $0.quantizesToCells = false }
        state("flips without cells", exact)
        #expect(exact.succeeds)
    }

    /// Without cells, buckets would still slow the attack: a few answers reveal little.
    @Test("A few buckets reveal little") func fewBuckets() async throws {
        let finding = try await walk(steps: 6, victims: 100) { $0.quantizesToCells = false }
        state("six answers without cells", finding)
        #expect(finding.isHarmless)
        let finer = try await walk(steps: 6, victims: 100) {
            $0.quantizesToCells = false
            $0.buckets = false
        }
        state("six answers without cells and in kilometres", finer)
        #expect(finer.median < 0.2 && finer.median < finding.median / 2)
    }

    /// Tries an upload of an afternoon's track in one go, which would have been at all places.
    private func hurry(
        tries: Int = AttackScene.tries, _ change: (inout Defences) -> Void
    ) async throws -> (finding: Finding, answers: Int) {
        try await AttackScene.inSixMinutes(seed: 2, tries: tries, change) { scene in
            try await scene.join(scene.names("runner"))
        } look: { scene, number, middle, steps in
            try await scene.hurry(number, middle, steps)
        }
    }

    @Test("Backdated uploads do not move a person faster") func backdatedUploads() async throws {
        let (finding, answers) = try await hurry { $0.quantizesToCells = false }
        state("back-dated uploads in six minutes without cells", finding)
        #expect(finding.isHarmless && answers <= 4 * 4, "\(answers) answers")
        let faster = try await hurry(tries: 16) {
            $0.quantizesToCells = false
            $0.movesOriginByServerClock = false
        }
        state("back-dated uploads by the device's clock without cells", faster.finding)
        #expect(faster.finding.succeeds && faster.answers > 150)
        let defended = try await hurry { _ in }
        state("back-dated uploads", defended.finding)
        #expect(defended.finding.isHarmless)
    }
}

extension AttackScene {
    /// The places that an attacker tries at a time where a defense is expected to hold.
    static let tries = RandomCases.count(6, all: 16)

    /// The finding of attackers who look from `tries` places in a row, three times, two minutes apart; and the number of
    /// answers that they got.
    static func inSixMinutes(
        seed: UInt64, tries: Int, _ change: (inout Defences) -> Void, join: (AttackScene) async throws -> Void,
        look: @Sendable @escaping (AttackScene, Int, Coordinate, Range<Int>) async throws -> [(Coordinate, [Seen])]
    ) async throws -> (finding: Finding, answers: Int) {
        var result = (finding: Finding([]), answers: 0)
        try await run(seed: seed, change) { scene in
            try await join(scene)
            var clues: [String: [Clue]] = [:]
            for round in 0..<3 {
                let answers = try await scene.inEachPlace { number, middle in
                    try await look(scene, number, middle, round * tries..<(round + 1) * tries)
                }
                for (place, seen) in answers.flatMap(\.self) {
                    result.answers += 1
                    for other in seen { clues[other.id, default: []].append(scene.clue(place, other)) }
                }
                scene.clock.advance(120)
            }
            result.finding = scene.finding(clues)
        }
        return result
    }

    func names(_ kind: String) -> [String] { middles.indices.map { "\(kind)\($0)" } }

    func clue(_ origin: Coordinate, _ seen: Seen) -> Clue {
        let buckets =
            server.engine.defences.buckets ? [1, 2, 5, 10, 25, 50, 100] : Array(1...100)
        return Clue(origin, bucket: seen.kilometres, of: buckets)
    }

    /// Returns the clues of attackers who go from place to place, two minutes each, with two accounts per neighborhood.
    func walk(steps: Int) async throws -> [String: [Clue]] {
        let kinds = ["walker", "rambler"].prefix(steps)
        for kind in kinds { try await join(names(kind)) }
        var clues: [String: [Clue]] = [:]
        for step in 0..<(steps + 1) / 2 {
            clock.advance(121)
            let answers = try await inEachPlace { number, middle in
                var found: [(Coordinate, [Seen])] = []
                for (index, kind) in kinds.enumerated() {
                    var random = SeededGenerator(seed: UInt64(step * 100 + index * 10 + number))
                    let place = AttackScene.scattered(&random, middle)
                    guard try await ping("\(kind)\(number)", at: place) else { continue }
                    found.append((place, try await look("\(kind)\(number)")))
                }
                return found
            }
            for (place, seen) in answers.flatMap(\.self) {
                for other in seen { clues[other.id, default: []].append(clue(place, other)) }
            }
        }
        return clues
    }

    /// Sends past positions one by one, looks after each, and counts only answers that changed.
    fileprivate func hurry(
        _ number: Int, _ middle: Coordinate, _ steps: Range<Int>
    ) async throws -> [(Coordinate, [Seen])] {
        var found: [(Coordinate, [Seen])] = []
        var known: [String: Int] = [:]
        for step in steps {
            var random = SeededGenerator(seed: UInt64(7000 + step * 10 + number))
            let place = AttackScene.scattered(&random, middle)
            let fixed = morning - .seconds(6 * 3600 - step * 130)
            guard try await ping("runner\(number)", at: place, fixed: fixed) else { continue }
            let seen = try await look("runner\(number)")
            let buckets = Dictionary(uniqueKeysWithValues: seen.map { ($0.id, $0.kilometres) })
            // Equal buckets for all strangers mean that the service did not move the account.
            if buckets != known { found.append((place, seen)) }
            known = buckets
        }
        return found
    }
}
