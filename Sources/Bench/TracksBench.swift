internal import Algorithms
internal import ArgumentParser
internal import Discovery
internal import Foundation
internal import Geo
internal import Interchange
internal import Model

/// `tools/bench tracks`: counts the throttle's verdicts about recorded tracks.
struct TracksBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tracks", abstract: "Replay recorded tracks and count the verdicts.",
        discussion: """
            Every .csv and .csv.gz file of the folder is replayed in its own order, in batches, with the default rules. Columns: \
            t (RFC 3339, or seconds since 1970), lat, lon; track, run or vehicle_id for the person, else all are of one; \
            device or phone; accuracy_m.
            """)

    @Option(help: "A folder with files of tracks.") var folder: String

    func run() async throws {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let tracks = files.filter { $0.hasSuffix(".csv") || $0.hasSuffix(".csv.gz") }.sorted()
        guard !tracks.isEmpty else { throw MeasurementError("there are no tracks to replay in \(folder)") }
        print("tracks of \(folder), on \(Machine.description)")
        for name in tracks {
            let rows = try Archive.rows("\(folder)/\(name)", .pings)
            let reports = rows.compactMap { $0.flatMap(PingReport.init) }
            try await withLive { live in
                let start = ContinuousClock.now
                let counts = try await replay(reports, in: live)
                let time = .now - start
                let suspects = try await suspects(among: Set(reports.map(\.person)), in: live)
                print(
                    "\(name): \(reports.count) pings in \(short(time.seconds)) s, \(rows.count - reports.count) unreadable rows"
                )
                for (verdict, count) in counts.sorted(by: { $0.value > $1.value }) { print("  \(verdict): \(count)") }
                print("  of those stored, suspect: \(suspects)")
            }
        }
    }

    private func replay(_ reports: [PingReport], in live: Live) async throws -> [String: Int] {
        let people = Set(reports.map(\.person)).sorted().map { Write(Person(id: $0)) }
        let dawn = Timestamp(milliseconds: 0)
        try await live.perform(Each(people.map(PutPerson.init)), by: .service, at: dawn)
        var counts: [String: Int] = [:]
        for batch in reports.chunks(ofCount: 1000) {
            let received = batch.compactMap(\.time).max() ?? dawn
            let recorded = try await live.perform(Record(Array(batch)), by: .service, at: received)
            for verdict in recorded.verdicts { counts[verdict.word, default: 0] += 1 }
        }
        return counts
    }

    private func suspects(among people: Set<PersonID>, in live: Live) async throws -> Int {
        var count = 0
        for person in people {
            let history = try await live.history(
                of: person, from: Timestamp(milliseconds: 0), to: .latest, limit: Int(Int32.max))
            count += history.count(where: \.isSuspect)
        }
        return count
    }
}

extension PingReport {
    /// The ping of a row; nil without a valid time and position.
    fileprivate init?(_ row: [String: String]) {
        func text(_ names: String...) -> String? { names.lazy.compactMap { row[$0] }.first }
        guard let time = row["t"].flatMap(Self.instant), let latitude = row["lat"].flatMap(Double.init),
            let person = try? PersonID(text("track", "run", "vehicle_id") ?? "everybody"),
            let longitude = row["lon"].flatMap(Double.init),
            let place = try? Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        self.init(person: person, device: text("device", "phone") ?? "", time: time, place: place)
        details.accuracy = row["accuracy_m"].flatMap(Float.init)
    }

    private static func instant(_ text: String) -> Timestamp? {
        guard let seconds = Double(text) else { return Timestamp(rfc3339: text) }
        return Timestamp(milliseconds: Int64((seconds * 1000).rounded()))
    }
}
