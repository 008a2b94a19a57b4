import API
import Discovery
import Geo
import Laws
import Model
import TestSupport
import Testing

/// Scans every answer in a random world for exact places and times of people who do not share them.
@Suite struct SharingScanTests {
    private struct Fix {
        var person: String
        var text: String
        var time: String
        var isInPrivacyZone: Bool
    }

    @Test("No answer reveals an exact place that is not shared", arguments: RandomCases.seeds(0..<4))
    func exactPlaces(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        try await withKeys { server, keys, _ in
            let names = ["ana", "luis", "eva", "bea", "sol"]
            try await server.add(names, at: morning - .seconds(200_000))
            let middle = try place(39.4699, -0.3763)
            var precisions: [String: Precision] = [:]
            for name in names {
                let precision = random.pick([.exact, .exact, .approximate, .city, .hidden] as [Precision])
                precisions[name] = precision
                let body = """
                    {"sharing":{"precision":"\(precision)","zones":[{"id":"home","lat":39.4699,"lon":-0.3763,"radius_m":2000}]},
                    "discoverable":true,"born":"1990-01-01"}
                    """
                #expect(try await server.send("PUT /v1/people/\(name)", body, token: keys.service).status == 200)
            }
            var friends: Set<Set<String>> = []
            for a in names {
                for b in names where a < b && random.chance(0.7) {
                    friends.insert([a, b])
                    let pair = MakeFriends(try ID(a), try ID(b))
                    try await server.engine.perform(pair, by: .service, at: morning - .seconds(100_000))
                }
            }
            // Precisions that were in force then. The first document was exact, so the past is shown as at present.
            var fixes: [Fix] = []
            for name in names {
                for step in 0..<8 {
                    let place = random.jittered(middle, metres: step.isMultiple(of: 2) ? 300 : 6000)
                    let time =
                        morning - .milliseconds(Int64(80_000_000 - step * 9_000_000 + random.integer(1...7_000_000)))
                    var report = PingReport(person: try ID(name), time: time, place: place)
                    report.details.accuracy = 10
                    let recorded = try await server.engine.perform(Record([report]), by: .service, at: morning)
                    guard recorded.verdicts == [.stored] else { continue }
                    fixes.append(
                        Fix(
                            person: name, text: #""lat":\#(place.latitude),"lon":\#(place.longitude)"#,
                            time: time.rfc3339, isInPrivacyZone: Geodesic.distance(from: middle, to: place) < 1800))
                }
            }
            #expect(fixes.count > 15, "seed \(seed)")
            let times = (0..<12).map { _ in (morning - .milliseconds(Int64(random.integer(1...80_000_000)))).rfc3339 }
            for viewer in names {
                var text = ""
                for line in lines(viewer, names, times) {
                    text += try await server.send(line, token: keys.person(viewer)).text + "\n"
                }
                for fix in fixes where fix.person != viewer {
                    let isAgreed =
                        friends.contains([fix.person, viewer])
                        && max(precisions[fix.person] ?? .hidden, precisions[viewer] ?? .hidden) == .exact
                    if isAgreed, !fix.isInPrivacyZone { continue }
                    #expect(!text.contains(fix.text), "seed \(seed): \(fix) for \(viewer)")
                    #expect(!text.contains(fix.time), "seed \(seed): \(fix) for \(viewer)")
                }
            }
        }
    }

    /// All requests of a person that involve others.
    private func lines(_ viewer: String, _ names: [String], _ times: [String]) -> [String] {
        var lines = [
            "GET /v1/people/\(viewer)/friends/nearest", "GET /v1/people/\(viewer)/discovery",
            "GET /v1/people/\(viewer)/friends", "GET /v1/people/\(viewer)/matches", "GET /v1/people?q=a",
        ]
        for name in names where name != viewer {
            lines += [
                "GET /v1/people/\(name)", "GET /v1/people/\(name)/position", "GET /v1/people/\(name)/history",
                "GET /v1/people/\(viewer)/encounters?with=\(name)&within_m=20000",
            ]
            lines += times.map { "GET /v1/people/\(name)/position?at=\($0)" }
        }
        return lines + times.map { "GET /v1/people/\(viewer)/friends/nearest?at=\($0)" }
    }
}
