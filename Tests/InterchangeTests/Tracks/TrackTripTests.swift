import Discovery
import Foundation
import Geo
import Interchange
import Laws
import Model
import TestSupport
import Testing

/// Tracks that are exported and imported again.
@Suite struct TrackTripTests {
    @Test("Exported tracks import unchanged in every format") func roundTrip() async throws {
        try await withEngine { home in
            for format in TrackExport.formats {
                try await withEngine { abroad in
                    for seed in RandomCases.seeds(1..<61) {
                        var random = SeededGenerator(seed: seed)
                        let person = try await home.addPerson("ana-\(format)-\(seed)")
                        _ = try await abroad.addPerson(person.text)
                        try await walk(person, in: home, &random)
                        let sent = try await home.believed(of: person)
                        let bytes = try await export(person, format, from: home)
                        let report = try await abroad.load(bytes, of: person, inPiecesBy: &random).get()
                        let arrived = try await abroad.believed(of: person)
                        #expect(arrived == sent, "seed \(seed), \(format): \(report.json)")
                        #expect(report.refusedCount == 0 && report.isWhole, "seed \(seed), \(format)")
                        _ = try await abroad.load(bytes, of: person, inPiecesBy: &random).get()
                        #expect(
                            try await abroad.believed(of: person) == sent, "seed \(seed), \(format): once is enough")
                    }
                }
            }
        }
    }

    @Test("A long line is split, and the next one begins where it ended") func splitLine() async throws {
        try await withEngine { engine in
            let person = try await engine.addPerson("ana")
            let reports = try (0..<10_005).map { index in
                PingReport(
                    person: person, time: Timestamp(milliseconds: Int64(index) * 130_000),
                    place: try place(index.isMultiple(of: 2) ? 39 : 39.1, -0.4))
            }
            for start in stride(from: 0, to: reports.count, by: 1000) {
                let some = Array(reports[start..<min(start + 1000, reports.count)])
                try await engine.perform(Record(some), by: .service, at: morning)
            }
            let text = String(decoding: try await export(person, .geojson, from: engine), as: UTF8.self)
            let lines = text.split(separator: "\n").filter { $0.contains("LineString") }
            #expect(lines.map { $0.matches(of: /T\d\d:/).count } == [10_000, 6])
        }
    }

    private static let devices = ["", "phone", "a \"watch\", <she> & he", "коробка;7"]

    /// A random movement over some days, with pauses, jumps over the 180th meridian, and arbitrary sensor values.
    private func walk(_ person: PersonID, in engine: Engine, _ random: inout SeededGenerator) async throws {
        var place =
            random.chance(0.2) ? try Coordinate(latitude: random.number(-80..<80), longitude: 180) : random.place()
        var time = Timestamp(milliseconds: 1_700_000_000_000 + Int64(random.integer(0...1000)))
        var reports: [PingReport] = []
        for _ in 0..<random.integer(1...120) {
            time = time + .milliseconds(random.integer(1...random.pick([60_000, 900_000, 20_000_000])))
            if random.chance(0.8) { place = random.jittered(place, metres: random.pick([100, 3000])) }
            var report = PingReport(person: person, device: random.pick(Self.devices), time: time, place: place)
            if random.chance(0.6) { report.details.accuracy = Float(random.number(0..<300)) }
            if random.chance(0.5) { report.details.altitude = Float(random.number(-400..<9000)) }
            if random.chance(0.4) { report.details.speed = Float(random.logNormal(median: 2)) }
            if random.chance(0.4) { report.details.heading = Float(random.number(0..<360)) }
            if random.chance(0.3) { report.details.battery = Float(random.number(0..<1)) }
            reports.append(report)
        }
        try await engine.perform(Record(reports), by: .service, at: morning)
    }

    private func export(_ person: PersonID, _ format: ExportFormat, from engine: Engine) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        try await TrackExport(of: person, format, from: engine).write { bytes += $0 }
        return bytes
    }
}

/// The fields of a position that a track preserves.
private struct Believed: Hashable {
    var key: PingKey
    var place: Coordinate
    var device: String
    var details: PingDetails

    init(_ ping: StoredPing) {
        key = ping.key
        place = ping.place
        device = ping.device
        details = ping.details
    }
}

extension Engine {
    fileprivate func believed(of person: PersonID) async throws -> [Believed] {
        try await history(of: person, from: Timestamp(milliseconds: 0), to: morning, limit: 10_000).filter {
            !$0.isSuspect
        }.map(Believed.init)
    }
}
