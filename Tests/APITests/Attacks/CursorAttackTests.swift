import Discovery
import Foundation
import Geo
import Laws
import Model
import Testing

/// Attackers who search from the origin in a cursor.
@Suite(.serialized) struct CursorAttackTests {
    /// A cursor for any place as a reader of the source could forge it if cursors were not sealed.
    private func forged(_ place: Coordinate, at time: Timestamp) -> String {
        let words: [UInt64] = [
            UInt64(bitPattern: time.milliseconds),
            UInt64(UInt32(bitPattern: place.latitudeE7)) << 32 | UInt64(UInt32(bitPattern: place.longitudeE7)), 1, 0, 0,
        ]
        let bytes = words.reduce(into: Data()) { data, word in
            withUnsafeBytes(of: word.littleEndian) { data.append(contentsOf: $0) }
        }
        return bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The places from which cursors are forged and kept.
    private static let (forgedPlaces, keptPlaces) = (RandomCases.count(48, all: 60), RandomCases.count(12, all: 24))

    /// Searches from many places at once without a move.
    private func forge(_ change: (inout Defences) -> Void) async throws -> (finding: Finding, refused: Int) {
        var result = (finding: Finding([]), refused: 0)
        try await AttackScene.run(seed: 6, change) { scene in
            try await scene.join(scene.names("forger"))
            let answers = try await scene.inEachPlace { number, middle in
                try #require(try await scene.ping("forger\(number)", at: middle))
                var found = [(middle, try await scene.look("forger\(number)"))]
                var refused = 0
                for step in 0..<Self.forgedPlaces {
                    var random = SeededGenerator(seed: UInt64(5000 + step * 10 + number))
                    let place = AttackScene.scattered(&random, middle)
                    let query = "&cursor=\(forged(place, at: scene.clock.now))"
                    let reply = try await scene.server.send(
                        "GET /v1/people/forger\(number)/discovery?limit=100&fields=id,distance\(query)",
                        token: scene.token("forger\(number)"))
                    if reply.status == 200 {
                        found.append((place, try await scene.look("forger\(number)", query)))
                    } else {
                        #expect(reply.text.contains("invalid_cursor"))
                        refused += 1
                    }
                }
                return (found, refused)
            }
            var clues: [String: [Clue]] = [:]
            for (place, seen) in answers.flatMap(\.0) {
                for other in seen { clues[other.id, default: []].append(scene.clue(place, other)) }
            }
            result = (scene.finding(clues), answers.reduce(0) { $0 + $1.1 })
        }
        return result
    }

    @Test("Forged cursors do not move the search origin") func forgedCursors() async throws {
        let (finding, refused) = try await forge { $0.quantizesToCells = false }
        state("forged cursors without cells", finding)
        #expect(finding.isHarmless && refused == 4 * Self.forgedPlaces)
        let open = try await forge {
            $0.quantizesToCells = false
            $0.sealsCursors = false
        }
        state("forged cursors without cells and seal", open.finding)
        #expect(open.finding.succeeds && open.refused == 0)
        let defended = try await forge { _ in }
        state("forged cursors", defended.finding)
        #expect(defended.finding.isHarmless)
    }

    /// Cursors keep the search origin for an hour after the viewer has left, and so can be at many places at once.
    @Test("Kept cursors reveal no more than the center of a cell") func keptCursors() async throws {
        try await AttackScene.run(seed: 7) { scene in
            try await scene.join(scene.names("keeper"))
            var kept: [[(place: Coordinate, cursor: String)]] = Array(repeating: [], count: 4)
            for step in 0..<Self.keptPlaces {
                scene.clock.advance(121)
                let new = try await scene.inEachPlace { number, middle in
                    var random = SeededGenerator(seed: UInt64(300 + step * 10 + number))
                    let place = AttackScene.scattered(&random, middle)
                    try await scene.ping("keeper\(number)", at: place)
                    let reply = try await scene.server.send(
                        "GET /v1/people/keeper\(number)/discovery?limit=1&fields=id,distance",
                        token: scene.token("keeper\(number)"))
                    let json = try JSONSerialization.jsonObject(with: Data(reply.body.utf8)) as? [String: Any]
                    return (place, try #require(json?["cursor"] as? String))
                }
                for (number, pair) in new.enumerated() { kept[number].append(pair) }
            }
            let answers = try await scene.inEachPlace { [kept] number, _ in
                try await kept[number].asyncMap { place, cursor in
                    (place, try await scene.look("keeper\(number)", "&cursor=\(cursor)"))
                }
            }
            var clues: [String: [Clue]] = [:]
            for (place, seen) in answers.flatMap(\.self) {
                for other in seen { clues[other.id, default: []].append(scene.clue(place, other)) }
            }
            let finding = scene.finding(clues)
            state("kept cursors", finding)
            #expect(finding.isHarmless)
            scene.clock.advance(3600)
            for (number, cursors) in kept.enumerated() {
                for (_, cursor) in cursors {
                    let reply = try await scene.server.send(
                        "GET /v1/people/keeper\(number)/discovery?limit=1&fields=id,distance&cursor=\(cursor)",
                        token: scene.token("keeper\(number)"))
                    #expect(reply.text.contains("invalid_cursor"), "an hour is over")
                }
            }
        }
    }

    @Test("Changed cursors and cursors of other people are refused") func invalidCursors() async throws {
        try await AttackScene.run(seed: 8) { scene in
            try await scene.join(["ana", "eva"])
            for name in ["ana", "eva"] { try await scene.ping(name, at: scene.middles[0]) }
            let line = "/discovery?limit=1&fields=id"
            let reply = try await scene.server.send("GET /v1/people/ana\(line)", token: scene.token("ana"))
            let json = try JSONSerialization.jsonObject(with: Data(reply.body.utf8)) as? [String: Any]
            let cursor = try #require(json?["cursor"] as? String)
            func status(_ name: String, _ query: String, _ cursor: String) async throws -> Int {
                try await scene.server.send(
                    "GET /v1/people/\(name)\(line)\(query)&cursor=\(cursor)", token: scene.token(name)
                ).status
            }
            #expect(try await status("ana", "", cursor) == 200)
            #expect(try await status("eva", "", cursor) == 400)
            #expect(try await status("ana", "&within_m=5000", cursor) == 400)
            for index in stride(from: 0, to: cursor.count, by: 3) {
                var characters = Array(cursor)
                characters[index] = characters[index] == "A" ? "B" : "A"
                #expect(try await status("ana", "", String(characters)) == 400, "character \(index)")
            }
            // Some bits of the last character are unused.
            for last in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" where last != cursor.last {
                #expect(try await status("ana", "", cursor.dropLast() + String(last)) == 400, "\(last)")
            }
        }
    }
}
