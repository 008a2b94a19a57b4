internal import ArgumentParser
internal import Foundation
internal import Hours
internal import Model

/// `tools/bench hours`: measures the share of real opening hours that are understood, and the cost of evaluating them.
struct HoursBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hours", abstract: "Read real opening hours, and measure what asking for a state costs.",
        discussion: """
            Every .geojson file of the folder is searched for properties 'opening_hours', and every .ndjson.gz file for members \
            'hours'. Texts that are not understood are listed with the reason.
            """)

    @Option(help: "A folder with files that hold opening hours.") var folder: String
    @Flag(help: "List also how each text that has warnings was read.") var all = false

    func run() throws {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var known: [OpeningHours] = []
        for name in files.sorted() where name.hasSuffix(".geojson") || name.hasSuffix(".ndjson.gz") {
            let texts = try Self.texts(URL(fileURLWithPath: folder).appendingPathComponent(name))
            guard !texts.isEmpty else { continue }
            let hours = texts.map { OpeningHours($0) }
            report(name, hours)
            known += hours.filter(\.isUnderstood)
        }
        guard !known.isEmpty else { throw MeasurementError("there are no opening hours in \(folder)") }
        try measure(known)
    }

    private static func texts(_ file: URL) throws -> [String] {
        if file.pathExtension == "geojson" {
            let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
            let features = object?["features"] as? [[String: Any]] ?? []
            return features.compactMap { ($0["properties"] as? [String: Any])?["opening_hours"] as? String }
        }
        return try Archive.text(file.path).split(whereSeparator: \.isNewline).compactMap { line in
            (try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["hours"] as? String
        }
    }

    private func report(_ name: String, _ hours: [OpeningHours]) {
        let unknown = hours.filter { !$0.isUnderstood }
        let warned = hours.filter { $0.isUnderstood && !$0.warnings.isEmpty }
        print(
            "\(name): \(hours.count) texts, \(hours.count - unknown.count) understood, \(warned.count) of them with warnings"
        )
        var counts: [String: Int] = [:]
        for warning in warned.flatMap(\.warnings) {
            // Quoted parts differ between texts.
            counts[warning.replacing(#/'.+'/#, with: "'…'"), default: 0] += 1
        }
        for (warning, count) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            print("  \(count) x \(warning)")
        }
        if all { for text in warned { print("  read: \(text.text) -> \(text.warnings.joined(separator: "; "))") } }
        for (text, same) in Dictionary(grouping: unknown, by: \.text).sorted(by: { $0.key < $1.key }) {
            print("  \(same.count) x unknown: \(text) -> \(same[0].warnings.joined())")
        }
    }

    private func measure(_ hours: [OpeningHours]) throws {
        guard let clock = WallClock.of(zone: "Europe/Helsinki") else {
            throw MeasurementError("there are no time zones")
        }
        let day = Timestamp(milliseconds: 1_795_132_800_000)
        let dated = hours.filter { $0.reading?.contains(#/Jan|Jun|Jul|Aug|week/#) ?? false }
        for (name, some) in [("all", hours), ("with dates", dated)] where !some.isEmpty {
            print("\(name), \(some.count) texts, nanoseconds on \(Machine.description)")
            cost("state", some) { text, minute in
                Int(text.state(at: day + .seconds(minute * 60), by: clock).rawValue)
            }
            cost("state and next change", some) { text, minute in
                Int(text.status(at: day + .seconds(minute * 60), by: clock).change?.at.milliseconds ?? 0)
            }
        }
        cost("reading the text", hours) { text, _ in OpeningHours(text.text).warnings.count }
    }

    private func cost(_ name: String, _ hours: [OpeningHours], _ ask: (OpeningHours, Int) -> Int) {
        let rounds = max(1, 200_000 / hours.count)
        let time = ContinuousClock().measure {
            for round in 0..<rounds { for text in hours { blackHole(ask(text, round * 37 % 10_080)) } }
        }
        print("  \(name): \(short(time.seconds * 1e9 / Double(rounds * hours.count), 1))")
    }
}

@inline(never) private func blackHole(_ answer: Int) {}
