import Discovery
import Foundation
import Geo
import Laws
import Model
import TestSupport
import Testing

/// A friend who halves the area where a person may be, with a fence for each half, after each upload.
@Suite(.serialized) struct FenceAttackTests {
    /// 18 leave squares of 31 m, and 14 of 125 m, in which a guess is 0.05 sides off.
    private static let rounds = RandomCases.count(14, all: 18)

    @Test("Halving by fences finds no more than the cell") func cell() async throws {
        let finding = try await halving(.approximate)
        state("halving by fences", finding)
        #expect(finding.isHarmless)
    }

    @Test("Halving by fences finds a place that is not shown as a cell") func withoutCells() async throws {
        let finding = try await halving(.approximate) { $0.quantizesToCells = false }
        state("halving by fences without cells", finding)
        #expect(finding.succeeds)
    }

    @Test("Halving by fences does not find home in a privacy zone") func zone() async throws {
        let finding = try await halving(.exact, zones: true)
        state("halving by fences around a zone", finding)
        #expect(finding.isHarmless)
    }

    @Test("Halving by fences finds home outside of a privacy zone") func withoutZone() async throws {
        let finding = try await halving(.exact)
        state("halving by fences, shared exactly", finding)
        #expect(finding.succeeds)
    }

    /// A rectangle where a person may be, in meters around the center of the neighborhood.
    private struct Square {
        var south = -8000.0
        var west = -8000.0
        var height = 16_000.0
        var width = 16_000.0

        /// The southern or the western half.
        var half: Square {
            var half = self
            if height >= width { half.height /= 2 } else { half.width /= 2 }
            return half
        }

        mutating func halve(isInside: Bool) {
            let half = half
            if !isInside {
                south += height - half.height
                west += width - half.width
            }
            (height, width) = (half.height, half.width)
        }

        /// The area is cut if it crosses the 180° meridian.
        func area(around middle: Coordinate) -> String {
            let corner = Trilateration.shifted(middle, south, west)
            let other = Trilateration.shifted(middle, south + height, west + width)
            let (west, east) = (corner.longitude, other.longitude)
            let parts = (west <= east ? [(west, east)] : [(west, 180), (-180, east)]).map { west, east in
                let corners = [(west, corner), (east, corner), (east, other), (west, other), (west, corner)].map {
                    "[\($0),\($1.latitude)]"
                }
                return "[[\(corners.joined(separator: ","))]]"
            }
            return #"{"type":"MultiPolygon","coordinates":[\#(parts.joined(separator: ","))]}"#
        }
    }

    private func halving(
        _ precision: Precision, zones: Bool = false, _ change: (inout Defences) -> Void = { _ in }
    ) async throws -> Finding {
        var finding = Finding([])
        try await AttackScene.run(seed: 52, change) { scene in
            try await befriend(precision, zones, in: scene)
            var cursor = "0"
            var squares = [Square](repeating: Square(), count: scene.victims.count)
            for _ in 0..<Self.rounds {
                for (victim, square) in zip(scene.victims, squares) {
                    let body =
                        #"{"area":\#(square.half.area(around: victim.middle)),"people":["\#(victim.id)"],"margin_m":0}"#
                    let reply = try await scene.server.send(
                        "PUT /v1/people/eva/fences/\(victim.id)", body, token: scene.token("eva"))
                    try #require(reply.status < 300, "\(reply.text)")
                }
                try await upload(in: scene)
                let came = try await entries(after: &cursor, in: scene)
                for number in squares.indices {
                    squares[number].halve(isInside: came.contains(scene.victims[number].id))
                }
            }
            finding = Finding(
                zip(scene.victims, squares).map { victim, square in
                    (
                        Trilateration.shifted(
                            victim.middle, square.south + square.height / 2, square.west + square.width / 2),
                        victim.place
                    )
                })
        }
        return finding
    }

    private func befriend(_ precision: Precision, _ zones: Bool, in scene: AttackScene) async throws {
        try await scene.join(["eva"])
        let people = try scene.victims.map { victim in
            var person = Person(id: try ID(victim.id))
            person.sharing = Sharing(precision)
            person.sharing.alerts = .friends
            if zones { person.sharing.zones = [PrivacyZone(id: try ID("home"), centre: victim.place, radius: 400)] }
            return Write(person)
        }
        var eva = Person(id: try ID("eva"))
        eva.sharing = Sharing(precision)
        try await scene.server.engine.perform(PutPeople(people + [Write(eva)]), by: .service, at: morning)
        let pairs = try scene.victims.map { MakeFriends(try ID($0.id), try ID("eva")) }
        try await scene.server.engine.perform(Batch(pairs), by: .service, at: morning)
    }

    /// Uploads the positions of all victims, who are still at home.
    private func upload(in scene: AttackScene) async throws {
        scene.clock.advance(1000)
        let now = scene.clock.now
        let reports = try scene.victims.map { PingReport(person: try ID($0.id), time: now, place: $0.place) }
        try await scene.server.engine.perform(Record(reports), by: .service, at: now)
    }

    /// Returns the owners whose fences reported an entry since the last call; a changed fence starts over.
    private func entries(after cursor: inout String, in scene: AttackScene) async throws -> Set<String> {
        let reply = try await scene.server.send(
            "GET /v1/events?type=fence.enter&limit=1000&cursor=\(cursor)",
            token: scene.token("eva"))
        let page = try JSONSerialization.jsonObject(with: Data(reply.body.utf8)) as? [String: Any]
        cursor = try #require(page?["cursor"] as? String)
        return Set((page?["items"] as? [[String: Any]] ?? []).compactMap { $0["person"] as? String })
    }
}
